"""The fast path over what the slow path wrote."""

import pytest
from support.claims_desk import Desk, judges

from loom.claims.asks import Act, Derive, Describe, State
from loom.claims.fast import FastPath, Wants
from loom.core.claims.parts import Parts
from loom.core.claims.standing import Standing
from loom.core.claims.stored import Wanted


@pytest.fixture
async def desk() -> Desk:
    made = Desk()
    await made.domain()
    await made.read("The boiler depends on the pump.", "The pump depends on the valve.")
    await made.do(Derive("What does the boiler depend on?"))
    return made


def fast(desk: Desk, **parts) -> FastPath:
    return FastPath(desk.store, judges(), parts=Parts(**parts))


async def test_a_read_finds_the_claim_and_its_signals(desk: Desk) -> None:
    reading = await fast(desk).read(Wants("What does the boiler depend on?"))
    assert "The boiler depends on the valve." in [each.text for each in reading.hits if each.claim]
    assert len([each for each in reading.hits if each.signal]) == 2
    assert reading.confidence == 1.0 and reading.scope == ("supply",)


async def test_a_contested_claim_is_shown_with_what_disputes_it_and_a_gone_one_never(desk: Desk) -> None:
    await desk.read("The boiler no longer depends on the valve.", source="letter", at="2026-05-03")
    reading = await fast(desk).read(Wants("Does the boiler depend on the valve?"))
    (claim,) = [each for each in reading.hits if each.claim]
    assert claim.standing is Standing.CONTESTED
    assert [each.text for each in claim.opposed] == ["The boiler no longer depends on the valve."]
    await desk.do(Act("reject", claim.id, "anna"))
    reading = await fast(desk).read(Wants("Does the boiler depend on the valve?"))
    assert not [each for each in reading.hits if each.claim]


async def test_the_penalty_costs_places_and_can_be_removed(desk: Desk) -> None:
    await desk.read("The boiler no longer depends on the valve.", source="letter", at="2026-05-03")
    text = "Does the boiler depend on the valve?"
    (on,) = [each for each in (await fast(desk).read(Wants(text))).hits if each.claim]
    (off,) = [each for each in (await fast(desk, penalty=False).read(Wants(text))).hits if each.claim]
    assert off.score == off.base and on.score < on.base == off.base


async def test_scope_is_a_hard_filter_that_can_be_removed(desk: Desk) -> None:
    await desk.do(Describe("music", "Music", "choir song concert organ", "anna"))
    await desk.do(State("The choir sings in June.", "anna", domains=("music",)))
    text = "When does the choir sing, and what does the boiler depend on?"
    bounded = await fast(desk).read(Wants(text, domains=("music",)))
    assert {each.text for each in bounded.hits} == {"The choir sings in June."}
    assert len((await fast(desk, scope=False).read(Wants(text))).hits) > 3


async def test_what_was_shown_is_written_down(desk: Desk) -> None:
    path = fast(desk)
    reading = await path.read(Wants("What does the boiler depend on?"))
    await path.shown(reading, "2026-05-05T10:00:00.000+00:00")
    (claim,) = await desk.store.look(lambda view: view.list_claims(Wanted()))
    shown = await desk.store.look(lambda view: view.shown([claim.claim.id]))
    assert shown[claim.claim.id].count == 1
