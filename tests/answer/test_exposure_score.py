import pytest
from support.generations import MemoryGeneration

from loom.answer.exposure_score import NAMES_MOST, TEXT_MOST, score
from loom.answer.plan import Pin
from loom.core.errors import BadInput
from loom.core.matching.default import press_default
from loom.core.matching.lexicon import Entry
from loom.core.text import slug_of
from loom.core.values import Concept

TITLES = ("Tide Kiln", "Salt Glaze", "Harbour Rule", "Drying Shed", "Ash")
CONCEPTS = [Concept(f"urn:x:{title.lower().replace(' ', '-')}", title) for title in TITLES]
ENTRIES = [Entry(concept.title, (), slug_of(concept.iri)) for concept in sorted(CONCEPTS, key=lambda concept: concept.iri)]
PIN = Pin(MemoryGeneration(CONCEPTS, extra={"lexicon.default": press_default(ENTRIES)}))
BLOCK = "[ONTOLOGY CONTEXT]\n## Tide Kiln\nA kiln.\nrelations: uses: Salt Glaze\n[END ONTOLOGY CONTEXT]"


def test_over_gold_all_four_cells_are_counted() -> None:
    scored = score(
        PIN,
        "A tide kiln obeys the harbour rule.",
        BLOCK,
        gold=["Tide Kiln", "Salt Glaze", "Harbour Rule", "Drying Shed", "Ash"],
    )
    assert scored["counts"] == {"n11": 1, "n10": 1, "n01": 1, "n00": 2}
    assert (scored["targets"], scored["delivered"], scored["dropped"]) == (5, 2, ["Salt Glaze"])
    assert (scored["ceiling"], scored["recall"], scored["gain"]) == (0.4, 0.4, 0.0)
    assert scored["beyond"] == ["Harbour Rule"]


def test_without_gold_the_block_says_what_it_shows() -> None:
    scored = score(PIN, "The tide kiln, says the harbour rule.", BLOCK, question="What is the harbour rule?")
    assert (scored["targets"], scored["delivered"], scored["dropped"], scored["beyond"]) == (2, 1, ["Salt Glaze"], [])
    assert scored["counts"] == {"n11": 1, "n10": 1, "n01": 0, "n00": None}
    assert (scored["ceiling"], scored["recall"], scored["gain"]) == (None, 0.5, None)


def test_targets_as_a_scaffold_states_them_are_taken_as_shown() -> None:
    scored = score(PIN, "Clay.", BLOCK, targets=["Clay", "Kiln", "Clay"])
    assert (scored["targets"], scored["dropped"]) == (2, ["Kiln"])


def test_the_matchers_differ_at_word_boundaries() -> None:
    assert score(PIN, "washing", "", gold=["Ash"], matcher="reference")["recall"] == 1.0
    assert score(PIN, "washing", "", gold=["Ash"], matcher="default")["recall"] == 0.0


def test_a_gain_is_rounded_once() -> None:
    scored = score(PIN, "A tide kiln.", BLOCK, gold=["Tide Kiln", "Salt Glaze", "Drying Shed"])
    assert (scored["ceiling"], scored["recall"], scored["gain"]) == (0.666667, 0.333333, -0.333333)


def test_nothing_asked_for_has_no_share() -> None:
    scored = score(PIN, "", "", gold=[])
    assert (scored["ceiling"], scored["recall"], scored["gain"]) == (None, None, None)


@pytest.mark.parametrize(
    ("arguments", "param"),
    [
        ({"answer": "x" * (TEXT_MOST + 1)}, "answer"),
        ({"block": "x" * (TEXT_MOST + 1)}, "block"),
        ({"gold": ["x"] * (NAMES_MOST + 1)}, "gold"),
        ({"gold": [" "]}, "gold"),
        ({"targets": [""]}, "targets"),
        ({"matcher": "fuzzy"}, "matcher"),
        ({"gold": ["a"], "targets": ["a"]}, None),
    ],
)
def test_what_cannot_be_scored_is_refused(arguments: dict, param: str | None) -> None:
    with pytest.raises(BadInput) as refused:
        score(PIN, **{"answer": "a", "block": "b", **arguments})
    assert refused.value.param == param
