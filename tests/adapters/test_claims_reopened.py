"""Random batches through every store: what is kept is the network in memory, in every version and to every reader."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from support.claims_made import signal
from support.claims_stored import Writer, differing, made, needs_postgres, running, torn, unit
from support.claims_writes import DOMAINS, WRITES, some_write
from support.postgres_server import Server
from support.trying import CASES, QUICK

from loom.core.claims import checks
from loom.core.claims.acceptance import everything
from loom.core.claims.network import Network
from loom.core.claims.stored import StoredClaim, StoredSignal, Vector, Wanted
from loom.core.claims.tables import tables
from loom.core.claims.view import ClaimView
from loom_adapters.claims.recall import Recall
from loom_adapters.claims.view import StoredView

ALL = Wanted(lifted=True, limit=10_000)
Kept = dict[str, StoredClaim | StoredSignal]


@pytest.fixture(scope="module")
def server() -> Iterator[Server | None]:
    with running() as found:
        yield found


def kept(view: ClaimView) -> Kept:
    """All records of a version."""
    return {each.claim.id: each for each in view.list_claims(ALL)} | {each.signal.id: each for each in view.list_signals(ALL)}


def right(view: ClaimView, network: Network, before: Kept, since: int) -> Kept:
    """Hold a version against the network that it was written from, and against the version before it."""
    assert differing(view.network(), tables(network.state)) == []
    assert torn(view) == []
    now = kept(view)
    assert list(network.claims()) == [each.claim.id for each in view.list_claims(ALL)]
    for name in network.claims():
        stored = now[name]
        assert isinstance(stored, StoredClaim)
        assert stored.standing is network.standing(name) and stored.supported == network.supported(name)
        assert stored.home == network.home(name) and stored.claim.context == network.preconditions(name)
        found = tuple(tuple(sorted(just.antecedents)) for just in stored.claim.justifications)
        assert found == network.justifications(name)
        assert tuple(sorted(each.partner for each in view.conflicts(name) if each.live)) == network.partners(name)
    assert not checks.replayed(network, [move for name in network.claims() for move in view.history(name)])
    ordinary = [each for each in now.values() if isinstance(each, StoredClaim) and not each.claim.lifted]
    assert view.counts() == Counter(each.standing for each in ordinary)
    for domain in DOMAINS:
        assert list(view.claims_of(domain)) == [each.claim.id for each in ordinary if domain in each.home]
    changes = view.changes(since)
    moved = {name for name, each in now.items() if each != before.get(name)}
    assert moved <= {*changes.claims, *changes.signals}
    assert all(now[name].version > since for name in (*changes.claims, *changes.signals))
    return now


def searched(view: ClaimView, network: Network) -> None:
    """What is found is exactly what may be found; the index that grew with the versions finds what one read anew finds."""
    claims = [name for name in network.claims() if network.readable(name)]
    signals = [name for name in network.state.names if name not in set(network.claims()) and network.supported(name)]
    assert isinstance(view, StoredView)
    fresh = StoredView(view._session, Recall())
    for kind, may in (("claim", claims), ("signal", signals)):
        for domain in ("", *DOMAINS):
            within = [domain] if domain else []
            expected = [name for name in may if not domain or domain in network.home(name)]
            found = view.near(kind, unit(1), 1_000, within)
            assert sorted(each.id for each in found) == sorted(expected)
            assert list(found) == list(fresh.near(kind, unit(1), 1_000, within))
            assert list(view.near(kind, unit(1), 3, within)) == list(found)[:3]


async def world(kind: str, seed: int, folder: Path, server: Server | None) -> None:
    draw = Random(seed)
    store = made(kind, folder / str(seed), server)
    writer = await Writer.of(store, rule=everything if seed % 3 == 0 else None)
    before: Kept = {}
    for number in range(6):
        writes = [] if number else [each for n in range(3) for each in signal(f"n{n}", f"s{n}", DOMAINS[n])]
        for at in range(draw.randrange(1, 9)) if number else ():
            picks = (draw.randrange(40), draw.randrange(40), draw.randrange(40), draw.randrange(40))
            writes.append(some_write(writer.network, draw.randrange(WRITES), picks, f"{number}.{at}"))
        since, count = writer.version, len(writer.network.state.names)
        await writer.commit(*writes)
        names = writer.network.state.names[count:]
        await writer.keep(vectors=[Vector("node", name, unit(draw.randrange(1 << 20))) for name in names])
        before = await store.look(lambda view, since=since, before=before: right(view, writer.network, before, since))
        await store.look(lambda view: searched(view, writer.network))
    again = await Writer.of(store, "another", now=1e6)
    assert differing(tables(again.network.state), tables(writer.network.state)) == []
    assert again.network.state.labels == writer.network.state.labels
    await store.aclose()


@pytest.mark.parametrize("seeds", [range(QUICK), pytest.param(range(QUICK, CASES), marks=pytest.mark.slow)], ids=str)
@pytest.mark.timeout(1200)
async def test_the_process_keeps_the_network(seeds: range, tmp_path: Path) -> None:
    for seed in seeds:
        await world("fake", seed, tmp_path, None)


@pytest.mark.parametrize("seeds", [range(5), pytest.param(range(5, 200), marks=pytest.mark.slow)], ids=str)
@pytest.mark.timeout(1200)
async def test_sqlite_keeps_the_network(seeds: range, tmp_path: Path) -> None:
    for seed in seeds:
        await world("sqlite", seed, tmp_path, None)


@needs_postgres
@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 40), marks=pytest.mark.slow)], ids=str)
@pytest.mark.timeout(1200)
async def test_postgresql_keeps_the_network(seeds: range, tmp_path: Path, server: Server | None) -> None:
    for seed in seeds:
        await world("postgres", seed, tmp_path, server)
