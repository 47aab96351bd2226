"""Numbers, percentages, positions and dates in the formats that people and models write them in."""

import random
from collections.abc import Callable
from datetime import date
from decimal import Decimal

from loom.core.facts.values import Attribute

SECONDS = Attribute(
    "second",
    "s",
    tuple(
        (word, units)
        for units, words in (("1", "second seconds secondo secondi"), ("60", "minute minutes minuto minuti"))
        for word in words.split()
    ),
    clock=True,
)
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
ENGLISH = "January February March April May June July August September October November December".split()
ITALIAN = "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre".split()


def grouped(number: Decimal, group: str, mark: str) -> str:
    """With groups of three, whichever signs a locale takes for it."""
    return f"{number:,f}".replace(",", "\x00").replace(".", mark).replace("\x00", group)


NUMBERS: tuple[Callable[[Decimal], str], ...] = (
    lambda n: f"{n:f}",
    lambda n: f"{n:f}".replace(".", ","),
    lambda n: grouped(n, ",", "."),
    lambda n: grouped(n, ".", ","),
    lambda n: grouped(n, " ", ","),
    lambda n: grouped(n, "\u00a0", ","),
    lambda n: grouped(n, "\u202f", ","),
    lambda n: grouped(n, "'", "."),
    lambda n: grouped(n, "’", "."),
    lambda n: f"{n:e}",
    lambda n: "{} × 10^{}".format(*f"{n:e}".replace("e+", "e").split("e")),
    lambda n: "{}·10{}".format(f"{n:e}".split("e")[0], f"{n:e}".replace("e+", "e").split("e")[1].translate(SUPERSCRIPTS)),
    lambda n: f"**{n:f}**",
    lambda n: f"`{n:f}`",
    lambda n: f"{n:f}0" if "." in f"{n:f}" else f"{n:f}.0",
)
PERCENTS = ("%", " %", "\u00a0%", " percent", " per cent", " per cento", " pct", "** %", "\\%")


def clocks(second: int) -> tuple[str, ...]:
    """A position in seconds as texts say it."""
    minutes, rest = divmod(second, 60)
    hours, left = divmod(minutes, 60)
    short = (
        f"second {second}",
        f"{second} seconds",
        f"{second} s",
        f"il secondo {second}",
        f"the {second}th second",
        f"[{minutes:02d}:{rest:02d}]",
        f"{minutes}:{rest:02d}",
        f"{hours}:{left:02d}:{rest:02d}",
        f"{hours:02d}:{left:02d}:{rest:02d},000",
    )
    both = (
        f"{minutes} minutes and {rest} seconds",
        f"minute {minutes} and {rest} seconds",
        f"{minutes} minuti e {rest} secondi",
        f"{minutes}m{rest:02d}s",
        f"{minutes} min {rest} s",
    )
    return (*short, *(both if minutes and rest else ()))


def dates(day: date) -> tuple[str, ...]:
    english, italian = ENGLISH[day.month - 1], ITALIAN[day.month - 1]
    return (
        day.isoformat(),
        f"{day.year}/{day.month:02d}/{day.day:02d}",
        f"{day.day} {english} {day.year}",
        f"{day.day} {english[:3]} {day.year}",
        f"{english} {day.day}, {day.year}",
        f"{day.day}th of {english} {day.year}",
        f"{day.day} {italian} {day.year}",
        f"{day.day}º {italian} {day.year}",
        f"{day.day}/{day.month}/{day.year}",
        f"{day.month:02d}/{day.day:02d}/{day.year}",
        f"{day.day}.{day.month}.{day.year}",
        f"{day.day}/{day.month}",
        f"{day.day} {english}",
        f"{english} {day.year}",
        f"in {day.year}",
    )


def drawn(draw: random.Random) -> Decimal:
    """A number as series hold them: whole or with decimals, small or large."""
    return Decimal(draw.randrange(13, 10 ** draw.choice((2, 3, 4, 7)) + 13)).scaleb(-draw.choice((0, 0, 1, 2, 3)))
