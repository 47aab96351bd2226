"""Packing: leads before rests before what is spare, whole lines, every token accounted for."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.core.errors import BudgetError
from loom.core.mint.make import make
from loom.core.policy.packing import FOOTER, HEADER, pack_lines, pack_whole
from loom.core.values import Block, Evidence, Tier, tokens_of

line = st.text(alphabet="abc ", min_size=1, max_size=120)
pieces = st.builds(
    lambda lines, tier, must, weight, number, lead, spare: make(
        iri=f"urn:e:{number}",
        title=f"E{number}",
        lines=[(text, (text,)) for text in lines],
        tier=tier,
        must=must,
        weight=weight,
        lead=min(max(2, lead), max(2, len(lines))),
        spare=max(0, min(spare, len(lines) - max(2, lead))),
    ),
    st.lists(line, max_size=6),
    st.sampled_from(Tier),
    st.booleans(),
    st.floats(0.1, 40),
    st.integers(0, 999),
    st.integers(2, 5),
    st.integers(0, 2),
)
evidence = st.lists(pieces, max_size=7)


def accounted(block: Block, given_to_it: list[Evidence], budget: int) -> None:
    """What holds of every block."""
    assert block.tokens == tokens_of(block.text) <= budget
    shown = [served.evidence for served in block.served]
    assert sorted(map(id, [*shown, *block.dropped])) == sorted(id(each) for each in given_to_it if each.lines)
    for served in block.served:
        assert served.lines == served.evidence.lines[: len(served.lines)] != ()
        assert served.cut == (len(served.lines) < len(served.evidence.lines))
        assert served.tokens == tokens_of("\n".join(served.lines))
        assert served.names == tuple(dict.fromkeys(served.lines))
        assert not (served.evidence.must and served.cut)
        assert len(served.lines) >= min(2, len(served.evidence.lines))
    assert not any(each.must for each in block.dropped)
    body = "\n\n".join("\n".join(served.lines) for served in block.served)
    assert block.text == (f"{HEADER}\n{body}\n{FOOTER}" if shown else "")


@settings(max_examples=300)
@given(evidence, st.integers(0, 300))
def test_lines_are_packed_within_the_budget_and_all_evidence_is_accounted_for(given_to_it: list[Evidence], budget: int) -> None:
    must = [each for each in given_to_it if each.must and each.lines]
    needed = f"{HEADER}\n" + "\n\n".join("\n".join(each.lines) for each in must) + f"\n{FOOTER}"
    if must and tokens_of(needed) > budget:
        with pytest.raises(BudgetError, match="Raise the budget"):
            pack_lines(given_to_it, budget)
        return
    block = pack_lines(given_to_it, budget)
    accounted(block, given_to_it, budget)
    order = [(not served.evidence.must, served.evidence.tier) for served in block.served]
    assert order == sorted(order)
    assert pack_lines(given_to_it, budget) == block


def lines_of(block: Block) -> dict[str, int]:
    return {served.evidence.iri: len(served.lines) for served in block.served}


def numbered(found: list[Evidence]) -> list[Evidence]:
    """The pieces with addresses that tell them apart, none of which must be shown."""
    return [replace(each, iri=f"urn:e:{at}", must=False) for at, each in enumerate(found) if each.lines]


def first_lines(each: Evidence, count: int) -> Evidence:
    return replace(each, lines=each.lines[:count], names=each.names[:count], spare=0)


@settings(max_examples=300)
@given(evidence.map(numbered), st.integers(0, 300))
def test_no_rest_costs_a_lead_and_nothing_spare_costs_a_line(found: list[Evidence], budget: int) -> None:
    shown = lines_of(pack_lines(found, budget))
    for count in (lambda each: each.lead, lambda each: len(each.lines) - each.spare):
        alone = lines_of(pack_lines([first_lines(each, count(each)) for each in found], budget))
        assert {each.iri: min(count(each), shown.get(each.iri, 0)) for each in found} == {
            each.iri: alone.get(each.iri, 0) for each in found
        }


@settings(max_examples=300)
@given(evidence.map(numbered), st.integers(75, 300), st.integers(1, 60))
def test_a_larger_budget_shows_every_lead_line_that_a_smaller_one_shows(found: list[Evidence], budget: int, more: int) -> None:
    """Of pieces of which each could be begun alone: two lines are at most 62 tokens here."""
    small, large = lines_of(pack_lines(found, budget)), lines_of(pack_lines(found, budget + more))
    for each in found:
        assert min(each.lead, small.get(each.iri, 0)) <= large.get(each.iri, 0)


@settings(max_examples=200)
@given(evidence.map(numbered), st.integers(75, 300))
def test_leads_are_left_out_from_the_end(found: list[Evidence], budget: int) -> None:
    shown = lines_of(pack_lines(found, budget))
    whole = [shown.get(each.iri, 0) >= min(each.lead, len(each.lines)) for each in sorted(found, key=lambda each: each.tier)]
    begun = [each.iri in shown for each in sorted(found, key=lambda each: each.tier)]
    assert whole == sorted(whole, reverse=True) and begun == sorted(begun, reverse=True)
    assert sum(begun) - sum(whole) in (0, 1)


@settings(max_examples=200)
@given(evidence.map(lambda found: [each for each in found if each.lines]), st.integers(0, 300))
def test_whole_sections_are_packed_within_the_budget_or_must_is_an_error(given_to_it: list[Evidence], budget: int) -> None:
    try:
        block = pack_whole(given_to_it, budget)
    except BudgetError:
        assert any(each.must for each in given_to_it)
        return
    accounted(block, given_to_it, budget)
    assert not any(served.cut for served in block.served)


@given(evidence, st.integers(0, 200))
def test_a_larger_budget_never_shows_less(given_to_it: list[Evidence], budget: int) -> None:
    free = [each for each in given_to_it if not each.must]
    assert pack_lines(free, budget).tokens <= pack_lines(free, budget + 40).tokens + 40
    if pack_lines(free, 10_000).tokens <= budget:
        assert pack_lines(free, budget).text == pack_lines(free, 10_000).text


def section(number: int, *, lines: int = 4, weight: float = 1.0, tier: Tier = Tier.DISCOVERED, must: bool = False) -> Evidence:
    return make(
        iri=f"urn:e:{number}",
        title=f"E{number}",
        lines=[(f"{number} line {at} " + "x" * 30, ()) for at in range(lines)],
        weight=weight,
        tier=tier,
        must=must,
    )


def test_a_section_too_large_is_trimmed_and_not_dropped() -> None:
    block = pack_lines([section(1, lines=40)], 100)
    (served,) = block.served
    assert served.cut and 300 < len(block.text) <= 400


def test_every_section_begins_before_any_is_complete() -> None:
    block = pack_lines([section(1, lines=40, weight=30.0), section(2, lines=40, weight=1.0)], 200)
    assert [len(served.lines) >= 2 for served in block.served] == [True, True]
    assert len(block.served[0].lines) > len(block.served[1].lines)


def test_what_alone_is_too_large_keeps_nothing_else_out() -> None:
    large = make(iri="urn:e:9", title="E9", lines=[("x" * 900, ()), ("more", ())], tier=Tier.COMPUTED)
    assert [served.evidence.iri for served in pack_lines([large, section(1), section(2)], 200).served] == ["urn:e:1", "urn:e:2"]


def test_tiers_come_in_their_order_and_what_must_be_shown_first() -> None:
    found = [
        section(1),
        section(2, tier=Tier.STRUCTURE),
        section(3, tier=Tier.ADDRESSED),
        section(4, tier=Tier.COMPUTED),
        section(5, tier=Tier.COMPUTED, must=True),
    ]
    assert [served.evidence.iri[-1] for served in pack_lines(found, 2000).served] == ["5", "4", "3", "2", "1"]


def test_what_must_be_shown_is_whole_or_an_error() -> None:
    found = [section(1), section(2, must=True, lines=8)]
    needed = (len(f"{HEADER}\n{FOOTER}") + 1 + len("\n".join(found[1].lines)) + 3) // 4
    block = pack_lines(found, needed)
    assert [served.evidence.iri for served in block.served] == ["urn:e:2"] and block.dropped == (found[0],)
    with pytest.raises(BudgetError, match="'E2' must be shown whole"):
        pack_lines(found, needed - 1)


def test_nothing_packed_is_an_empty_block() -> None:
    for pack in (pack_lines, pack_whole):
        assert pack([], 100) == Block("", (), (), 0)
