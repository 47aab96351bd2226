"""The percentile bootstrap of a mean: units drawn with replacement, seeded, in chunks so that memory stays small."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from loom.lab.statistics.checks import Floats, drawing
from loom.lab.statistics.percentiles import drawn
from loom.lab.statistics.units import Units, units

RESAMPLES = 10_000
SEED = 42
CHUNK = 1 << 18
"""Places drawn at a time: they and what they pick stay within a processor's cache."""


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
    drawing(seed, resamples, confidence)
    found = units(values, clusters, weights)
    if clusters is not None and len(found) < 2:
        return float("nan"), float("nan")
    return drawn(means(found, np.random.default_rng(seed), resamples), confidence)


def means(found: Units, random: np.random.Generator, resamples: int) -> Floats:
    """The mean of each resample."""
    many, level = len(found), found.level
    at_once = max(1, CHUNK // many)
    made = np.empty(resamples)
    for start in range(0, resamples, at_once):
        picked = random.integers(0, many, size=(min(at_once, resamples - start), many))
        totals = found.totals[picked].sum(axis=1)
        weights = found.weights[0] * many if level else found.weights[picked].sum(axis=1)
        made[start : start + len(picked)] = totals / weights
    return made
