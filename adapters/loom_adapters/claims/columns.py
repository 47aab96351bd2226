"""The network of one version as columns: whole tables, read once, without a value for each row in between."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from loom.core.claims.records import Migration, Precondition
from loom.core.claims.spreading import Ints
from loom.core.claims.stored import LabelColumns
from loom.core.claims.tables import Tables
from loom_adapters.claims.session import Above, In, Session
from loom_adapters.claims.texts import heard

NODES = ("entry", "since", "settled", "fallen", "home", "lifted")
AT_ONCE = 500
"""Homes asked for at once."""


def network(session: Session, batch: int) -> Tables:
    sources: dict[str, str] = {}
    source = tuple(sources.setdefault(each, each) for each in session.texts("entries", "source"))  # one text a source
    (withdrawn,) = session.numbers("entries", "withdrawn")
    entry, since, settled, fallen, home, lifted = session.numbers("nodes", *NODES)
    owner, verdict = session.numbers("justifications", "claim", "verdict")
    edge_just, edge_node = session.numbers("antecedents", "justification", "node")
    restated = np.flatnonzero(lifted >= 0)
    conflicts = list(_rows(session, "conflicts", "one", "other", "branches", "live"))
    return Tables(
        entries=tuple(session.texts("entries", "id")),
        source=source,
        withdrawn=withdrawn.astype(np.bool_),
        names=tuple(session.texts("nodes", "id")),
        entry=entry,
        since=since,
        settled=settled.astype(np.bool_),
        fallen=fallen.astype(np.bool_),
        owner=owner,
        verdict=verdict.astype(np.bool_),
        edge_just=edge_just,
        edge_node=edge_node,
        domains=_filed(session, entry, home),
        observed=dict(_rows(session, "signals", "number", "observed_at", where=[Above("observed_at", "")])),
        replaced=tuple((new, old) for old, new in _rows(session, "replacements", "old", "new")),
        conflicts=tuple(
            (one, other, branch) for one, other, branches, live in conflicts if live for branch in branches.split()
        ),
        spurious=tuple((one, other) for one, other, _, live in conflicts if not live),
        rejected=tuple(claim for (claim,) in _rows(session, "overrides", "claim")),
        supersedes=tuple((new, old) for old, new in _rows(session, "supersedes", "old", "new")),
        context=_gathered((claim, Precondition(id, body)) for claim, id, body, open_ in _preconditions(session) if open_),
        migrated=_gathered((just, Migration(*rest)) for just, *rest in _migrations(session)),
        lifted=dict(zip(restated.tolist(), lifted[restated].tolist(), strict=True)),
        batch=batch,
    )


def labels(session: Session) -> LabelColumns:
    supported, standing = session.numbers("nodes", "supported", "standing")
    return LabelColumns(
        names=tuple(session.texts("nodes", "id")),
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


def _filed(session: Session, entry: Ints, home: Ints) -> dict[int, frozenset[str]]:
    """The domains of the signals that have any, by node. Homes of claims are not read: they follow, and are as many as claims."""
    signals = np.flatnonzero(entry >= 0)
    homes: dict[int, frozenset[str]] = {}
    wanted = np.unique(home[signals]).tolist()
    for start in range(0, len(wanted), AT_ONCE):
        some = _rows(session, "homes", "number", "names", where=[In("number", wanted[start : start + AT_ONCE])])
        homes.update((number, frozenset(heard(names))) for number, names in some)
    bare = [number for number, domains in homes.items() if not domains]
    if bare:
        signals = signals[~np.isin(home[signals], bare)]
    return dict(zip(signals.tolist(), map(homes.__getitem__, home[signals].tolist()), strict=True))


def _gathered(pairs: Any) -> dict[int, tuple[Any, ...]]:
    found: dict[int, list[Any]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return {key: tuple(values) for key, values in found.items()}
