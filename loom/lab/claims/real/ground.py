"""Copies of a real workspace in memory, with its own judges: whole, or as it was before anything was derived in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from loom.claims.asks import TakeIn
from loom.claims.judges import Judges
from loom.claims.workspace import Claims
from loom.core.claims.dimensions.rules import Rules
from loom.core.claims.parts import Parts
from loom.core.claims.records import Domain, Entry
from loom.core.claims.stored import Commit, DimensionRow
from loom.core.claims.view import ClaimView
from loom.lab.claims.real.listening import Listener, heard
from loom.lab.claims.workspace import PAGE, START, Stores, Workspace
from loom.lab.claims.worlds.tables import Tables

STATED = "statement"
"""The kind of an entry that records what a person claims: it is written with the claim, and is no evidence that came in."""


@dataclass(frozen=True, slots=True)
class Source:
    """What a workspace was given: its domains and dimensions (with what was fitted on them), and the entries that count."""

    domains: Sequence[Domain]
    dimensions: Sequence[DimensionRow]
    entries: Sequence[Entry]


@dataclass(frozen=True, slots=True)
class Ground:
    """`at` is the time of the last version, from which every copy goes on: the same workspace gives the same copies."""

    judges: Judges
    parts: Parts
    rules: Rules
    stores: Stores
    lines: Sequence[bytes]
    source: Source
    at: datetime
    penalty: float

    def _empty(self) -> Workspace:
        return Workspace(self.stores, lambda tables: self.judges, Tables(), self.parts, now=self.at, rules=self.rules)

    async def whole(self) -> Workspace:
        made = self._empty()
        await made.store.restore(self.lines)
        return made

    async def fresh(self) -> Workspace:
        """With its domains, dimensions and signals alone: entries are read again, in the order in which they came."""
        made = self._empty()
        lease = await made.store.lease("lab-ground", now=made.now.timestamp(), seconds=60.0)
        version = await made.store.look(lambda view: view.version)
        await made.store.commit(
            lease, Commit(version, made.now.isoformat(), domains=self.source.domains, dimensions=self.source.dimensions)
        )
        await made.store.release(lease)
        await made.do([TakeIn(each) for each in self.source.entries], at_once=400)
        return made


async def ground(claims: Claims, stores: Stores, listener: Listener) -> Ground:
    """Reads a workspace once. It stays as it is. `listener` hears of every call of its judges."""
    store = await claims.store()
    lines = [line async for line in store.export()]
    source, at = await store.look(lambda view: (_source(view), view.at))
    judges = heard(claims.judges, listener)
    now = datetime.fromisoformat(at) if at else START
    return Ground(judges, claims.parts, claims.rules, stores, lines, source, now, claims.penalty)


def _source(view: ClaimView) -> Source:
    entries: list[Entry] = []
    after = ""
    while page := view.list_entries(after=after, limit=PAGE):
        entries += [each for each in page if not each.withdrawn_at and each.kind != STATED]
        after = page[-1].id
    return Source(view.domains(), view.dimensions(), entries)
