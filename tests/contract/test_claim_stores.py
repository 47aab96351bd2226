"""What every store of claims does: one suite over the in-memory fake, SQLite and, where there is a server, PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.claims_made import ANN, claim, just, signal
from support.claims_stored import AT, KINDS, Writer, differing, made, running, said, torn, unit
from support.postgres_server import Server

from loom.core.claims import writes as w
from loom.core.claims.network import Network
from loom.core.claims.records import (
    SLOW_PATH,
    Agent,
    Claim,
    Derivation,
    Domain,
    Entry,
    Justification,
    Migration,
    Precondition,
    Signal,
)
from loom.core.claims.standing import Standing
from loom.core.claims.stored import (
    LEASE,
    Ask,
    CallRow,
    Commit,
    DimensionRow,
    Done,
    Lease,
    Notes,
    ProjectionRow,
    Shown,
    Stale,
    StoredConflict,
    Vector,
    Wanted,
)
from loom.core.claims.tables import opened, tables
from loom.core.claims.view import ClaimView, tree
from loom.core.errors import BadInput, NotFound, Unreachable, Unwritable
from loom.ports import ClaimStore
from loom_adapters.claims.kept import FakeClaims


@pytest.fixture(scope="module")
def server() -> Iterator[Server | None]:
    with running() as found:
        yield found


@pytest.fixture(params=KINDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path, server: Server | None) -> AsyncIterator[ClaimStore]:
    found = made(request.param, tmp_path, server)
    yield found
    await found.aclose()


@pytest.fixture
async def writer(store: ClaimStore) -> Writer:
    return await Writer.of(store)


async def exported(store: ClaimStore) -> list[bytes]:
    return [line async for line in store.export()]


async def test_records_come_back_as_they_were_written(store: ClaimStore, writer: Writer) -> None:
    entry = Entry("e", "mail", "The bridge is open.", "mail", "Ann", "2026-01-02", "2026-01-03")
    one = Signal("s", "e", "The bridge is open.", (0, 19), "2026-01-02", "rules/1", frozenset({"roads", "law"}), True)
    by = Derivation("user", ANN, "2026-01-04", "request 1", "run 1")
    justs = (Justification(("s",), by), Justification(("s", "t"), Derivation(run="run 2")))
    other = replace(one, id="t", proposition="Straße é \U0001f309")
    put = Claim("c", justs, "One can drive over it.", (Precondition("p", "No storm."), Precondition("a", "A car.")))
    await writer.commit(w.AddEntry(entry), w.AddSignal(one), w.AddSignal(other), w.AddClaim(put))

    def work(view: ClaimView) -> None:
        assert view.entries(["e", "none"]) == {"e": entry}
        assert {id: each.signal for id, each in view.signals(["t", "s", "c"]).items()} == {"s": one, "t": other}
        found = view.claims(["c", "s"])
        assert list(found) == ["c"] and found["c"].claim == put
        assert found["c"].home == {"roads", "law"} and found["c"].standing is Standing.PROPOSED and found["c"].supported
        assert (found["c"].since, found["c"].version, found["c"].at) == (1, 1, AT)
        assert (view.version, view.batch, view.at) == (1, 1, AT)

    await store.look(work)


async def test_an_empty_store_is_a_version_too(store: ClaimStore) -> None:
    def work(view: ClaimView) -> None:
        assert (view.version, view.batch, view.counts(), view.list_claims(Wanted())) == (0, 0, {}, [])
        assert view.words("claim", "anything", 5) == [] and view.near("signal", unit(1), 5) == []
        assert not torn(view)
        with pytest.raises(NotFound, match="no claim c"):
            tree(view, "c")

    await store.look(work)


async def test_one_process_writes_and_a_former_holder_is_refused(store: ClaimStore) -> None:
    first = await store.lease("one", now=100.0, seconds=10)
    with pytest.raises(Unwritable, match="one writes the claims, for another 5 s") as refused:
        await store.lease("two", now=105.0, seconds=10)
    assert refused.value.param == LEASE
    first = await store.renew(first, now=105.0, seconds=10)
    with pytest.raises(Unwritable):
        await store.lease("two", now=114.0, seconds=10)
    assert await store.commit(first, Commit(0, AT)) == 1
    second = await store.lease("two", now=115.0, seconds=10)
    assert second.number > first.number
    for late in (store.commit(first, Commit(1, AT)), store.renew(first, now=116.0, seconds=10)):
        with pytest.raises(Unwritable, match="two writes them now") as refused:
            await late
        assert refused.value.param == LEASE
    await store.release(first)  # of no effect: it is another's now
    assert await store.commit(second, Commit(1, AT)) == 2
    await store.release(second)
    with pytest.raises(Unwritable, match="given back"):
        await store.commit(second, Commit(2, AT))
    third = await store.lease("three", now=116.0, seconds=10)
    with pytest.raises(Unwritable, match="at version 2, but this was decided on version 1") as refused:
        await store.commit(third, Commit(1, AT))
    assert refused.value.param == LEASE
    with pytest.raises(Unwritable):
        await store.commit(replace(third, number=third.number + 1), Commit(2, AT))
    assert await store.look(lambda view: view.version) == 2


async def test_a_commit_that_fails_leaves_nothing(store: ClaimStore, writer: Writer) -> None:
    await writer.commit(signal("s"), claim("c", "s"))
    before = await exported(store)
    bad = [
        {"projections": [ProjectionRow("s", "d", 1, "p", 1, 0.5)]},
        {"projections": [ProjectionRow("c", "d", 1, "p", 1, float("nan"))]},
        {"projections": [ProjectionRow("c", "d", 1, "p", object(), 0.5)]},
        {"vectors": [Vector("node", "c", np.zeros(4, np.float32))]},
        {"vectors": [Vector("node", "nobody", unit(1))]},
        {"vectors": [Vector("node", "c", unit(1)), Vector("node", "s", unit(1, 8))]},
        {"domains": [Domain("d", "law\0")]},
        {"domains": [Domain("d", "law \ud800")]},
        {"done": [Done(7)]},
        {"asks": [Ask("later", "question", 1)], "escalated": [object()]},
        {"escalated": [{"why": 1}], "asks": [Ask("later", "question", object())]},
    ]
    for each in bad:
        with pytest.raises(BadInput):
            await store.commit(writer.lease, Commit(1, AT, **{"dimensions": [DimensionRow("fine", 1, "", "")], **each}))
        assert await exported(store) == before
    assert await writer.keep(domains=[Domain("d", "law")]) == 2


async def test_what_follows_from_a_version_comes_with_it(store: ClaimStore, writer: Writer) -> None:
    """Asks of a key that waits already are those."""
    await store.enqueue([Ask("known", "question", 1, AT)])
    asks = [Ask("known", "question", 2, AT), Ask("new", "question", 3, AT)]
    await writer.keep(asks=asks, escalated=[{"why": "unsure"}, {"why": "thin"}])
    waiting, escalated = await store.look(lambda view: (view.queue(), view.escalated()))
    assert [(each.ask.key, each.ask.body) for each in waiting] == [("known", 1), ("new", 3)]
    assert [(at, body) for _, at, body in escalated] == [(AT, {"why": "unsure"}), (AT, {"why": "thin"})]


async def test_a_history_says_who_decided(store: ClaimStore, writer: Writer) -> None:
    """Where a person did, and of what was refused nobody."""
    bob = Agent("person", "bob")
    await writer.commit(signal("s"), signal("t"), claim("c", "s"), claim("d", "t"), claim("e", "s"))
    await writer.commit(w.Accept("c", ANN), w.Accept("d", SLOW_PATH), w.Supersede("d", "e", bob))
    await writer.commit(w.Reject("c", bob), w.Contradict("s", "d", "signal"), w.DropSupersede("d", "e", ANN))
    lifted = next(each.partner for each in await store.look(lambda view: view.conflicts("d")))
    await writer.commit(w.Readmit("c", ANN), w.DropConflict(lifted, "d", bob))
    told = await store.look(lambda view: {id: [(each.cause, each.by) for each in view.history(id)] for id in "cde"})
    assert told == {
        "c": [("written", ""), ("accepted", "ann"), ("rejected", "bob"), ("readmitted", "ann")],
        "d": [("written", ""), ("conflict", ""), ("conflict", "bob")],
        "e": [("written", ""), ("superseded", "bob"), ("unsuperseded", "ann")],
    }


async def test_lists_are_filtered_and_come_by_page(store: ClaimStore, writer: Writer) -> None:
    await writer.commit(
        *(said(signal(f"s{n}", f"source {n % 2}", "Law" if n % 2 else "law"), f"Signal {n} of 100%_") for n in range(6)),
        *(said(claim(f"c{n}", f"s{n}"), f"Claim {n} ÜBER all") for n in range(6)),
        w.Contradict("s0", "c1", "signal"),
        w.Accept("c2", ANN),
        w.Reject("c3", ANN),
    )

    def work(view: ClaimView) -> None:
        def listed(**wanted: object) -> list[str]:
            return [each.claim.id for each in view.list_claims(Wanted(**wanted))]  # type: ignore[arg-type]

        assert listed() == [f"c{n}" for n in range(6)]
        assert listed(limit=2) == ["c0", "c1"] and listed(limit=2, after="c1") == ["c2", "c3"] and listed(after="c5") == []
        assert listed(domain="law") == ["c0", "c2", "c4"] and listed(domain="Law") == ["c1", "c3", "c5"]
        assert listed(domain="aw") == [] and listed(domain="%") == []
        assert (
            listed(text="über") == [f"c{n}" for n in range(6)] and listed(text="CLAIM 4") == ["c4"] and listed(text="%") == []
        )
        assert listed(standings=frozenset({Standing.CONTESTED, Standing.RETRACTED})) == ["c1", "c3"]
        assert listed(lifted=True)[-1] == "lifted:s0"
        assert view.counts() == {Standing.PROPOSED: 3, Standing.ACCEPTED: 1, Standing.CONTESTED: 1, Standing.RETRACTED: 1}
        signals = [each.signal.id for each in view.list_signals(Wanted(domain="law", text="100%_", after="s0"))]
        assert signals == ["s2", "s4"]
        assert [each.signal.id for each in view.list_signals(Wanted(entry="entry-s3"))] == ["s3"]
        assert view.list_signals(Wanted(entry="none")) == []
        assert [each.id for each in view.list_entries("source 1", after="entry-s1")] == ["entry-s3", "entry-s5"]
        assert [each.id for each in view.list_entries(limit=2)] == ["entry-s0", "entry-s1"]
        with pytest.raises(NotFound, match="no signal or claim nobody"):
            listed(after="nobody")
        with pytest.raises(NotFound, match="no entry nobody"):
            view.list_entries(after="nobody")

    await store.look(work)


async def test_a_claim_shows_what_it_rests_on_and_what_became_of_it(store: ClaimStore, writer: Writer) -> None:
    await writer.commit(
        signal("s", "mail"), signal("t"), claim("a", "s", assumes="p q"), claim("b", "a t", "s"), claim("z", "t")
    )
    await writer.commit(w.Migrate("a", "p", "t", "run 7"), w.Contradict("b", "z"), w.Support("z", "s"), at="2026-02-01")
    await writer.commit(w.WithdrawEntry("entry-t"), at="2026-03-01")
    await writer.commit(w.Supersede("z", "b", ANN), at="2026-04-01")

    def work(view: ClaimView) -> None:
        shown = tree(view, "b")
        assert list(shown.claims) == ["b", "a"] and list(shown.signals) == ["s", "t"] and not shown.cut
        assert sorted(shown.entries) == ["entry-s", "entry-t"] and shown.entries["entry-t"].withdrawn_at == "2026-03-01"
        assert [each.antecedents for each in shown.branches("b")] == [("a", "t"), ("s",)]
        (just,) = shown.branches("a")
        assert just.antecedents == ("s", "t") and just.migrations == (Migration("p", "t", "run 7", "2026-02-01"),)
        assert shown.claims["a"].claim.context == (Precondition("q"),)
        assert [each.after.word for each in view.history("a")] == ["proposed", "retracted"]
        assert [(each.after.word, each.cause, each.at) for each in view.history("b")] == [
            ("proposed", "written", AT),
            ("contested", "conflict", "2026-02-01"),
            ("superseded", "superseded", "2026-04-01"),
        ]
        assert view.claims(["b"])["b"].superseded_by == ("z",)
        assert view.conflicts("b") == [StoredConflict("z", Standing.PROPOSED, ("claim",), True, "2026-02-01", "slow_path")]
        assert view.dependents("s") == ["a", "b", "z"] and view.dependents("b") == []
        assert tree(view, "b", depth=0).cut == ("b",)
        for missing in (view.history, view.conflicts, view.dependents):
            with pytest.raises(NotFound):
                missing("nobody")

    await store.look(work)


async def test_what_a_further_justification_assumes_is_kept(store: ClaimStore, writer: Writer) -> None:
    p, q = Precondition("p", "Dry."), Precondition("q", "Warm.")

    async def context() -> tuple[Precondition, ...]:
        held = await store.look(lambda view: view.claims(["a"])["a"].claim.context)
        assert held == writer.network.preconditions("a")
        assert Network(opened(await store.look(lambda view: view.network()))).preconditions("a") == held
        return held

    await writer.commit(signal("s"), signal("t"), signal("u"), claim("a", "s"), w.Justify("a", just("t"), (q, p)))
    assert await context() == (q, p)
    await writer.commit(w.Migrate("a", "q", "u"))
    assert await context() == (p,)
    await writer.commit(w.Justify("a", just("u"), (p, q)))
    assert await context() == (p, q), "one that had found evidence is assumed anew by what does not rest on it"
    await writer.commit(w.Justify("a", just("u"), (Precondition("r"),)))
    assert await context() == (p, q), "what is refused assumes nothing"
    await writer.commit(w.Migrate("a", "q", "s"))
    assert await context() == (p,)


async def test_conflicts_and_overrides_come_and_go(store: ClaimStore, writer: Writer) -> None:
    def told(view: ClaimView) -> list[tuple[str, bool, tuple[str, ...]]]:
        return [(each.partner, each.live, each.branches) for each in view.conflicts("a")]

    await writer.commit(signal("s"), signal("t"), claim("a", "s"), claim("b", "t"), claim("c", "t"))
    await writer.commit(w.Contradict("a", "b"), w.Contradict("t", "a", "signal"), w.Contradict("a", "b", "signal"))
    assert await store.look(told) == [("b", True, ("claim", "signal")), ("lifted:t", True, ("signal",))]
    await writer.commit(w.DropConflict("a", "b", ANN), w.TakeOver("c", "lifted:t"))
    assert await store.look(told) == [("b", False, ("claim", "signal")), ("c", True, ("signal",))]
    await writer.commit(w.Contradict("a", "b"), w.Contradict("b", "a", by=ANN), w.Contradict("t", "a", "claim"))
    assert await store.look(told) == [("b", True, ("claim",)), ("c", True, ("claim", "signal"))]
    assert await store.look(lambda view: [each.reason for each in view.journal(3)]) == ["spurious", "", ""]
    await writer.commit(w.Reject("b", ANN), w.Supersede("c", "a"))
    found = await store.look(lambda view: view.claims(["a", "b"]))
    assert found["a"].superseded_by == ("c",) and found["b"].rejected
    await writer.commit(w.Readmit("b", ANN), w.DropSupersede("c", "a", ANN))
    found = await store.look(lambda view: view.claims(["a", "b"]))
    assert found["a"].superseded_by == () and not found["b"].rejected
    assert await store.look(lambda view: differing(view.network(), tables(writer.network.state))) == []


async def test_what_is_retracted_superseded_lifted_or_elsewhere_is_never_found(store: ClaimStore, writer: Writer) -> None:
    names = [f"c{n}" for n in range(8)]
    await writer.commit(
        *(said(signal(f"s{n}", "", "law" if n < 6 else "money"), "A bridge was opened") for n in range(8)),
        *(said(claim(name, f"s{n}"), "The bridge is open for cars") for n, name in enumerate(names)),
        w.Contradict("s5", "c4", "signal"),
        w.Accept("c3", ANN),
        vectors=[Vector("node", name, unit(n)) for n, name in enumerate([*names, *(f"s{n}" for n in range(8))])],
    )
    await writer.commit(w.Reject("c0", ANN), w.Supersede("c2", "c1"), w.WithdrawEntry("entry-s7"))

    def work(view: ClaimView) -> None:
        def both(kind: str, domains: tuple[str, ...]) -> tuple[list[str], list[str]]:
            near = [each.id for each in view.near(kind, unit(3), 50, domains)]
            return sorted(near), [each.id for each in view.words(kind, "bridges opening", 50, domains)]

        assert both("claim", ()) == (["c2", "c3", "c4", "c5", "c6"],) * 2
        assert both("claim", ("law",)) == (["c2", "c3", "c4", "c5"],) * 2
        assert both("claim", ("money",)) == (["c6"],) * 2
        assert both("claim", ("money", "law")) == both("claim", ())
        assert both("claim", ("none",)) == ([], [])
        assert both("signal", ("money",)) == (["s6"],) * 2
        best, *rest = view.near("claim", unit(3), 2, ("law",))
        assert best.id == "c3" and best.score == pytest.approx(1.0, abs=1e-6) and len(rest) == 1
        exact = {name: float(unit(n) @ unit(3)) for n, name in enumerate(names)}
        for found in view.near("claim", unit(3), 50):
            assert found.score == pytest.approx(exact[found.id], abs=1e-6)
        assert [each.id for each in view.words("claim", "cars", 2)] == ["c2", "c3"]
        assert view.words("claim", "the ship", 5) == [] and view.near("claim", unit(3), 0) == []
        with pytest.raises(BadInput, match="16 numbers"):
            view.near("claim", unit(3, 8), 5)
        with pytest.raises(BadInput, match="signal or claim"):
            view.near("domain", unit(3), 5)

    await store.look(work)
    await writer.commit(w.Readmit("c0", ANN), w.RestoreEntry("entry-s7"), w.FileSignal("s6", frozenset({"law"})))
    await writer.keep(vectors=[Vector("node", "c0", unit(3)), Vector("node", "c3", unit(0))])

    def later(view: ClaimView) -> None:
        assert [each.id for each in view.near("claim", unit(3), 1)] == ["c0"]
        assert sorted(each.id for each in view.near("claim", unit(3), 50, ("money",))) == ["c7"]
        assert [each.id for each in view.words("claim", "bridge", 50, ("law",))] == ["c0", "c2", "c3", "c4", "c5", "c6"]

    await store.look(later)


async def test_a_reader_of_an_older_version_searches_that_version(store: ClaimStore, writer: Writer) -> None:
    await writer.commit(said(signal("s"), "old harbour"), claim("c", "s"), vectors=[Vector("node", "s", unit(1))])
    loop = asyncio.get_running_loop()

    def work(view: ClaimView) -> tuple[list[str], list[str], list[str]]:
        first = [each.id for each in view.words("signal", "harbour", 5)]
        for n in range(10):  # more versions than a reader remembers
            new = said(signal(f"s{n}"), "new harbour")
            vectors = [Vector("node", f"s{n}", unit(1)), Vector("node", "s", unit(2))]
            asyncio.run_coroutine_threadsafe(writer.commit(new, vectors=vectors), loop).result()
            asyncio.run_coroutine_threadsafe(store.look(lambda newest: newest.words("signal", "harbour", 5)), loop).result()
        assert view.version == 1
        found = view.near("signal", unit(1), 5)
        assert found[0].score == pytest.approx(1.0, abs=1e-6)
        return first, [each.id for each in view.words("signal", "harbour", 5)], [each.id for each in found]

    assert await store.look(work) == (["s"], ["s"], ["s"])
    assert len(await store.look(lambda view: view.words("signal", "harbour", 50))) == 11


async def test_a_reader_never_goes_back(store: ClaimStore, writer: Writer) -> None:
    version = await writer.commit(signal("s"))
    assert await store.look(lambda view: view.version, at_least=version) == version
    with pytest.raises(Unreachable, match="at version 1, but version 2 was read before"):
        await store.look(lambda view: view.version, at_least=version + 1)


async def test_changes_tell_what_moved(store: ClaimStore, writer: Writer) -> None:
    await writer.commit(signal("s", "", "law"), signal("t"), claim("a", "s"), claim("b", "a"), claim("c", "t"), claim("d", "t"))
    await writer.keep(domains=[Domain("law", "Law")], dimensions=[DimensionRow("cost", 1, "law", "active", body={"n": 1})])
    await writer.keep(projections=[ProjectionRow("a", "cost", 1, "rules", "high", 0.75, AT)])

    async def since(version: int) -> tuple[object, ...]:
        found = await store.look(lambda view: view.changes(version))
        assert found.since == version and found.version == writer.version
        return found.entries, found.signals, found.claims, found.domains, found.dimensions, found.projected

    assert await since(0) == (("entry-s", "entry-t"), ("s", "t"), ("a", "b", "c", "d"), ("law",), ("cost",), ("a",))
    assert await since(1) == ((), (), (), ("law",), ("cost",), ("a",))
    assert await since(3) == ((),) * 6
    await writer.commit(w.WithdrawEntry("entry-s"))
    assert await since(3) == (("entry-s",), ("s",), ("a", "b"), (), (), ())
    await writer.commit(w.FileSignal("t", frozenset({"money"})))
    assert await since(4) == ((), ("t",), ("c", "d"), (), (), ())
    await writer.commit(w.Contradict("c", "d"))
    await writer.commit(w.Contradict("c", "d", "signal"))
    assert await since(6) == ((), (), ("c", "d"), (), (), ())
    await writer.keep(vectors=[Vector("node", "a", unit(1)), Vector("dimension", "cost", unit(2))])
    assert await since(7) == ((), (), ("a",), (), (), ())


async def test_domains_dimensions_and_projections_keep_their_versions(store: ClaimStore, writer: Writer) -> None:
    one, two = Domain("law", "Law", "old"), Domain("law", "Law", "new", 2, "law", "ann")
    cost = DimensionRow("cost", 1, "law", "candidate", body={"space": ["low", "high"]})
    projection = ProjectionRow("c", "cost", 1, "rules", "high", 0.75, AT)
    await writer.commit(signal("s"), claim("c", "s"), domains=[one], dimensions=[cost], projections=[projection])
    await writer.keep(domains=[two], dimensions=[replace(cost, state="active", pinned=True)])

    def work(view: ClaimView) -> None:
        assert view.domains() == [two] and view.domains(every=True) == [one, two]
        assert view.dimensions() == [replace(cost, state="active", pinned=True)] == view.dimensions(every=True)
        assert view.projections(["c", "s", "nobody"]) == {"c": [projection]}

    await store.look(work)
    await writer.keep(dimensions=[replace(cost, version=2, body={"space": ["low", "mid", "high"]})])
    assert await store.look(lambda view: view.projections(["c"])) == {}, "it is stale"
    newer = replace(projection, version=2, value="mid")
    await writer.keep(projections=[newer])
    assert await store.look(lambda view: view.projections(["c"])) == {"c": [newer]}
    assert await store.look(lambda view: view.projections(["c"], every=True)) == {"c": [projection, newer]}
    await writer.keep(vectors=[Vector("dimension", "cost", unit(3))])
    found = await store.look(lambda view: view.vectors("dimension", ["cost", "none"]))
    assert list(found) == ["cost"] and found["cost"].tobytes() == unit(3).tobytes()


async def test_asks_wait_until_a_commit_answers_them(store: ClaimStore, writer: Writer) -> None:
    asks = [Ask("k1", "entry", {"text": "é"}, AT), Ask("k2", "accept", {"claim": "c"}, AT)]
    first = await store.enqueue(asks)
    again, third = await store.enqueue([asks[1], Ask("k3", "entry")])
    assert again == first[1] and third > first[1] > first[0] > 0
    waiting = await store.look(lambda view: view.queue())
    assert [(each.number, each.ask) for each in waiting] == [*zip(first, asks, strict=True), (third, Ask("k3", "entry"))]
    version = await writer.commit(signal("s"), done=[Done(first[0], {"entry": "s"})])
    assert [each.ask.key for each in await store.look(lambda view: view.queue())] == ["k2", "k3"]
    told = await store.look(lambda view: view.asked(["k1", "k2", "none"]))
    assert (told["k1"].version, told["k1"].outcome, told["k2"].version) == (version, {"entry": "s"}, 0) and len(told) == 2
    with pytest.raises(BadInput, match="done before"):
        await writer.keep(done=[Done(first[0])])
    assert list(await store.enqueue([asks[0]])) == [first[0]], "what was done is not done again"
    await writer.commit(done=[Done(third), Done(first[1], {"refused": ["no"]})])
    for kinds, after, limit, keys in (
        ((), 0, 9, ["k1", "k2", "k3"]), (("entry",), 0, 9, ["k1", "k3"]), (("entry",), first[0], 9, ["k3"]), ((), 0, 2, ["k1", "k2"]), (("none",), 0, 9, []),
    ):  # fmt: skip
        done = await store.look(lambda view, given=(kinds, after, limit): view.done(*given))
        assert [each.ask.key for each in done] == keys and all(each.version for each in done)
    await store.enqueue([Ask("k2", "entry"), Ask("k4", "entry")])
    assert [each.ask.key for each in await store.look(lambda view: view.queue(1))] == ["k4"]


async def test_the_fast_path_notes_without_the_lease(store: ClaimStore, writer: Writer) -> None:
    await writer.commit(signal("s"), claim("c", "s"))
    call = CallRow("router", "small", "fast", 120, 3, 0.0125, False, "key", AT, {"request": 1})
    await store.note(
        Notes("2026-02-02", shown=["c", "d", "c"], stale=[("c", "cost"), ("a", "cost")], escalated=[{"q": "why"}], calls=[call])
    )
    await store.note(Notes("2026-02-01", shown=["c"], stale=[("c", "cost")]))

    def work(view: ClaimView) -> None:
        assert view.version == 1
        assert view.shown(["c", "d", "e"]) == {"c": Shown("c", 3, "2026-02-02"), "d": Shown("d", 1, "2026-02-02")}
        assert view.stale() == [Stale("c", "cost", 2, "2026-02-02"), Stale("a", "cost", 1, "2026-02-02")]
        assert view.stale(1) == [Stale("c", "cost", 2, "2026-02-02")]
        ((number, at, body),) = view.escalated()
        assert (at, body) == ("2026-02-02", {"q": "why"}) and view.escalated(number) == []
        assert [each for _, each in view.calls()] == [call]

    await store.look(work)
    later = replace(call, component="project", at="")
    await writer.keep(projections=[ProjectionRow("c", "cost", 1, "small", 1, 0.5)], calls=[later, later])

    def after(view: ClaimView) -> None:
        assert [each.claim for each in view.stale()] == ["a"]
        (first, one), *rest = view.calls()
        assert one == call and [each for _, each in rest] == [replace(later, at=AT)] * 2
        assert [each for _, each in view.calls(first, limit=1)] == [replace(later, at=AT)]

    await store.look(after)


async def test_many_at_once_lose_nothing(store: ClaimStore, writer: Writer) -> None:
    async def worker(name: int) -> None:
        for at in range(5):
            await store.enqueue([Ask(f"{at}", "entry"), Ask(f"{name}-{at}", "entry")])
            await store.note(Notes(AT, shown=["c", f"{name}"]))

    await asyncio.gather(*(worker(name) for name in range(6)), writer.commit(signal("s"), claim("c", "s")))
    queue = await store.look(lambda view: view.queue())
    assert sorted(each.ask.key for each in queue) == sorted(
        [*map(str, range(5)), *(f"{n}-{at}" for n in range(6) for at in range(5))]
    )
    assert (await store.look(lambda view: view.shown(["c"])))["c"].count == 30


async def test_a_network_is_opened_as_it_was(store: ClaimStore) -> None:
    writer = await Writer.of(store)
    await writer.commit(
        signal("s", "mail", "law"), signal("t", "mail"), claim("c", "s t", assumes="p"), w.ReplaceSignal("t", "s")
    )
    other = await Writer.of(store, "another", now=1_000.0)
    assert other.version == 1 and differing(tables(other.network.state), tables(writer.network.state)) == []
    await other.commit(claim("d", "c"), w.Support("c", "t"))
    with pytest.raises(Unwritable):
        await writer.commit(claim("e", "t"))
    assert await store.look(torn) == []
    assert await store.look(lambda view: view.signals(["s"])["s"].replaced_by) == ("t",)


@pytest.mark.parametrize("id", ["a\x1fb", "\x1f", "a\nb", "a,b", "0", " ", "\U0001f309"])
async def test_a_network_has_whatever_ids_it_was_given(store: ClaimStore, writer: Writer, id: str) -> None:
    await writer.commit(signal("s", "one\x1fsource"), signal(id), claim("c", f"s {id}" if id.strip() else "s"))
    assert await store.look(lambda view: differing(view.network(), tables(writer.network.state))) == []
    assert await store.look(torn) == []


async def test_an_export_is_restored_whole_into_any_store(store: ClaimStore, writer: Writer) -> None:
    await store.enqueue([Ask("k", "entry", [1, 2])])
    await writer.commit(
        said(signal("s", "mail", "law"), "Ünïcode"),
        claim("c", "s"),
        claim("d", "s c"),
        w.Contradict("s", "d", "signal"),
        vectors=[Vector("node", "c", unit(1))],
        projections=[ProjectionRow("c", "cost", 1, "small", 0.1, 0.2)],
        calls=[CallRow("derive", "large", price=0.1)],
    )
    await store.note(Notes(AT, shown=["c"]))
    lines = await exported(store)
    assert lines[0] == b'{"loom_claims":"0001","version":1}\n'
    copy = FakeClaims()
    assert await copy.restore(lines) == 1
    assert await exported(copy) == lines
    assert await copy.look(torn) == []
    with pytest.raises(BadInput, match="holds nothing"):
        await store.restore(lines)
    await copy.aclose()


async def test_an_export_of_many_lines_has_every_one(store: ClaimStore) -> None:
    asks = [Ask(f"key-{number}", "entry", {}, "2026-05-04") for number in range(1203)]
    await store.enqueue(asks)
    lines = [line async for line in store.export()]
    assert [number for number in range(1203) if f'"key-{number}"' not in b"".join(lines).decode()] == []


async def test_what_waits_is_bounded_by_its_size(store: ClaimStore) -> None:
    sizes = [30, 5, 300, 5, *[1] * 40]
    await store.enqueue([Ask(str(n), "entry" if n % 2 else "act", "x" * size) for n, size in enumerate(sizes)])

    def took(size: int | None, limit: int = 1000, kinds: tuple[str, ...] = ()) -> Callable[[ClaimView], list[str]]:
        return lambda view: [each.ask.key for each in view.queue(limit, kinds, size)]

    assert await store.look(took(None)) == await store.look(took(10_000)) == [str(n) for n in range(44)]
    assert await store.look(took(39)) == ["0", "1"]
    assert await store.look(took(10)) == ["0"], "the first comes however large it is"
    assert await store.look(took(10_000, 30)) == [str(n) for n in range(30)]
    assert await store.look(took(7 + 7 + 18 * 3, 1000, ("entry",))) == [str(n) for n in range(1, 41, 2)]


async def test_the_claims_of_a_domain_are_named(store: ClaimStore, writer: Writer) -> None:
    await writer.commit(
        signal("s", "mail", "law"), signal("t", "post", "roads"), claim("c", "s"), claim("d", "t"), claim("e", "c t")
    )
    await writer.commit(w.Reject("c", ANN))
    for domain, expected in (("law", ["c", "e"]), ("roads", ["d", "e"]), ("money", [])):
        assert await store.look(lambda view, d=domain: list(view.claims_of(d))) == expected  # type: ignore[misc]


async def test_what_waits_is_told_by_its_kind(store: ClaimStore) -> None:
    await store.enqueue([Ask(f"k{n:03}", "act" if n % 100 == 0 else "entry", n) for n in range(207)])
    assert await store.look(lambda view: view.waiting()) == {"act": 3, "entry": 204}
    acts = await store.look(lambda view: view.queue(10, ("act", "claim")))
    assert [each.ask.key for each in acts] == ["k000", "k100", "k200"]


async def test_the_same_writes_are_the_same_export_in_every_store(store: ClaimStore, writer: Writer) -> None:
    fake = FakeClaims()
    for each in (writer, await Writer.of(fake)):
        await each.store.enqueue([Ask("k", "entry")])
        await each.commit(signal("s", "b", "law", "Law"), signal("é", "a"), claim("c", "s é", assumes="z a"), claim("B", "c"))
        await each.commit(w.Contradict("B", "c"), w.Contradict("é", "B", "signal"), w.Accept("c", ANN), done=[Done(1, "x")])
        await each.keep(domains=[Domain("law", "l"), Domain("Law", "L"), Domain("é", "é")])
    assert await exported(store) == await exported(fake)
    await fake.aclose()


async def test_a_restored_store_goes_on(store: ClaimStore) -> None:
    source = FakeClaims()
    first = await Writer.of(source)
    await source.enqueue([Ask("k", "entry"), Ask("l", "entry")])
    await first.commit(signal("s"), claim("c", "s"), calls=[CallRow("derive", "large")])
    assert await store.restore(await exported(source)) == 1
    writer = await Writer.of(store)
    known, new = await store.enqueue([Ask("l", "entry"), Ask("m", "entry")])
    assert known == 2 and new > 2
    await writer.commit(claim("d", "c"), done=[Done(2)], calls=[CallRow("derive", "large")])
    assert await store.look(torn) == [] and await store.look(lambda view: view.version) == 2
    await source.aclose()


async def test_an_export_that_is_not_one_leaves_nothing(store: ClaimStore) -> None:
    source = FakeClaims()
    writer = await Writer.of(source)
    await writer.commit(signal("s"), claim("c", "s"), claim("d", "c"), w.Reject("d", ANN))
    lines = await exported(source)
    empty = await exported(store)
    wrong = {
        "first line is none": [],
        "format 0001": lines[1:],
        "cut off": lines[:-1],
        "no JSON": [*lines[:3], b"{", *lines[3:]],
        "no object": [lines[0], b"[]"],
        "Line 2": [lines[0], b'{"table":"lease","id":2}', *lines[1:]],
        "Line 3": [*lines[:2], b'{"table":"claims"}', *lines[2:]],
        "standings": [line.replace(b'"standing":4', b'"standing":2') for line in lines],
        "agree|cycle": [line.replace(b'"justification":1,"node":1', b'"justification":1,"node":2') for line in lines],
        "supported|standings": [line.replace(b'"withdrawn":false', b'"withdrawn":true') for line in lines],
    }
    for message, given in wrong.items():
        with pytest.raises(BadInput, match=message):
            await store.restore(given)
        assert await exported(store) == empty
    assert await store.restore(lines) == 1
    await source.aclose()


async def test_who_writes_is_kept(store: ClaimStore, writer: Writer) -> None:
    bob = Agent("person", "bob")
    await writer.commit(signal("s"), claim("a", "s"), claim("b", "s"), w.Contradict("a", "b", by=bob), w.Accept("a", bob))
    await writer.commit(w.DropConflict("a", "b", ANN), w.Accept("a", bob), w.Support("a", "a"))

    def work(view: ClaimView) -> None:
        assert [(each.kind, each.by, each.reason) for each in view.journal(0)] == [
            ("Contradict", "bob", ""),
            ("Accept", "bob", "standing"),
            ("DropConflict", "ann", ""),
            ("Accept", "bob", ""),
            ("Support", "", "cycle"),
        ]
        assert [each.version for each in view.journal(1)] == [2, 2, 2] and "rests on it" in view.journal(1)[-1].why
        assert view.conflicts("a")[0].by == "ann"

    await store.look(work)


async def test_a_lease_is_had_by_one_of_many(store: ClaimStore) -> None:
    found = await asyncio.gather(*(store.lease(f"p{n}", now=5.0, seconds=5) for n in range(8)), return_exceptions=True)
    assert sum(isinstance(each, Lease) for each in found) == 1
    assert all(isinstance(each, Lease | Unwritable) for each in found)
