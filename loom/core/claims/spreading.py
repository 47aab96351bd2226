"""Forward chaining over counters: a group is ready when nothing of it is missing, and then it reaches its node.

Support from scratch and the order of the graph are both this: every edge is walked once, so the least fixpoint is found in time
linear in the edges, and nothing in a cycle is ever reached. Wide waves run in numpy, narrow ones in a loop, so that a chain of a
million nodes costs no million array operations.
"""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Flags = NDArray[np.bool_]

NARROW = 48
"""Nodes of a wave up to which a loop is quicker than array operations (measured at about 20 µs for these)."""


def grouped(keys: Ints, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Positions of `keys` by key: those of key k are `order[start[k]:start[k + 1]]` (CSR), in their order."""
    start = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(keys, minlength=count), out=start[1:])
    return start, ordered(keys)


def ordered(keys: Ints) -> NDArray[np.int64]:
    """The positions of keys from 0 up in the order of the keys, those of one key in their own (a stable argsort, in half its time)."""
    both = keys.astype(np.int64)
    both <<= 32
    both |= np.arange(len(keys))
    both.sort()
    both &= 0xFFFFFFFF
    return both


def spread(*, tails: Ints, groups: Ints, reaches: Ints, reached: Flags, barred: Flags) -> Ints:
    """The wave in which each node is reached: 0 for those of `reached` at the start, -1 for those never reached.

    Edge e says that group `groups[e]` waits for node `tails[e]`; group g reaches node `reaches[g]`, unless that is `barred`.
    `reached` is updated in place."""
    start, order = grouped(tails, len(reached))
    missing = np.bincount(groups, minlength=len(reaches)).astype(np.int32)
    waves = np.full(len(reached), -1, np.int32)
    front = np.flatnonzero(reached)
    waves[front] = 0
    at = 0
    views = (start.data, order.data, groups.data, missing.data, reaches.data)
    while len(front):
        at += 1
        if len(front) > NARROW:
            front = _wide(front, start, order, groups, missing, reaches, reached, barred)
            waves[front] = at
        else:
            front = _narrow(front, views, reached, barred)
            waves[front] = at
            if len(front) <= NARROW:
                front, at = _chain(front, at, views, reached, barred, waves)
    return waves


def _wide(
    front: NDArray[np.int64],
    start: NDArray[np.int64],
    order: NDArray[np.int64],
    groups: Ints,
    missing: Ints,
    reaches: Ints,
    reached: Flags,
    barred: Flags,
) -> NDArray[np.int64]:
    sizes = start[front + 1] - start[front]
    total = int(sizes.sum())
    if not total:
        return np.empty(0, np.int64)
    offsets = np.repeat(start[front] - np.concatenate(([0], np.cumsum(sizes)[:-1])), sizes)
    hit, times = np.unique(groups[order[offsets + np.arange(total)]], return_counts=True)
    missing[hit] -= times.astype(np.int32)
    nodes = reaches[hit[missing[hit] == 0]].astype(np.int64)
    nodes = np.sort(nodes[~reached[nodes] & ~barred[nodes]])
    nodes = nodes[np.diff(nodes, prepend=-1) > 0]
    reached[nodes] = True
    return nodes


def _narrow(front: NDArray[np.int64], views: tuple[memoryview, ...], reached: Flags, barred: Flags) -> NDArray[np.int64]:
    return np.array(_step(front.tolist(), views, reached.data, barred.data), np.int64)


def _chain(
    front: NDArray[np.int64], at: int, views: tuple[memoryview, ...], reached: Flags, barred: Flags, waves: Ints
) -> tuple[NDArray[np.int64], int]:
    """Waves for as long as they are narrow; the first wide one is handed back."""
    have, bar, levels = reached.data, barred.data, waves.data
    nodes = front.tolist()
    while nodes and len(nodes) <= NARROW:
        at += 1
        nodes = _step(nodes, views, have, bar)
        for node in nodes:
            levels[node] = at
    return np.array(nodes, np.int64), at


def _step(nodes: list[int], views: tuple[memoryview, ...], reached: memoryview, barred: memoryview) -> list[int]:
    start, order, groups, missing, reaches = views
    found: list[int] = []
    for node in nodes:
        for at in range(start[node], start[node + 1]):
            group = groups[order[at]]
            missing[group] -= 1
            if missing[group] == 0:
                reach = reaches[group]
                if not reached[reach] and not barred[reach]:
                    reached[reach] = True
                    found.append(reach)
    return found
