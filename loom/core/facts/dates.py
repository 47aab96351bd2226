"""Dates as texts write them, in whichever order; what they leave out stays open."""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass

from loom.core.facts.figures import Day

_NAMES = (
    "january gennaio januar janvier enero jan gen janv",
    "february febbraio februar février fevrier febrero feb févr",
    "march marzo märz maerz mars mar mär",
    "april aprile avril abril apr avr abr",
    "may maggio mai mayo mag",
    "june giugno juni juin junio jun giu",
    "july luglio juli juillet julio jul lug juil",
    "august agosto août aout aug ago",
    "september settembre septembre septiembre sept sep set",
    "october ottobre oktober octobre octubre oct ott okt",
    "november novembre noviembre nov",
    "december dicembre dezember décembre decembre diciembre dec dic dez déc",
)
MONTHS = {name: month for month, names in enumerate(_NAMES, 1) for name in names.split()}
_MONTH = "(?:" + "|".join(sorted(MONTHS, key=lambda name: (-len(name), name))) + r")(?!\w)"
_DAY = r"\d{1,2}(?:st|nd|rd|th|er|º|°|\.)?"
_NOT_IN_NUMBER = r"(?<![\w.,/:-])"
_ENDS = r"(?![\w/-]|[.,:]\d)"

_FORMS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_NOT_IN_NUMBER}(?P<y>\d{{4}})(?P<by>[-/.])(?P<m>\d{{1,2}})(?P=by)(?P<d>\d{{1,2}})(?![\d/-]|[.,]\d)",
        rf"{_NOT_IN_NUMBER}(?P<a>\d{{1,2}})(?P<by>[-/.])(?P<b>\d{{1,2}})(?P=by)(?P<y>\d{{4}}){_ENDS}",
        rf"{_NOT_IN_NUMBER}(?P<a>\d{{1,2}})/(?P<b>\d{{1,2}})/(?P<yy>\d{{2}}){_ENDS}",
        rf"{_NOT_IN_NUMBER}(?P<a>\d{{2}})\.(?P<b>\d{{2}})\.(?P<yy>\d{{2}}){_ENDS}",
        r"(?<![\d.,/:-])(?P<y>\d{4})\s?[年년]\s?(?P<m>\d{1,2})\s?[月월]\s?(?P<d>\d{1,2})\s?[日일]",
        rf"(?<![\w.,/:])(?:(?<!-)|(?<=\d-))(?P<d>{_DAY})[\s-]+(?:(?:of|di|de)\s+)?(?P<name>{_MONTH})\.?"
        rf"(?:(?:,?\s+(?:(?:of|de|del)\s+)?|-)(?P<y>\d{{4}}){_ENDS})?",
        rf"(?<!\w)(?P<name>{_MONTH})\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?![\w/%:-]|[.,:]\d)(?:,?\s+(?P<y>\d{{4}}){_ENDS})?",
        rf"(?<!\w)(?P<name>{_MONTH})\.?,?\s+(?:(?:of|de|del)\s+)?(?P<y>\d{{4}}){_ENDS}",
        rf"{_NOT_IN_NUMBER}(?P<a>\d{{1,2}})/(?P<b>\d{{1,2}}){_ENDS}",
    )
)
UNTIL_DATE = re.compile(rf"\s?(?:-|–|—|to|and|e|al|a|und|bis)\s?(?=\d{{1,2}}\.?\s+(?:of\s+|di\s+)?{_MONTH})", re.IGNORECASE)
"""What stands between the first day of a range and its second."""


@dataclass(frozen=True, slots=True)
class Written:
    """A date at [start, end); `days` are its readings, `numbers` the two numbers that "3/12" may be instead."""

    start: int
    end: int
    days: tuple[Day, ...]
    numbers: tuple[str, ...] = ()


def dates_in(text: str) -> Iterator[Written]:
    """The dates of a text, in order; the longer form wins where two begin at one place."""
    found: list[Written] = []
    taken = [False] * (len(text) + 1)
    for form in _FORMS:
        for match in form.finditer(text):
            days, parts = _days(match), match.groupdict()
            # A day that its month has not ("29 February 2023") is no date, and does not stand for the month.
            if (days or parts.get("name")) and not any(taken[match.start() : match.end()]):
                taken[match.start() : match.end()] = [True] * (match.end() - match.start())
                if not days:
                    continue
                bare = "a" in parts and "y" not in parts and "yy" not in parts
                found.append(Written(match.start(), match.end(), days, (parts["a"], parts["b"]) if bare else ()))
    yield from sorted(found, key=lambda each: each.start)


def _days(match: re.Match[str]) -> tuple[Day, ...]:
    parts = match.groupdict()
    year = int(parts["y"]) if parts.get("y") else 2000 + int(parts["yy"]) if parts.get("yy") else None
    if parts.get("a"):
        first, second = int(parts["a"]), int(parts["b"])
        orders = dict.fromkeys([(year, second, first), (year, first, second)])
        return tuple(day for day in orders if _valid(day))
    month = MONTHS[parts["name"].casefold()] if parts.get("name") else int(parts["m"])
    day = (year, month, int(re.sub(r"\D", "", parts["d"])) if parts.get("d") else None)
    return (day,) if _valid(day) else ()


def _valid(day: Day) -> bool:
    year, month, date = day
    if not 1 <= month <= 12 or (year is not None and not 1 <= year <= 9999):
        return False
    return date is None or 1 <= date <= monthrange(year or 2000, month)[1]
