"""The network of one version as columns: whole tables, read once, without a value for each row in between."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from loom.core.claims.records import Migration, Precondition
from loom.core.claims.stored import LabelColumns
from loom.core.claims.tables import Tables
from loom_adapters.claims.session import Above, In, Session
from loom_adapters.claims.texts import heard


def network(session: Session, batch: int) -> Tables:
    entries = _texts(session, "entries", "id")
    sources: dict[str, str] = {}
    source = tuple(sources.setdefault(each, each) for each in _texts(session, "entries", "source"))  # one text a source
    (withdrawn,) = _columns(session, "entries", "withdrawn")
    entry, since, settled, fallen, home = _columns(session, "nodes", "entry", "since", "settled", "fallen", "home")
    owner, verdict = _columns(session, "justifications", "claim", "verdict")
    edge_just, edge_node = _columns(session, "antecedents", "justification", "node")
    signals = np.flatnonzero(entry >= 0)
    homes = _homes(session, {*np.unique(home[signals]).tolist()})
    filed = [(node, homes[number]) for node, number in zip(signals.tolist(), home[signals].tolist(), strict=True)]
    names = _texts(session, "nodes", "id")
    return Tables(
        entries=entries,
        source=source,
        withdrawn=withdrawn.astype(np.bool_),
        names=names,
        entry=entry,
        since=since,
        settled=settled.astype(np.bool_),
        fallen=fallen.astype(np.bool_),
        owner=owner,
        verdict=verdict.astype(np.bool_),
        edge_just=edge_just,
        edge_node=edge_node,
        domains={node: domains for node, domains in filed if domains},
        observed=dict(_rows(session, "signals", "number", "observed_at", where=[Above("observed_at", "")])),
        replaced=tuple((new, old) for old, new in _rows(session, "replacements", "old", "new")),
        conflicts=tuple(
            (one, other, branch)
            for one, other, branches, live in _rows(session, "conflicts", "one", "other", "branches", "live")
            if live
            for branch in branches.split()
        ),
        spurious=tuple((one, other) for one, other, live in _rows(session, "conflicts", "one", "other", "live") if not live),
        rejected=tuple(claim for (claim,) in _rows(session, "overrides", "claim")),
        supersedes=tuple((new, old) for old, new in _rows(session, "supersedes", "old", "new")),
        context=_gathered((claim, Precondition(id, body)) for claim, id, body, open_ in _preconditions(session) if open_),
        migrated=_gathered((just, Migration(*rest)) for just, *rest in _migrations(session)),
        lifted=dict(_rows(session, "nodes", "number", "lifted", where=[Above("lifted", -1)])),
        batch=batch,
    )


def labels(session: Session) -> LabelColumns:
    supported, standing = _columns(session, "nodes", "supported", "standing")
    return LabelColumns(
        names=_texts(session, "nodes", "id"),
        supported=supported.astype(np.uint8),
        standing=standing.astype(np.uint8),
    )


def _rows(session: Session, table: str, *names: str, where: Sequence[Above | In] = ()) -> Any:
    for part in session.columns(table, names, *where):
        yield from part


def _preconditions(session: Session) -> Any:
    return _rows(session, "preconditions", "claim", "id", "body", "open")


def _migrations(session: Session) -> Any:
    return _rows(session, "migrations", "justification", "precondition", "node", "run", "at")


def _texts(session: Session, table: str, name: str) -> tuple[str, ...]:
    return tuple(each for part in session.columns(table, [name]) for (each,) in part)


def _columns(session: Session, table: str, *names: str) -> list[np.ndarray]:
    """Columns of numbers, as i32."""
    parts = [np.array(part, np.int32).T for part in session.columns(table, names)]
    whole = np.concatenate(parts, axis=1) if parts else np.zeros((len(names), 0), np.int32)
    return [np.ascontiguousarray(each) for each in whole]


def _homes(session: Session, wanted: set[int]) -> dict[int, frozenset[str]]:
    """Homes by their numbers. Those of claims are left out: they follow, and can be as many as there are claims."""
    rows = _rows(session, "homes", "number", "names")
    return {number: frozenset(heard(names)) for number, names in rows if number in wanted}


def _gathered(pairs: Any) -> dict[int, tuple[Any, ...]]:
    found: dict[int, list[Any]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return {key: tuple(values) for key, values in found.items()}
