"""The claims layer under attack: judges that fail in the middle, a lease that is taken, long entries, ids that come again, superseded
partners."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from support.claims_desk import Desk, judges

from loom.claims.asks import Act, Derive, State, TakeIn, ask_of
from loom.claims.fast import FastPath, Wants
from loom.claims.slow import HOLD, SlowPath
from loom.claims.workspace import Claims
from loom.core.claims.intake.ids import entry
from loom.core.claims.judging.asked import Brief, Inquiry, Pair, Request
from loom.core.claims.judging.calls import Call, Judged, Unjudged
from loom.core.claims.judging.given import Artifact, Inferred, Opinion, Way
from loom.core.claims.parts import Parts
from loom.core.claims.standing import Standing
from loom.core.claims.stored import Ask, Wanted
from loom.core.errors import Unwritable
from loom_adapters.judges_plain import PlainJudges

PAID = Call("verdicts", "small", "small", 10, 2, 0.5)


class Failing(PlainJudges):
    """Judges by the rules, and cannot be asked for verdicts or derivations while `down`."""

    def __init__(self) -> None:
        super().__init__()
        self.down = True

    async def verdicts(self, pairs: Sequence[Pair]) -> Judged[Sequence[Opinion]]:
        if self.down:
            raise Unjudged("The model is gone.", calls=(PAID,))
        return await super().verdicts(pairs)

    async def derive(self, asked: Inquiry) -> Judged[Sequence[Inferred]]:
        if self.down:
            raise Unjudged("The model is gone.")
        return await super().derive(asked)


class Slow(PlainJudges):
    """Derives when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.go = asyncio.Event(), asyncio.Event()

    async def derive(self, asked: Inquiry) -> Judged[Sequence[Inferred]]:
        self.begun.set()
        await self.go.wait()
        return await super().derive(asked)


class Odd(PlainJudges):
    """Derives what no store takes."""

    async def derive(self, asked: Inquiry) -> Judged[Sequence[Inferred]]:
        ids = tuple(each.id for each in asked.evidence)
        return Judged([Inferred("The boiler\0 needs \ud800 care.", ids, ("No\0 storm.",)), Inferred(" ", ids)])


class Paid(PlainJudges):
    """Every route and every artifact is a call that is paid for."""

    async def route(self, requests: Sequence[Request]) -> Judged[Sequence[Way]]:
        return Judged([Way("author", (("author", 1.0),))] * len(requests), (replace(PAID, component="routing"),))

    async def render(self, asked: Brief) -> Judged[Artifact]:
        raise Unjudged("The model is gone.", calls=(replace(PAID, component="rendering"),))


@pytest.fixture
async def desk() -> Desk:
    made = Desk()
    await made.domain()
    await made.read("The boiler depends on the pump.", "The pump depends on the valve.")
    return made


async def test_a_judge_that_fails_in_the_middle_leaves_everything_waiting_and_what_was_paid_in_the_log(desk: Desk) -> None:
    await desk.do(Derive("What does the boiler depend on?"))
    before = await desk.store.look(lambda view: view.version)
    judge = Failing()
    desk.slow = SlowPath(desk.store, replace(judges(), verdicts=judge, derivation=judge), "other")
    desk.now += timedelta(seconds=2 * HOLD)
    letter = entry("letter", "The boiler no longer depends on the valve.", observed_at="2026-05-03")
    for _ in range(3):
        with pytest.raises(Unjudged):
            await desk.do(TakeIn(letter), Derive("What does the pump depend on?", "r"))
    assert await desk.store.look(lambda view: (view.version, len(view.queue()))) == (before, 2)
    calls = await desk.store.look(lambda view: view.calls())
    assert [(call.price, call.of["line"]) for _, call in calls] == [(0.5, "failed")] * 3  # type: ignore[call-overload, index]
    judge.down = False
    made = await desk.do()
    assert made.version == before + 1 and made.asks == 2
    assert (await desk.standings())["The boiler depends on the valve."] is Standing.CONTESTED


async def test_a_lease_that_another_took_in_the_middle_of_a_batch_loses_nothing(desk: Desk) -> None:
    judge = Slow()
    slow = SlowPath(desk.store, replace(judges(), derivation=judge), "slow")
    await desk.slow.aclose()
    await desk.store.enqueue([ask_of(Derive("What does the boiler depend on?", "r"), desk.now.isoformat())])
    running = asyncio.create_task(slow.flush(desk.now))
    await judge.begun.wait()
    other = SlowPath(desk.store, judges(), "other")
    with pytest.raises(Unwritable, match="slow writes the claims"):
        await other.flush(desk.now)
    done = await other.flush(desk.now + timedelta(seconds=HOLD + 1))
    assert done.claims == 1
    judge.go.set()
    with pytest.raises(Unwritable, match="no longer holds the lease"):
        await running
    assert await desk.standings() == {"The boiler depends on the valve.": Standing.PROPOSED}
    assert await desk.store.look(lambda view: view.version) == done.version
    await other.aclose()
    assert (await slow.flush(desk.now + timedelta(seconds=HOLD + 2))).version == done.version


async def test_a_batch_that_takes_long_keeps_its_lease(desk: Desk) -> None:
    judge = Slow()
    slow = SlowPath(desk.store, replace(judges(), derivation=judge), "slow")
    await desk.slow.aclose()
    await desk.store.enqueue([ask_of(Derive("What does the boiler depend on?", "r"), desk.now.isoformat())])
    running = asyncio.create_task(slow.flush(desk.now))
    await judge.begun.wait()
    await slow.renew(desk.now + timedelta(seconds=HOLD - 1))
    with pytest.raises(Unwritable, match="slow writes the claims"):
        await SlowPath(desk.store, judges(), "other").flush(desk.now + timedelta(seconds=HOLD + 1))
    judge.go.set()
    assert (await running).claims == 1


async def test_people_do_not_wait_behind_many_entries(desk: Desk) -> None:
    texts = [TakeIn(entry(f"memo-{n}", f"Part {n} depends on the tank.")) for n in range(700)]
    await desk.store.enqueue([ask_of(each, desk.now.isoformat()) for each in texts])
    await desk.store.enqueue([ask_of(State("The boiler is old.", "anna"), desk.now.isoformat())])
    made = await desk.slow.flush(desk.now + timedelta(hours=1), only=("claim", "act"))
    assert made.asks == 1 and "The boiler is old." in await desk.standings()
    assert await desk.store.look(lambda view: view.waiting()) == {"entry": 700}


async def test_a_claim_whose_partner_was_superseded_is_contested_no_more(desk: Desk) -> None:
    await desk.do(State("The boiler depends on the tank.", "anna", domains=("supply",)))
    await desk.do(State("The boiler no longer depends on the tank.", "ben", domains=("supply",)))
    claims = {each.claim.proposition: each.claim.id for each in await desk.store.look(lambda view: view.list_claims(Wanted()))}
    first, second = claims["The boiler depends on the tank."], claims["The boiler no longer depends on the tank."]
    assert set((await desk.standings()).values()) == {Standing.CONTESTED}
    await desk.do(State("The boiler has a gauge of its own.", "ben", domains=("supply",)))
    claims = {each.claim.proposition: each.claim.id for each in await desk.store.look(lambda view: view.list_claims(Wanted()))}
    await desk.do(Act("supersede", second, "ben", claims["The boiler has a gauge of its own."]))
    standings = await desk.standings()
    assert standings["The boiler no longer depends on the tank."] is Standing.SUPERSEDED
    assert standings["The boiler depends on the tank."] is Standing.PROPOSED
    reading = await FastPath(desk.store, judges()).read(Wants("Does the boiler depend on the tank?", 20, ()))
    shown = {each.id: each for each in reading.hits}
    assert second not in shown and shown[first].opposed == ()


async def test_where_an_assumption_was_made_is_no_evidence_for_it() -> None:
    desk = Desk()
    await desk.read("The boiler depends on the pump, provided that the tank is full.", "The pump depends on the valve.")
    await desk.do(Derive("What does the boiler depend on?"))
    for at, text in enumerate(["The boiler no longer depends on the valve.", "The tank is full if it rains."]):
        await desk.do(TakeIn(entry(f"letter-{at}", text)))
    (claim,) = await desk.store.look(lambda view: view.list_claims(Wanted()))
    assert claim.standing is Standing.CONTESTED and [each.text for each in claim.claim.context] == ["the tank is full"]


async def test_an_entry_without_full_stops_is_no_signal_and_a_long_one_is_read(desk: Desk) -> None:
    made = await desk.do(TakeIn(entry("log", "pump valve " * 20_000)))
    assert made.signals == 0
    sentences = "".join(f"Pump {n} depends on valve {n}. " for n in range(600))
    made = await desk.do(TakeIn(entry("long", sentences, observed_at="2026-05-01")))
    assert made.signals == 600
    again = "".join(f"Pump {n} no longer depends on valve {n}. " for n in range(600))
    later = await desk.do(TakeIn(entry("long", again, observed_at="2027-01-01")))
    assert later.signals == 600
    signals = await desk.store.look(lambda view: view.list_signals(Wanted(limit=5000)))
    gone = [each.signal.proposition for each in signals if not each.supported]
    assert len(gone) == 600 and not [each for each in gone if "no longer" in each], "each took the place of its own"


async def test_one_bad_ask_does_not_hold_up_the_others(desk: Desk) -> None:
    bad: list[Ask] = [
        Ask("b1", "entry", {"source": "s", "text": "The mill\0 is old."}),
        Ask("b2", "entry", {"source": "s", "text": "The mill is old.", "id": "x\0"}),
        Ask("b3", "claim", {"proposition": "It is\0 so.", "by": "anna"}),
        Ask("b4", "act", {"act": "accept", "claim": "claim:none", "by": "anna"}),
        Ask("b5", "odd", {}),
        Ask("b6", "entry", [1]),
        Ask("b7", "dimension", {"dimension": "d", "by": "a", "domain": "supply", "contract": {"name": 3}}),
        Ask("b8", "cycle", {"by": "a", "grades": [{"query": 1}]}),
    ]
    await desk.store.enqueue(bad)
    made = await desk.read("The tank depends on the tap.", source="after")
    assert made.signals == 1 and made.asks == len(bad) + 1
    asked = await desk.store.look(lambda view: view.asked([each.key for each in bad]))
    assert all(each.version and each.outcome["refused"] for each in asked.values())  # type: ignore[call-overload, index]


async def test_calls_of_routing_and_writing_are_in_the_log_also_where_they_fail(desk: Desk) -> None:
    judge = Paid()
    claims = Claims(
        lambda: desk.store,
        replace(judges(), routing=judge, rendering=judge),
        lambda: desk.now,
        holder="web",
        penalty=0.0,
        parts=Parts(router="model"),
    )
    with pytest.raises(Unjudged):
        await claims.answer(Request("Write a report on the boiler"))
    calls = [call for _, call in await desk.store.look(lambda view: view.calls())]
    assert [(call.component, call.of["line"]) for call in calls] == [  # type: ignore[call-overload, index]
        ("routing", "read"), ("rendering", "failed"),
    ]  # fmt: skip


async def test_what_a_judge_writes_never_stops_the_slow_path(desk: Desk) -> None:
    desk.slow = SlowPath(desk.store, replace(judges(), derivation=Odd()), "test")
    desk.now += timedelta(seconds=2 * HOLD)
    made = await desk.do(Derive("What does the boiler need?"))
    assert made.claims == 1 and list(await desk.standings()) == ["The boiler  needs ? care."]


async def test_a_claim_that_cites_what_is_not_there_leaves_nothing(desk: Desk) -> None:
    before = await desk.store.look(lambda view: len(view.list_entries()))
    made = await desk.do(State("The boiler is old.", "anna", ("signal:none",)))
    assert "signal:none is neither" in str(made.said)
    assert await desk.store.look(lambda view: len(view.list_entries())) == before and await desk.standings() == {}
    assert await desk.store.look(lambda view: len(view.list_signals(Wanted()))) == 2


async def test_a_claim_of_a_domain_that_nobody_described_is_refused(desk: Desk) -> None:
    made = await desk.do(State("The boiler is old.", "anna", domains=("nope",)))
    assert "no domain nope" in str(made.said) and await desk.standings() == {}
