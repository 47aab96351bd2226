"""The closed sets that a contract is composed of: projection systems, metrics, normalizers (seed 001 §5.2).

The only place with formulas of distances. A contract names what it uses; nothing that a model writes is executed.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from loom.core.claims.dimensions.spaces import Binary, Category, Ordinal, Scalar, Space, SpaceKind

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ProjectionSystem:
    """How a value is assigned. `judged`: a projector reads the definition and the prototypes; `words`: the value whose words a
    proposition has; `nearest`: the value of the nearest prototype; `between`: the share of the way between the prototypes of the
    lowest value and those of the highest."""

    name: str
    kinds: tuple[SpaceKind, ...]


@dataclass(frozen=True, slots=True)
class Metric:
    """A distance of codes. `farthest` is the largest that a space of one of its kinds has; `refuses` says why others are refused."""

    name: str
    kinds: tuple[SpaceKind, ...]
    between: Callable[[Floats, Floats], Floats]
    farthest: Callable[[Space], float]
    refuses: str


@dataclass(frozen=True, slots=True)
class Normalizer:
    """What a distance is divided by; None where a space has no such number."""

    name: str
    divisor: Callable[[Space], float | None]
    asks: str


def _apart(a: Floats, b: Floats) -> Floats:
    return np.abs(a - b)


def _unlike(a: Floats, b: Floats) -> Floats:
    return np.where(np.isnan(a) | np.isnan(b), np.nan, a != b)


def _steps(space: Space) -> float:
    return 0.0 if isinstance(space, Scalar) else float(len(space.values) - 1)


def _width(space: Space) -> float:
    return space.high - space.low if isinstance(space, Scalar) else 0.0


LISTED: tuple[SpaceKind, ...] = ("ordinal", "binary", "category")

SPACES: dict[str, type[Ordinal] | type[Scalar] | type[Binary] | type[Category]] = {
    each.kind: each for each in (Ordinal, Scalar, Binary, Category)
}
SYSTEMS = {
    each.name: each
    for each in (
        ProjectionSystem("judged", (*LISTED, "scalar")),
        ProjectionSystem("words", LISTED),
        ProjectionSystem("nearest", LISTED),
        ProjectionSystem("between", ("scalar",)),
    )
}
METRICS = {
    each.name: each
    for each in (
        Metric("rank", ("ordinal", "binary"), _apart, _steps, "a rank distance counts steps along an ordered list"),
        Metric("difference", ("scalar",), _apart, _width, "a difference is taken of numbers"),
        Metric(
            "match",
            LISTED,
            _unlike,
            lambda space: 1.0,
            "two measured numbers are equal by chance only, so that all would be far apart",
        ),
    )
}
NORMALIZERS = {
    each.name: each
    for each in (
        Normalizer("steps", lambda space: _steps(space) or None, "a list of values"),
        Normalizer("range", lambda space: _width(space) or None, "a lowest and a highest number"),
        Normalizer("identity", lambda space: 1.0, "nothing"),
    )
}
