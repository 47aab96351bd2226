"""Calls that were paid for are in the log whatever became of their batch; assumptions, withdrawals and candidates of one batch are not lost."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from support.claims_desk import Desk, judges

from loom.claims.asks import Derive, State, TakeIn, Withdraw
from loom.claims.fast import FastPath, Wants
from loom.claims.slow import SlowPath
from loom.claims.workspace import Claims
from loom.core.claims.intake.ids import entry
from loom.core.claims.judging.asked import Inquiry, Pair
from loom.core.claims.judging.calls import Call, Judged
from loom.core.claims.judging.given import Filed, Inferred, Opinion
from loom.core.claims.parts import Parts
from loom.core.claims.records import Domain
from loom.core.claims.standing import Standing
from loom.core.claims.stored import Commit, Lease, Notes, StoredClaim, Wanted
from loom.core.errors import Unreachable, Unwritable
from loom_adapters.claims.kept import FakeClaims
from loom_adapters.judges_plain import PlainJudges

PAID = Call("derivation", "large", "frontier", 100, 20, 0.5)


class Paid(PlainJudges):
    """Derives by the rules, for money."""

    async def derive(self, asked: Inquiry) -> Judged[Sequence[Inferred]]:
        return Judged((await super().derive(asked)).value, (PAID,))


class Full(FakeClaims):
    """A store that has no room for a version, or for anything; or whose answer to a commit is lost."""

    def __init__(self) -> None:
        super().__init__()
        self.full = self.shut = self.unheard = False

    async def commit(self, lease: Lease, commit: Commit) -> int:
        if self.full:
            raise Unwritable("The disk is full.")
        version = await super().commit(lease, commit)
        if self.unheard:
            raise Unreachable("The connection was lost.")
        return version

    async def note(self, notes: Notes) -> None:
        if self.shut:
            raise Unwritable("The disk is full.")
        await super().note(notes)


async def desk_of(store: Full) -> Desk:
    desk = Desk()
    desk.store = store
    desk.slow = SlowPath(store, replace(judges(), derivation=Paid()), "test")
    await desk.domain()
    await desk.read("The boiler depends on the pump.", "The pump depends on the valve.")
    return desk


async def prices(desk: Desk) -> list[float]:
    return [call.price for _, call in await desk.store.look(lambda view: view.calls())]


@pytest.mark.parametrize("shut", [False, True], ids=["the log takes them", "nothing is taken"])
async def test_calls_of_a_batch_that_could_not_be_written_are_in_the_log_once(shut: bool) -> None:
    store = Full()
    desk = await desk_of(store)
    store.full, store.shut = True, shut
    with pytest.raises(Unwritable):
        await desk.do(Derive("What does the boiler depend on?", "r"))
    assert await prices(desk) == ([] if shut else [0.5])
    store.full = store.shut = False
    desk.slow._judges = judges()  # what was answered is kept: asked again it costs nothing
    await desk.do()
    assert await prices(desk) == [0.5]
    await desk.do()
    assert await prices(desk) == [0.5]


async def test_calls_of_a_commit_that_went_unheard_are_in_the_log_once() -> None:
    store = Full()
    desk = await desk_of(store)
    store.unheard = store.shut = True
    with pytest.raises(Unreachable):
        await desk.do(Derive("What does the boiler depend on?", "r"))
    store.unheard = store.shut = False
    await desk.do()
    assert await prices(desk) == [0.5]


async def claim_of(desk: Desk, proposition: str) -> StoredClaim:
    found = await desk.store.look(lambda view: view.list_claims(Wanted()))
    return next(each for each in found if each.claim.proposition == proposition)


async def test_what_another_derivation_of_a_claim_assumes_is_printed_beside_it() -> None:
    desk = Desk()
    await desk.domain()
    await desk.do(State("The boiler is safe.", "anna", domains=("supply",)))
    await desk.do(State("The boiler is safe.", "ben", preconditions=("The valve is new.",), domains=("supply",)))
    held = await claim_of(desk, "The boiler is safe.")
    assert (len(held.claim.justifications), [each.text for each in held.claim.context]) == (2, ["The valve is new."])
    reading = await FastPath(desk.store, judges()).read(Wants("Is the boiler safe?", 20, ()))
    assert [each.preconditions for each in reading.hits if each.claim] == [("The valve is new.",)]
    await desk.slow.aclose()
    desk.slow = SlowPath(desk.store, judges(), "another")
    await desk.read("The valve is new.", source="visit")
    await desk.do(State("The boiler is safe.", "carl", domains=("supply",)))
    held = await claim_of(desk, "The boiler is safe.")
    assert (held.claim.context, held.standing) == ((), Standing.PROPOSED)
    assert {len(each.migrations) for each in held.claim.justifications} == {1}


async def test_what_another_derivation_assumes_is_looked_for_at_once() -> None:
    desk = Desk()
    await desk.domain()
    visit = entry("visit", "The valve is new.")
    await desk.do(TakeIn(visit))
    await desk.do(State("The boiler is safe.", "anna", domains=("supply",)))
    await desk.do(State("The boiler is safe.", "ben", preconditions=("The valve is new.",), domains=("supply",)))
    assert (await claim_of(desk, "The boiler is safe.")).claim.context == ()
    await desk.do(Withdraw(visit.id, "ben"))
    assert (await claim_of(desk, "The boiler is safe.")).standing is Standing.RETRACTED


async def test_an_entry_that_is_taken_back_before_it_was_read_is_withdrawn() -> None:
    desk = Desk()
    sent, kept = entry("letter", "The tank depends on the tap."), entry("memo", "The tap depends on the main.")
    made = await desk.do(
        TakeIn(sent), Withdraw(sent.id, "anna"), TakeIn(kept), Withdraw(kept.id, "anna"), Withdraw(kept.id, "a", True)
    )
    assert "refused" not in str(made.said)
    signals = await desk.store.look(lambda view: view.list_signals(Wanted()))
    assert {each.source: each.supported for each in signals} == {"letter": False, "memo": True}
    early = entry("early", "The main depends on the town.")
    made = await desk.do(Withdraw(early.id, "anna"), TakeIn(early))
    assert f"There is no entry {early.id}; give the id" in str(made.said)


class Looked(PlainJudges):
    """Keeps the pairs that it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.pairs: list[Pair] = []

    async def verdicts(self, pairs: Sequence[Pair]) -> Judged[Sequence[Opinion]]:
        self.pairs += pairs
        return Judged([Opinion("unrelated")] * len(pairs))


async def test_a_claim_that_rests_on_many_is_compared_with_as_many_as_any() -> None:
    desk = Desk()
    await desk.domain()
    judge = Looked()
    desk.slow = SlowPath(desk.store, replace(judges(), verdicts=judge), "test")
    for n in range(45):
        await desk.do(State(f"The boiler has part {n}.", "anna", domains=("supply",)))
    claims = [each.claim.id for each in await desk.store.look(lambda view: view.list_claims(Wanted()))]
    judge.pairs.clear()
    await desk.do(State("The boiler has parts.", "anna", tuple(claims[:20]), domains=("supply",)))
    compared = {pair.candidate.text for pair in judge.pairs if pair.new.text == "The boiler has parts."}
    rests = {f"The boiler has part {n}." for n in range(20)}
    assert len(compared - rests) == 20


async def test_what_follows_from_a_version_is_written_down_once_the_store_takes_it() -> None:
    store = Full()
    desk = await desk_of(store)
    desk.slow.parts = Parts(conflicts="log")
    await desk.do(Derive("What does the boiler depend on?", "r"))
    store.shut = True
    made = await desk.read("The boiler no longer depends on the valve.", source="letter")
    version = await store.look(lambda view: view.version)
    assert made.version == version, "the version is made, whatever becomes of what follows from it"
    store.shut = False
    await desk.do()
    logged = [each for _, _, each in await store.look(lambda view: view.escalated())]
    assert [each["verdict"] for each in logged if isinstance(each, dict)] == ["contradicts"]


class Filing(PlainJudges):
    """Files for money."""

    async def file(self, texts: Sequence[str], domains: Sequence[Domain]) -> Judged[Sequence[Filed]]:
        return Judged((await super().file(texts, domains)).value, (replace(PAID, component="filing"),))


async def test_a_read_is_answered_where_nothing_can_be_written_and_paid_for_later() -> None:
    store = Full()
    desk = await desk_of(store)
    claims = Claims(lambda: store, replace(judges(), filing=Filing()), lambda: desk.now, holder="web", penalty=0.0)
    store.shut = True
    for _ in range(2):
        assert (await claims.read(Wants("What does the boiler depend on?"))).hits
    assert await prices(desk) == []
    store.shut = False
    assert (await claims.read(Wants("What does the boiler depend on?"))).hits
    assert await prices(desk) == [0.5] * 3


async def test_a_batch_that_the_disk_had_no_room_for_is_done_by_the_same_process_at_once() -> None:
    store = Full()
    desk = await desk_of(store)
    store.full = True
    with pytest.raises(Unwritable, match="full"):
        await desk.do(Derive("What does the boiler depend on?", "r"))
    store.full = False
    assert (await desk.slow.flush(desk.now)).claims == 1


async def test_a_source_replaces_what_it_said_in_another_zone_and_on_the_same_day() -> None:
    desk = Desk()
    await desk.domain()
    said = [
        ("The tank depends on the tap.", "2026-05-02T01:00:00Z"),
        ("The tank no longer depends on the tap.", "2026-05-01T23:30:00-05:00"),
        ("The tank depends on the tap.", "2026-05-02"),
    ]
    for text, at in said:
        await desk.do(TakeIn(entry("memo", text, observed_at=at)))
    signals = await desk.store.look(lambda view: view.list_signals(Wanted()))
    assert [each.supported for each in signals] == [False, False, True]


async def test_a_claim_takes_over_what_was_lifted_among_many_like_it_and_in_its_own_batch() -> None:
    desk = Desk()
    await desk.domain()
    await desk.do(State("The boiler depends on the valve.", "anna", domains=("supply",)))
    many = [TakeIn(entry(f"log-{n}", f"It is said that the boiler no longer depends on the valve, {n}.")) for n in range(60)]
    await desk.do(*many)
    await desk.do(TakeIn(entry("letter", "The boiler no longer depends on the valve.")))
    await desk.do(State("The boiler no longer depends on the valve.", "ben", domains=("supply",)))
    await desk.do(State("The pump depends on the tap.", "anna", domains=("supply",)))
    await desk.do(
        TakeIn(entry("post", "The pump no longer depends on the tap.")),
        State("The pump no longer depends on the tap.", "ben", domains=("supply",)),
    )
    lifted = await desk.store.look(lambda view: view.list_claims(Wanted(lifted=True, limit=500)))
    left = {each.claim.proposition: each.standing for each in lifted if each.lifted}
    assert left["The boiler no longer depends on the valve."] is Standing.SUPERSEDED
    assert left["The pump no longer depends on the tap."] is Standing.SUPERSEDED
    standings = await desk.standings()
    assert standings["The boiler depends on the valve."] is standings["The pump depends on the tap."] is Standing.CONTESTED
