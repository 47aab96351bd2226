"""One version of a store as `ClaimView`, over any `Session`."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from loom.core.claims.history import Move
from loom.core.claims.records import Domain, Entry
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
from loom_adapters.claims import columns, shaped
from loom_adapters.claims.bookkeeping import call_of, queued
from loom_adapters.claims.recall import Recall
from loom_adapters.claims.session import Above, Beside, Condition, Has, In, Row, Session, Within
from loom_adapters.claims.texts import heard, said, unpacked

CLAIM = In("entry", (-1,))
SIGNAL = Above("entry", -1)
AT_ONCE = 10
"""Asks that are read at once where their size is bounded; one has up to two million characters."""


class StoredView:
    def __init__(self, session: Session, recall: Recall) -> None:
        self._session, self._recall = session, recall
        self.version = max(0, session.largest("versions", "version"))
        row: Row = next(iter(session.rows("versions", In("version", [self.version]))), {"batch": 0, "at": ""})
        self.batch: int = row["batch"]
        self.at: str = row["at"]

    def _by(self, table: str, column: str, values: Iterable[Any], *more: Condition, order: Sequence[str] = ()) -> list[Row]:
        wanted = sorted(set(values))
        return self._session.rows(table, In(column, wanted), *more, order=order) if wanted else []

    def _number(self, id: str) -> int:
        """Raises NotFound."""
        for row in self._session.rows("nodes", In("id", [id])):
            return int(row["number"])
        raise NotFound(f"There is no signal or claim {id}; give the id of one that is kept.", param="id")

    def entries(self, ids: Collection[str]) -> Mapping[str, Entry]:
        return {row["id"]: shaped.entry(row) for row in self._by("entries", "id", ids, order=["number"])}

    def signals(self, ids: Collection[str]) -> Mapping[str, StoredSignal]:
        found = shaped.signals(self._session, self._by("nodes", "id", ids, Beside(SIGNAL), order=["number"]))
        return {each.signal.id: each for each in found}

    def claims(self, ids: Collection[str]) -> Mapping[str, StoredClaim]:
        found = shaped.claims(self._session, self._by("nodes", "id", ids, Beside(CLAIM), order=["number"]))
        return {each.claim.id: each for each in found}

    def list_entries(self, source: str = "", after: str = "", limit: int = 50) -> Sequence[Entry]:
        where: list[Condition] = [In("source", [source])] if source else []
        if after:
            rows = self._session.rows("entries", In("id", [after]))
            if not rows:
                raise NotFound(f"There is no entry {after}; give what the page before named as after.", param="after")
            where.append(Above("number", rows[0]["number"]))
        return [shaped.entry(row) for row in self._session.rows("entries", *where, order=["number"], limit=limit)]

    def list_signals(self, wanted: Wanted) -> Sequence[StoredSignal]:
        where: list[Condition] = []
        if wanted.entry:
            where.append(In("entry", [row["number"] for row in self._session.rows("entries", In("id", [wanted.entry]))]))
        return shaped.signals(self._session, self._listed("signals", SIGNAL, wanted, *where))

    def list_claims(self, wanted: Wanted) -> Sequence[StoredClaim]:
        where: list[Condition] = [] if wanted.lifted else [In("lifted", [-1])]
        if wanted.standings:
            where.append(In("standing", sorted(map(int, wanted.standings))))
        return shaped.claims(self._session, self._listed("claims", CLAIM, wanted, *where))

    def _listed(self, table: str, kind: Condition, wanted: Wanted, *more: Condition) -> list[Row]:
        where = [kind, *more]
        if wanted.after:
            where.append(Above("number", self._number(wanted.after)))
        if wanted.domain:
            where.append(Within("home", "homes", "number", (Has("names", said(wanted.domain)),)))
        if wanted.text:
            where.append(Within("number", table, "number", (Has("folded", wanted.text.casefold()),)))
        return self._session.rows("nodes", *where, order=["number"], limit=wanted.limit)

    def counts(self) -> Mapping[Standing, int]:
        return self._recall.counts(self._session, self.version)

    def claims_of(self, domain: str) -> Iterator[str]:
        within = Within("home", "homes", "number", (Has("names", said(domain)),))
        for part in self._session.columns("nodes", ["id"], CLAIM, In("lifted", [-1]), within):
            yield from (id for (id,) in part)

    def history(self, claim: str) -> Sequence[Move]:
        rows = self._session.rows("moves", In("claim", [self._number(claim)]), order=["number"])
        by = shaped.deciders(self._session, claim, rows)
        return [shaped.move(claim, row, by.get((row["version"], shaped.DECIDES.get(row["cause"], "")), "")) for row in rows]

    def conflicts(self, claim: str) -> Sequence[StoredConflict]:
        number = self._number(claim)
        rows = [*self._session.rows("conflicts", In("one", [number])), *self._session.rows("conflicts", In("other", [number]))]
        found = {row["other"] if row["one"] == number else row["one"]: row for row in rows}
        return [
            StoredConflict(
                partner=node["id"],
                standing=Standing(node["standing"]),
                branches=tuple(row["branches"].split()),
                live=row["live"],
                at=row["at"],
                by=row["by"] or row["agent"],
            )
            for node in self._by("nodes", "number", found, order=["number"])
            for row in [found[node["number"]]]
        ]

    def dependents(self, node: str) -> Sequence[str]:
        justs = {row["justification"] for row in self._session.rows("antecedents", In("node", [self._number(node)]))}
        claims = (row["claim"] for row in self._by("justifications", "number", justs))
        return [row["id"] for row in self._by("nodes", "number", claims, order=["number"])]

    def domains(self, *, every: bool = False) -> Sequence[Domain]:
        rows = self._session.rows("domains", order=["id", "revision"])
        return [
            Domain(row["id"], row["name"], row["body"], row["revision"], row["derived_from"], row["created_by"])
            for row in (rows if every else _latest(rows))
        ]

    def dimensions(self, *, every: bool = False) -> Sequence[DimensionRow]:
        rows = self._session.rows("dimensions", order=["id", "revision"])
        return [
            DimensionRow(row["id"], row["revision"], row["domain"], row["state"], row["pinned"], heard(row["body"]))
            for row in (rows if every else _latest(rows))
        ]

    def projections(self, claims: Collection[str], *, every: bool = False) -> Mapping[str, Sequence[ProjectionRow]]:
        names = {row["number"]: row["id"] for row in self._by("nodes", "id", claims)}
        latest = {row["id"]: row["revision"] for row in _latest(self._session.rows("dimensions", order=["id", "revision"]))}
        found: dict[str, list[ProjectionRow]] = {}
        for row in self._by("projections", "claim", names, order=["claim", "dimension", "revision", "projector"]):
            if every or latest.get(row["dimension"]) == row["revision"]:
                made = ProjectionRow(
                    claim=names[row["claim"]],
                    dimension=row["dimension"],
                    version=row["revision"],
                    projector=row["projector"],
                    value=heard(row["body"]),
                    relevance=row["relevance"],
                    at=row["at"],
                )
                found.setdefault(made.claim, []).append(made)
        return found

    def vectors(self, kind: str, ids: Collection[str]) -> Mapping[str, np.ndarray]:
        return {row["id"]: unpacked(row["body"]) for row in self._by("vectors", "id", ids, In("kind", [kind]))}

    def words(self, kind: str, text: str, k: int, domains: Collection[str] = ()) -> Sequence[Found]:
        return self._recall.words(self._session, self.version, kind, text, k, domains)

    def near(self, kind: str, vector: np.ndarray, k: int, domains: Collection[str] = ()) -> Sequence[Found]:
        return self._recall.near(self._session, self.version, kind, vector, k, domains)

    def changes(self, since: int) -> Changes:
        def moved(table: str, name: str, *where: Condition) -> tuple[str, ...]:
            parts = self._session.columns(table, [name], Above("version", since), *where)
            return tuple(dict.fromkeys(each for part in parts for (each,) in part))

        projected = {
            each for part in self._session.columns("projections", ["claim"], Above("version", since)) for (each,) in part
        }
        return Changes(
            since=since,
            version=self.version,
            entries=moved("entries", "id"),
            signals=moved("nodes", "id", Beside(SIGNAL)),
            claims=moved("nodes", "id", Beside(CLAIM)),
            domains=moved("domains", "id"),
            dimensions=moved("dimensions", "id"),
            projected=tuple(row["id"] for row in self._by("nodes", "number", projected, order=["number"])),
        )

    def journal(self, since: int) -> Sequence[Entered]:
        rows = self._session.rows("journal", Above("version", since), order=["version", "place"])
        names = ("version", "kind", "subject", "object", "agent", "by", "reason", "why")
        return [Entered(*(row[name] for name in names)) for row in rows]

    def queue(self, limit: int = 1000, kinds: Collection[str] = (), size: int | None = None) -> Sequence[Queued]:
        where: list[Condition] = [In("version", [0]), *([In("kind", sorted(kinds))] if kinds else [])]
        found: list[Queued] = []
        left = size
        after = -1
        while len(found) < limit and (left is None or left > 0):
            asked = limit - len(found) if left is None else min(AT_ONCE, limit - len(found))
            rows = self._session.rows("queue", *where, Above("number", after), order=["number"], limit=asked)
            for row in rows:
                if left is not None and found and len(row["body"]) > left:
                    return found
                found.append(queued(row))
                left = None if left is None else left - len(row["body"])
            if len(rows) < asked:
                break
            after = rows[-1]["number"]
        return found

    def waiting(self) -> Mapping[str, int]:
        found = self._session.count("queue", "kind", In("version", [0]))
        return {kind: found[kind] for kind in sorted(found)}

    def done(self, kinds: Collection[str] = (), after: int = 0, limit: int = 1000) -> Sequence[Queued]:
        where: list[Condition] = [Above("version", 0), Above("number", after)]
        where += [In("kind", sorted(kinds))] if kinds else []
        return [queued(row) for row in self._session.rows("queue", *where, order=["number"], limit=limit)]

    def asked(self, keys: Collection[str]) -> Mapping[str, Queued]:
        return {row["key"]: queued(row) for row in self._by("queue", "key", keys, order=["number"])}

    def shown(self, claims: Collection[str]) -> Mapping[str, Shown]:
        return {row["claim"]: Shown(row["claim"], row["count"], row["at"]) for row in self._by("shown", "claim", claims)}

    def stale(self, limit: int = 1000) -> Sequence[Stale]:
        rows = self._session.rows("stale", order=["claim", "dimension"])
        rows.sort(key=lambda row: -row["count"])  # those met most often first
        return [Stale(row["claim"], row["dimension"], row["count"], row["at"]) for row in rows[:limit]]

    def escalated(self, after: int = 0, limit: int = 1000) -> Sequence[tuple[int, str, Json]]:
        rows = self._session.rows("escalations", Above("number", after), order=["number"], limit=limit)
        return [(row["number"], row["at"], heard(row["body"])) for row in rows]

    def calls(self, after: int = 0, limit: int = 1000) -> Sequence[tuple[int, CallRow]]:
        rows = self._session.rows("calls", Above("number", after), order=["number"], limit=limit)
        return [(row["number"], call_of(row)) for row in rows]

    def network(self) -> Tables:
        return columns.network(self._session, self.batch)

    def labels(self) -> LabelColumns:
        return columns.labels(self._session)


def _latest(rows: Sequence[Row]) -> list[Row]:
    """The last of each id, of rows in the order of their revisions."""
    return list({row["id"]: row for row in rows}.values())
