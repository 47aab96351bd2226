"""Days as positions: dates as files write them, yyyy-mm-dd, and as questions say them; counted from 1970-01-01.

A date without its year is no position: which year is meant nobody knows.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from loom.core.facts.dates import dates_in
from loom.core.facts.figures import Day

FIRST, LAST = -719_162, 2_932_896
"""0001-01-01 and 9999-12-31: what is written with four digits of a year."""
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


class Said(NamedTuple):
    """A date at [start, end) of a text, as days [first, after)."""

    start: int
    end: int
    first: int
    after: int

    @property
    def month(self) -> bool:
        """Whether it names a whole month."""
        return self.after > self.first + 1


def day_of(text: str) -> int | None:
    """The day that a yyyy-mm-dd text is; None where it is none, or no day of the calendar."""
    bare = text.strip()
    if not _ISO.fullmatch(bare):
        return None
    return _counted(bare)


def iso(position: Decimal) -> str:
    """A day as yyyy-mm-dd; its plain number where the calendar does not reach."""
    day = int(position)
    return str(np.datetime64(day, "D")) if FIRST <= day <= LAST else format(position, "f")


def days_in(text: str) -> Iterator[Said]:
    """The dates of a text that can be read in one way only, with their years, in order."""
    for one in dates_in(text):
        if len(one.days) == 1 and (found := _days(one.days[0])) is not None:
            yield Said(one.start, one.end, *found)


def _days(day: Day) -> tuple[int, int] | None:
    year, month, number = day
    if year is None or month is None:
        return None
    first = _counted(f"{year:04}-{month:02}-{number or 1:02}")
    if first is None:
        return None
    if number:
        return first, first + 1
    after = (np.datetime64(f"{year:04}-{month:02}", "M") + 1).astype("datetime64[D]")
    return first, int(after.astype(np.int64))


def _counted(day: str) -> int | None:
    """The days from 1970-01-01 to a yyyy-mm-dd text; None where the calendar has no such day."""
    try:
        count = int(np.datetime64(day, "D").astype(np.int64))
    except ValueError:
        return None
    return count if FIRST <= count <= LAST else None
