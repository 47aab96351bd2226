"""How much of what exact search finds an index finds too, and what it costs an answer where it does not."""

from collections.abc import Callable, Sequence
from hashlib import blake2b

import numpy as np

from loom.core.retrieval.nearest import UnitVectors
from loom.core.retrieval.vectors import share_found, unit_rows

AT = 10
PROBES = 200
MIXED = 3
SHARES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
"""Shares of its neighbours that a degraded index misses."""

Ranking = Sequence[int]


def probes(vectors: UnitVectors, count: int = PROBES) -> np.ndarray:
    """Vectors to try an index with where no questions are at hand: each the mean of three rows that have nothing to do with one
    another, f32 (count, width), always the same.

    The rows themselves would flatter it: they lie in the middle of what the index connects, and questions do not. On measured
    corpora an index finds less of the neighbours of these means than of those of questions about the corpus.
    """
    live = np.setdiff1d(np.arange(len(vectors.rows)), vectors.dead, assume_unique=True)
    if not len(live):
        return np.zeros((0, vectors.width), dtype=np.float32)
    chosen = [[_number(probe, part) % len(live) for part in range(MIXED)] for probe in range(count)]
    mixed = unit_rows(vectors.rows[live[np.asarray(chosen)]].astype(np.float64).sum(axis=1))
    return np.ascontiguousarray(mixed[np.einsum("ij,ij->i", mixed, mixed) > 0.5])


def recall(found: Sequence[Ranking], exact: Sequence[Ranking]) -> float:
    """The mean share of each exact ranking that was found; 1 where there is none."""
    shares = [share_found(some, wanted) for some, wanted in zip(found, exact, strict=True)]
    return sum(shares) / len(shares) if shares else 1.0


def degraded(ranking: Ranking, missed: float, number: int = 0) -> list[int]:
    """A ranking as an index gives it that misses a share of the neighbours, each as likely as any other: the ones behind them move
    up. `number` is the question's; the same number misses the same rows, and whoever misses more misses those too."""
    return [row for row in ranking if _number(number, row) / 2**64 >= missed]


def curve(
    rankings: Sequence[Ranking],
    kept: Callable[[Sequence[Ranking]], float],
    *,
    at: int = AT,
    shares: Sequence[float] = SHARES,
    places: int = 4,
) -> list[list[float]]:
    """Pairs [recall at `at`, what `kept` says of the rankings then], from an exact index to one that misses half.

    `rankings` are exact and some times longer than `at`, so that something can move up; `kept` gets them as an index of that
    recall would give them, in full length. Rounded, and without chance, so that it can be stored beside the vectors.
    """
    pairs = []
    for missed in shares:
        given = [degraded(ranking, missed, number) for number, ranking in enumerate(rankings)]
        reached = recall([some[:at] for some in given], [ranking[:at] for ranking in rankings])
        pairs.append([round(reached, places), round(kept(given), places)])
    return pairs


def lost_per_point(pairs: Sequence[Sequence[float]], floor: float = 0.9) -> float:
    """What a hundredth of recall costs: the slope of the curve, by least squares through its first pair, down to `floor`."""
    (top, best), *others = pairs
    steps = [(top - reached, best - kept) for reached, kept in others if floor <= reached < top]
    weight = sum(step * step for step, _ in steps)
    return sum(step * lost for step, lost in steps) / weight / 100 if weight else 0.0


def _number(first: int, second: int) -> int:
    """A number below 2⁶⁴ that looks like chance and depends on the two given ones alone."""
    return int.from_bytes(blake2b(b"%d %d" % (first, second), digest_size=8).digest(), "little")
