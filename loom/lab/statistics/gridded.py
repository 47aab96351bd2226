"""The whole bootstrap distribution of a mean, where the values lie on a grid: no draws, no seed, no Monte Carlo error.

Scores of 0 to 5 differ by whole numbers, recalls by small fractions. The sum of n such draws has few possible values, and its
distribution is the n-fold convolution of the values' own, taken through its Fourier transform; of many values only the middle
of it, twelve standard deviations and more to either side, outside which there is nothing that arithmetic could tell from zero.
"""

from math import lcm

import numpy as np

from loom.lab.statistics.checks import Floats
from loom.lab.statistics.percentiles import weighted

FINEST = 120
"""The finest grid that is tried is 1/120."""
LONGEST = 1 << 21
"""The most sums for which the distribution is computed."""
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
    full = span * many + 1
    wide = min(full, int(24 * float(steps.std()) * many**0.5) + 128 * span + 1)
    if wide > LONGEST:
        return None
    size = 1 << (wide - 1).bit_length()
    share = np.bincount(steps - least) / many
    wrapped = np.fft.irfft(np.fft.rfft(share, size) ** many, size).clip(0.0)
    first = min(max(0, int((steps - least).sum()) - wide // 2), full - wide)
    sums = np.arange(first, first + wide)
    chance = wrapped[sums % size]
    return weighted((sums + least * many) / (grid * many), chance / chance.sum(), confidence)
