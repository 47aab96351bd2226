"""Exact enumeration of the bootstrap for few units: every multiset of them, weighted by how often it comes up.

Seed 004, Table 3: for ten conversations C(19, 10) = 92,378 draws; the interval has no Monte Carlo error and no seed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import comb, lgamma, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.statistics.checks import Floats, share
from loom.lab.statistics.percentiles import weighted
from loom.lab.statistics.units import Units, units

MOST_UNITS = 12
"""C(23, 12) = 1,352,078 multisets; beyond it, drawing is the better tool."""


@dataclass(frozen=True, slots=True)
class Enumerated:
    """The pooled mean, its interval, and over how many units and multisets."""

    mean: float
    low: float
    high: float
    units: int
    draws: int
    confidence: float

    def as_json(self) -> dict[str, Json]:
        return {
            "mean": self.mean,
            "ci": [self.low, self.high],
            "confidence": self.confidence,
            "units": self.units,
            "draws": self.draws,
        }


def enumerated(
    values: Iterable[float],
    *,
    clusters: Iterable[Any] | None = None,
    weights: Iterable[float] | None = None,
    confidence: float = 0.95,
) -> Enumerated:
    """The exact percentile interval of the mean over all multisets of units (rows, or clusters of them).

    Raises BadInput for fewer than 2 or more than MOST_UNITS units.
    """
    share(confidence, "confidence")
    found = units(values, clusters, weights)
    if not 2 <= len(found) <= MOST_UNITS:
        raise BadInput(
            f"Expected 2 to {MOST_UNITS} units to enumerate, but got {len(found)}; resample more than that instead.",
            param="clusters",
        )
    low, high = interval_of(found, confidence)
    return Enumerated(found.mean, low, high, len(found), comb(2 * len(found) - 1, len(found)), confidence)


def interval_of(found: Units, confidence: float) -> tuple[float, float]:
    """The exact interval of 2 to MOST_UNITS units."""
    counts, chance = multisets(len(found))
    return weighted((counts @ found.totals) / (counts @ found.weights), chance, confidence)


@lru_cache(maxsize=2)
def multisets(many: int) -> tuple[NDArray[np.float64], Floats]:
    """How often each unit comes in each multiset of `many` units (multisets × units), and the multisets' probabilities."""
    counts = np.zeros((1, 0), dtype=np.int8)
    left = np.array([many])
    for _ in range(many - 1):
        rows = np.repeat(np.arange(len(left)), left + 1)
        first = np.repeat(np.cumsum(left + 1) - (left + 1), left + 1)
        taken = np.arange(len(rows)) - first
        counts = np.column_stack([counts[rows], taken.astype(np.int8)])
        left = left[rows] - taken
    counts = np.column_stack([counts, left.astype(np.int8)])
    logs = np.array([lgamma(taken + 1) for taken in range(many + 1)])
    chance = np.exp(lgamma(many + 1) - many * log(many) - logs[counts].sum(axis=1))
    return counts.astype(np.float64), chance / chance.sum()
