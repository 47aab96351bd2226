"""Positions as columns, one a dimension, ready for a rerank or a filter of many claims at once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from loom.core.claims.dimensions.dimension import Dimension
from loom.core.claims.dimensions.distance import Axes
from loom.core.claims.dimensions.gate import Flags, capped
from loom.core.claims.dimensions.projection import Projection, current, stale
from loom.core.claims.dimensions.registry import Floats
from loom.core.claims.dimensions.rules import DEFAULT, Rules
from loom.core.errors import BadInput


@dataclass(frozen=True, slots=True)
class Positions:
    """Codes and relevances, f64 (objects, axes); not a number where an object has no position that holds on an axis."""

    codes: Floats
    relevance: Floats

    def __post_init__(self) -> None:
        if self.codes.ndim != 2 or self.codes.shape != self.relevance.shape:
            raise BadInput(
                f"Expected codes and relevances of one shape (objects, axes), but got {self.codes.shape} and "
                f"{self.relevance.shape}.",
                param="positions",
            )

    def __len__(self) -> int:
        return len(self.codes)

    def of(self, rows: np.ndarray) -> "Positions":
        return Positions(self.codes[rows], self.relevance[rows])


def positions(
    claims: Sequence[str],
    dimensions: Sequence[Dimension],
    projections: Iterable[Projection],
    rules: Rules = DEFAULT,
    *,
    trial: bool = False,
) -> Positions:
    """What a rerank reads of these claims on these dimensions: projections on active ones that are not stale, of several the one of
    the latest version and time, at most m a claim. For a `trial`, which a screen makes, validated ones are read beside them.

    Raises BadInput where a value is none of its dimension's space."""
    row = {name: at for at, name in enumerate(claims)}
    column = {each.id: at for at, each in enumerate(dimensions)}
    codes = np.full((len(claims), len(dimensions)), np.nan)
    relevance = codes.copy()
    held = [each for each in projections if each.claim in row and each.dimension in column]
    for each in sorted(held, key=lambda one: (one.version, one.at, one.projector)):
        dimension = dimensions[column[each.dimension]]
        if current(each, dimension) or (trial and dimension.state == "validated" and not stale(each, dimension)):
            place = row[each.claim], column[each.dimension]
            codes[place], relevance[place] = dimension.contract.space.code(each.value), each.relevance
    there, active = ~np.isnan(codes), np.array([each.active for each in dimensions], np.bool_)
    within = capped(there & active, dimensions, rules) | (there & ~active)
    return Positions(np.where(within, codes, np.nan), np.where(within, relevance, np.nan))


def asked(dimensions: Sequence[Dimension], codes: Floats, relevance: Floats) -> Positions:
    """Where a query is, f64 (axes,), as one row: nowhere on axes for which no small projector will do (§13)."""
    placed = np.array([each.distilled for each in dimensions], np.bool_)
    return Positions(np.where(placed, codes, np.nan)[None, :], np.where(placed, relevance, np.nan)[None, :])


def opposed(axes: Axes, one: Positions, others: Positions, rules: Rules = DEFAULT) -> Flags:
    """Which of the others share an axis with the one row of `one` that concerns both, on which they are far apart: bool (others,).

    The position filter of the contradiction check: what is close in topic and opposite in position (§4). The stale have no
    position, and a missing one is not far."""
    with np.errstate(invalid="ignore"):
        both = (one.relevance >= rules.relevance) & (others.relevance >= rules.relevance)
        far = axes.delta(one.codes, others.codes) >= rules.opposed
    return np.asarray((both & far).any(axis=1))
