"""The reference format byte for byte: the worked example, its thresholds, cuts, and the gate."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.asking import pinned, plan
from support.worked import CLASSES, KILN, SALT_GLAZE, TIDE_KILN, ref

from loom.core.policy.gate import ReferenceGate
from loom.core.text import ascii_words, ref_to_slug, slug_of, slugify, truncate
from loom.core.values import Candidate, Concept, Finding, Ref, tokens_of

PIN = pinned(*CLASSES)
ASKED = "How does a tide kiln work?"
FIRST = """[ONTOLOGY CONTEXT]
## Tide Kiln (ceramics, maturity: draft)
A kiln whose firing schedule follows the tide table.
is-a: Kiln; ancestors: heat-source, artefact
relations: requires: Tide Table; uses: Salt Glaze, missing-thing; zonedBy: Harbour Rule
- Salt Glaze: A glaze formed by salt vapour.
- Harbour Rule: A rule that a harbour master enforces."""
BLOCK = f"""{FIRST}

## Kiln (ceramics)
A chamber that reaches firing temperature.
[END ONTOLOGY CONTEXT]"""


def test_the_worked_example() -> None:
    block = plan(PIN, ASKED, "reference").block
    assert block.text == BLOCK
    assert sha256(block.text.encode()).hexdigest() == "c488fc4e0bd7b146c6dcb438558df529962ea8db2e8ae84bebd7f93d6facc9f5"
    assert (len(block.text), block.tokens) == (431, 108)


@pytest.mark.parametrize(("budget", "sections"), [(1, 0), (91, 0), (92, 1), (107, 1), (108, 2), (1500, 2)])
def test_whole_sections_or_none(budget: int, sections: int) -> None:
    made = plan(PIN, ASKED, "reference", budget=budget)
    assert made.block.text == ["", f"{FIRST}\n[END ONTOLOGY CONTEXT]", BLOCK][sections]
    assert len(made.block.served) == sections and len(made.block.dropped) == 2 - sections
    assert not any(served.cut for served in made.block.served)
    assert made.decision.engaged == (sections > 0)
    assert made.decision.reason == ("exact" if sections else "budget")


def test_hops_above_one_are_one_and_none_leave_neighbours_out() -> None:
    without = [line for line in BLOCK.split("\n") if not line.startswith("- ")]
    assert plan(PIN, ASKED, "reference", hops=0).block.text == "\n".join(without)
    assert plan(PIN, ASKED, "reference", hops=3).block.text == BLOCK


def test_a_neighbour_that_is_served_itself_is_not_defined_twice() -> None:
    text = plan(PIN, "tide kiln with salt glaze", "reference").block.text
    assert "- Salt Glaze" not in text and "## Salt Glaze\n" in text


def test_prose_is_shown_for_the_first_two_units_only() -> None:
    def told(concept: Concept) -> Concept:
        return Concept(concept.iri, concept.title, "Short.", full=f"{concept.title} in full. ", prose=f" {concept.title} now.")

    pin = pinned(*map(told, (TIDE_KILN, KILN, SALT_GLAZE)))
    text = plan(pin, "tide kiln, salt glaze", "reference", prose=True).block.text
    assert text.split("\n")[1:-1] == [
        *("## Salt Glaze", "Salt Glaze in full.", "landscape: Salt Glaze now.", ""),
        *("## Tide Kiln", "Tide Kiln in full.", "landscape: Tide Kiln now.", ""),
        *("## Kiln", "Short."),
    ]
    assert "landscape" not in plan(pin, "tide kiln", "reference", prose=False).block.text


def test_caps_and_what_is_not_capped() -> None:
    many = tuple(ref(f"thing-{number}") for number in range(9))
    concept = Concept("urn:ngm:class:hub", "Hub", parents=many, ancestors=many, relations=(("uses", many), ("aaa", many[:1])))
    line = plan(pinned(concept), "hub", "reference").block.text.split("\n")
    assert (
        line[2] == f"is-a: {', '.join(f'thing-{n}' for n in range(9))}; ancestors: {', '.join(f'thing-{n}' for n in range(5))}"
    )
    assert line[3] == "relations: uses: thing-0, thing-1, thing-2; aaa: thing-0"


def test_targets_that_repeat_are_printed_twice_and_unknown_ones_by_their_slug() -> None:
    twice = (Ref("urn:ngm:class:far-off", "Far Off Place"),) * 2
    text = plan(pinned(Concept("urn:ngm:class:hub", "Hub", relations=(("uses", twice),))), "hub", "reference").block.text
    assert "relations: uses: far-off, far-off\n" in text


def test_the_receipt_names_what_a_line_shows() -> None:
    (first, second) = plan(PIN, ASKED, "reference").block.served
    assert first.names == (
        *("Tide Kiln", "Kiln", "heat-source", "artefact", "Tide Table", "Salt Glaze", "missing-thing", "Harbour Rule"),
    )
    assert second.names == ("Kiln",)
    assert first.tokens == tokens_of("\n".join(first.lines))


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("abcdefghij klm", 10, "abcdefghij…"),
        ("aaaa. bbbbbbb", 9, "aaaa."),
        ("a. bbb cccc dddd", 12, "a. bbb cccc…"),
        ("short", 5, "short"),
        ("", 0, ""),
        ("ab cdefghij", 10, "ab cdefghi…"),
        ("abcde    fghij", 8, "abcde…"),
        ("𝒜𝒜𝒜𝒜𝒜", 4, "𝒜𝒜𝒜𝒜…"),
    ],
)
def test_truncate(text: str, limit: int, expected: str) -> None:
    assert truncate(text, limit) == expected


@given(st.text(), st.integers(0, 60))
def test_a_cut_is_a_beginning_with_at_most_one_more_character(text: str, limit: int) -> None:
    cut = truncate(text, limit)
    assert len(cut) <= limit + 1
    assert text.startswith(cut.removesuffix("…")) or cut == text


@pytest.mark.parametrize(
    ("text", "slug"),
    [("Tide Kiln", "tide-kiln"), ("  C++ & C ", "c-c"), ("WebID", "webid"), ("naïve", "na-ve"), ("窯", ""), ("K", "k")],
)
def test_slugify(text: str, slug: str) -> None:
    assert slugify(text) == slug


@pytest.mark.parametrize(
    ("text", "slug"),
    [("urn:ngm:class:web-id", "web-id"), ("web-id", "web-id"), ("urn:x:Web ID", "web-id"), ("a:b:c", "c"), ("", "")],
)
def test_references_are_read_as_slugs(text: str, slug: str) -> None:
    assert ref_to_slug(text) == slug


@pytest.mark.parametrize(
    ("iri", "slug"),
    [
        ("urn:ngm:class:tide-kiln", "tide-kiln"),
        ("http://example.org/a/b", "b"),
        ("https://example.org/a#b", "b"),
        ("http://example.org/a/", "a"),
        ("plain", "plain"),
    ],
)
def test_the_slug_of_an_iri_is_its_local_name(iri: str, slug: str) -> None:
    assert slug_of(iri) == slug


def test_words_are_ascii_runs() -> None:
    assert ascii_words("Ünï-Kiln v2.0, kiln's") == ["n", "kiln", "v2", "0", "kiln", "s"]


@given(st.text())
def test_tokens_are_quarters_of_code_points_rounded_up(text: str) -> None:
    assert tokens_of(text) * 4 - 3 <= len(text) <= tokens_of(text) * 4 or not text


SCALED = ReferenceGate(scaled=True)


@pytest.mark.parametrize(
    ("gate", "top", "requested", "budget"),
    [
        (SCALED, 1.99, 1500, None),
        (SCALED, 2.0, 1500, 600),
        (SCALED, 4.0, 1500, 750),
        (SCALED, 6.0, 1500, 1125),
        (SCALED, 8.0, 1500, 1500),
        (SCALED, 40.0, 1500, 1500),
        (ReferenceGate(scaled=True, least=0.1), 1.0, 2, 1),
        (ReferenceGate(scaled=True, least=0.1), 0.1, 1, 1),
        (ReferenceGate(scaled=True, strong=0.0), 2.0, 1500, 1500),
        (ReferenceGate(scaled=True, strong=-1.0), 2.0, 1500, 1500),
        (ReferenceGate(scaled=True, fraction=0.0), 2.0, 1500, 375),
        (ReferenceGate(), 0.0, 1500, 1500),
        (ReferenceGate(), 7.5, 0, 0),
    ],
)
def test_the_gate_table(gate: ReferenceGate, top: float, requested: int, budget: int | None) -> None:
    assert gate.effective_budget(top, requested) == budget


def finding(*scores: float) -> Finding:
    return Finding("ontology", tuple(Candidate(f"urn:c:{score}", score, "lexical") for score in scores), reason="lexical")


def test_the_first_candidate_decides_and_not_the_best() -> None:
    assert SCALED.decide([finding(2.0, 20.0)], 1500).budget == 600


def test_below_the_least_score_nothing_is_injected_with_the_gate_off_too() -> None:
    for gate in (ReferenceGate(least=9.0), ReferenceGate(scaled=True, least=9.0)):
        decision = gate.decide([finding(8.0)], 1500)
        assert (decision.engaged, decision.reason, decision.budget, decision.admitted) == (False, "weak", 0, ())
        assert gate.decide([finding(9.0)], 1500).engaged


def test_nothing_found_is_off_topic_and_confidence_is_unknown() -> None:
    decision = ReferenceGate().decide([Finding("ontology")], 1500)
    assert (decision.engaged, decision.reason, decision.confidence) == (False, "off_topic", None)
    assert ReferenceGate().decide([finding(8.0)], 1500).confidence is None
