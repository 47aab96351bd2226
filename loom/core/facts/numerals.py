"""Numbers and positions as tables write them, read by the declared decimal mark alone (seed 003 §3.1, R2).

A text that is no number by its mark gives None: it is never guessed at, since a wrong number is worse than none. "37,5" is no
number where the mark is a point, and "1.234" is 1234 where it is a comma.
"""

import re
from decimal import ROUND_HALF_EVEN, Context, Decimal, Inexact
from functools import lru_cache

from loom.core.facts.days import day_of

SPACES = "\u0020\u00a0\u2009\u202f"
LONGEST = 200
"""Characters of a number; longer cells are text."""
EXACT = Context(prec=5000, rounding=ROUND_HALF_EVEN, traps=[Inexact])
"""Sums and differences of numbers that `number_of` gives are exact here: a rounding would raise."""
ROUNDING = Context(prec=5000, rounding=ROUND_HALF_EVEN, traps=[])

_CLOCK = re.compile(
    r"(?:(?P<hours>\d{1,6}):(?=[0-5]?\d:))?(?P<minutes>\d{1,8}):(?P<seconds>[0-5]\d)(?:[.,](?P<part>\d{1,9}))?", re.ASCII
)


@lru_cache(maxsize=8)
def _pattern(mark: str) -> re.Pattern[str]:
    """A sign, digits plain or in groups of three with one separator throughout, the mark and decimals, an exponent."""
    groups = "".join(one for one in (*SPACES, "'", "’", ".", ",") if one != mark)
    return re.compile(
        r"(?P<sign>[-+−])?"
        rf"(?P<whole>\d+|[1-9]\d{{0,2}}(?P<group>[{re.escape(groups)}])\d{{3}}(?:(?P=group)\d{{3}})*)?"
        rf"(?:{re.escape(mark)}(?P<part>\d*))?"
        r"(?:[eE](?P<exponent>[-+]?\d{1,3}))?",
        re.ASCII,
    )


def number_of(text: str, decimal: str = ".", unit: str = "") -> Decimal | None:
    """The number that `text` is, None where it is none (empty, "NaN", "n/a", a number by another mark).

    `unit` is the metric's: one standing before or behind the digits is left out ("37.5 %" where the unit is "%"). Groups of three
    may be set off by spaces, apostrophes, or whichever of point and comma is not the mark. Exponents have up to three digits.
    """
    if len(text) > LONGEST:
        return None
    bare = text.strip()
    if unit and bare.endswith(unit):
        bare = bare[: -len(unit)].rstrip()
    elif unit and bare.startswith(unit):
        bare = bare[len(unit) :].lstrip()
    found = _pattern(decimal).fullmatch(bare)
    if found is None:
        return None
    sign, whole, group, part, exponent = found.group("sign", "whole", "group", "part", "exponent")
    if not whole and not part:
        return None
    digits = (whole or "").replace(group, "") if group else whole or ""
    return Decimal(f"{'-' if sign in ('-', '−') else ''}{digits or '0'}.{part or ''}E{exponent or 0}")


def position_of(text: str, decimal: str = ".", clock: bool = False, dates: bool = False) -> Decimal | None:
    """The position that `text` is, in units of its attribute: a number, or mm:ss and h:mm:ss where the attribute has a `clock`
    ("02:26" is 146, "1:02:03,5" is 3723.5), or a day where it has `dates` ("2026-03-12" is 20524); None where it is neither."""
    if dates:
        day = day_of(text)
        return None if day is None else Decimal(day)
    if clock and ":" in text:
        found = clock_of(text)
        return None if found is None else Decimal(found)
    return number_of(text, decimal)


def clock_of(text: str) -> int | Decimal | None:
    """The units that a clock text counts, a whole number where it has no fraction; None where it is no clock text."""
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        return None
    hours, minutes, seconds, part = found.groups()
    whole = int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)
    return Decimal(f"{whole}.{part}") if part else whole


def plain(number: Decimal) -> str:
    """A number with no exponent and a point, its decimals as they are: 1.0E+3 is "1000", 37.50 is "37.50"."""
    return format(number, "f")


def places(number: Decimal) -> int:
    """How many decimals a number is written with."""
    exponent = number.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
