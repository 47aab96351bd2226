"""A generated network of any size, as tables; and, run as a program, what opening and changing a large one costs."""

import json
import sys
from statistics import median
from time import perf_counter, process_time

import numpy as np

from loom.bench.peak import peak
from loom.core.claims import writes as w
from loom.core.claims.checks import closure
from loom.core.claims.network import Network
from loom.core.claims.records import Agent
from loom.core.claims.relabel import relabel
from loom.core.claims.tables import Tables, opened

ANN = Agent("person", "ann")
REACH = 1_000
"""Claims that rest on the first claim alone, in a tree of three below each."""


def generated(claims: int, seed: int = 42) -> Tables:
    """As many signals as claims, and five antecedents a claim in two or three justifications of two; four signals an entry, 2 % of
    the entries withdrawn, a conflict for every tenth claim, forty domains."""
    draw = np.random.default_rng(seed)
    signals, edges = claims, claims * 5 // 2 * 2
    justs = edges // 2
    first = signals + np.arange(claims)
    owner = np.concatenate([first, draw.integers(signals + REACH + 1, signals + claims, justs - claims)]).astype(np.int32)
    over = owner[np.repeat(np.arange(justs), 2)].astype(np.int64)
    older = signals + (draw.random(edges) * (over - signals)).astype(np.int64)
    node = np.where((draw.random(edges) < 0.8) | (over == signals), draw.integers(0, signals, edges), older)
    pairs = node.reshape(-1, 2)
    pairs[pairs[:, 0] == pairs[:, 1], 1] = 0
    pairs[pairs[:, 0] == pairs[:, 1], 0] = 1
    tree = np.arange(1, REACH + 1)
    pairs[tree] = np.stack([signals + (tree - 1) // 3, 4 + tree % 4], 1)
    pairs[0] = (4, 5)
    past = node >= signals
    past &= (node < signals + REACH + 1) & (np.repeat(owner, 2) > signals + REACH)
    node[past] = 2
    count = signals + claims
    ends = draw.integers(signals + REACH + 1, count, (claims // 10, 2)).tolist()
    withdrawn = draw.random((signals + 3) // 4) < 0.02
    withdrawn[:2] = False
    none = np.zeros(count, np.bool_)
    filed = [frozenset({f"domain {n}"}) for n in range(40)]
    sources = [f"source {n}" for n in range(1_000)]
    keep = np.ones(edges, np.bool_)
    keep[1::2] = pairs[:, 0] != pairs[:, 1]
    return Tables(
        entries=tuple(f"e{n}" for n in range(len(withdrawn))),
        source=tuple(sources[n % 1_000] for n in range(len(withdrawn))),
        withdrawn=withdrawn,
        names=tuple(f"{'signal' if n < signals else 'claim'} {n}" for n in range(count)),
        entry=np.where(np.arange(count) < signals, np.arange(count) // 4, -1).astype(np.int32),
        since=np.zeros(count, np.int32),
        settled=none,
        fallen=none,
        owner=owner,
        verdict=np.zeros(justs, np.bool_),
        edge_just=np.repeat(np.arange(justs, dtype=np.int32), 2)[keep],
        edge_node=node.astype(np.int32)[keep],
        domains={n: filed[n % 40] for n in range(signals)},
        conflicts=tuple((one, other, "claim") for one, other in ends if one != other),
    )


def measured(claims: int) -> dict[str, float]:
    """Seconds of the processor, but for `change`: milliseconds on the clock, the median of 20 rejections and readmissions of a
    claim on which exactly `closure` others rest. `given` is the memory that making the tables took, which `megabytes` includes."""
    tables = generated(claims)
    before = peak() / (1 << 20)
    start = process_time()
    state = opened(tables)
    load = process_time() - start
    start = process_time()
    fresh = relabel(state.graph, state.sources, state.disputes, state.labels)
    whole = process_time() - start
    same = fresh == state.labels
    network = Network(state)
    first = state.names[claims]
    times, visits = [], 0
    for turn in range(20):
        write = w.Readmit(first, ANN) if turn % 2 else w.Reject(first, ANN)
        begin = perf_counter()
        change = network.commit(w.Batch((write,)))
        times.append((perf_counter() - begin) * 1_000)
        visits = max(visits, change.visits.nodes + change.visits.partners)
    same = same and relabel(state.graph, state.sources, state.disputes, state.labels) == state.labels
    return {
        "claims": claims,
        "edges": len(tables.edge_node),
        "open": load,
        "relabel": whole,
        "same": float(same),
        "closure": len(closure(state.graph, [claims])) - 1,
        "moved": len(change.moves),
        "visits": visits,
        "change": median(times),
        "given": before,
        "megabytes": peak() / (1 << 20),
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measured(int(sys.argv[1]))))
