"""Names in other shapes than the corpus writes them: what is found, what is not, and what a match says of it."""

import random
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.asking import pinned
from support.kitchen import kitchen
from support.shapes import FRAMES, shapes

from loom.answer.plan import Pin
from loom.build.seal import PressedFiles
from loom.core.concepts import Concepts
from loom.core.exposure import hit
from loom.core.matching import default
from loom.core.matching.default import DefaultLexicon, plain_words, press_default
from loom.core.matching.lexicon import Entry
from loom.core.matching.match import Match
from loom.core.values import Concept


def ask(pin: Pin, text: str, limit: int = 4, **known: object) -> list[Match]:
    lexicon, concepts = pin.generation.part(DefaultLexicon), pin.generation.part(Concepts)
    assert lexicon is not None and concepts is not None
    return default.search(lexicon, concepts.quality, text, limit, **known)  # type: ignore[arg-type]


CONCEPTS = {
    "web-rtc": Concept("urn:c:web-rtc", "WebRTC"),
    "wi-fi": Concept("urn:c:wi-fi", "Wi-Fi"),
    "eye-tracking": Concept("urn:c:eye-tracking", "Eye Tracking"),
    "eye-tracking-camera": Concept("urn:c:eye-tracking-camera", "Eye Tracking Camera"),
    "3-d-asset": Concept("urn:c:3-d-asset", "3D Asset"),
    "sbom": Concept("urn:c:sbom", "Software Bill of Materials"),
    "moe": Concept("urn:c:moe", "Mixture of Experts"),
    "iac": Concept("urn:c:iac", "Infrastructure as Code"),
    "agents": Concept("urn:c:agents", "Inter-Agent Communication"),
    "pqc": Concept("urn:c:pqc", "Post-Quantum Cryptography"),
    "rag": Concept("urn:c:rag", "Retrieval Augmented Generation (RAG)"),
    "dlt": Concept("urn:c:dlt", "Distributed Ledger", definition="Distributed ledger technology (DLT) keeps one record."),
    "federated": Concept("urn:c:federated", "Federated Learning"),
    "learning": Concept("urn:c:learning", "Learning"),
    "regularisation": Concept("urn:c:regularisation", "Regularisation"),
    "owl": Concept("urn:c:owl", "OWL"),
    "therapist": Concept("urn:c:therapist", "Therapist"),
    "ml": Concept("urn:c:ml", "Машинное обучение", aliases=("Maschinelles Lernen",)),
    "suppe": Concept("urn:c:suppe", "Kürbis-Suppe"),
    "gama": Concept("urn:c:gama", "登り窯"),
    "market": Concept("urn:c:market", "Automated Market Maker"),
    "amm": Concept("urn:c:amm", "Tariff", aliases=("AMM",)),
}
PIN = pinned(*CONCEPTS.values())
ROWS = sorted(each.iri for each in CONCEPTS.values())


def first(text: str, **known: object) -> tuple[str, str]:
    """The slug and the shape of the best match."""
    best = ask(PIN, text, **known)[0]
    assert best.named
    return ROWS[best.row].removeprefix("urn:c:"), best.how


@pytest.mark.parametrize(
    ("text", "slug", "how"),
    [
        ("what is WebRTC", "web-rtc", "name"),
        ("does web RTC need a server", "web-rtc", "joined"),
        ("does web-rtc need a server", "web-rtc", "joined"),
        ("our wifi is slow", "wi-fi", "joined"),
        ("which headsets have eyetracking", "eye-tracking", "joined"),
        ("an eyetracking camera", "eye-tracking-camera", "joined"),
        ("eyetrackingcameras", "eye-tracking-camera", "joined"),
        ("a 3 D asset", "3-d-asset", "joined"),
        ("3-d assets", "3-d-asset", "joined"),
        ("what belongs in software bills of materials", "sbom", "spelling"),
        ("who asks for an SBOM?", "sbom", "abbreviation"),
        ("are SBOMs useful?", "sbom", "abbreviation"),
        ("a MoE model", "moe", "abbreviation"),
        ("what's IaC and why bother", "iac", "abbreviation"),
        ("is PQC needed yet", "pqc", "abbreviation"),
        ("what is RAG", "rag", "abbreviation"),
        ("retrieval-augmented generation", "rag", "name"),
        ("which DLT is that", "dlt", "abbreviation"),
        ("an AMM", "amm", "name"),
        ("what does fedarated learning need", "federated", "typo"),
        ("ferderated learning", "federated", "typo"),
        ("fedreated learning", "federated", "typo"),
        ("federted learnings", "federated", "typo"),
        ("what does regularization stop", "regularisation", "spelling"),
        ("what does regularzation stop", "regularisation", "typo"),
        ("was ist kürbissuppe", "suppe", "joined"),
        ("Maschinelles-Lernen", "ml", "name"),
        ("машинноеобучение", "ml", "joined"),
        ("машиное обучение", "ml", "typo"),
        ("登り 窯 とは", "gama", "name"),
    ],
)
def test_a_name_is_found_in_other_shapes(text: str, slug: str, how: str) -> None:
    assert first(text) == (slug, how)


@pytest.mark.parametrize(
    "text",
    [
        *("the rapist", "a moe", "is it an iac", "see sbom", "WHAT IS AN SBOM", "pqcs", "wi fi", "fedaratted learners"),
        *("owk", "wxyz", "3 d", "trackingeye", "S. B. O. M."),
    ],
)
def test_no_name_is_made_up(text: str) -> None:
    assert [match.how for match in ask(PIN, text) if match.how in ("joined", "abbreviation", "typo")] == []


def test_what_is_known_is_no_slip_and_what_is_not_may_be_an_abbreviation() -> None:
    assert first("see sbom", known=lambda word: False) == ("sbom", "abbreviation")
    assert not any(match.how == "abbreviation" for match in ask(PIN, "see sbom", known=lambda word: word == "sbom"))
    assert not any(match.how == "typo" for match in ask(PIN, "fedarated learning", known=lambda word: word == "fedarated"))


def test_letters_written_small_tell_which_title_an_abbreviation_means() -> None:
    assert [ROWS[match.row] for match in ask(PIN, "IaC") if match.named] == ["urn:c:iac"]
    assert {ROWS[match.row] for match in ask(PIN, "IAC") if match.named} == {"urn:c:iac", "urn:c:agents"}
    assert {match.shared for match in ask(PIN, "IAC") if match.named} == {2}


def test_a_name_inside_one_in_another_shape_does_not_stand_on_its_own() -> None:
    assert [(ROWS[match.row], match.named) for match in ask(PIN, "fedarated learning")[:2]] == [
        ("urn:c:federated", True),
        ("urn:c:learning", False),
    ]


def test_a_match_says_which_words_of_the_text_its_name_takes_up() -> None:
    best = ask(PIN, "tell me what web RTC is")[0]
    assert (best.start, best.covered, best.name_words) == (3, 2, 1)
    best = ask(PIN, "does an SBOM help")[0]
    assert (best.start, best.covered, best.name_words) == (2, 1, 4)
    best = ask(PIN, "is federated learning slow")[0]
    assert (best.start, best.covered, best.name_words, best.share) == (1, 2, 2, 1.0)


@pytest.mark.parametrize(
    ("text", "cased"), [("the OWL standard", 1), ("an owl in the barn", -1), ("THE OWL STANDARD", 0), ("eye tracking", 0)]
)
def test_capitals_of_a_name_are_compared_with_those_of_the_text(text: str, cased: int) -> None:
    best = ask(PIN, text)[0]
    assert (best.cased, best.shouted) == (cased, cased > 0)


@pytest.fixture(scope="module")
def vault() -> Iterator[Pin]:
    with kitchen() as (_, pin):
        yield pin


@pytest.mark.parametrize("seed", range(3))
def test_names_of_the_example_corpus_are_found_in_every_shape(vault: Pin, seed: int) -> None:
    """Each shape of each title finds, first, a row of that title; where it does not, another title is written so."""
    concepts, lexicon = vault.generation.part(Concepts), vault.generation.part(DefaultLexicon)
    assert concepts is not None and lexicon is not None
    chance = random.Random(seed)
    tried, missed = 0, []
    for row in range(concepts.count):
        for kind, name in shapes(concepts.title(row), chance):
            matches = ask(vault, chance.choice(FRAMES).format(name))
            tried += 1
            if not matches or _letters(concepts.title(matches[0].row)) != _letters(concepts.title(row)):
                missed.append((kind, name))
    assert tried > 200
    assert len(missed) <= 0.03 * tried, missed


def _letters(title: str) -> str:
    return "".join(plain_words(title))


word = st.sampled_from("federated learning ledger ledgers centre center market maker webrtc web rtc of as the".split())
name = st.lists(word, min_size=1, max_size=4).map(" ".join)


@settings(max_examples=150)
@given(st.lists(name, max_size=8), st.text(alphabet="aeflrnmdgtc bwSMO-", max_size=40), st.integers(1, 6))
def test_whatever_is_asked_scores_are_bounded_and_sorted(titles: list[str], text: str, limit: int) -> None:
    pin = pinned(*(Concept(f"urn:c:{at}", title) for at, title in enumerate(titles)))
    found = ask(pin, text, limit)
    assert len(found) <= limit and len({match.row for match in found}) == len(found)
    assert [match.score for match in found] == sorted((match.score for match in found), reverse=True)
    assert all(0 < match.score <= 38.0 and 0.0 <= match.share <= 1.0 for match in found)
    assert all(match.covered > 0 for match in found if match.named)


@settings(max_examples=60)
@given(st.lists(st.tuples(name, name), max_size=8))
def test_a_lexicon_too_large_to_be_held_finds_the_same(titles: list[tuple[str, str]]) -> None:
    files = press_default([Entry(title, (other,)) for title, other in titles])
    held, mapped = DefaultLexicon.open(PressedFiles(files)), DefaultLexicon.open(PressedFiles(files))
    mapped.held = None
    quality = np.zeros(len(titles))
    for text in (
        "fedarated learning",
        "web rtc",
        "federatedlearning centers",
        "FLM of the market maker",
        *(one for one, _ in titles),
    ):
        assert default.search(mapped, quality, text, 5) == default.search(held, quality, text, 5)


def test_exposure_takes_spellings_for_the_name_but_neither_slips_nor_abbreviations() -> None:
    assert hit("Regularisation", "it needs regularization")
    assert hit("Eye Tracking", "it needs eyetracking")
    assert not hit("Regularisation", "it needs regularsation")
    assert not hit("Software Bill of Materials", "it needs an SBOM")
