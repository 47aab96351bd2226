"""What a cycle fitted in a domain, as a store keeps it beside the dimensions: the weights of the active ones and the penalty λ.

It lies among the rows of dimensions under an id and a state of its own, a version for each cycle, so that every version of the claims
has the coefficients that it is read with.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from loom.core.claims.stored import DimensionRow
from loom.core.errors import BadInput

PREFIX, STATE = "fit:", "fitted"


@dataclass(frozen=True, slots=True)
class Fitted:
    """`weights` are by dimension. Unfit where the domain had too few judged queries: then nothing of it is used."""

    domain: str
    weights: Mapping[str, float]
    penalty: float
    unfit: bool
    queries: int
    residual: float = 0.0
    at: str = ""


def row_of(fitted: Fitted, version: int) -> DimensionRow:
    body = {
        "weights": dict(sorted(fitted.weights.items())), "penalty": fitted.penalty, "unfit": fitted.unfit,
        "queries": fitted.queries, "residual": fitted.residual, "at": fitted.at,
    }  # fmt: skip
    return DimensionRow(PREFIX + fitted.domain, version, fitted.domain, STATE, body=body)


def is_fitted(row: DimensionRow) -> bool:
    return row.state == STATE


def fits_of(rows: Iterable[DimensionRow]) -> dict[str, Fitted]:
    """The fits among some rows, by domain. Raises BadInput where a row is none."""
    return {row.domain: _opened(row) for row in rows if is_fitted(row)}


def _opened(row: DimensionRow) -> Fitted:
    body = row.body
    try:
        assert isinstance(body, dict)
        weights = {str(name): float(value) for name, value in body["weights"].items()}
        made = Fitted(
            row.domain, weights, float(body["penalty"]), bool(body["unfit"]), int(body["queries"]), float(body["residual"]),
            str(body["at"]),
        )  # fmt: skip
    except (AssertionError, AttributeError, KeyError, TypeError, ValueError):
        raise BadInput(f"Expected the fit of the domain {row.domain}, but its body is none.", param="body") from None
    if not all(math.isfinite(each) and each >= 0 for each in (*weights.values(), made.penalty)):
        raise BadInput(f"Expected weights and a penalty of 0 or more in the fit of {row.domain}.", param="weights")
    return made
