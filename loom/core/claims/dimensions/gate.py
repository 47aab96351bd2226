"""Which claims are projected on which axes, and what that costs (seed §5.5; specs/claims.md §6, §13)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from loom.core.claims.dimensions.dimension import Dimension
from loom.core.claims.dimensions.rules import DEFAULT, Rules

Flags = NDArray[np.bool_]


def gate(cosines: np.ndarray, rules: Rules = DEFAULT) -> float:
    """The cosine of claim and definition under which no projector is called: a percentile of all of a domain's, (claims, axes).

    -1, which lets everything through, where there are none."""
    return float(np.percentile(cosines, rules.gate)) if cosines.size else -1.0


def preferred(dimensions: Sequence[Dimension]) -> list[int]:
    """The places of dimensions, the largest mean out-of-fold weight first; ties: the oldest active, then the id."""
    return sorted(range(len(dimensions)), key=lambda at: (-dimensions[at].weight, dimensions[at].activated, dimensions[at].id))


def capped(allowed: np.ndarray, dimensions: Sequence[Dimension], rules: Rules = DEFAULT) -> Flags:
    """Of the pairs that are allowed, bool (claims, axes), those within the cap of m a claim, in the order of preference."""
    order = preferred(dimensions)
    kept = np.zeros(allowed.shape, np.bool_)
    ordered = allowed[:, order]
    kept[:, order] = ordered & (np.cumsum(ordered, axis=1) <= rules.active)
    return kept


def chosen(
    cosines: np.ndarray, home: np.ndarray, dimensions: Sequence[Dimension], gates: Sequence[float], rules: Rules = DEFAULT
) -> Flags:
    """The projections to make, bool (claims, axes): at home in the axis's domain, active, past the gate, within the cap.

    `home` is bool (claims, axes): the claim is at home in the domain of the axis; `gates` are those of the domains of the axes."""
    active = np.array([each.active for each in dimensions], np.bool_)
    return capped(home & active & (cosines >= np.asarray(gates, np.float64)), dimensions, rules)


@dataclass(frozen=True, slots=True)
class Cost:
    """Calls of a projector for a domain and their price; `bound` is the price without gate and cap."""

    calls: int
    price: float
    bound: float


def projection_cost(cosines: np.ndarray, threshold: float, price: float) -> Cost:
    """Cost(D) = Σ_i |{c : cos(c, def_i) ≥ g}| · κ_p ≤ |A(D)| · |C(D)| · κ_p, for cosines (claims, active axes)."""
    calls = int(np.count_nonzero(cosines >= threshold))
    return Cost(calls, calls * price, cosines.size * price)


def write_costs(
    projections: float, projection_price: float, signals_per_claim: float, candidates: float, check_price: float
) -> tuple[float, float]:
    """Per claim: what projection costs at most (p · κ_p), and what the checks of the signals that come with it cost (ρ · k · κ_c)."""
    return projections * projection_price, signals_per_claim * candidates * check_price
