"""What a measurement gives: figures with a unit, and a bar where the project set itself one."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from loom.core.values import Json


@dataclass(frozen=True, slots=True)
class Bar:
    """A bound that a figure is held to."""

    bound: float
    at_least: bool = False

    def met(self, value: float) -> bool:
        return value >= self.bound if self.at_least else value <= self.bound

    def __str__(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {self.bound:g}"


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number. `fault` marks a bar whose breach is an error of the node, not slowness of the machine."""

    measurement: str
    name: str
    value: float
    unit: str
    bar: Bar | None = None
    fault: bool = False

    @property
    def met(self) -> bool | None:
        return None if self.bar is None else self.bar.met(self.value)

    def as_json(self) -> dict[str, Json]:
        return {
            "measurement": self.measurement,
            "name": self.name,
            "value": round(self.value, 6),
            "unit": self.unit,
            "bar": str(self.bar) if self.bar else None,
            "met": self.met,
        }

    def shown(self) -> str:
        """The value with three significant digits, large ones whole."""
        if self.value == 0 or abs(self.value) >= 100 or self.value == int(self.value):
            return f"{self.value:,.0f}"
        return f"{self.value:.{max(0, 2 - math.floor(math.log10(abs(self.value))))}f}"


def quantile(values: Sequence[float], part: float) -> float:
    """The smallest value that at least `part` (0 to 1) of the values do not exceed; the values must not be empty."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(part * len(ordered)) - 1)]


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the two in the middle."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
