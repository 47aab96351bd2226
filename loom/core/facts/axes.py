"""What positions are counted in, as the bases declare it: the words beside a number that make it a position, and how far they reach."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from loom.core.facts.values import Attribute

GLUE = r"[ \u00a0\u2007\u2009\u202f*_`\\-]{0,6}"
"""What may stand between a number and its unit: spaces, a hyphen, emphasis."""

_CLOCK_SIGNS = (("h", 3600), ("min", 60), ("sec", 1), ("s", 1), ("′", 60), ("″", 1))
_CLOCK = re.compile(
    r"(?<![\w:.,])(?:(?P<hours>\d{1,6}):(?=\d{1,2}:))?(?P<minutes>\d{1,6}):(?P<seconds>[0-5]\d)"
    r"(?:[.,](?P<part>\d{1,9}))?(?![\w:]|[.,]\d)(?:\s?(?P<half>[ap])\.?m\b\.?)?",
    re.IGNORECASE,
)
_HALF_DAY = re.compile(r"(?<![\w:.,])(?P<hours>1[0-2]|0?[1-9])\s?(?P<half>[ap])\.?m\b\.?", re.IGNORECASE)
_SHORT = re.compile(
    r"(?<![\w:.,])(?:(?P<hours>\d{1,3})\s?h\s?)?(?P<minutes>\d{1,4})\s?(?:m|min|'|′)\s?(?P<seconds>[0-5]?\d)\s?(?:s|sec|\"|″|'')(?!\w)"
)
_HOURS = re.compile(r"(?<![\w:.,])(?P<hours>\d{1,3})\s?[hH]\s?(?P<minutes>[0-5]\d)(?P<told>\s?(?:m|min))?(?!\w)")


@dataclass(frozen=True, slots=True)
class Axes:
    """The axes of some attributes. `words` are (word in lower case, axis, units); `clocked` are axes that a clock reads."""

    words: tuple[tuple[str, str, Decimal], ...] = ()
    clocked: tuple[str, ...] = ()
    before: re.Pattern[str] | None = None
    behind: re.Pattern[str] | None = None

    def named(self, word: str) -> Iterator[tuple[str, Decimal]]:
        """The axes that a word is of, with how many units it stands for."""
        folded = word.casefold()
        for known, axis, units in self.words:
            if known == folded:
                yield axis, units


@dataclass(frozen=True, slots=True)
class Time:
    """A clock's text at [start, end); `units` as mm:ss or h:mm:ss counts them; `lasts` is as a length counts them, where that is
    another number (3h33 is 3:33 of the day, and 12,780 seconds)."""

    start: int
    end: int
    units: Decimal
    lasts: Decimal | None = None


def axes_of(attributes: Sequence[Attribute]) -> Axes:
    """The axes of attributes; two that share a unit share an axis. Units that are no number are left out."""
    words: dict[tuple[str, str], Decimal] = {}
    clocked: dict[str, None] = {}
    for each in attributes:
        axis = each.unit or each.name
        own: Iterable[tuple[str, str | int]] = [(each.name, 1), (each.unit, 1), *each.words]
        if each.clock:
            clocked[axis] = None
            own = [*own, *_CLOCK_SIGNS]
        for word, units in own:
            try:
                value = Decimal(str(units))
            except InvalidOperation:
                continue
            if word.strip() and value > 0:
                words.setdefault((word.strip().casefold(), axis), value)
    if not words:
        return Axes(clocked=tuple(clocked))
    longest = sorted({word for word, _ in words}, key=lambda word: (-len(word), word))
    any_of = "|".join(map(re.escape, longest))
    any_behind = "|".join(re.escape(word) + (r"(?!\w)" if _spaced(word) else "") for word in longest)
    return Axes(
        tuple((word, axis, units) for (word, axis), units in words.items()),
        tuple(clocked),
        re.compile(rf"(?<!\w)(?P<word>{any_of})[.:]?[ \u00a0\u202f*_`#\[(-]{{1,4}}\Z", re.IGNORECASE),
        re.compile(rf"(?:st|nd|rd|th|º|ª|°|esimo)?{GLUE}(?P<word>{any_behind})", re.IGNORECASE),
    )


def times_in(text: str, axes: Axes) -> Iterator[Time]:
    """Clock times of a text: mm:ss, h:mm:ss, hours of half a day; where an axis has a clock, "2m26s" and its like."""
    for match in _CLOCK.finditer(text):
        parts = match.groupdict()
        units = Decimal(f"{int(parts['minutes']) * 60 + int(parts['seconds'])}.{parts['part'] or '0'}")
        if parts["half"] and not parts["hours"]:
            units = Decimal(_hour(int(parts["minutes"]), parts["half"]) * 60 + int(parts["seconds"]))
        yield Time(match.start(), match.end(), units + int(parts["hours"] or 0) * 3600)
    for match in _HALF_DAY.finditer(text):
        yield Time(match.start(), match.end(), Decimal(_hour(int(match["hours"]), match["half"]) * 60))
    if axes.clocked:
        for match in _SHORT.finditer(text):
            seconds = int(match["hours"] or 0) * 3600 + int(match["minutes"]) * 60 + int(match["seconds"])
            yield Time(match.start(), match.end(), Decimal(seconds))
    for match in _HOURS.finditer(text):
        hours, minutes = int(match["hours"]), int(match["minutes"])
        lasts = Decimal(hours * 3600 + minutes * 60)
        yield Time(match.start(), match.end(), lasts if match["told"] else Decimal(hours * 60 + minutes), lasts)


def _spaced(word: str) -> bool:
    """Whether a word ends in a letter of a script with capitals, and so of one that sets words apart."""
    return word[-1:].lower() != word[-1:].upper()


def _hour(hour: int, half: str) -> int:
    return hour % 12 + (12 if half in "pP" else 0)
