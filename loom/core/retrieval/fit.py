"""Logistic regression for a few features and some thousand examples, and how well probabilities fit what was right.

Plain sums in a fixed order (`math.fsum`), so that a fit has the same bits on every machine.
"""

import math
from collections.abc import Sequence

import numpy as np

STEPS, SETTLED = 40, 1e-7


def logistic(
    rows: Sequence[Sequence[float]], labels: Sequence[bool], weights: Sequence[float], ridge: float = 1.0
) -> list[float]:
    """An intercept and a weight a feature that make the weighted log loss least, with `ridge` on their squares (Newton's method)."""
    table = np.array([(1.0, *row) for row in rows], dtype=np.float64)
    wanted = np.array(labels, dtype=np.float64)
    mass = np.array(weights, dtype=np.float64)
    width = table.shape[1]
    theta = [0.0] * width
    for _ in range(STEPS):
        expected = np.array([sigmoid(_dot(row, theta)) for row in table.tolist()])
        off = mass * (expected - wanted)
        bend = mass * expected * (1.0 - expected)
        slope = [math.fsum((table[:, at] * off).tolist()) + ridge * theta[at] for at in range(width)]
        curve = [[0.0] * width for _ in range(width)]
        for one in range(width):
            bent = table[:, one] * bend
            for other in range(one, width):
                curve[one][other] = curve[other][one] = math.fsum((bent * table[:, other]).tolist()) + ridge * (one == other)
        step = solved(curve, slope)
        theta = [now - change for now, change in zip(theta, step, strict=True)]
        if max(map(abs, step)) < SETTLED:
            break
    return theta


def sigmoid(value: float) -> float:
    if value >= 0:
        return 1.0 / (1.0 + math.exp(-value))
    grown = math.exp(value)
    return grown / (1.0 + grown)


def _dot(row: Sequence[float], theta: Sequence[float]) -> float:
    return math.fsum(value * weight for value, weight in zip(row, theta, strict=True))


def solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The solution of a small linear system whose matrix is positive definite."""
    size = len(right)
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for at in range(size):
        pivot = max(range(at, size), key=lambda each: abs(rows[each][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for below in range(at + 1, size):
            share = rows[below][at] / rows[at][at]
            if share:
                rows[below] = [value - share * above for value, above in zip(rows[below], rows[at], strict=True)]
    found = [0.0] * size
    for at in reversed(range(size)):
        known = math.fsum(rows[at][other] * found[other] for other in range(at + 1, size))
        found[at] = (rows[at][size] - known) / rows[at][at]
    return found


def expected_error(probabilities: Sequence[float], labels: Sequence[bool], weights: Sequence[float], bins: int = 10) -> float:
    """Expected calibration error over bins of equal weight."""
    return math.fsum(weight * abs(mean - right) for weight, mean, right in reliability(probabilities, labels, weights, bins))


def reliability(
    probabilities: Sequence[float], labels: Sequence[bool], weights: Sequence[float], bins: int = 10
) -> list[tuple[float, float, float]]:
    """(share of the weight, mean probability, share that is right) of each bin of equal weight, from low to high."""
    total = math.fsum(weights)
    order = sorted(range(len(labels)), key=lambda at: (probabilities[at], at))
    parts: list[list[int]] = [[] for _ in range(bins)]
    passed = 0.0
    for at in order:
        parts[min(bins - 1, int(bins * passed / total))].append(at)
        passed += weights[at]
    found = []
    for part in parts:
        weight = math.fsum(weights[at] for at in part)
        if weight:
            mean = math.fsum(weights[at] * probabilities[at] for at in part) / weight
            right = math.fsum(weights[at] * labels[at] for at in part) / weight
            found.append((weight / total, mean, right))
    return found
