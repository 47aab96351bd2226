"""When a question asks about, and whether what was said is of that time."""

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from loom.core.facts.dates import MONTHS

_WHEN = re.compile(
    r"(?<![\w-])(?P<iso>\d{4}-\d\d(?:-\d\d)?)(?![\w-])"
    r"|(?:(?P<before>\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?)?\b(?P<month>January|February|March|April|May|June|July|August|September"
    r"|October|November|December)\b(?:\s+(?P<after>\d{1,2})(?:st|nd|rd|th)?\b(?!\s*:))?(?:,?\s+(?:of\s+)?(?P<year>\d{4})\b)?"
    r"|\b(?:in|of|during|since|by|until)\s+(?P<alone>(?:19|20)\d\d)\b"
)


class Time(NamedTuple):
    """A time that words at [start, end) name, as ISO text; the year is "*" where none is said ("*-03", "*-03-14")."""

    start: int
    end: int
    iso: str


def times_in(text: str) -> list[Time]:
    """The days, months and years that a text names without looking at a calendar, in order."""
    return [Time(match.start(), match.end(), _iso(match)) for match in _WHEN.finditer(text)]


def _iso(match: re.Match[str]) -> str:
    if match["iso"]:
        return match["iso"]
    if match["alone"]:
        return match["alone"]
    day = match["before"] or match["after"]
    return f"{match['year'] or '*'}-{MONTHS[match['month'].lower()]:02}" + (f"-{int(day):02}" if day else "")


def fits(wanted: Collection[str], dates: Iterable[str]) -> bool:
    """Whether one of some dates is, or lies in, one of the times wanted, or the other way round. Dates may lack their year, too."""
    return any(_fits(time, date) for date in dates for time in wanted)


def _fits(time: str, date: str) -> bool:
    if "/" in date:
        first, last = date.split("/")
        year = first[: len(first) - 6] if time.startswith("*") else time[:4]
        time = time.replace("*", year)
        return first[: len(time)] <= time <= last[: len(time)] if len(time) < len(first) else first <= time <= last
    parts = zip(time.split("-"), date[:10].split("-"), strict=False)
    same = all("*" in (one, other) or one == other for one, other in parts)
    # A year that nobody said is any year, but no year is told by a month, nor a month by its year.
    return same and (not time.startswith("*") or "-" in date) and (not date.startswith("*") or "-" in time)
