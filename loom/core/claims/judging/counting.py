"""Numbers of a proposition: how many of what, with the range that words such as "at least" leave open."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from loom.core.claims.judging.lexicon import TIMES, canon
from loom.core.facts.figures import NUMBER, PERCENT
from loom.core.facts.scanning import figures_in
from loom.core.facts.words_of_number import spelled
from loom.core.memory.words import Word

ABOUT = Decimal("0.1")
"""How far "about 200" reaches, as a part of it."""

_BOUND = re.compile(
    r"\b(?:(?P<least>more\s+than|at\s+least|over|above|(?:a\s+)?minimum\s+of|from|no\s+(?:fewer|less)\s+than)"
    r"|(?P<most>(?:no\s+|not\s+)more\s+than|less\s+than|fewer\s+than|at\s+most|under|below|(?:a\s+)?maximum\s+of|up\s+to|within)"
    r"|(?P<near>about|around|roughly|nearly|almost|approximately|some|circa))\s*[$€£]?\s*\Z",
    re.IGNORECASE,
)
_REACH = 24
"""Characters before a number in which its bound stands."""
_TIMES_WORDS = {"once": 1, "twice": 2, "thrice": 3}
_NO_NUMBERS = frozenset({"one", "due"})
"""Words that may be numbers (the second in Italian) and mostly are none."""
_BETWEEN = frozenset("of the these those our their its such more".split())
_MONEY = {"$": "dollar", "€": "euro", "£": "pound"}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of something, as the range [low, high] that it leaves open; None is no bound. `unit` is the canonical term behind it,
    "%" for a percentage, "dollar" and the like for money."""

    low: Decimal | None
    high: Decimal | None
    unit: str

    def meets(self, other: "Quantity") -> bool:
        """Whether one number can be both."""
        below = self.low is not None and other.high is not None and other.high < self.low
        above = self.high is not None and other.low is not None and other.low > self.high
        return not below and not above

    def within(self, other: "Quantity") -> bool:
        """Whether every number that this leaves open is one that the other leaves open."""
        low = other.low is None or (self.low is not None and self.low >= other.low)
        high = other.high is None or (self.high is not None and self.high <= other.high)
        return low and high


def quantities_in(
    text: str, words: Sequence[Word], dated: Sequence[tuple[int, int]]
) -> tuple[list[tuple[int, int]], list[Quantity]]:
    """Where numbers stand, with the words that bound them, and what they count; what is part of a date is none."""
    found: list[tuple[int, int, Decimal, str]] = []
    for figure in figures_in(text):
        reading = next((each for each in figure.readings if each.kind in (NUMBER, PERCENT)), None)
        if reading is not None and not figure.mark:
            unit = "%" if reading.kind == PERCENT else _MONEY.get(text[: figure.first].rstrip()[-1:], "")
            found.append((figure.first, figure.last, reading.value, unit))
    for number in spelled(text):
        ordinary = text[number.start : number.end].casefold() in _NO_NUMBERS
        if not ordinary and not any(start <= number.start < end for start, end, _, _ in found):
            found.append((number.start, number.end, number.value, ""))
    for word in words:
        if word.form in _TIMES_WORDS:
            found.append((word.start, word.end, Decimal(_TIMES_WORDS[word.form]), "time"))
    places: list[tuple[int, int]] = []
    made: list[Quantity] = []
    for start, end, value, unit in sorted(found):
        if any(first <= start < last for first, last in dated):
            continue
        bound = _BOUND.search(text, max(0, start - _REACH), start)
        places.append((bound.start() if bound else start, end))
        made.append(_bounded(bound, value, unit or _unit(words, end)))
    return places, made


def _unit(words: Sequence[Word], end: int) -> str:
    """The canonical term of the next word that carries something; words such as "of the" may stand between."""
    for word in [word for word in words if word.start >= end][:4]:
        if word.form in TIMES:
            return word.form.removesuffix("s")
        if found := canon(word.form):
            return found
        if word.form not in _BETWEEN:
            return ""
    return ""


def _bounded(bound: re.Match[str] | None, value: Decimal, unit: str) -> Quantity:
    if bound is None:
        return Quantity(value, value, unit)
    if bound["least"]:
        return Quantity(value, None, unit)
    if bound["most"]:
        return Quantity(None, value, unit)
    return Quantity(value - abs(value) * ABOUT, value + abs(value) * ABOUT, unit)
