"""Days as positions: dates as files write them, yyyy-mm-dd, and as questions say them; counted from 1970-01-01.

A date without its year is no position: which year is meant nobody knows.
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple

from loom.core.facts.dates import dates_in
from loom.core.facts.figures import Day

EPOCH = date(1970, 1, 1)
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
    try:
        return (date.fromisoformat(bare) - EPOCH).days
    except ValueError:
        return None


def iso(position: Decimal) -> str:
    """A day as yyyy-mm-dd; its plain number where the calendar does not reach."""
    try:
        return (EPOCH + timedelta(days=int(position))).isoformat()
    except OverflowError:
        return format(position, "f")


def days_in(text: str) -> Iterator[Said]:
    """The dates of a text that can be read in one way only, with their years, in order."""
    for one in dates_in(text):
        if len(one.days) == 1 and (found := _days(one.days[0])) is not None:
            yield Said(one.start, one.end, *found)


def _days(day: Day) -> tuple[int, int] | None:
    year, month, number = day
    if year is None or month is None:
        return None
    try:
        first = date(year, month, number or 1)
    except ValueError:
        return None
    after = first + timedelta(days=1) if number else date(year + month // 12, month % 12 + 1, 1)
    return (first - EPOCH).days, (after - EPOCH).days
