"""The slow path end to end, without a model: a store in memory, the rules as judges, hashed words as vectors."""

from datetime import timedelta

import pytest
from support.claims_desk import Desk

from loom.claims.asks import Act, Derive, State, TakeIn, Withdraw
from loom.core.claims.intake.ids import entry
from loom.core.claims.standing import Standing
from loom.core.claims.stored import Notes, Wanted


@pytest.fixture
async def desk() -> Desk:
    made = Desk()
    await made.domain()
    await made.read("The boiler depends on the pump.", "The pump depends on the valve.")
    return made


async def test_a_question_leaves_a_claim_with_its_antecedents(desk: Desk) -> None:
    made = await desk.do(Derive("What does the boiler depend on?"))
    assert made.claims == 1 and await desk.standings() == {"The boiler depends on the valve.": Standing.PROPOSED}
    (claim,) = await desk.store.look(lambda view: view.list_claims(Wanted()))
    signals = await desk.store.look(lambda view: view.signals(claim.claim.justifications[0].antecedents))
    assert sorted(each.signal.proposition for each in signals.values()) == [
        "The boiler depends on the pump.",
        "The pump depends on the valve.",
    ]
    assert claim.home == {"supply"} and all(each.signal.checked for each in signals.values())


async def test_the_same_question_again_writes_nothing(desk: Desk) -> None:
    await desk.do(Derive("What does the boiler depend on?"))
    again = await desk.do(Derive("Which valve does the boiler depend on?"))
    assert again.claims == 0 and len(await desk.standings()) == 1
    assert again.change is not None and not again.change.refusals


async def test_a_contradicting_signal_contests_and_its_withdrawal_clears(desk: Desk) -> None:
    await desk.do(Derive("What does the boiler depend on?"))
    letter = entry("letter", "The boiler no longer depends on the valve.", observed_at="2026-05-03")
    made = await desk.do(TakeIn(letter))
    assert made.change is not None and made.change.lifted
    assert (await desk.standings())["The boiler depends on the valve."] is Standing.CONTESTED
    await desk.do(Withdraw(letter.id, "anna"))
    assert (await desk.standings())["The boiler depends on the valve."] is Standing.PROPOSED


async def test_what_the_same_source_says_later_takes_the_place(desk: Desk) -> None:
    await desk.do(Derive("What does the boiler depend on?"))
    await desk.read("The pump no longer depends on the valve.", source="memo-1", at="2026-05-02")
    assert (await desk.standings())["The boiler depends on the valve."] is Standing.RETRACTED


async def test_people_accept_reject_and_resolve(desk: Desk) -> None:
    await desk.do(Derive("What does the boiler depend on?"))
    (claim,) = await desk.store.look(lambda view: view.list_claims(Wanted()))
    id = claim.claim.id
    await desk.do(Act("accept", id, "anna"))
    assert list((await desk.standings()).values()) == [Standing.ACCEPTED]
    await desk.read("The boiler no longer depends on the valve.", source="letter", at="2026-05-03")
    assert list((await desk.standings()).values()) == [Standing.CONTESTED]
    (conflict,) = await desk.store.look(lambda view: view.conflicts(id))
    await desk.do(Act("spurious", id, "anna", conflict.partner))
    assert list((await desk.standings()).values()) == [Standing.ACCEPTED]
    refused = await desk.do(Act("accept", "claim:none", "anna"))
    assert "claim:none" in str(refused.said)
    await desk.do(Act("reject", id, "anna"))
    assert list((await desk.standings()).values()) == [Standing.RETRACTED]


async def test_a_claim_yields_only_while_it_is_contested(desk: Desk) -> None:
    await desk.do(Derive("What does the boiler depend on?"))
    (claim,) = await desk.store.look(lambda view: view.list_claims(Wanted()))
    id = claim.claim.id
    for act, standing in (("", "proposed"), ("accept", "accepted")):
        if act:
            await desk.do(Act(act, id, "anna"))
        refused = await desk.do(Act("yield", id, f"anna, {standing}"))
        assert f"{id} is {standing}, not contested: resolve ends a conflict, reject retracts a claim." in str(refused.said)
    await desk.read("The boiler no longer depends on the valve.", source="letter", at="2026-05-03")
    (conflict,) = await desk.store.look(lambda view: view.conflicts(id))
    await desk.do(State("The choir sings.", "anna"))
    (song,) = [
        each.claim.id
        for each in await desk.store.look(lambda view: view.list_claims(Wanted()))
        if "choir" in each.claim.proposition
    ]
    stranger = await desk.do(Act("yield", song, "anna", id))
    assert f"{song} and {id} do not conflict" in str(stranger.said)
    # Of two that are taken back in one batch, the second is contested no more.
    both = await desk.do(Act("yield", conflict.partner, "anna", id), Act("yield", id, "ben"))
    assert f"{id} is accepted, not contested" in str(both.said)
    assert (await desk.standings())[claim.claim.proposition] == Standing.ACCEPTED
    late = await desk.do(Act("yield", id, "cleo", conflict.partner))
    assert "no conflict with" in str(late.said)
    await desk.do(Act("readmit", conflict.partner, "anna"))
    assert (await desk.standings())[claim.claim.proposition] == Standing.CONTESTED
    await desk.do(Act("yield", id, "dora"))
    assert (await desk.standings())[claim.claim.proposition] == Standing.RETRACTED


async def test_a_persons_claim_rests_on_what_they_said_and_cite(desk: Desk) -> None:
    signal = (await desk.store.look(lambda view: view.list_signals(Wanted())))[0].signal.id
    made = await desk.do(
        State("The boiler should be replaced.", "anna", (signal,), ("The budget allows it.", "The pump depends on the valve.")),
    )
    assert made.claims == 1
    (claim,) = await desk.store.look(lambda view: view.list_claims(Wanted()))
    assert [each.text for each in claim.claim.context] == ["The budget allows it."]
    assert len(claim.claim.justifications[0].antecedents) == 3


async def test_a_claim_that_lost_its_standing_is_derived_anew_where_it_was_shown(desk: Desk) -> None:
    await desk.do(Derive("What does the boiler depend on?"))
    (claim,) = await desk.store.look(lambda view: view.list_claims(Wanted()))
    await desk.store.note(Notes(desk.now.isoformat(), shown=[claim.claim.id]))
    lost = await desk.read(
        "The pump no longer depends on the valve. The pump depends on the tap.", source="memo-1", at="2026-05-02"
    )
    assert lost.again == (claim.claim.id,)
    again = await desk.slow.flush(desk.now + timedelta(hours=1))
    assert again.asks == 1
    assert await desk.standings() == {
        "The boiler depends on the valve.": Standing.SUPERSEDED,
        "The boiler depends on the tap.": Standing.PROPOSED,
    }
