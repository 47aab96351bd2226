"""Donors as a matching: as many questions as can be get the block of another one, each block is given once.

Greedy choice leaves questions without a donor that a matching would have found. Among the matchings that pair the most, blocks
of similar size are preferred, and what is left open is drawn by the seed.
"""

import math
from collections.abc import Sequence
from random import Random

import numpy as np

AT_ONCE = 1_500
"""Questions that are matched together; more are dealt into groups of about this size, since the cost grows with its cube."""

BAND = 0.1
NEVER, STEP = 10**10, 1_000


def paired(admissible: np.ndarray, sizes: Sequence[int], seed: int, purpose: str, at_once: int = AT_ONCE) -> list[int | None]:
    """The donor of each item, or None; no donor comes twice and none is the item itself.

    `admissible` is bool (n, n): whether the block of the second may be shown for the first. `sizes` are tokens; `at_once` items
    are matched together at most.
    """
    n = len(sizes)
    order = list(range(n))
    rng = Random(f"{seed}:{purpose}:{n}")
    rng.shuffle(order)
    groups = max(1, math.ceil(n / at_once))
    found: list[int | None] = [None] * n
    for group in range(groups):
        some = np.array(order[group::groups], dtype=np.int64)
        if len(some):
            for target, donor in _matched(admissible[np.ix_(some, some)], [sizes[at] for at in some.tolist()], rng):
                found[int(some[target])] = int(some[donor])
    return found


def _matched(admissible: np.ndarray, sizes: Sequence[int], rng: Random) -> list[tuple[int, int]]:
    """(target, donor) of a largest matching whose sizes differ least, in bands of a tenth."""
    from scipy.optimize import linear_sum_assignment

    n = len(sizes)
    logs = np.log(np.maximum(1, np.array(sizes, dtype=np.float64)))
    bands = np.minimum(99, np.floor(np.abs(logs[:, None] - logs[None, :]) / BAND + 1e-9)).astype(np.int64)
    draws = np.random.default_rng(rng.getrandbits(64)).integers(0, STEP, size=(n, n))
    allowed = admissible & ~np.eye(n, dtype=bool)
    cost = np.where(allowed, bands * STEP + draws, NEVER)
    targets, donors = linear_sum_assignment(cost)
    return [(t, d) for t, d in zip(targets.tolist(), donors.tolist(), strict=True) if allowed[t, d]]
