"""The numbers that a question says, in digits and in words, for its positions."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from loom.core.facts.numerals import position_of
from loom.core.facts.words_of_number import HALF, ranked, spelled

_NUMBER = re.compile(
    r"(?<![\w:.,])(?P<digits>[0-9]{1,12}(?:[.,][0-9]{1,9}){0,4})(?:(?P<power>[eE][-+]?[0-9]{1,3})(?![\w.,]))?(?P<suffix>st|nd|rd|th|º|ª|°|er|ère|e|ème|o|a|\.(?=\s\w))?(?![0-9:⁄]|[eE][-+]?[0-9])"
)
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?")
MOST_POWER = 12
"""Powers of ten beyond which a number is no position."""
_NEGATIVE = re.compile(r"(?:^|[^\d\s]\s|\()[-–−]$")


@dataclass(frozen=True, slots=True)
class Said:
    """A number at [start, end), in digits or in words; `rank` says that it tells which one ("the third")."""

    start: int
    end: int
    value: Decimal
    worded: bool = False
    rank: bool = False


def numbers_in(text: str, language: str) -> Iterator[Said]:
    """The numbers of a text in order, in digits and in words, each with the sign that it has."""
    found = list(in_words(text))
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        number = _number(match["digits"], language)
        if number is not None and match["power"]:
            number = number.scaleb(int(match["power"][1:])) if abs(int(match["power"][1:])) <= MOST_POWER else None
        if number is not None and negative(text, start):
            start, number = start - 1, -number
        if number is not None:
            found.append(Said(start, end, number))
    for said in sorted(found, key=lambda said: said.start):
        half = None if said.rank else HALF.match(text, said.end)
        yield replace(said, end=half.end(), value=said.value + Decimal("0.5")) if half else said


def negative(text: str, start: int) -> bool:
    """Whether a number that begins at a place has a sign, which no dash between two numbers is."""
    return _NEGATIVE.search(text[max(0, start - 3) : start]) is not None


def in_words(text: str) -> Iterator[Said]:
    """The numbers that a text writes out, and what tells which one. A hyphen behind one goes on ("thirty-second")."""
    ranks = [(one.start, one.end) for one in ranked(text)]
    for one in ranked(text):
        yield Said(one.start, one.end, one.value, worded=True, rank=True)
    for one in spelled(text):
        if text[one.end : one.end + 1] != "-" and not overlaps(ranks, one.start, one.end):
            yield Said(one.start, one.end, one.value, worded=True)


def _number(digits: str, language: str) -> Decimal | None:
    """Groups of three are set off by commas in English, by points elsewhere; otherwise either mark sets off decimals."""
    group, mark = (",", ".") if language in ("en", "") else (".", ",")
    if _GROUPED.fullmatch(digits) and group in digits:
        return position_of(digits.replace(group, "").replace(mark, "."))
    return position_of(digits.replace(",", ".")) if digits.count(",") + digits.count(".") <= 1 else None


def overlaps(places: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether a stretch overlaps one of others, which stand in order and apart."""
    at = bisect_left(places, end, key=lambda one: one[0])
    return at > 0 and start < places[at - 1][1]
