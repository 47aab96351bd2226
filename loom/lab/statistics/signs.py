"""The exact signed-rank test and its effect size, on paired differences.

Zeros are dropped (the reduced sample, not Pratt's), tied absolute differences take mid-ranks, and p comes from the whole
distribution of the rank sum over all 2^n signs, given the ranks (seed 000 §8; reference §9.6).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import erfc, gcd, ldexp, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loom.lab.statistics.checks import Floats, numbers

TIED = 1e-9
"""Absolute differences whose ratio is within this of 1 are tied: 0.3 and 0.1 + 0.2 are one value."""
NOTHING = 1e-12
"""A difference of at most this share of the largest one is rounding, and counts as zero."""
MOST = 2_000
"""The most non-zero differences for which the whole distribution is computed. Beyond it p is the normal approximation with
corrections for ties and continuity: within 0.0001 without ties, within 0.01 where the differences have a few values only."""


@dataclass(frozen=True, slots=True)
class SignedRank:
    """`w_plus` is the sum of the ranks of positive differences, `total` of all; `p` is two-sided."""

    n: int
    nonzero: int
    w_plus: float
    total: float
    p: float
    exact: bool

    @property
    def rank_biserial(self) -> float | None:
        """(T+ - T-) / (T+ + T-); None where every difference is zero."""
        return (2 * self.w_plus - self.total) / self.total if self.nonzero else None


def signed_rank(differences: Iterable[Any]) -> SignedRank:
    """The two-sided exact conditional signed-rank test. Raises BadInput for what is no list of numbers, or an empty one."""
    found = numbers(differences, "differences")
    kept = nonzero(found)
    doubled = doubled_ranks(np.abs(kept))
    plus, total = int(doubled[kept > 0].sum()), int(doubled.sum())
    exact = len(kept) <= MOST
    p = _exact(doubled, min(plus, total - plus)) if exact else _normal(doubled, min(plus, total - plus))
    return SignedRank(len(found), len(kept), plus / 2, total / 2, p, exact)


def rank_biserial(differences: Iterable[Any]) -> float | None:
    """The matched-pairs rank-biserial correlation; None where every difference is zero. Raises BadInput."""
    kept = nonzero(numbers(differences, "differences"))
    if not len(kept):
        return None
    doubled = doubled_ranks(np.abs(kept))
    return float((doubled[kept > 0].sum() - doubled[kept < 0].sum()) / doubled.sum())


def nonzero(differences: Floats) -> Floats:
    """The differences that are not zero."""
    kept: Floats = differences[np.abs(differences) > NOTHING * np.abs(differences).max(initial=0.0)]
    return kept


def doubled_ranks(sizes: Floats) -> NDArray[np.int64]:
    """Twice the mid-rank of each size, so that all are whole numbers."""
    order = np.argsort(sizes, kind="stable")
    doubled = np.empty(len(sizes), dtype=np.int64)
    start = 0
    while start < len(order):
        end = start + int(np.searchsorted(sizes[order[start:]], sizes[order[start]] * (1 + TIED), side="right"))
        doubled[order[start:end]] = start + 1 + end
        start = end
    return doubled


def _exact(doubled: NDArray[np.int64], smaller: int) -> float:
    """Twice the share of sign assignments whose doubled rank sum is at most `smaller`, at most 1."""
    many = len(doubled)
    if not many:
        return 1.0
    unit = gcd(*(int(rank) for rank in doubled))
    return min(1.0, ldexp(float(_ways(np.sort(doubled // unit), smaller // unit).sum()), many // 2 - many + 1))


def untied(n: int) -> Floats:
    """The two-sided p of every smaller rank sum from 0 to its greatest, for n ≤ MOST differences without ties."""
    below = np.cumsum(_ways(np.arange(1, n + 1), n * (n + 1) // 4))
    return np.minimum(1.0, np.ldexp(below, n // 2 - n + 1))


def _ways(ranks: NDArray[np.int64], limit: int) -> Floats:
    """How many sign assignments reach each rank sum up to `limit`, for whole ranks in ascending order.

    They are scaled by 2^-(n // 2), so that up to 2^2000 of them neither overflow nor vanish. All terms are positive, so the
    relative error stays at rounding, however small p is; for up to 53 ranks there is none.
    """
    ways = np.zeros(limit + 1)
    ways[0] = ldexp(1.0, -(len(ranks) // 2))
    top = 0
    for rank in ranks:
        if rank > limit:
            break
        top = min(limit, top + int(rank))
        ways[rank : top + 1] += ways[: top + 1 - rank].copy()
    return ways


def _normal(doubled: NDArray[np.int64], smaller: int) -> float:
    """The normal approximation, with the variance of the ranks as they are tied and a continuity correction."""
    ranks = doubled / 2
    away = max(0.0, float(ranks.sum()) / 2 - smaller / 2 - 0.5)
    return min(1.0, erfc(away / sqrt(float((ranks**2).sum()) / 4) / sqrt(2)))
