"""Figures: the numbers, percentages, positions, clock times and dates that a text states, whichever way it writes them.

A figure has readings. "1,000" is a thousand and, where commas are decimal marks, one; "second 146" is a position. Two figures state
the same where a reading of one is a reading of the other, as decimals: "1.0e3" is "1 000".
"""

from dataclasses import dataclass
from decimal import Decimal

NUMBER, PERCENT, POSITION, CLOCK, DATE = "number", "percent", "position", "clock", "date"

Day = tuple[int | None, int, int | None]
"""Year, month and day; what a text leaves out is None."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a figure.

    `value` is a number, a percentage, seconds of a clock time, or a position in units of `axis`; `day` is a date's. `bare` says of a
    position that it counts the units themselves, so that the number alone says the same.
    """

    kind: str
    value: Decimal = Decimal(0)
    axis: str = ""
    day: Day | None = None
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure at [start, end) of a text, its unit left out; [first, last) is its place with the unit.

    `sign` is "-" or "+" where one is written. `parts` are what it falls into where it may be several numbers ("12 500" in a row of a
    table). `worded` says that it is written out; `mark` is why it states nothing about the facts: "" or what kind of mark it is.
    """

    start: int
    end: int
    first: int
    last: int
    readings: tuple[Reading, ...]
    sign: str = ""
    parts: tuple[Decimal, ...] = ()
    written: tuple[Decimal, ...] = ()
    worded: bool = False
    mark: str = ""

    @property
    def kind(self) -> str:
        return self.readings[0].kind if self.readings else NUMBER
