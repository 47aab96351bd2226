"""The score that reads positions and standing (seed §6; specs/claims.md §7):

    S(q, c) = s₀(q, c) + Σ_{i ∈ P(c)} w_{D,i} · φ_i(q, c) − λ · u(c)
    φ_i(q, c) = r_i(c) · (1 − δ_i(v_i(q), v_i(c))), and r_i(c) where the query takes no position on i

with D in the query's scope and among the claim's home domains; of several the largest weight.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from loom.core.claims.dimensions.distance import Axes
from loom.core.claims.dimensions.positions import Positions
from loom.core.claims.dimensions.registry import Floats
from loom.core.claims.dimensions.rules import DEFAULT, Rules
from loom.core.errors import BadInput

Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Coefficients:
    """What was fitted: weights f64 (domains, axes), 0 where an axis is not active in a domain, and penalties λ f64 (domains,).

    Raises BadInput where one is below 0 or no number."""

    weights: Floats
    penalties: Floats

    def __post_init__(self) -> None:
        if self.weights.ndim != 2 or self.penalties.shape != self.weights.shape[:1]:
            raise BadInput(
                f"Expected weights (domains, axes) and as many penalties, but got {self.weights.shape} and {self.penalties.shape}.",
                param="weights",
            )
        for each in (self.weights, self.penalties):
            if not (np.isfinite(each).all() and (each >= 0).all()):
                raise BadInput("Expected weights and penalties of 0 or more.", param="weights")


def phi(axes: Axes, query: Positions, claims: Positions, rules: Rules = DEFAULT) -> Floats:
    """The feature of each axis, f64 (claims, axes), 0 where a claim has no position; `query` has one row."""
    with np.errstate(invalid="ignore"):
        places = (query.relevance >= rules.relevance) & ~np.isnan(query.codes)
        near = np.where(places, 1.0 - axes.delta(query.codes, claims.codes), 1.0)
    return np.nan_to_num(claims.relevance * near, nan=0.0)


def scores(
    base: Floats,
    features: Floats,
    unsettled: np.ndarray,
    homes: np.ndarray,
    scope: np.ndarray | None,
    coefficients: Coefficients,
) -> Floats:
    """S of each candidate, f64 (n,), from s₀ (n,), φ (n, axes), u (n,) and homes, bool (n, domains).

    `scope`, bool (domains,), are the query's domains; None where scoping is off, so that all homes count. A signal among the
    candidates has neither position nor standing: its features and its u are 0."""
    weights = np.zeros(features.shape)
    penalty = np.zeros(len(base))
    for domain in range(len(coefficients.penalties)) if scope is None else np.flatnonzero(scope):
        at_home = homes[:, domain]
        np.maximum(weights, at_home[:, None] * coefficients.weights[domain], out=weights)
        np.maximum(penalty, at_home * coefficients.penalties[domain], out=penalty)
    return np.asarray(base + (weights * features).sum(axis=1) - penalty * unsettled)


def ranked(found: Floats, base: Floats) -> Rows:
    """The candidates, best first; ties by s₀, then by the place in which they came, so that zero weights leave the order as it is."""
    return np.lexsort((np.arange(len(found)), -base, -found))
