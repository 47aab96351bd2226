"""Dates that a sentence names, resolved against the day on which it was said.

A date is ISO text: a day ("2023-05-07"), a month ("2023-05"), a year ("2023"), or days from and to ("2023-05-01/2023-05-07").
"""

import re

import numpy as np

from loom.core.facts.dates import MONTHS, dates_in

_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "couple": 2, "three": 3, "few": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_MONTH_NAMES = "january february march april may june july august september october november december".split()
_UNIT = r"(?P<unit>day|night|week|weekend|month|year)s?"
_COUNT = r"(?P<count>\d{1,3}|" + "|".join(_NUMBERS) + r")(?:\s+of)?"
_RELATIVE = re.compile(
    rf"\b(?:(?:a\s+)?{_COUNT}\s+{_UNIT}\s+(?P<ago>ago|back|before\ that)"
    rf"|in\s+{_COUNT.replace('count', 'ahead')}\s+{_UNIT.replace('unit', 'in')}"
    r"|(?P<side>last|past|this|next|coming|previous)\s+"
    rf"(?P<what>night|week|weekend|month|year|{'|'.join(_DAYS)}|{'|'.join(_MONTH_NAMES)})"
    r"|(?P<word>yesterday|today|tonight|tomorrow|this\ morning|this\ afternoon|this\ evening)"
    rf"|(?:on|since|until|by)\s+(?P<day>{'|'.join(_DAYS)})"
    rf"|(?:in|since|during|until|by|of|early|late|mid)[\s-]+(?P<month>{'|'.join(_MONTH_NAMES)})(?!\s+\d)"
    r"|(?:in|since|during|until|by|of|back\ in)\s+(?P<year>(?:19|20)\d\d))\b",
    re.IGNORECASE,
)
_SHIFTS = {"yesterday": -1, "tomorrow": 1}
_HINT = re.compile(
    r"\d|yesterday|today|tonight|tomorrow|ago|last|past|this|next|coming|previous|day|"
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

    A weekday is the last one before the day said, a month without a year the last one that has begun, as one speaks of what was;
    "next" and "in three days" look ahead.
    """
    if not _HINT.search(text):
        return ()
    today = day_of(said)
    found = [(written.start, _iso(written.days[0], today)) for written in dates_in(text) if len(written.days) == 1]
    found += [(match.start(), _resolved(match, today)) for match in _RELATIVE.finditer(text)]
    return tuple(dict.fromkeys(date for _, date in sorted(found) if _ISO.match(date)))


def _iso(day: tuple[int | None, int, int | None], today: str) -> str:
    year, month, date = day
    if year is None:
        if not today:
            return ""
        year = int(today[:4]) - (month > int(today[5:7]))
    return f"{year:04}-{month:02}" + (f"-{date:02}" if date else "")


def _resolved(match: re.Match[str], today: str) -> str:
    parts = {name: value.lower() for name, value in match.groupdict().items() if value}
    if "year" in parts:
        return parts["year"]
    if not today:
        return ""
    if "month" in parts:
        return _iso((None, MONTHS[parts["month"]], None), today)
    if "day" in parts:
        return _before(today, _DAYS.index(parts["day"]))
    if "word" in parts:
        return moved(today, _SHIFTS.get(parts["word"], 0))
    if "ago" in parts:
        return _away(today, parts["unit"], -_number(parts["count"]))
    if "ahead" in parts:
        return _away(today, parts["in"], _number(parts["ahead"]))
    return _sided(today, parts["side"], parts["what"])


def _number(word: str) -> int:
    return _NUMBERS[word] if word in _NUMBERS else int(word)


def _before(today: str, day: int) -> str:
    """The last such weekday before today."""
    return moved(today, -((weekday(today) - day - 1) % 7 + 1))


def _month(today: str, months: int) -> str:
    return str(np.datetime64(today[:7], "M") + months)


def _away(today: str, unit: str, count: int) -> str:
    if unit in ("day", "night"):
        return moved(today, count)
    if unit == "month":
        return _month(today, count)
    if unit == "year":
        return f"{int(today[:4]) + count:04}"
    return _week(today, count) if unit == "week" else _weekend(today, count)


def _week(today: str, weeks: int) -> str:
    monday = moved(today, 7 * weeks - weekday(today))
    return f"{monday}/{moved(monday, 6)}"


def _weekend(today: str, weekends: int) -> str:
    saturday = moved(today, 5 - weekday(today) + 7 * weekends)
    return f"{saturday}/{moved(saturday, 1)}"


def _sided(today: str, side: str, what: str) -> str:
    sign = -1 if side in ("last", "past", "previous") else 0 if side == "this" else 1
    if what in _DAYS:
        day = _DAYS.index(what)
        if sign < 0:
            return _before(today, day)
        return moved(today, (day - weekday(today)) % 7 if sign == 0 else (day - weekday(today) - 1) % 7 + 1)
    if what in _MONTH_NAMES:
        month = MONTHS[what]
        now = int(today[5:7])
        year = int(today[:4]) + (sign > 0 and month <= now) - (sign < 0 and month >= now)
        return f"{year:04}-{month:02}"
    return _away(today, what, sign)
