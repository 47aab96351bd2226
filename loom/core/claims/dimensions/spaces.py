"""Value spaces: an ordered list, a bounded number, one of two, one of several without order (seed 001 §5.2).

Values are kept as codes: the rank in an ordered list, the place in a list without order, the number itself. Ranks say only how many
steps apart two values are.
"""

from dataclasses import dataclass
from math import isfinite
from typing import ClassVar, Literal

from loom.core.errors import BadInput

Value = str | float
SpaceKind = Literal["ordinal", "scalar", "binary", "category"]


@dataclass(frozen=True, slots=True)
class Listed:
    """A space of named values. Raises BadInput for fewer than two, an empty one, or one that comes twice."""

    values: tuple[str, ...]
    kind: ClassVar[SpaceKind]
    ordered: ClassVar[bool]

    def __post_init__(self) -> None:
        if len(self.values) < 2:
            raise BadInput(f"Expected at least two values, but got {len(self.values)}.", param="values")
        if not all(each.strip() for each in self.values):
            raise BadInput("Expected values with a name, but one is empty.", param="values")
        if len(set(self.values)) != len(self.values):
            raise BadInput(f"Expected values that are named once, but got {', '.join(self.values)}.", param="values")

    def has(self, value: object) -> bool:
        return value in self.values

    def code(self, value: Value) -> float:
        """The code of a value. Raises BadInput where the space has no such value."""
        if not isinstance(value, str) or value not in self.values:
            raise BadInput(f"Expected one of {', '.join(self.values)}, but got {value!r}.", param="value")
        return float(self.values.index(value))

    def value(self, code: float) -> Value:
        return self.values[round(code)]


@dataclass(frozen=True, slots=True)
class Ordinal(Listed):
    """Named values in order."""

    kind: ClassVar[SpaceKind] = "ordinal"
    ordered: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Category(Listed):
    """Named values without order."""

    kind: ClassVar[SpaceKind] = "category"
    ordered: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Binary(Listed):
    """One of two values."""

    values: tuple[str, ...] = ("no", "yes")
    kind: ClassVar[SpaceKind] = "binary"
    ordered: ClassVar[bool] = True

    def __post_init__(self) -> None:
        Listed.__post_init__(self)
        if len(self.values) != 2:
            raise BadInput(f"Expected the two values of a binary space, but got {len(self.values)}.", param="values")


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number from `low` to `high`, both included. Raises BadInput where they are no bounds."""

    low: float = 0.0
    high: float = 1.0
    kind: ClassVar[SpaceKind] = "scalar"
    ordered: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not (isfinite(self.low) and isfinite(self.high) and self.low < self.high and isfinite(self.high - self.low)):
            raise BadInput(f"Expected a lower bound below a higher one, but got {self.low} and {self.high}.", param="values")

    def has(self, value: object) -> bool:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return number and self.low <= value <= self.high  # type: ignore[operator]

    def code(self, value: Value) -> float:
        """The number itself. Raises BadInput where it is none or out of bounds."""
        if not self.has(value):
            raise BadInput(f"Expected a number from {self.low} to {self.high}, but got {value!r}.", param="value")
        return float(value)

    def value(self, code: float) -> Value:
        return float(code)


Space = Ordinal | Scalar | Binary | Category
"""The closed set of value spaces."""
