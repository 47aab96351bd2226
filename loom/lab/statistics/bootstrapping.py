"""The percentile bootstrap of a mean: units drawn with replacement, seeded, in chunks so that memory stays small."""

import numpy as np

from loom.lab.statistics.checks import Floats
from loom.lab.statistics.units import Units

RESAMPLES = 10_000
SEED = 42
CHUNK = 1 << 18
"""Places drawn at a time: they and what they pick stay within a processor's cache."""


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
