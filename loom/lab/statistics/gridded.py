"""The whole bootstrap distribution of a mean, where the values lie on a grid: no draws, no seed, no Monte Carlo error.

Scores of 0 to 5 differ by whole numbers, recalls by small fractions. The sum of n such draws has few possible values, and its
distribution is the n-fold convolution of the values' own, taken through its Fourier transform.
"""

from math import lcm

import numpy as np

from loom.lab.statistics.checks import Floats
from loom.lab.statistics.percentiles import weighted

FINEST = 120
"""The finest grid that is tried is 1/120."""
LONGEST = 1 << 21
"""The most possible sums for which the distribution is computed."""
NEAR = 1e-9


def grid_of(values: Floats) -> int | None:
    """The least d up to FINEST for which every value is a whole multiple of 1/d; None where there is none."""
    distinct = np.unique(values)
    if np.abs(distinct).max() * FINEST > 1e9:
        return None
    finest = 1
    for value in distinct:
        scaled = value * np.arange(1, FINEST + 1)
        fits = np.flatnonzero(np.abs(scaled - np.round(scaled)) <= NEAR)
        if not len(fits):
            return None
        finest = lcm(finest, int(fits[0]) + 1)
        if finest > FINEST:
            return None
    return finest


def gridded(values: Floats, confidence: float) -> tuple[float, float] | None:
    """The percentile interval of the exact bootstrap distribution of the mean; None where the values lie on no grid, or on
    one with too many sums."""
    grid = grid_of(values)
    if grid is None:
        return None
    steps = np.round(values * grid).astype(np.int64)
    least, many = int(steps.min()), len(steps)
    span = int(steps.max()) - least
    if span * many >= LONGEST:
        return None
    share = np.bincount(steps - least) / many
    size = 1 << (span * many + 1).bit_length()
    chance = np.fft.irfft(np.fft.rfft(share, size) ** many, size)[: span * many + 1].clip(0.0)
    sums = np.arange(span * many + 1) + least * many
    return weighted(sums / (grid * many), chance / chance.sum(), confidence)
