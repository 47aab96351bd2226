"""One version of the claims as a reader sees it, and the tree of what a claim rests on."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from loom.core.claims.history import Move
from loom.core.claims.records import Derivation, Domain, Entry, Migration
from loom.core.claims.standing import Standing
from loom.core.claims.stored import (
    CallRow,
    Changes,
    DimensionRow,
    Entered,
    Found,
    LabelColumns,
    ProjectionRow,
    Queued,
    Shown,
    Stale,
    StoredClaim,
    StoredConflict,
    StoredSignal,
    Wanted,
)
from loom.core.claims.tables import Tables
from loom.core.errors import NotFound
from loom.core.values import Json


class ClaimView(Protocol):
    """One version, whole. It is of use until the function that it was given to returns.

    What is asked for by id comes by id; ids that nobody wrote are left out. Domains and dimensions are given in their latest
    version, projections on the latest version of their dimension alone, unless `every` asks for all.

    `words` finds by BM25, `near` by the cosine of vectors; both give signals that are supported, or ordinary claims that are
    neither retracted nor superseded, of the domains where any are given, best first, ties by age. `network` and `labels` are whole
    columns, for whoever opens the network. `queue` gives what waits, of some kinds where any are named, oldest first, but for the
    first no more than `size` characters of their bodies; `waiting` how much of each kind does; `done` what was done, refused asks too,
    of numbers above `after`. `claims_of` gives the ids of all ordinary claims of a domain, whatever their standing, oldest first,
    without their records.
    """

    @property
    def version(self) -> int: ...
    @property
    def batch(self) -> int: ...
    @property
    def at(self) -> str: ...

    def entries(self, ids: Collection[str]) -> Mapping[str, Entry]: ...
    def signals(self, ids: Collection[str]) -> Mapping[str, StoredSignal]: ...
    def claims(self, ids: Collection[str]) -> Mapping[str, StoredClaim]: ...
    def list_entries(self, source: str = "", after: str = "", limit: int = 50) -> Sequence[Entry]: ...
    def list_signals(self, wanted: Wanted) -> Sequence[StoredSignal]: ...
    def list_claims(self, wanted: Wanted) -> Sequence[StoredClaim]: ...
    def claims_of(self, domain: str) -> Iterator[str]: ...
    def counts(self) -> Mapping[Standing, int]: ...
    def history(self, claim: str) -> Sequence[Move]: ...
    def conflicts(self, claim: str) -> Sequence[StoredConflict]: ...
    def dependents(self, node: str) -> Sequence[str]: ...
    def domains(self, *, every: bool = False) -> Sequence[Domain]: ...
    def dimensions(self, *, every: bool = False) -> Sequence[DimensionRow]: ...
    def projections(self, claims: Collection[str], *, every: bool = False) -> Mapping[str, Sequence[ProjectionRow]]: ...
    def vectors(self, kind: str, ids: Collection[str]) -> Mapping[str, np.ndarray]: ...
    def words(self, kind: str, text: str, k: int, domains: Collection[str] = ()) -> Sequence[Found]: ...
    def near(self, kind: str, vector: np.ndarray, k: int, domains: Collection[str] = ()) -> Sequence[Found]: ...
    def changes(self, since: int) -> Changes: ...
    def journal(self, since: int) -> Sequence[Entered]: ...
    def queue(self, limit: int = 1000, kinds: Collection[str] = (), size: int | None = None) -> Sequence[Queued]: ...
    def waiting(self) -> Mapping[str, int]: ...
    def done(self, kinds: Collection[str] = (), after: int = 0, limit: int = 1000) -> Sequence[Queued]: ...
    def asked(self, keys: Collection[str]) -> Mapping[str, Queued]: ...
    def shown(self, claims: Collection[str]) -> Mapping[str, Shown]: ...
    def stale(self, limit: int = 1000) -> Sequence[Stale]: ...
    def escalated(self, after: int = 0, limit: int = 1000) -> Sequence[tuple[int, str, Json]]: ...
    def calls(self, after: int = 0, limit: int = 1000) -> Sequence[tuple[int, CallRow]]: ...
    def network(self) -> Tables: ...
    def labels(self) -> LabelColumns: ...


@dataclass(frozen=True, slots=True)
class Branch:
    """One justification in a tree: how it came about, and the nodes that it needs."""

    derivation: Derivation
    migrations: tuple[Migration, ...]
    antecedents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """What a claim rests on, down to signals and their entries, or as far down as was asked. Every node is in it once, however many
    justifications name it, so that a tree is no larger than what it shows; `cut` are the claims whose justifications were left out."""

    root: str
    claims: Mapping[str, StoredClaim]
    signals: Mapping[str, StoredSignal]
    entries: Mapping[str, Entry]
    cut: tuple[str, ...] = ()

    def branches(self, claim: str) -> Iterator[Branch]:
        """The justifications of one claim of the tree."""
        for each in self.claims[claim].claim.justifications:
            yield Branch(each.derivation, each.migrations, each.antecedents)


def tree(view: ClaimView, claim: str, *, depth: int = 16, nodes: int = 2000) -> Tree:
    """The tree of a claim, at most so deep and, but for its last level, of so many nodes. Raises NotFound."""
    claims = dict(view.claims([claim]))
    if claim not in claims:
        raise NotFound(f"There is no claim {claim}; give the whole id of one that is listed.", param="id")
    signals: dict[str, StoredSignal] = {}
    open_ = [claim]
    for _ in range(depth):
        if len(claims) + len(signals) > nodes:
            break
        below = dict.fromkeys(name for each in open_ for just in claims[each].claim.justifications for name in just.antecedents)
        wanted = [name for name in below if name not in claims and name not in signals]
        if not wanted:
            open_ = []
            break
        signals.update(view.signals(wanted))
        found = view.claims([name for name in wanted if name not in signals])
        claims.update(found)
        open_ = list(found)
    cut = tuple(
        each
        for each in open_
        if any(
            name not in claims and name not in signals
            for just in claims[each].claim.justifications
            for name in just.antecedents
        )
    )
    return Tree(claim, claims, signals, view.entries(sorted({each.signal.entry for each in signals.values()})), cut)
