"""Axes: which values a drawing spans, where its ticks are, and where a value lies in it."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from loom.lab.report.words import finite, number, signed

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
WANTED = 5


@dataclass(frozen=True, slots=True)
class Axis:
    """From `low` to `high`, both at a tick."""

    low: float
    high: float
    ticks: tuple[float, ...]
    digits: int
    sign: bool = False

    def at(self, value: float) -> float:
        """Where a value lies, 0 to 1; what lies outside is at the edge."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))

    def shown(self, tick: float) -> str:
        return signed(tick, self.digits) if self.sign else number(tick, self.digits)


SHARES = Axis(0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0), 2)
"""Shares start at nothing and end at all."""


def around_zero(values: Iterable[object]) -> Axis:
    """An axis for differences: it holds zero and every value."""
    known = [value for value in map(finite, values) if value is not None]
    low, high = min([0.0, *known]), max([0.0, *known])
    if high - low < 1e-9:
        low, high = -0.1, 0.1
    return _ticked(low, high, sign=True)


def from_zero(values: Iterable[object]) -> Axis:
    """An axis for amounts: from nothing to the largest."""
    known = [value for value in map(finite, values) if value is not None]
    return _ticked(0.0, max([*known, 1e-9]), sign=False)


def _ticked(low: float, high: float, *, sign: bool) -> Axis:
    rough = (high - low) / WANTED
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(step * power for step in STEPS if step * power >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    last = max(last, first + 1)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    if abs(round(step, digits) - step) > step * 1e-6:
        digits += 1
    ticks = tuple(number * step for number in range(first, last + 1))
    return Axis(ticks[0], ticks[-1], ticks, digits, sign)
