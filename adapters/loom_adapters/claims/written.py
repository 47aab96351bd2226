"""A commit, written into the tables of one transaction, step by step. It takes rows as they are given and knows no rule of standing."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from loom.core.claims.keeping import ConflictRow, Delta, NodeRow
from loom.core.claims.records import Agent
from loom.core.claims.stored import Commit, Step
from loom.core.errors import BadInput
from loom_adapters.claims.bookkeeping import call_row, enqueued, escalated_rows
from loom_adapters.claims.session import In, Row, Session
from loom_adapters.claims.texts import named, packed, said, sound

NODE = "node"


class Writing:
    """Everything of one version. `step` is called when a part of it is in the tables."""

    def __init__(self, session: Session, version: int, step: Step) -> None:
        self._session, self._version, self._step = session, version, step

    def take(self, commit: Commit) -> None:
        batch = -1
        if commit.delta is not None:
            self._delta(commit.delta)
            batch = commit.delta.batch
        self._domains(commit)
        self._projections(commit)
        self._vectors(commit)
        self._session.insert("calls", sound([call_row(each, commit.at) for each in commit.calls]))
        self._step("calls")
        self._done(commit)
        self._insert("escalations", escalated_rows(commit.escalated, commit.at))
        self._step("escalations")
        if batch < 0:
            batch = max(0, self._session.largest("versions", "batch"))
        self._insert("versions", [{"version": self._version, "batch": batch, "at": commit.at}])
        self._step("version")

    def _insert(self, table: str, rows: Sequence[Row]) -> None:
        self._session.insert(table, sound(rows))

    def _put(self, table: str, rows: Sequence[Row]) -> None:
        self._session.put(table, sound(rows))

    def _by(self, table: str, column: str, values: Iterable[Any], *more: In) -> list[Row]:
        wanted = sorted(set(values))
        return self._session.rows(table, In(column, wanted), *more) if wanted else []

    def _delta(self, delta: Delta) -> None:
        self._entries(delta)
        self._step("entries")
        self._nodes(delta.nodes)
        self._step("nodes")
        self._texts(delta)
        self._step("texts")
        rows = [
            {"number": just.number, "claim": just.claim, "verdict": just.verdict, "kind": just.derivation.kind}
            | _agent(just.derivation.agent, just.derivation.at)
            | {"request": just.derivation.request, "run": just.derivation.run}
            for just in delta.justifications
        ]
        self._insert("justifications", rows)
        self._step("justifications")
        edges = [{"number": edge, "justification": just, "node": node} for edge, just, node in delta.antecedents]
        self._insert("antecedents", edges)
        self._step("antecedents")
        self._preconditions(delta)
        self._step("preconditions")
        self._conflicts(delta)
        self._step("conflicts")
        self._overrides(delta)
        self._step("overrides")
        self._moves(delta)
        self._step("moves")

    def _entries(self, delta: Delta) -> None:
        made = [
            {"number": number, "id": entry.id, "source": entry.source, "kind": entry.kind, "author": entry.author}
            | {"body": entry.text, "observed_at": entry.observed_at, "ingested_at": entry.ingested_at}
            | {"withdrawn": bool(entry.withdrawn_at), "withdrawn_at": entry.withdrawn_at, "version": self._version}
            for number, entry in delta.entries
        ]
        self._insert("entries", made)
        moved = [
            {**row, "withdrawn": withdrawn, "withdrawn_at": delta.at if withdrawn else "", "version": self._version}
            for row in self._by("entries", "number", delta.withdrawn)
            if (withdrawn := delta.withdrawn[row["number"]]) is not row["withdrawn"]
        ]
        self._put("entries", moved)

    def _nodes(self, nodes: Sequence[NodeRow]) -> None:
        homes = self._homes(node.home for node in nodes)
        rows = [
            {"number": node.number, "id": node.id, "entry": node.entry, "lifted": node.lifted, "since": node.since}
            | {"standing": node.standing, "supported": node.supported, "settled": node.settled, "fallen": node.fallen}
            | {"home": homes[node.home], "version": self._version}
            for node in nodes
        ]
        self._put("nodes", rows)

    def _homes(self, homes: Iterable[frozenset[str]]) -> Mapping[frozenset[str], int]:
        """The number of each home; those that were never there get the next ones."""
        wanted = dict.fromkeys(homes)
        digests = {home: named(home) for home in wanted}
        known = {row["digest"]: row["number"] for row in self._by("homes", "digest", (each for _, each in digests.values()))}
        following = self._session.largest("homes", "number") + 1
        made: list[Row] = []
        for home in wanted:
            text, digest = digests[home]
            if digest not in known:
                known[digest] = following + len(made)
                made.append({"number": known[digest], "digest": digest, "names": text})
        self._insert("homes", made)
        return {home: known[digest] for home, (_, digest) in digests.items()}

    def _texts(self, delta: Delta) -> None:
        signals = [
            {"number": number, "body": each.proposition, "folded": each.proposition.casefold(), "begins": each.span[0]}
            | {"ends": each.span[1], "observed_at": each.observed_at, "extractor": each.extractor, "checked": each.checked}
            for number, each in delta.signals
        ]
        self._insert("signals", signals)
        restated = {node.number: node.lifted for node in delta.nodes if node.lifted >= 0}
        bodies = {row["number"]: row["body"] for row in self._by("signals", "number", restated.values())}
        claims = []
        for number, claim in delta.claims:
            text = bodies[restated[number]] if number in restated else claim.proposition
            claims.append({"number": number, "body": text, "folded": text.casefold(), "at": delta.at})
        self._insert("claims", claims)
        self._insert("replacements", [{"old": old, "new": new} for new, old in delta.replaced])

    def _preconditions(self, delta: Delta) -> None:
        fresh = {number for number, _ in delta.claims}
        written = {number: claim.context for number, claim in delta.claims}
        made = [
            {"claim": claim, "place": place, "id": each.id, "body": each.text, "open": each in delta.contexts[claim]}
            for claim, context in written.items()
            for place, each in enumerate(dict.fromkeys((*context, *delta.contexts[claim])))
        ]
        wanted = {claim: {each.id for each in context} for claim, context in delta.contexts.items() if claim not in fresh}
        rows = self._by("preconditions", "claim", wanted)
        closed = [{**row, "open": False} for row in rows if row["open"] and row["id"] not in wanted[row["claim"]]]
        self._put("preconditions", closed)
        places = {claim: 0 for claim in wanted}
        open_: set[tuple[int, str]] = set()
        for row in rows:
            places[row["claim"]] = max(places[row["claim"]], row["place"] + 1)
            if row["open"]:
                open_.add((row["claim"], row["id"]))
        for claim in wanted:
            for each in delta.contexts[claim]:
                if (claim, each.id) not in open_:
                    made.append({"claim": claim, "place": places[claim], "id": each.id, "body": each.text, "open": True})
                    places[claim] += 1
        self._insert("preconditions", made)
        migrations = [
            {
                "justification": just,
                "place": place,
                "precondition": each.precondition,
                "node": each.node,
                "run": each.run,
                "at": each.at,
            }
            for just, found in delta.migrations.items()
            for place, each in enumerate(found)
        ]
        self._put("migrations", migrations)

    def _conflicts(self, delta: Delta) -> None:
        """The edges of the disputed claims, as they are now. What a person found spurious stays as such until somebody says more."""
        rows = [*self._by("conflicts", "one", delta.disputed), *self._by("conflicts", "other", delta.disputed)]
        before = {(row["one"], row["other"]): row for row in rows}
        now = {(each.one, each.other): each for each in delta.conflicts}
        gone = [pair for pair, row in before.items() if row["live"] and pair not in now]
        changed = [row for pair, each in now.items() if (row := _conflict(each, before.get(pair), delta.at)) is not None]
        self._session.delete("conflicts", sorted(gone))
        self._put("conflicts", changed)
        ends = {end for pair in [*gone, *((row["one"], row["other"]) for row in changed)] for end in pair}
        self._touched("number", ends)

    def _touched(self, column: str, values: Iterable[Any]) -> list[Row]:
        """Nodes of which something changed that is not in their own row."""
        rows = self._by("nodes", column, values)
        self._session.put("nodes", [{**row, "version": self._version} for row in rows if row["version"] != self._version])
        return rows

    def _overrides(self, delta: Delta) -> None:
        held = {(row["old"], row["new"]) for row in self._by("supersedes", "old", delta.superseders)}
        now = {(old, new): by for old, found in delta.superseders.items() for new, by in found}
        self._session.delete("supersedes", sorted(held - now.keys()))
        made = [{"old": old, "new": new} | _agent(by, delta.at) for (old, new), by in now.items() if (old, new) not in held]
        self._insert("supersedes", made)
        rejected = {row["claim"] for row in self._by("overrides", "claim", delta.rejected)}
        gone = [claim for claim, by in delta.rejected.items() if by is None and claim in rejected]
        self._session.delete("overrides", [(claim,) for claim in gone])
        fresh = [(claim, by) for claim, by in delta.rejected.items() if by is not None and claim not in rejected]
        self._insert("overrides", [{"claim": claim} | _agent(by, delta.at) for claim, by in fresh])

    def _moves(self, delta: Delta) -> None:
        numbers = {node.id: node.number for node in delta.nodes}
        following = self._session.largest("moves", "number") + 1
        moves = [
            {"number": number, "claim": numbers[move.claim], "version": self._version, "batch": move.batch, "at": move.at}
            | {"former": int(move.before), "standing": int(move.after), "cause": move.cause}
            for number, move in enumerate(delta.moves, following)
        ]
        self._insert("moves", moves)
        journal = [
            {"version": self._version, "place": place, "kind": each.kind, "subject": each.subject, "object": each.object}
            | {"agent": each.agent.kind, "by": each.agent.name, "reason": each.reason, "why": each.why}
            for place, each in enumerate(delta.journal)
        ]
        self._insert("journal", journal)

    def _domains(self, commit: Commit) -> None:
        domains = [
            {"id": each.id, "revision": each.version, "name": each.name, "body": each.description}
            | {"derived_from": each.derived_from, "created_by": each.created_by, "version": self._version}
            for each in commit.domains
        ]
        self._put("domains", domains)
        dimensions = [
            {"id": each.id, "revision": each.version, "domain": each.domain, "state": each.state, "pinned": each.pinned}
            | {"body": said(each.body), "version": self._version}
            for each in commit.dimensions
        ]
        self._put("dimensions", dimensions)
        self._step("domains")

    def _projections(self, commit: Commit) -> None:
        numbers = {row["id"]: row for row in self._by("nodes", "id", (each.claim for each in commit.projections))}
        rows: dict[tuple[Any, ...], Row] = {}
        for each in commit.projections:
            node = numbers.get(each.claim)
            if node is None or node["entry"] >= 0 or node["lifted"] >= 0:
                raise BadInput(
                    f"Only an ordinary claim is projected, but {each.claim} is none that is there.", param="projections"
                )
            if not abs(each.relevance) <= 1e300:
                raise BadInput(f"Expected a relevance, but that of {each.claim} is {each.relevance}.", param="relevance")
            key = (node["number"], each.dimension, each.version, each.projector)
            rows[key] = dict(zip(("claim", "dimension", "revision", "projector"), key, strict=True)) | {
                "body": said(each.value),
                "relevance": float(each.relevance),
                "at": each.at,
                "version": self._version,
            }
        self._put("projections", list(rows.values()))
        self._session.delete("stale", sorted({(each.claim, each.dimension) for each in commit.projections}))
        self._step("projections")

    def _vectors(self, commit: Commit) -> None:
        rows = {(each.kind, each.id): packed(each.values) for each in commit.vectors}
        for kind in sorted({kind for kind, _ in rows}):
            there = self._session.rows("vectors", In("kind", [kind]), limit=1)
            widths = {len(body) // 4 for (of, _), body in rows.items() if of == kind} | {len(row["body"]) // 4 for row in there}
            if len(widths) > 1:
                found = " and ".join(map(str, sorted(widths)))
                raise BadInput(f"Expected vectors of one width under {kind}, but got {found} numbers.", param="vectors")
        self._put(
            "vectors",
            [{"kind": kind, "id": id, "body": body, "version": self._version} for (kind, id), body in rows.items()],
        )
        ids = {id for kind, id in rows if kind == NODE}
        unknown = sorted(ids - {row["id"] for row in self._touched("id", ids)})
        if unknown:
            raise BadInput(f"There is no signal or claim {unknown[0]}, so it has no vector.", param="vectors")
        self._step("vectors")

    def _done(self, commit: Commit) -> None:
        rows = {row["number"]: row for row in self._by("queue", "number", (each.number for each in commit.done))}
        for each in commit.done:
            row = rows.get(each.number)
            if row is None or row["version"]:
                raise BadInput(f"The ask {each.number} is not in the queue, or was done before.", param="done")
            rows[each.number] = {**row, "version": self._version, "outcome": said(each.outcome)}
        self._put("queue", list(rows.values()))
        enqueued(self._session, commit.asks)
        self._step("queue")


def _agent(by: Agent, at: str) -> dict[str, Any]:
    return {"agent": by.kind, "by": by.name, "at": at}


def _conflict(now: ConflictRow, before: Row | None, at: str) -> Row | None:
    """The row of an edge, None where it is as before. It keeps who wrote it, and when, for as long as it stays live or spurious."""
    live = bool(now.branches)
    if before is None or before["live"] is not live:
        branches = " ".join(now.branches) if live or before is None else before["branches"]
        return {"one": now.one, "other": now.other, "branches": branches, "live": live} | _agent(now.by, at)
    branches = " ".join(now.branches)
    return {**before, "branches": branches} if live and branches != before["branches"] else None
