"""What no described domain takes, and a workspace in which nobody has described one."""

import pytest
from support.claims_desk import Desk, judges

from loom.claims.asks import Derive, Describe, State
from loom.claims.fast import FastPath, Wants
from loom.core.claims.parts import Parts
from loom.core.claims.reach import GENERAL, filed, meets, reach
from loom.core.claims.standing import Standing
from loom.core.claims.stored import Wanted

DENIED = "The choir no longer depends on the hall."


async def chorus(desk: Desk) -> None:
    """A claim that no domain takes, in a workspace that describes another."""
    await desk.do(Describe("plant", "Plant", "boiler pump", "anna"))
    await desk.read("The choir depends on the organ.", "The organ depends on the hall.")
    await desk.do(Derive("What does the choir depend on?"))


async def test_without_domains_contradictions_are_found_all_the_same() -> None:
    desk = Desk()
    await desk.read("The boiler depends on the pump.", "The pump depends on the valve.")
    await desk.do(Derive("What does the boiler depend on?"))
    await desk.read("The boiler no longer depends on the valve.", source="letter", at="2026-05-03")
    assert await desk.standings() == {"The boiler depends on the valve.": Standing.CONTESTED}


async def test_signals_leave_the_general_domain_for_the_first_one_described() -> None:
    desk = Desk()
    await desk.read("The boiler depends on the pump.", "The choir sings in June.")
    made = await desk.do(Describe("plant", "Plant", "boiler pump", "anna"))
    assert made.refiled == 1
    signals = await desk.store.look(lambda view: view.list_signals(Wanted()))
    assert [sorted(each.signal.domains) for each in signals] == [["plant"], [GENERAL]]


async def test_what_no_domain_takes_is_general_and_the_domain_is_there() -> None:
    desk = Desk()
    await chorus(desk)
    claims, domains = await desk.store.look(lambda view: (view.list_claims(Wanted()), view.domains()))
    assert [each.home for each in claims] == [frozenset((GENERAL,))]
    assert sorted(each.id for each in domains) == [GENERAL, "plant"]


async def test_a_signal_that_no_domain_takes_contests_a_claim_that_none_takes() -> None:
    desk = Desk()
    await chorus(desk)
    await desk.read(DENIED, source="letter", at="2026-05-03")
    assert await desk.standings() == {"The choir depends on the hall.": Standing.CONTESTED}


async def test_a_claim_that_no_domain_takes_contests_another() -> None:
    desk = Desk()
    await chorus(desk)
    await desk.do(State(DENIED, "anna"))
    assert set((await desk.standings()).values()) == {Standing.CONTESTED}


async def test_two_claims_of_one_batch_that_no_domain_takes_contest_each_other() -> None:
    desk = Desk()
    await desk.do(Describe("plant", "Plant", "boiler pump", "anna"))
    await desk.do(State("The choir depends on the hall.", "ben"), State(DENIED, "anna"))
    assert list((await desk.standings()).values()) == [Standing.CONTESTED] * 2


@pytest.mark.parametrize("first", ["filed", "general"])
async def test_what_the_filing_missed_is_compared_with_what_is_filed_whichever_is_new(first: str) -> None:
    desk = Desk()
    await desk.do(Describe("plant", "Plant", "boiler pump", "anna"))
    claims = [State("The choir depends on the hall.", "ben", domains=("plant",)), State(DENIED, "anna")]
    for each in claims if first == "filed" else reversed(claims):
        await desk.do(each)
    assert set((await desk.standings()).values()) == {Standing.CONTESTED}


async def test_claims_of_two_described_domains_are_not_compared() -> None:
    desk = Desk()
    await desk.do(Describe("plant", "Plant", "boiler pump", "anna"), Describe("music", "Music", "choir organ", "anna"))
    await desk.do(State("The choir depends on the hall.", "ben", domains=("plant",)))
    await desk.do(State(DENIED, "anna", domains=("music",)))
    assert set((await desk.standings()).values()) == {Standing.PROPOSED}


async def test_a_precondition_is_looked_for_where_the_filing_missed_it() -> None:
    desk = Desk()
    await desk.do(Describe("plant", "Plant", "boiler pump", "anna"))
    await desk.read("The organ is tuned.")
    await desk.do(State("The choir sings well.", "ben", preconditions=("The organ is tuned.",), domains=("plant",)))
    (claim,) = await desk.store.look(lambda view: view.list_claims(Wanted()))
    assert not claim.claim.context and claim.home == {"plant", GENERAL}


@pytest.mark.parametrize("scope", [True, False])
async def test_a_question_that_no_domain_takes_finds_what_none_takes(scope: bool) -> None:
    desk = Desk()
    await chorus(desk)
    reading = await FastPath(desk.store, judges(), parts=Parts(scope=scope)).read(Wants("What does the choir depend on?"))
    assert reading.hits[0].text == "The choir depends on the hall."
    assert {each.signal.signal.domains for each in reading.hits if each.signal} == {frozenset((GENERAL,))}
    general = await FastPath(desk.store, judges()).read(Wants("choir", domains=(GENERAL,)))
    assert {each.id for each in general.hits} == {each.id for each in reading.hits}


async def test_a_domain_described_in_the_same_batch_takes_the_claim() -> None:
    desk = Desk()
    await desk.do(Describe("plant", "Plant", "boiler pump", "anna"), State("The boiler is old.", "anna"))
    (claim,) = await desk.store.look(lambda view: view.list_claims(Wanted()))
    assert claim.home == {"plant"}


def test_reach_and_meeting_say_the_same_of_any_two() -> None:
    homes = [frozenset(each) for each in ((), (GENERAL,), ("a",), ("b",), ("a", "b"), ("a", GENERAL))]
    for one in homes:
        for other in homes:
            found = not reach(one) or not filed(other).isdisjoint(reach(one)) or GENERAL in filed(other)
            assert meets(one, other) == meets(other, one) == found
