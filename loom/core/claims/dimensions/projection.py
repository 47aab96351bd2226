"""Positions of claims as records, which of them are stale, and in which order these are made again (seed §5.5)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from loom.core.claims.dimensions.dimension import Dimension
from loom.core.claims.dimensions.spaces import Value
from loom.core.errors import BadInput


@dataclass(frozen=True, slots=True)
class Projection:
    """Where one projector put one claim on one version of a dimension. Signals and lifted claims have none."""

    claim: str
    dimension: str
    version: int
    projector: str
    value: Value
    relevance: float
    at: str = ""

    def __post_init__(self) -> None:
        if not 0.0 <= self.relevance <= 1.0:
            raise BadInput(f"Expected a relevance from 0 to 1, but got {self.relevance}.", param="relevance")


def stale(projection: Projection, dimension: Dimension) -> bool:
    """Whether it was made under a version whose positions no longer hold, so that its term drops from rerank and filter."""
    return projection.version < dimension.valid_from


def current(projection: Projection, dimension: Dimension) -> bool:
    """Whether rerank and filter read it: of this dimension, which is active, and not stale; those of others are kept for audit."""
    return projection.dimension == dimension.id and dimension.active and not stale(projection, dimension)


def waiting(
    projections: Iterable[Projection],
    dimensions: Mapping[str, Dimension],
    *,
    retrieved: Sequence[str] = (),
    reads: Mapping[str, int] | None = None,
) -> list[tuple[str, str]]:
    """(claim, dimension) to project again, first those whose claim was retrieved since the last batch, in that order, then by how
    often claims were read, ties by id. Only active dimensions are served."""
    counts = reads or {}
    first = {claim: place for place, claim in reversed(list(enumerate(retrieved)))}
    fresh: set[tuple[str, str]] = set()
    old: set[tuple[str, str]] = set()
    for each in projections:
        dimension = dimensions.get(each.dimension)
        if dimension is not None and dimension.active:
            (old if stale(each, dimension) else fresh).add((each.claim, each.dimension))
    last = len(first)
    return sorted(old - fresh, key=lambda pair: (first.get(pair[0], last), -counts.get(pair[0], 0), *pair))
