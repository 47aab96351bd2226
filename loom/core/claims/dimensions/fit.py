"""Weights of a domain's axes and the penalty on unsettled standing (seed §6; specs/claims.md §7).

    minimise  Σ_pairs gap · log(1 + exp(−τ · (S(better) − S(worse)))) / Σ gap  +  α · τ · Σ w,    w ≥ 0, λ ≥ 0

τ is how steep the loss is. At 1 it would see nothing of an s₀ whose values differ by hundredths, as reciprocal ranks do, and weigh axes
as though s₀ said nothing. It is decided by what a fit is for, the ranking; with that, the coefficients of c · s₀ are c times those of s₀.

For each τ it is convex, so that a solution can be checked: `kkt` says how far one is from it. A proximal step on w ≥ 0 (soft threshold, then clip) is
the gradient of the whole, projected; steps are taken in the metric of the curvature, so that ten or twenty of them do.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from loom.core.claims.dimensions.gain import gains, mean
from loom.core.claims.dimensions.judged import Judged, Pairs, pairs
from loom.core.claims.dimensions.registry import Floats
from loom.core.claims.dimensions.rules import DEFAULT, Rules

SETTLED = 1e-9
STEPS = 200
ARMIJO = 1e-4
RIDGE = 1e-12
MULTIPLES = (8.0, 2.0, 1.0, 1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32)
"""Of the τ at which the mean lead in s₀ is 1; the steepest first, which trusts s₀ most."""


@dataclass(frozen=True, slots=True)
class Fit:
    """What came out: weights f64 (axes,), exactly 0 for an axis that does not help; `steep` is τ, and `residual` what `kkt` finds left
    at it.

    Unfit where the domain has too few queries: then the weights and the penalty are 0, and nothing was fitted."""

    weights: Floats
    penalty: float
    unfit: bool
    queries: int
    residual: float = 0.0
    steps: int = 0
    steep: float = 1.0


def fit(judged: Sequence[Judged], rules: Rules = DEFAULT, *, axes: bool = True) -> Fit:
    """Weights and penalty together, or with `axes` off the penalty alone. Raises BadInput where queries have different axes."""
    width = judged[0].features.shape[1] if judged else 0
    if len(judged) < rules.queries:
        return Fit(np.zeros(width), 0.0, True, len(judged))
    columns = range(width) if axes else ()
    made = pairs(judged).over(columns)
    own = judged if axes else [replace(each, features=each.features[:, :0]) for each in judged]
    steep = steepness(made, own, rules.sparsity)
    theta, residual, steps = solved(steepened(made, steep), rules.sparsity)
    found = theta / steep
    weights = found[:-1] if axes else np.zeros(width)
    return Fit(weights, float(found[-1]), False, len(judged), residual, steps, steep)


def steepened(given: Pairs, steep: float) -> Pairs:
    """Pairs whose coefficients are `steep` times those of the pairs given."""
    return replace(given, ahead=given.ahead * steep)


def unit(given: Pairs) -> float:
    """The τ at which the mean lead in s₀, weighed as pairs are, is 1; 1 where no pair has a lead."""
    lead = float(np.sum(given.mass * np.abs(given.ahead)))
    return 1.0 / lead if lead > 0 else 1.0


def steepness(given: Pairs, judged: Sequence[Judged], sparsity: float) -> float:
    """The τ with which these queries are ranked best, by nDCG@10: the steepest of several."""
    top, chosen, theta = -1.0, 0.0, None
    for steep in (unit(given) * multiple for multiple in MULTIPLES):
        theta, _, _ = solved(steepened(given, steep), sparsity, theta)
        reached = mean(gains(judged, theta[:-1] / steep, float(theta[-1]) / steep))
        if reached > top + 1e-9:
            top, chosen = reached, steep
    return chosen


def solved(given: Pairs, sparsity: float, start: Floats | None = None) -> tuple[Floats, float, int]:
    """(w …, λ), the KKT residual and the steps taken, from 0 or from a start of no coefficient below it.

    The penalty λ costs nothing, so that where every unsettled claim is worse than every other it grows until its gradient is gone."""
    theta = np.zeros(given.axes + 1) if start is None else start
    value = objective(given, theta, sparsity)
    slope = gradient(given, theta, sparsity)
    for step in range(STEPS):
        if _left(theta, slope) <= SETTLED:
            return theta, _left(theta, slope), step
        free = (theta > 0) | (slope < 0)
        bend = _curvature(given, theta)[np.ix_(free, free)]
        bend[np.diag_indices_from(bend)] += RIDGE + 1e-10 * np.trace(bend)
        direction = np.zeros(len(theta))
        direction[free] = np.linalg.solve(bend, slope[free])
        moved = _searched(given, theta, value, slope, direction, sparsity)
        if moved is None:
            moved = _searched(given, theta, value, slope, slope, sparsity)
        if moved is None:
            return theta, _left(theta, slope), step
        theta, value = moved
        slope = gradient(given, theta, sparsity)
    return theta, _left(theta, slope), STEPS


def objective(given: Pairs, theta: Floats, sparsity: float) -> float:
    """The loss and the price of the weights."""
    lead = _lead(given, theta)
    loss = np.log1p(np.exp(-np.abs(lead))) + np.maximum(-lead, 0.0)
    return float(np.einsum("i,i->", given.mass, loss)) + sparsity * float(theta[:-1].sum())


def gradient(given: Pairs, theta: Floats, sparsity: float) -> Floats:
    """Of the objective, f64 (axes + 1,); at a coefficient of 0 from above."""
    slope = -np.einsum("i,ij->j", given.mass * _lost(given, theta), given.features)
    slope[:-1] += sparsity
    return np.asarray(slope)


def kkt(given: Pairs, theta: Floats, sparsity: float) -> float:
    """How far (w …, λ) is from optimal: for a coefficient above 0 the size of its gradient, α counted in; for one at 0 what that
    gradient lacks to 0; the largest of these."""
    return _left(theta, gradient(given, theta, sparsity))


def _left(theta: Floats, slope: Floats) -> float:
    return float(np.max(np.where(theta > 0, np.abs(slope), np.maximum(0.0, -slope)), initial=0.0))


def _lead(given: Pairs, theta: Floats) -> Floats:
    """By how much the better of each pair is ahead. Products of so many rows with so few columns wait longer for the threads of a linear
    algebra library than they take, wherever other work runs: hence no `@` here."""
    return np.asarray(given.ahead + np.einsum("ij,j->i", given.features, theta))


def _lost(given: Pairs, theta: Floats) -> Floats:
    """1 / (1 + exp(lead)) of each pair, without overflow."""
    return np.asarray(0.5 - 0.5 * np.tanh(0.5 * _lead(given, theta)))


def _curvature(given: Pairs, theta: Floats) -> Floats:
    lost = _lost(given, theta)
    return np.asarray(np.einsum("ij,ik->jk", given.features * (given.mass * lost * (1.0 - lost))[:, None], given.features))


def _searched(
    given: Pairs, theta: Floats, value: float, slope: Floats, direction: Floats, sparsity: float
) -> tuple[Floats, float] | None:
    """The first point along the projected line that lowers the objective enough, and its value; None where none does."""
    size = 1.0
    for _ in range(40):
        point = np.maximum(theta - size * direction, 0.0)
        gained = float(slope @ (theta - point))
        if gained > 0:
            found = objective(given, point, sparsity)
            if found <= value - ARMIJO * gained or (gained < 1e-13 and found <= value + 1e-15):
                return point, found
        size /= 2
    return None
