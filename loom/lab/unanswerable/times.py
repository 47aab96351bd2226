"""When something happened: how it is said on a day, and how a question names it."""

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

MONTHS = "January February March April May June July August September October November December".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
SEASONS = ("winter", "spring", "summer", "autumn")
DAY, MONTH, YEAR = "day", "month", "year"
_COUNTS = {2: "two", 3: "three", 4: "four", 5: "five"}


@dataclass(frozen=True, slots=True)
class Time:
    """A day that lies in when it happened, and how exactly that is known (DAY, MONTH or YEAR)."""

    at: date
    grain: str

    @property
    def season(self) -> str:
        return SEASONS[self.at.month % 12 // 3]


def told(random: Random, session: date) -> tuple[Time, str]:
    """A time at or before a session (held between the 12th and the 27th of a month), and its words as they are said in it, with
    a space before; "" where none are said."""
    back = random.choice((2, 3, 4, 5))
    weekday = random.randrange(7)
    before = session - timedelta((session.weekday() - weekday - 1) % 7 + 1)
    earlier = _months(session, -random.choice((1, 2, 3)))
    choices = (
        (Time(session, MONTH), ""),
        (Time(session, MONTH), ""),
        (Time(session - timedelta(1), DAY), " yesterday"),
        (Time(session - timedelta(back), DAY), f" {_COUNTS[back]} days ago"),
        (Time(before, DAY), f" on {DAYS[weekday]}"),
        (Time(before, DAY), f" last {DAYS[weekday]}"),
        (Time(session - timedelta(7), MONTH), " last week" if session.day > 20 else " this month"),
        (Time(_months(session, -1), MONTH), " last month"),
        (Time(earlier, MONTH), f" in {MONTHS[earlier.month - 1]}" + (f" {earlier.year}" if earlier.year != session.year else "")),
        (Time(earlier, DAY), f" on {_ordinal(earlier.day)} {MONTHS[earlier.month - 1]}" + (f" {earlier.year}" if earlier.year != session.year else "")),
        (Time(date(session.year - random.randrange(3, 12), 6, 15), YEAR), ""),
    )  # fmt: skip
    time, words = random.choice(choices)
    return time, words or (f" back in {time.at.year}" if time.grain == YEAR else "")


def asked(form: str, at: date) -> str:
    """A time as a question names it, with a space before; `form` is one of those of `forms`."""
    month = MONTHS[at.month - 1]
    if form == "day":
        return f" on {at.day} {month} {at.year}"
    if form == "american":
        return f" on {month} {at.day}, {at.year}"
    if form == "month":
        return f" in {month} {at.year}"
    if form == "season":
        season = SEASONS[at.month % 12 // 3]
        return f" in the {season} of {at.year + (season == 'winter' and at.month == 12)}"
    return f" in {at.year}"


def forms(time: Time) -> tuple[str, ...]:
    """How a question may name a time that is known so exactly."""
    if time.grain == YEAR:
        return ("year",)
    return ("day", "american", "month", "month", "season") if time.grain == DAY else ("month", "month", "season")


def apart(form: str, one: date, other: date) -> bool:
    """Whether two times are told apart, with room, by a question of this form."""
    if form == "year":
        return abs(one.year - other.year) >= 2
    if form == "season":
        return asked(form, one) != asked(form, other) and abs((one - other).days) > 60
    return abs((one - other).days) > (20 if form in ("day", "american") else 60)


def _months(day: date, months: int) -> date:
    number = day.year * 12 + day.month - 1 + months
    return date(number // 12, number % 12 + 1, min(day.day, 28))


def _ordinal(day: int) -> str:
    ending = "th" if 10 < day % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"
