"""Dates that a sentence names, resolved against the day on which it was said.

A date is ISO text: a day ("2023-05-07"), a month ("2023-05"), a year ("2023"), or days from and to ("2023-05-01/2023-05-07").
"""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from loom.core.facts.dates import MONTHS, dates_in
from loom.core.memory.inflecting import PAST

_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "couple": 2, "three": 3, "few": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "half a": 0.5,
}  # fmt: skip
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_MONTH_NAMES = "january february march april may june july august september october november december".split()
_UNIT = r"(?P<unit>day|night|week|weekend|fortnight|month|year)s?"
_COUNT = r"(?P<count>(?<![\d.,]|[:/-])\d{1,3}|" + "|".join(sorted(_NUMBERS, reverse=True)) + r")(?:\s+of)?"
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)"
# What follows a day of a month without its month: "on the 3rd." and "on the 3rd I left", but not "on the 3rd floor".
_ALONE = (
    r"(?=\s*(?:[.,;:!?)\]–—-]|$)|\s+(?:and|or|at|in|for|with|to|but|because|so|when|if|i|we|he|she|they|it|you|there|this|last|next|"
    r"my|our|his|her|their|your)\b)"
)
_RELATIVE = re.compile(
    rf"\b(?:(?:(?:on\s+)?(?P<first>{'|'.join(_DAYS)}),?\s+)?(?:a\s+)?{_COUNT}\s+{_UNIT}\s+(?P<ago>ago|back|before\ that)"
    rf"(?:\s+(?P<exact>today|yesterday)|,?\s+(?:on\s+)?(?P<then_on>{'|'.join(_DAYS)}))?"
    rf"|in\s+{_COUNT.replace('count', 'ahead')}\s+{_UNIT.replace('unit', 'in')}"
    rf"|{_COUNT.replace('count', 'later')}\s+{_UNIT.replace('unit', 'then')}\s+from\s+(?:now|today)"
    r"|(?:the\s+)?day\s+(?P<beyond>before\s+yesterday|after\s+tomorrow)"
    rf"|the\s+(?P<skipped>night|week|weekend|month|year|{'|'.join(_DAYS)})\s+(?P<over>before\s+last|after\s+next)"
    r"|(?P<side>last|past|this|next|coming|previous)\s+"
    rf"(?P<what>(?:night|week|weekend|month|year)(?!\s+of\b)|{'|'.join(_DAYS)}|{'|'.join(_MONTH_NAMES)})"
    rf"|(?:on\s+)?(?P<weekday>{'|'.join(_DAYS)}),?\s+(?:the\s+)?(?P<numbered>{_ORDINAL})(?!\s+(?:of|{'|'.join(_MONTH_NAMES)})\b)"
    r"|(?<!before\s)(?<!after\s)(?P<word>yesterday|today|tonight|tomorrow|this\ morning|this\ afternoon|this\ evening)"
    rf"|(?:on|since|until|by)\s+the\s+(?P<date>{_ORDINAL})(?:\s+of\s+(?P<whose>this|last|next)\s+month|{_ALONE})"
    rf"|(?:(?:by|until)\s+)?(?<!every\s)(?<!each\s)(?<!from\s)(?P<day>{'|'.join(_DAYS)})"
    rf"|(?:in|since|during|until|by|of|early|late|mid)[\s-]+(?P<month>{'|'.join(_MONTH_NAMES)})(?!\s+\d)"
    r"|(?:in|since|during|until|by|of|back\ in)\s+(?P<year>(?:19|20)\d\d))\b",
    re.IGNORECASE,
)
_SHIFTS = {"yesterday": -1, "tomorrow": 1}
_TENSE = re.compile(
    r"\b(?:(?P<ahead>will|shall|won['’]?t|(?<=['’])ll|gonna|going\s+to|about\s+to|due|(?:plan|hope|want|intend|need|expect|like|love)s?\s+to"
    r"|let['’]?s|can|must|(?:have|has)\s+(?:to|an?|the|my|our|his|her|their)|(?:am|is|are|(?<=['’])(?:m|re|s))\s+(?:not\s+)?(?:\w+ing|on|in|at|by|until|the)|see\s+you)"
    rf"|(?P<past>was|were|did|didn['’]?t|had|been|since|\w{{2,}}(?<!e)ed|{'|'.join(sorted(PAST))}))\b",
    re.IGNORECASE,
)
"""Words that say whether a time lies ahead or behind."""
_HINT = re.compile(
    r"\d|yesterday|today|tonight|tomorrow|ago|back|last|past|this|next|coming|previous|day|week|month|year|fortnight|from\s+now|"
    + "|".join(name[:3] for name in _MONTH_NAMES),
    re.IGNORECASE,
)


_ISO = re.compile(r"\d{4}(?:-\d\d){0,2}(?:/\d{4}(?:-\d\d){0,2})?\Z")
"""A date whose year has four digits: one counted back from the first years, or on from the last, is none."""


def day_of(date: str) -> str:
    """The ISO day at the head of a date or a date with a time; "" where there is none."""
    found = re.match(r"(\d{4})-(\d\d)-(\d\d)", date)
    if not found:
        return ""
    try:
        return str(np.datetime64(found[0], "D"))
    except ValueError:
        return ""


def spoken(date: str) -> str:
    """A date as the reader says it: "7 May, 2023", "May, 2023", "2023"; days from and to are "1 May, 2023 to 7 May, 2023"."""
    if "/" in date:
        return " to ".join(spoken(each) for each in date.split("/"))
    year, *rest = date[:10].split("-")
    month = _MONTH_NAMES[int(rest[0]) - 1].title() if rest else ""
    return f"{int(rest[1])} {month}, {year}" if len(rest) > 1 else f"{month}, {year}" if month else year


def moved(day: str, days: int) -> str:
    """The ISO day so many days later."""
    return str(np.datetime64(day, "D") + days)


def weekday(day: str) -> int:
    """0 for a Monday."""
    return int((np.datetime64(day, "D").astype(int) + 3) % 7)


def dates_of(text: str, said: str) -> tuple[str, ...]:
    """The dates that a text names, in order, each once; relative ones and those without a year only where `said` is a day.

    A weekday is the last one before the day said, a month without a year the last one that has begun, as one speaks of what was; the
    next one where the verb before it, or else behind it, looks ahead ("I'll leave on Friday"). "next" and "in three days" look ahead.
    """
    if not _HINT.search(text):
        return ()
    today = day_of(said)
    tenses = [(match.start(), 1 if match["ahead"] else -1) for match in _TENSE.finditer(text)]
    found = []
    for written in dates_in(text):
        if len(written.days) == 1 and not (
            written.numbers and not _DATED.search(text, max(written.start - _NEAR, 0), written.start)
        ):
            date = _iso(written.days[0], today, _tense(tenses, written.start))
            year, _, day = written.days[0]
            kind = "day" if year and day else "yearless" if year is None else ""
            found.append(_Named(written.start, written.end, date, kind))
    taken = {at for each in found for at in range(each.start, each.end)}
    for match in _RELATIVE.finditer(text):
        start, end = match.span()
        partly = match["ago"] and _PARTLY.search(text, max(start - _NEAR, 0), start)
        if partly or not taken.isdisjoint(range(start, end)):
            continue
        side = (match["what"] or "").lower()
        kind = "yearless" if match["month"] else "weekday" if match["day"] else side if side in ("year", "week") else ""
        found.append(_Named(start, end, _resolved(match, today, _tense(tenses, start)), kind))
    return tuple(dict.fromkeys(each.date for each in _beside(text, sorted(found)) if _is_date(each.date)))


def _is_date(date: str) -> bool:
    return bool(_ISO.match(date)) and all(len(each) < _DAY or day_of(each) for each in date.split("/"))


class _Named(NamedTuple):
    """A date that words at [start, end) name. Its `kind` says what they leave to the words beside them: "yearless" the year, "weekday"
    the week, "year" and "week" all but that, "day" nothing."""

    start: int
    end: int
    date: str
    kind: str = ""


_DATED = re.compile(r"\b(?:on|by|until|till|since|from|before|after|to|due|dated)\s+(?:\w+day,?\s+)?\Z", re.IGNORECASE)
"""What stands before two numbers that are a day ("on 12/25"), and no share of something ("24/7", "10/10")."""
_PARTLY = re.compile(r"\b(?:day|night|week|month|year)s?\s+and\s+\Z", re.IGNORECASE)
"""What stands before the second half of "a year and two months ago"."""
_NEAR = 40
"""Characters before a date that are looked at."""
_BETWEEN = re.compile(r"[\s,(]*(?:(?:of|in|on|back|the)\s+)*", re.IGNORECASE)


def _beside(text: str, found: Sequence[_Named]) -> list[_Named]:
    """The dates, with two that stand beside each other and are one as that one ("in May last year", "on Tuesday last week")."""
    dates: list[_Named] = []
    for each in found:
        before = dates[-1] if dates else None
        if before and each.date and before.date and _BETWEEN.fullmatch(text, before.end, each.start):
            one = _one(before, each)
            if one is not None:
                dates[-1] = _Named(before.start, each.end, *one)
                continue
        dates.append(each)
    return dates


def _one(first: _Named, second: _Named) -> tuple[str, str] | None:
    """The date and kind of two dates that are one; None where they are two."""
    held = {first.kind: first.date, second.kind: second.date}
    match sorted(held):
        case ["year", "yearless"]:
            return _in_year(held["yearless"], held["year"]), ""
        case ["week", "weekday"]:
            return moved(held["week"][:10], weekday(held["weekday"])), "day"
        case ["weekday", "yearless"] if len(held["yearless"]) == _DAY:
            return held["yearless"], "yearless"
        case ["day", "weekday"]:
            return held["day"], "day"
    return None


_DAY = 10
"""Characters of an ISO day."""


def _in_year(date: str, year: str) -> str:
    """The same day or month of another year; "" where that has no such day."""
    moved_there = year + date[4:]
    return moved_there if len(moved_there) < _DAY or day_of(moved_there) else ""


def _tense(tenses: Sequence[tuple[int, int]], at: int) -> int:
    """1 where the verb nearest before a place looks ahead, -1 where it looks back; else that of the first verb behind it, else 0."""
    place = bisect_left(tenses, (at,))
    return tenses[place - 1][1] if place else tenses[0][1] if tenses else 0


def _iso(day: tuple[int | None, int, int | None], today: str, tense: int = 0) -> str:
    year, month, date = day
    if year is None:
        if not today:
            return ""
        now, number = int(today[5:7]), int(today[8:10])
        year = int(today[:4])
        if tense > 0:
            year += month < now or (month == now and date is not None and date < number)
        else:
            year -= month > now or (tense < 0 and month == now and date is not None and date > number)
        while date and 0 < year < _LAST_YEAR and not day_of(f"{year:04}-{month:02}-{date:02}"):
            year += 1 if tense > 0 else -1  # the 29th of February
    return f"{year:04}-{month:02}" + (f"-{date:02}" if date else "")


_LAST_YEAR = 9999


def _resolved(match: re.Match[str], today: str, tense: int) -> str:
    parts = {name: value.lower() for name, value in match.groupdict().items() if value}
    if not tense and match[0].lower().startswith(("by ", "until ")):
        tense = 1
    if "year" in parts:
        return parts["year"]
    if not today:
        return ""
    if "month" in parts:
        return _iso((None, MONTHS[parts["month"]], None), today, tense)
    if "day" in parts:
        day = _DAYS.index(parts["day"])
        return _after(today, day) if tense > 0 else _before(today, day)
    if "date" in parts:
        return _numbered(today, int(parts["date"][:-2]), parts.get("whose", ""), tense)
    if "numbered" in parts:
        return _numbered(today, int(parts["numbered"][:-2]), "", tense, _DAYS.index(parts["weekday"]))
    if "beyond" in parts:
        return moved(today, -2 if parts["beyond"].startswith("before") else 2)
    if parts.get("skipped") in _DAYS:
        day = _DAYS.index(parts["skipped"])
        return moved(_before(today, day), -7) if parts["over"].startswith("before") else moved(_after(today, day), 7)
    if "skipped" in parts:
        return _away(today, parts["skipped"], -2 if parts["over"].startswith("before") else 2)
    if "word" in parts:
        return moved(today, _SHIFTS.get(parts["word"], 0))
    if "ago" in parts:
        return _ago(today, parts)
    if "ahead" in parts:
        return _away(today, parts["in"], _number(parts["ahead"]))
    if "later" in parts:
        return _away(today, parts["then"], _number(parts["later"]))
    return _sided(today, parts["side"], parts["what"], tense)


def _number(word: str) -> float:
    return _NUMBERS[" ".join(word.split())] if not word.isdigit() else int(word)


def _ago(today: str, parts: Mapping[str, str]) -> str:
    """So long ago; where a day is named with it ("a week ago on Tuesday", "two years ago today"), that day."""
    unit, much = parts["unit"], _number(parts["count"])
    away = _away(today, unit, -much)
    if "exact" in parts:
        if unit in ("week", "fortnight"):
            away = moved(today, -int(much) * (7 if unit == "week" else 14)) if away else ""
        elif unit in ("month", "year") and away:
            away = day_of(f"{_month(today, -int(much * (12 if unit == 'year' else 1)))}{today[7:]}") or away
        return moved(away, -1) if len(away) == _DAY and parts["exact"] == "yesterday" else away
    named = parts.get("first") or parts.get("then_on")
    return moved(away[:10], _DAYS.index(named)) if named and away and unit in ("week", "fortnight") else away


def _numbered(today: str, date: int, whose: str, tense: int, on: int | None = None) -> str:
    """A day of a month that is named by its number alone, or with the weekday that it is."""
    number, step = int(today[8:10]), 1 if tense > 0 else -1
    if whose:
        return day_of(f"{_month(today, {'last': -1, 'this': 0, 'next': 1}[whose])}-{date:02}")
    nearest = step * int(date < number if tense > 0 else date > number)
    days = (day_of(f"{_month(today, nearest + step * further)}-{date:02}") for further in range(_YEAR))
    return next((day for day in days if day and on in (None, weekday(day))), "")


_YEAR = 12


def _before(today: str, day: int) -> str:
    """The last such weekday before today."""
    return moved(today, -((weekday(today) - day - 1) % 7 + 1))


def _after(today: str, day: int) -> str:
    """The next such weekday behind today."""
    return moved(today, (day - weekday(today) - 1) % 7 + 1)


def _month(today: str, months: int) -> str:
    return str(np.datetime64(today[:7], "M") + months)


def _away(today: str, unit: str, much: float) -> str:
    if unit == "year" and much % 1:
        return _month(today, int(12 * much))
    count = int(much)
    if count != much:
        return ""
    if unit == "fortnight":
        return _week(today, 2 * count)
    if unit in ("day", "night"):
        return moved(today, count)
    if unit == "month":
        return _month(today, count)
    if unit == "year":
        return f"{int(today[:4]) + count:04}" if 0 < int(today[:4]) + count < 10_000 else ""
    return _week(today, count) if unit == "week" else _weekend(today, count)


def _week(today: str, weeks: int) -> str:
    monday = moved(today, 7 * weeks - weekday(today))
    return f"{monday}/{moved(monday, 6)}"


def _weekend(today: str, weekends: int) -> str:
    saturday = moved(today, 5 - weekday(today) + 7 * weekends)
    return f"{saturday}/{moved(saturday, 1)}"


def _sided(today: str, side: str, what: str, tense: int) -> str:
    sign = -1 if side in ("last", "past", "previous") else 0 if side == "this" else 1
    if what in _DAYS:
        day = _DAYS.index(what)
        if sign < 0:
            return _before(today, day)
        if sign == 0 and tense < 0:
            return moved(today, -((weekday(today) - day) % 7))
        return moved(today, (day - weekday(today)) % 7) if sign == 0 else _after(today, day)
    if what in _MONTH_NAMES:
        month = MONTHS[what]
        now = int(today[5:7])
        year = int(today[:4]) + (sign > 0 and month <= now) - (sign < 0 and month >= now)
        return f"{year:04}-{month:02}"
    return _away(today, what, sign)
