"""What opening the network of a large store costs: `python claims_big_store.py PLACE CLAIMS` fills a store with a generated network
(`claims_big`), and `python claims_big_store.py PLACE` opens it, in a process of its own, and prints seconds and megabytes."""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
from support.claims_big import generated

from loom.bench.peak import peak
from loom.core.claims.tables import Tables, opened
from loom_adapters.claims.columns import labels, network
from loom_adapters.claims.session import Row, Session
from loom_adapters.claims.sql import PostgresClaims, SqlClaims, SqliteClaims
from loom_adapters.claims.stored import StoredClaims
from loom_adapters.claims.texts import named

AT_ONCE = 20_000


def store(place: str) -> SqlClaims:
    return PostgresClaims(place) if "://" in place else SqliteClaims(Path(place))


def filled(claims: StoredClaims, tables: Tables) -> None:
    """Write a whole network as the first version."""
    state = opened(tables)
    homes: dict[frozenset[str], int] = {}
    home = [homes.setdefault(state.homes.domains(node), len(homes)) for node in range(len(state.names))]
    with claims._transaction() as session:
        put(session, "versions", [{"version": 1, "batch": tables.batch, "at": ""}])
        put(session, "entries", _entries(tables))
        put(session, "homes", ({"number": n, "digest": named(each)[1], "names": named(each)[0]} for each, n in homes.items()))
        label = state.labels
        nodes = (
            {"number": n, "id": name, "entry": entry, "lifted": -1, "since": 0, "standing": label.standing[n], "home": home[n]}
            | {"supported": bool(label.supported[n]), "settled": False, "fallen": False, "version": 1}
            for n, (name, entry) in enumerate(zip(tables.names, tables.entry.tolist(), strict=True))
        )
        put(session, "nodes", nodes)
        signal = {"begins": 0, "ends": 9, "observed_at": "", "extractor": "", "checked": True}
        texts = [f"{name} is the case" for name in tables.names]
        signals = np.flatnonzero(tables.entry >= 0).tolist()
        put(session, "signals", ({"number": n, "body": texts[n], "folded": texts[n]} | signal for n in signals))
        others = np.flatnonzero(tables.entry < 0).tolist()
        put(session, "claims", ({"number": n, "body": texts[n], "folded": texts[n], "at": ""} for n in others))
        just = {"verdict": False, "kind": "derived", "agent": "slow_path", "by": "", "at": "", "request": "", "run": ""}
        owners = enumerate(tables.owner.tolist())
        put(session, "justifications", ({"number": n, "claim": claim} | just for n, claim in owners))
        edges = enumerate(zip(tables.edge_just.tolist(), tables.edge_node.tolist(), strict=True))
        put(session, "antecedents", ({"number": n, "justification": of, "node": node} for n, (of, node) in edges))
        pairs = dict.fromkeys((min(one, other), max(one, other)) for one, other, _ in tables.conflicts)
        edge = {"branches": "claim", "live": True, "agent": "slow_path", "by": "", "at": ""}
        put(session, "conflicts", ({"one": one, "other": other} | edge for one, other in pairs))


def _entries(tables: Tables) -> Iterator[Row]:
    rest = dict.fromkeys(("kind", "author", "body", "observed_at", "ingested_at", "withdrawn_at"), "")
    for n, (name, source) in enumerate(zip(tables.entries, tables.source, strict=True)):
        yield {"number": n, "id": name, "source": source, "withdrawn": bool(tables.withdrawn[n]), "version": 1} | rest


def put(session: Session, table: str, rows: Iterable[Row]) -> None:
    waiting: list[Row] = []
    for row in rows:
        waiting.append(row)
        if len(waiting) == AT_ONCE:
            session.insert(table, waiting)
            waiting = []
    session.insert(table, waiting)


def measured(claims: SqlClaims) -> dict[str, Any]:
    """Seconds on the clock and of the processor from the tables of a store to a network, and the most memory that took."""
    clock, start = perf_counter(), process_time()
    with claims._snapshot() as session:
        tables = network(session, 0)
        read = perf_counter() - clock
        state = opened(tables)
        seconds, busy = perf_counter() - clock, process_time() - start
        megabytes = peak() / (1 << 20)
        there = labels(session)
    return {
        "nodes": len(tables.names),
        "edges": len(tables.edge_node),
        "read": read,
        "open": seconds,
        "processor": busy,
        "megabytes": megabytes,
        "same": there.standing.tobytes() == bytes(state.labels.standing) and there.names == tables.names,
    }


if __name__ == "__main__":
    if len(sys.argv) > 2:
        filled(store(sys.argv[1]), generated(int(sys.argv[2])))
    else:
        sys.stdout.write(json.dumps(measured(store(sys.argv[1]))))
