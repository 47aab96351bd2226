"""Dimensions as the rows of a store, and the coefficients that reads use."""

from collections.abc import Iterable, Sequence

import numpy as np

from loom.core.claims.dimensions.contract import Contract
from loom.core.claims.dimensions.dimension import Dimension
from loom.core.claims.dimensions.fitted import Fitted, is_fitted
from loom.core.claims.dimensions.judging import value_of
from loom.core.claims.dimensions.kept import body, opened
from loom.core.claims.dimensions.rerank import Coefficients
from loom.core.claims.dimensions.spaces import Value
from loom.core.claims.judging.given import Placed
from loom.core.claims.stored import DimensionRow
from loom.core.errors import BadInput


def row_of(dimension: Dimension) -> DimensionRow:
    """The row that keeps a dimension, everything but its identity and state in the body."""
    return DimensionRow(dimension.id, dimension.version, dimension.domain, dimension.state, dimension.pinned, body(dimension))


def dimension_of(row: DimensionRow) -> Dimension:
    """The dimension of a row. Raises BadInput where its contract is none."""
    return opened(row.id, row.domain, row.version, row.state, row.pinned, row.body)


def dimensions_of(rows: Iterable[DimensionRow]) -> list[Dimension]:
    """The dimensions among some rows, in the order of their ids."""
    return sorted((dimension_of(row) for row in rows if not is_fitted(row)), key=lambda one: one.id)


def active(rows: Iterable[DimensionRow]) -> list[Dimension]:
    """Active dimensions, in the order of their ids."""
    return [each for each in dimensions_of(rows) if each.active]


def held(contract: Contract, placed: Placed) -> Value | None:
    """A projector's value in the space of a contract; None where it is none of it."""
    try:
        return value_of(contract, placed)
    except BadInput:
        return None


def coefficients(
    domains: Sequence[str], dimensions: Sequence[Dimension], fits: dict[str, Fitted], penalty: float
) -> Coefficients:
    """Weights (domains, axes) and penalties (domains,), as the last cycle fitted them. Where a domain is not fitted, its axes weigh
    what their last screen gave them, and λ is `penalty`."""
    weights = np.zeros((len(domains), len(dimensions)))
    penalties = np.full(len(domains), penalty)
    for row, domain in enumerate(domains):
        fit = fits.get(domain)
        known = fit is not None and not fit.unfit
        if fit is not None and known:
            penalties[row] = fit.penalty
        for column, each in enumerate(dimensions):
            if each.domain == domain:
                weights[row, column] = fit.weights.get(each.id, 0.0) if fit is not None and known else each.weight
    return Coefficients(weights, penalties)
