"""What holds of the context of any question about knowledge bases, and what its lines say."""

import math
import random
import re
from fractions import Fraction
from functools import lru_cache

from hypothesis import strategies as st
from support import fact_worlds
from support.fact_worlds import World, packed, source_of
from support.trying import CASES, every_world, many

from loom.core.errors import BudgetError
from loom.core.facts.assembling import ASKED, CUT, NOTES, RULES, Ways, assemble
from loom.core.facts.choosing import Chosen, addressed, choose
from loom.core.facts.citing import cited
from loom.core.facts.filling import READOUTS
from loom.core.facts.minting import fact_line, reading_line
from loom.core.facts.skeleton import allotted, cut, shares
from loom.core.policy.packing import FOOTER, HEADER
from loom.core.values import Evidence, Tier

world, held_of = lru_cache(CASES)(fact_worlds.world), lru_cache(CASES)(lambda seed: fact_worlds.world(seed).held)


PLENTY = 100_000
FRAME = len(HEADER) + len(FOOTER) + 2
DEFAULT = Ways()


def chosen_of(given_world: World, readout: str = "full") -> Chosen:
    return choose(given_world.held, given_world.stock, given_world.ask, given_world.route, readout)


def evidence_of(given_world: World, ways: Ways = DEFAULT, readout: str = "full") -> list[Evidence]:
    return assemble(given_world.held, given_world.stock, given_world.ask, chosen_of(given_world, readout), ways)


@every_world
def test_no_budget_drops_a_fact_of_the_asked_metric(seed: int, draw: random.Random) -> None:
    """R3: they are there to the letter and at the top, or the budget is refused."""
    budget = draw.randint(1, 400)
    here = world(seed)
    chosen = chosen_of(here)
    evidence = assemble(here.held, here.stock, here.ask, chosen, Ways(budget))
    within = addressed(here.stock, here.ask, here.route)
    wanted = [
        fact for fact in here.facts
        if fact.source in within and fact.metric in here.ask.metrics and fact.statistic != "stated"
    ]  # fmt: skip
    assert {fact.iri for fact in wanted} == {fact.iri for fact in chosen.facts}
    must = sum(sum(map(len, each.lines)) + len(each.lines) + 1 for each in evidence if each.must)
    try:
        block = packed(evidence, budget)
    except BudgetError:
        assert must - 2 > budget * 4 - FRAME
        return
    lines = [line for served in block.served for line in served.lines]
    for fact in wanted:
        line = fact_line(here.stock, fact)[0]
        assert line in lines
        assert fact.value in line
        assert not fact.position or fact.position in line
    tiers = [served.evidence.tier for served in block.served]
    assert tiers == sorted(tiers)


@every_world
def test_further_facts_without_room_are_counted_not_lost(seed: int, draw: random.Random) -> None:
    budget = draw.choice((60, 200, 1500))
    here = world(seed)
    chosen = chosen_of(here)
    all_of_it = (*chosen.facts, *chosen.more)
    evidence = assemble(here.held, here.stock, here.ask, chosen, Ways(budget))
    shown = [line for each in evidence for line in each.lines]
    told = sum(fact_line(here.stock, fact)[0] in shown for fact in all_of_it)
    note = next((each for each in evidence if each.iri == CUT), None)
    rows = sum(len(each.lines) - 1 for each in evidence if each.iri.endswith("#rows") and each.tier is Tier.COMPUTED)
    missing = len(all_of_it) - told + len(chosen.rows) + len(chosen.more_rows) - rows
    missing += sum(reading_line(here.stock, one)[0] not in shown for one in chosen.more_readings)
    given = (any(reading_line(here.stock, one)[0] in shown for one in window.readings) for window in chosen.windows)
    missing += sum(window.count for window, some in zip(chosen.windows, given, strict=True) if not some)
    if note is None:
        assert missing == 0
    else:
        (count,) = map(int, re.findall(r"\d+", note.lines[0]))
        assert count == missing > 0


@every_world
def test_a_named_source_commits_the_route(seed: int, draw: random.Random) -> None:
    """R11: nothing of any base but the owners, and nothing of any file but those addressed or joined to them."""
    here = world(seed)
    if not here.route.committed:
        return
    owners = {base for base, _ in here.route.bases}
    mine = {one.name for base in here.bases if base.iri in owners for one in base.sources}
    for each in evidence_of(here, Ways(PLENTY)):
        source = source_of(each, here)
        assert not source or here.stock.owner(source) in owners
        assert not each.iri.startswith("urn:kb:") or any(each.iri.startswith(owner) for owner in owners)
        assert set(cited("\n".join(each.lines))) <= mine


@every_world
def test_what_is_searched_for_is_held_to_the_address(seed: int, draw: random.Random) -> None:
    """R19: only addressed files, unless the valve opened; then it is said, and nothing was computed or addressed."""
    here = world(seed)
    chosen = chosen_of(here)
    outside = [one for one in chosen.found if one.outside]
    inside = [one for one in chosen.found if not one.outside]
    if chosen.bound:
        assert all(one.source in chosen.bound for one in inside)
        assert all(one.source not in chosen.bound for one in outside)
    else:
        assert not outside
    led = [one for one in chosen.passages if not one.asked]
    computed = bool(chosen.facts or chosen.more or chosen.readings or chosen.rows or chosen.more_rows or led)
    if outside:
        assert not computed
        given = [len(span.text) for one in chosen.passages for span in one.spans]
        assert len(inside) + len(given) < 3
        assert sum(one.size for one in inside) + sum(given) < 600
    if chosen.notes:
        assert not outside
        assert chosen.within or not chosen.found
    for each in assemble(here.held, here.stock, here.ask, chosen, Ways(PLENTY)):
        if each.tier is Tier.DISCOVERED and each.iri != ASKED and each.home in chosen.outside:
            assert re.match(r"\([^)]+\) ", each.lines[0])
        elif each.tier in (Tier.COMPUTED, Tier.ADDRESSED):
            assert "(outside the address)" not in each.lines[0]


@every_world
def test_nothing_addressed_is_nothing_said(seed: int, draw: random.Random) -> None:
    """R20: no address, no route, no note: no evidence, so that the block of the rest is the same bytes."""
    budget = draw.randint(0, 3000)
    here = world(seed)
    ask, route = here.ask, here.route
    evidence = assemble(here.held, here.stock, ask, choose(here.held, here.stock, ask, route), Ways(budget))
    if not route.bases and not route.notes and not addressed(here.stock, ask, route):
        assert evidence == []
    elif budget > 1000:
        assert evidence


@many(
    st.dictionaries(st.text("abcdef", min_size=1, max_size=4), st.floats(allow_nan=True, allow_infinity=True), max_size=12),
    st.integers(-5, 5000),
)
def test_shares_follow_scores_and_never_exceed_the_cap(scores: dict[str, float], cap: int) -> None:
    """R21: whole characters, largest remainder, ties by IRI."""
    given_shares = shares(scores, cap)
    able = {iri: Fraction(score) for iri, score in scores.items() if math.isfinite(score) and score > 0}
    assert sum(given_shares.values()) == (max(0, cap) if able else 0)
    for iri, share in given_shares.items():
        exact = max(0, cap) * able[iri] / sum(able.values()) if iri in able else Fraction(0)
        assert exact - 1 < share < exact + 1
        assert share >= 0
    for iri, other in zip(sorted(able), sorted(able)[1:], strict=False):
        assert able[iri] != able[other] or given_shares[iri] >= given_shares[other]
    assert shares(dict(reversed(list(scores.items()))), cap) == given_shares


LINES = st.lists(st.text("xyz ", min_size=1, max_size=40), max_size=6)


@many(
    st.dictionaries(st.text("abc", min_size=1, max_size=3), st.tuples(LINES, st.floats(-1, 9)), max_size=6),
    st.integers(-10, 300),
    st.booleans(),
)
def test_outlines_end_between_lines_and_within_the_cap(
    given_outlines: dict[str, tuple[list[str], float]], cap: int, flat: bool
) -> None:
    outlines = {iri: [(line, ()) for line in lines] for iri, (lines, _) in given_outlines.items()}
    scores = {iri: score for iri, (_, score) in given_outlines.items()}
    found = allotted(outlines, scores, cap, flat=flat)
    assert sum(len(line) + 1 for lines in found.values() for line, _ in lines) <= max(0, cap)
    assert list(found) == sorted(outlines)
    for iri, lines in found.items():
        assert lines == outlines[iri][: len(lines)]
        if not flat:
            share = shares(scores, cap)[iri]
            assert lines == cut(outlines[iri], share)
            assert not outlines[iri] or bool(lines) == (len(outlines[iri][0][0]) + 1 <= share)
    if flat:
        together = [line for iri in sorted(outlines) for line in outlines[iri]]
        assert [line for lines in found.values() for line in lines] == cut(together, max(0, cap))


@every_world
def test_a_readout_acts_on_what_is_searched_for_alone(seed: int, draw: random.Random) -> None:
    """R22: computed, addressed and stated lines are the same bytes under all three, and so is the outline."""
    here = world(seed)
    found = {readout: evidence_of(here, Ways(PLENTY), readout) for readout in READOUTS}

    def fixed(evidence: list[Evidence]) -> list[Evidence]:
        return [each for each in evidence if each.tier is not Tier.DISCOVERED and each.iri != RULES]

    assert fixed(found["full"]) == fixed(found["core-only"]) == fixed(found["off"])
    filled = {
        readout: [each.iri for each in evidence if each.tier is Tier.DISCOVERED and each.iri != ASKED]
        for readout, evidence in found.items()
    }
    assert not filled["off"]
    assert set(filled["core-only"]) <= set(filled["full"])


@every_world
def test_the_order_of_declarations_leaves_no_trace(seed: int, draw: random.Random) -> None:
    other, budget = draw.randint(0, 10**9), draw.choice((80, 300, 1500))
    here = world(seed)
    assert evidence_of(here, Ways(budget)) == evidence_of(here.shuffled(other), Ways(budget))


@every_world
def test_a_skeleton_has_no_prose(seed: int, draw: random.Random) -> None:
    """R25."""
    here = world(seed)
    evidence = evidence_of(here, Ways(PLENTY, context="skeleton"))
    texts = [span.text for span in here.spans]
    together = "\n".join(line for each in evidence for line in each.lines)
    assert not [text for text in texts if text in together]
    assert all(each.iri == ASKED for each in evidence if each.tier is Tier.DISCOVERED)
    full = evidence_of(here, Ways(PLENTY))
    computed = [each for each in evidence if each.tier is Tier.COMPUTED and each.iri != RULES]
    assert computed == [each for each in full if each.tier is Tier.COMPUTED and each.iri != RULES]


@every_world
def test_what_is_assembled_for_a_budget_fits_it(seed: int, draw: random.Random) -> None:
    budget = draw.randint(40, 800)
    here = world(seed)
    evidence = evidence_of(here, Ways(budget))
    must = sum(sum(map(len, each.lines)) + len(each.lines) + 1 for each in evidence if each.must)
    if must + 60 > budget * 4:
        return
    block = packed(evidence, budget)
    assert all(each.tier is Tier.ADDRESSED for each in block.dropped)
    assert block.tokens <= budget
    assert not [served for served in block.served if served.cut and served.evidence.tier is not Tier.ADDRESSED]


def test_every_line_with_a_value_names_its_file() -> None:
    for seed in range(300):
        here = world(seed)
        for each in evidence_of(here, Ways(PLENTY)):
            if each.iri in (RULES, NOTES, CUT, ASKED):
                continue
            for line in each.lines:
                if any(letter.isdigit() for letter in line) and each.tier in (Tier.COMPUTED, Tier.ADDRESSED):
                    assert cited(line), line
