"""Percentile intervals: which of the ordered draws are the bounds.

One convention for drawn and for exact distributions: with t = (1 - confidence) / 2, the lower bound is the least value that
has more than t of the distribution at or below it, the upper bound the greatest that has more than t at or above it. For 10,000
draws and 95 % these are the 251st from either end (reference §9.6, variant A). No interpolation: a bound is a value that occurs.
"""

import numpy as np

from loom.lab.statistics.checks import Floats

SLACK = 1e-9
"""What floating arithmetic may add to a probability."""


def drawn(draws: Floats, confidence: float) -> tuple[float, float]:
    """The interval of equally likely draws; NaN where any of them is."""
    if np.isnan(draws).any():
        return float("nan"), float("nan")
    skipped = min(int((1 - confidence) / 2 * len(draws) + SLACK), (len(draws) - 1) // 2)
    ordered = np.partition(draws, (skipped, len(draws) - 1 - skipped))
    return float(ordered[skipped]), float(ordered[len(draws) - 1 - skipped])


def weighted(values: Floats, probabilities: Floats, confidence: float) -> tuple[float, float]:
    """The interval of a distribution given as values and their probabilities (which sum to 1)."""
    order = np.argsort(values, kind="stable")
    tail = (1 - confidence) / 2 + SLACK
    below = np.cumsum(probabilities[order])
    above = np.cumsum(probabilities[order][::-1])
    low = int(np.argmax(below > tail))
    high = len(order) - 1 - int(np.argmax(above > tail))
    return float(values[order[low]]), float(values[order[high]])
