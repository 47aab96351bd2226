"""A network and a store that go together, as the slow path holds them; and the stores by name."""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.postgres_server import Server, postgres, programs

from loom.core.claims import writes as w
from loom.core.claims.keeping import delta, mark
from loom.core.claims.network import Change, Network
from loom.core.claims.stored import Commit, Lease, Step, Wanted, no_step
from loom.core.claims.tables import Tables, opened
from loom.core.claims.view import ClaimView
from loom.ports import ClaimStore
from loom_adapters.claims.kept import FakeClaims
from loom_adapters.claims.sql import PostgresClaims, SqliteClaims

AT = "2026-01-01"


def has_postgres() -> bool:
    return programs() is not None and importlib.util.find_spec("psycopg") is not None


needs_postgres = pytest.mark.skipif(
    not has_postgres(), reason="no PostgreSQL server (Debian: postgresql) or no psycopg is installed"
)
KINDS = ["fake", "sqlite", pytest.param("postgres", marks=needs_postgres)]
DATABASES = KINDS[1:]


@contextmanager
def running() -> Iterator[Server | None]:
    """The server of a whole module of tests, None where there is none."""
    if not has_postgres():
        yield None
        return
    with postgres() as server:
        yield server


def new_schema(server: Server, number: list[int] = [0]) -> str:  # noqa: B006 (counts over all tests)
    """The name of a schema that is not there yet."""
    number[0] += 1
    return f"claims_{number[0]}"


def made(kind: str, folder: Path, server: Server | None, step: Step = no_step) -> ClaimStore:
    """A store that holds nothing."""
    if kind == "fake":
        return FakeClaims(step=step)
    if kind == "sqlite":
        return SqliteClaims(folder / "new" / "claims.sqlite", step=step)
    assert server is not None
    return PostgresClaims(server.url, schema=new_schema(server), step=step)


class Writer:
    """The one process that commits: its network goes ahead, and the store follows."""

    def __init__(self, store: ClaimStore, lease: Lease, network: Network, version: int) -> None:
        self.store, self.lease, self.network, self.version = store, lease, network, version
        self.change: Change | None = None

    @classmethod
    async def of(cls, store: ClaimStore, holder: str = "slow", now: float = 0.0, rule: Any = None) -> "Writer":
        lease = await store.lease(holder, now=now, seconds=60)
        version, tables = await store.look(lambda view: (view.version, view.network()))
        return cls(store, lease, Network(opened(tables), rule=rule), version)

    async def commit(self, *writes: w.Write | tuple[w.Write, ...], at: str = AT, **more: Any) -> int:
        flat = [each for write in writes for each in (write if isinstance(write, tuple) else (write,))]
        batch, before = w.Batch(tuple(flat), at), mark(self.network)
        self.change = self.network.commit(batch)
        rows = delta(self.network, before, batch, self.change)
        self.version = await self.store.commit(self.lease, Commit(self.version, at, rows, **more))
        return self.version

    async def keep(self, **more: Any) -> int:
        """A commit of which no write is a part."""
        self.version = await self.store.commit(self.lease, Commit(self.version, AT, **more))
        return self.version


def differing(one: Tables, other: Tables) -> list[str]:
    """The columns in which two networks differ."""
    return [field.name for field in fields(Tables) if not _same(getattr(one, field.name), getattr(other, field.name))]


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    return bool(one == other)


def torn(view: ClaimView, histories: int = 1 << 30) -> list[str]:
    """What of a version does not follow from the rest of it; of so many claims, the last ones, the histories are read."""
    state = opened(view.network())
    labels = view.labels()
    faults = []
    if labels.names != tuple(state.names):
        faults.append("nodes")
    if labels.supported.tobytes() != bytes(state.labels.supported):
        faults.append("support")
    if labels.standing.tobytes() != bytes(state.labels.standing):
        faults.append("standing")
    every = Wanted(lifted=True, limit=1 << 30)
    homes = {each.claim.id: each.home for each in view.list_claims(every)}
    homes |= {each.signal.id: each.signal.domains for each in view.list_signals(every)}
    faults += [f"home of {name}" for node, name in enumerate(state.names) if homes.get(name) != state.homes.domains(node)]
    claims = [name for name, claim in zip(state.names, state.graph.claim, strict=True) if claim]
    for name in claims[-histories:]:
        history = view.history(name)
        if not history or history[-1].after != state.labels.standing[state.numbers[name]]:
            faults.append(f"history of {name}")
    return faults


def unit(seed: int, width: int = 16) -> np.ndarray:
    """A vector of length 1."""
    values = np.random.default_rng(seed).normal(size=width).astype(np.float32)
    return np.asarray(values / np.linalg.norm(values), np.float32)


def said(signal: w.Write | tuple[w.Write, ...], text: str) -> tuple[w.Write, ...]:
    """Writes of a signal or claim, with this as its proposition."""
    writes = signal if isinstance(signal, tuple) else (signal,)
    made: list[w.Write] = []
    for each in writes:
        match each:
            case w.AddSignal(signal=one):
                made.append(w.AddSignal(replace(one, proposition=text)))
            case w.AddClaim(claim=one):
                made.append(w.AddClaim(replace(one, proposition=text)))
            case _:
                made.append(each)
    return tuple(made)
