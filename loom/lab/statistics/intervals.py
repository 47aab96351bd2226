"""The interval of a mean by the best way there is: the whole bootstrap distribution where it can be had, else draws."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from loom.lab.statistics.bootstrapping import RESAMPLES, SEED, means
from loom.lab.statistics.checks import drawing
from loom.lab.statistics.enumerating import interval_of
from loom.lab.statistics.gridded import gridded
from loom.lab.statistics.percentiles import drawn
from loom.lab.statistics.units import units

FEW = 10
"""Up to so many units are enumerated unasked: 92,378 multisets."""
EXACT, ENUMERATED, RESAMPLED, NONE = "exact", "enumerated", "resampled", "none"


@dataclass(frozen=True, slots=True)
class Interval:
    """A percentile bootstrap interval and how it came about: exact and enumerated are the whole distribution (no seed plays a
    part), resampled is drawn, none is NaN (fewer than two clusters)."""

    low: float
    high: float
    method: str

    @property
    def bounds(self) -> tuple[float, float]:
        return self.low, self.high

    def within(self, margin: float) -> bool:
        """Whether it lies wholly inside ± margin."""
        return -margin < self.low and self.high < margin


def interval(
    values: Iterable[float],
    *,
    clusters: Iterable[Any] | None = None,
    weights: Iterable[float] | None = None,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
    exact: bool = True,
) -> Interval:
    """The interval of the (weighted, pooled) mean. With `exact` false it is always drawn. Raises BadInput.

    Drawn bounds of few or coarse scores jump between neighbouring values from seed to seed; those of the whole distribution
    do not, and are what the drawn ones tend to.
    """
    drawing(seed, resamples, confidence)
    found = units(values, clusters, weights)
    if clusters is not None and len(found) < 2:
        return Interval(float("nan"), float("nan"), NONE)
    if exact and found.level and (whole := gridded(found.totals / found.weights[0], confidence)):
        return Interval(*whole, EXACT)
    if exact and 2 <= len(found) <= FEW:
        return Interval(*interval_of(found, confidence), ENUMERATED)
    return Interval(*drawn(means(found, np.random.default_rng(seed), resamples), confidence), RESAMPLED)


def bootstrap(
    values: Iterable[float],
    *,
    clusters: Iterable[Any] | None = None,
    weights: Iterable[float] | None = None,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
) -> tuple[float, float]:
    """The percentile interval of the (weighted) mean from `resamples` draws.

    With `clusters` (a label a value) whole clusters are drawn and the mean is the pooled one. Fewer than two clusters tell
    nothing of how clusters vary: (NaN, NaN). Raises BadInput.
    """
    return interval(
        values, clusters=clusters, weights=weights, seed=seed, resamples=resamples, confidence=confidence, exact=False
    ).bounds
