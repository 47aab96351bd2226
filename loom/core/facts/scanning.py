"""Reading the figures of a text, in order."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal

from loom.core.facts.asides import ORDINAL, ORDINAL_END, marks_in, unread
from loom.core.facts.axes import GLUE, Axes, times_in
from loom.core.facts.dates import UNTIL_DATE, dates_in
from loom.core.facts.figures import CLOCK, DATE, NUMBER, PERCENT, POSITION, Figure, Reading
from loom.core.facts.numerals import ROUNDING
from loom.core.facts.words_of_number import HALF, SMALL, ranked, spelled
from loom.core.facts.written import NUMERAL, mark_of, plainly, power_of, values_of, vulgar_of

_POINTS = r"percentage[ -]points?|percent[ -]points?|per\s?cent\s+points?|punt[oi]\s+percentual[ei]|p\.p\.|pp(?!\w)"
_PERCENT = r"%|(?:percent|per\s?cento?|percento|pct|prozent|pour\s?cent|por\s?ciento)(?!\w)"
_PERMILLE = r"‰|(?:per\s?mille?|promille|pour\s?mille|por\s?mil)(?!\w)"
_UNIT = re.compile(rf"{GLUE}(?:(?P<points>{_POINTS})|(?P<permille>{_PERMILLE})|(?P<percent>{_PERCENT}))", re.IGNORECASE)
_MINUS = re.compile(r"(?<!\w)(?<!\bo )(?<!\bou )(?<!\bplus )(?:minus|negative|meno|moins|menos)[ \u00a0]\Z", re.IGNORECASE)
"""A sign in words; "più o meno" and its like are none."""
_CODES = frozenset(
    "EUR USD GBP CHF JPY CNY RMB INR AUD CAD NZD SEK NOK DKK ISK PLN CZK HUF RON BGN TRY BRL MXN ARS CLP COP ZAR NGN KRW ILS AED SAR"
    " SGD HKD TWD THB IDR MYR PHP VND RUB UAH".split()
)
"""Currencies, whose codes may stand right before a number (ISO 4217)."""
_SCALE = re.compile(
    rf"{GLUE}(?:(?P<billion>billions?|bl?n|miliard[oi]|mld|mrd|milliarden?|milliards?|mil\s+millones)"
    r"|(?P<million>millions?|milion[ei]|ml[nj]|mio|mill|millionen|mill[oó]n|millones)"
    r"|(?P<thousand>thousand|mila?|mille|tausend|tsd|milliers)"
    r"|(?P<trillion>trillions?|bilion[ei]|billionen|billones)|(?P<hundred>hundred)|(?P<lakh>lakhs?|lacs?)|(?P<crore>crores?))(?!\w)",
    re.IGNORECASE,
)
_POWERS = {"hundred": 2, "thousand": 3, "lakh": 5, "million": 6, "crore": 7, "billion": 9, "trillion": 12}
_LETTER = re.compile(r"(?P<letter>[kKMB])(?!\w)")
_LETTERS = {"k": 3, "K": 3, "M": 6, "B": 9}
"""K and B may be units too (kelvin, bytes); k and M behind a number are not."""
_RANGE = re.compile(r"\s?(?:-|–|—|to|and|until|through|a|e|ed|al|fino\s+a|bis|und)\s?", re.IGNORECASE)
_JOIN = re.compile(r"\s?,?\s?(?:(?:and|e|ed|und)\s)?\s?", re.IGNORECASE)
_NAMED = 3
"""Digits behind a letter, as in B12 and COVID-19, that belong to a name."""


def figures_in(text: str, axes: Axes = Axes(), *, shown: bool = False) -> tuple[Figure, ...]:  # noqa: B008 - frozen
    """The figures of a text by where they begin. `shown` says that it is evidence: there code and list marks count too."""
    text = plainly(text)
    blank = _Blank(text)
    if not shown:
        for start, end in unread(text):
            blank.take(start, end)
    marks = () if shown else tuple(marks_in(blank.text))
    found: list[Figure] = []
    for start, end, mark in marks:
        if mark == ORDINAL or text[start] in "[【":
            for each in re.finditer(r"\d+", text[start:end]):
                at = start + each.start()
                last = start + each.end()
                found.append(Figure(at, last, at, last, (Reading(NUMBER, Decimal(each.group())),), mark=mark))
            blank.take(start, end)
    for date in dates_in(blank.text):
        readings = tuple(Reading(DATE, day=day) for day in date.days)
        numbers = tuple(map(Decimal, date.numbers))
        found.append(Figure(date.start, date.end, date.start, date.end, readings, parts=numbers))
        blank.take(date.start, date.end)
    for time in times_in(blank.text, axes):
        if blank.free(time.start, time.end):
            positions = [Reading(POSITION, time.units if time.lasts is None else time.lasts, axis) for axis in axes.clocked]
            found.append(Figure(time.start, time.end, time.start, time.end, (Reading(CLOCK, time.units), *positions)))
            blank.take(time.start, time.end)
    found += _numerals(text, blank.text, axes, marks, shown)
    found.sort(key=lambda each: each.start)
    return tuple(_ranges(text, _joined(text, found)))


class _Blank:
    """A text in which what has been read is blanked out, so that every place stays where it is."""

    def __init__(self, text: str) -> None:
        self._letters = list(text)
        self._text: str | None = text

    @property
    def text(self) -> str:
        if self._text is None:
            self._text = "".join(self._letters)
        return self._text

    def take(self, start: int, end: int) -> None:
        self._letters[start:end] = "\x00" * (end - start)
        self._text = None

    def free(self, start: int, end: int) -> bool:
        return "\x00" not in self._letters[start:end]


def _numerals(text: str, blank: str, axes: Axes, marks: Sequence[tuple[int, int, str]], shown: bool) -> list[Figure]:
    matches = list(NUMERAL.finditer(blank))
    lines = [at for at, letter in enumerate(text) if letter == "\n"] if shown else []
    bodies: dict[int, list[str]] = {}
    for match in matches if shown else ():
        bodies.setdefault(bisect_right(lines, match.start()), []).append(match["body"])
    decimal = {line: mark_of(each) for line, each in bodies.items()}
    throughout = mark_of([body for each in bodies.values() for body in each])
    marked = {start: mark for start, _, mark in marks}
    found = []
    for match in matches:
        figure = _numeral(text, match, axes, decimal.get(bisect_right(lines, match.start())) or throughout)
        if figure is not None:
            mark = marked.get(match.start("body"))
            found.append(replace(figure, mark=mark) if mark else figure)
    taken = {at for each in found for at in range(each.start, each.last)}
    for word in spelled(blank):
        figure = _with_unit(text, word.start, word.end, [word.value], (), axes, before=False)
        beside = figure.last > figure.end
        if word.start not in taken and (beside or shown or word.value > SMALL):
            found.append(replace(_signed(text, figure), worded=True))
    for word in ranked(blank) if axes.behind else ():
        figure = _with_unit(text, word.start, word.end, [word.value], (), axes, before=False)
        if figure.kind == POSITION:
            found = [each for each in found if not word.start <= each.start < word.end]
            found.append(replace(figure, worded=True))
    return found


def _numeral(text: str, match: re.Match[str], axes: Axes, mark: str) -> Figure | None:
    """A numeral as a figure; None where it belongs to a name or is no number."""
    start, end = match.start("body"), match.end()
    body, sign = match["body"], match["sign"] or ""
    if start == end or _in_name(text, start, end, body):
        return None
    values = [value + vulgar_of(match["vulgar"]) for value in values_of(body, mark)] if body else [vulgar_of(match["vulgar"])]
    parts: tuple[Decimal, ...] = ()
    pieces = re.split(r"[ ,]", body)
    if len(pieces) > 1 and all(piece.isdigit() for piece in pieces) and (match["group"] == " " or not values):
        parts = tuple(map(Decimal, pieces))
    if not values:
        if "," not in body or not parts:
            return None
        values = [parts[0]]
    power = power_of(match["power"])
    if sign and re.search(r"[\d%]\s*\Z", text[max(0, match.start() - 3) : match.start()]):
        sign = ""
    values = [ROUNDING.scaleb(value, power) for value in values]
    if sign in ("-", "–", "−"):
        sign, values = "-", [value.copy_negate() for value in values]
    figure = _with_unit(text, start, end, values, parts, axes)
    if figure.last == figure.end:
        if ORDINAL_END.match(text, end):
            figure = replace(figure, mark=ORDINAL)
        elif _goes_on(text, end):
            return None
    if not sign:
        return _signed(text, figure)
    return replace(figure, sign=sign, first=min(figure.first, match.start()))


def _signed(text: str, figure: Figure) -> Figure:
    """A number behind a sign in words ("minus 3"); between two numbers it is none."""
    word = _MINUS.search(text[max(0, figure.start - 20) : figure.start])
    start = figure.start - len(word.group()) if word else 0
    if not word or re.search(r"\d\s?[%°]?\s?\Z", text[max(0, start - 4) : start]):
        return figure
    negative = tuple(
        replace(each, value=each.value.copy_negate()) for each in figure.readings if each.kind in (NUMBER, PERCENT)
    )
    return replace(figure, sign="-", first=start, readings=negative, parts=()) if negative else figure


def _goes_on(text: str, end: int) -> bool:
    """Whether the word that digits begin has digits behind its letters: 3a5."""
    at = end
    while at < len(text) and _cased(text[at]):
        at += 1
    return at > end and text[at : at + 1].isdigit()


def _cased(letter: str) -> bool:
    """Whether a letter is of a script that sets spaces between words and numbers, as those with small and capital letters do."""
    return letter.isalpha() and letter.lower() != letter.upper()


def _in_name(text: str, start: int, end: int, body: str) -> bool:
    """Whether digits belong to a word before them: B12, Q3, COVID-19. Emphasis (_12_), a currency (EUR12) and a percent sign say no."""
    before = text[start - 1 : start]
    if before == "-" and text[start - 2 : start - 1].isalpha():
        before = "a"
    if before == "_":
        before = text[:start].rstrip("_")[-1:]
        return (before.isalnum() or before == "_") and body.isdigit() and len(body) <= _NAMED
    if not (_cased(before) or before.isdigit()) or not body.isdigit() or len(body) > _NAMED:
        return False
    glued = re.search(r"(?<!\w)[A-Z]{3}\Z", text[max(0, start - 4) : start])
    return not (glued and glued.group() in _CODES) and not _UNIT.match(text, end)


def _with_unit(
    text: str, start: int, end: int, values: list[Decimal], parts: tuple[Decimal, ...], axes: Axes, *, before: bool = True
) -> Figure:
    """A number with the unit that stands beside it: a percent sign, a word for a power of ten, the word of an axis."""
    last = end
    if half := HALF.match(text, end):
        values, last = [ROUNDING.add(value, Decimal("0.5")) for value in values], half.end()
    if scale := _SCALE.match(text, last):
        values, last = [ROUNDING.scaleb(value, _POWERS[str(scale.lastgroup)]) for value in values], scale.end()
    elif letter := _LETTER.match(text, last):
        scaled = [ROUNDING.scaleb(value, _LETTERS[letter["letter"]]) for value in values]
        values, last = scaled if letter["letter"] in "kM" else [*values, *scaled], letter.end()
    numbers = tuple(Reading(NUMBER, value) for value in values)
    if unit := _UNIT.match(text, last):
        kind = NUMBER if unit["points"] else PERCENT
        if unit["permille"]:
            tenths = tuple(Reading(PERCENT, ROUNDING.scaleb(value, -1)) for value in values)
            return Figure(start, end, start, unit.end(), tenths, written=tuple(values))
        return Figure(start, end, start, unit.end(), tuple(Reading(kind, value) for value in values), parts=parts)
    first, words = start, []
    if axes.behind and (word := axes.behind.match(text, last)):
        words, last = [word["word"]], word.end()
    if before and axes.before and (word := axes.before.search(text[max(0, start - 48) : start])):
        words, first = [*words, word["word"]], start - len(word.group())
    positions = [
        Reading(POSITION, ROUNDING.multiply(value, units), axis, bare=units == 1)
        for word in words
        for axis, units in axes.named(word)
        for value in values
    ]
    if positions:
        return Figure(start, end, first, last, tuple(dict.fromkeys(positions)), written=tuple(values))
    return Figure(start, end, start, last, numbers, parts=parts)


def _joined(text: str, figures: Iterable[Figure]) -> list[Figure]:
    """Positions in several units are one: 2 minutes and 26 seconds."""
    found: list[Figure] = []
    for figure in figures:
        if found and (sum_of := _sum(text, found[-1], figure)):
            found[-1] = sum_of
        else:
            found.append(figure)
    return found


def _sum(text: str, first: Figure, second: Figure) -> Figure | None:
    if first.kind != POSITION or second.kind != POSITION or not _JOIN.fullmatch(text[first.last : second.first]):
        return None
    sums = [
        Reading(POSITION, ROUNDING.add(one.value, other.value), one.axis)
        for one in first.readings
        for other in second.readings
        if one.axis == other.axis and not one.bare and 0 <= other.value < one.value
    ]
    return Figure(first.start, second.end, first.first, second.last, tuple(sums)) if sums else None


def _ranges(text: str, figures: list[Figure]) -> list[Figure]:
    """The ends of a range share their unit: 120 to 150 seconds, 10-12 March."""
    found = list(figures)
    for at in range(len(found) - 1):
        first, second = found[at], found[at + 1]
        between = text[first.last : second.first]
        if first.kind == NUMBER and second.kind == DATE and UNTIL_DATE.match(text, first.end):
            days = [(day[0], day[1], int(first.readings[0].value)) for each in second.readings if (day := each.day)]
            readings = [Reading(DATE, day=day) for day in days if 1 <= day[2] <= 31]
            found[at] = replace(first, readings=(*readings, *first.readings))
        elif not _RANGE.fullmatch(between):
            continue
        elif first.kind == NUMBER and second.kind in (POSITION, PERCENT):
            found[at] = _like(first, second)
        elif second.kind == NUMBER and first.kind in (POSITION, PERCENT) and first.first < first.start:
            found[at + 1] = _like(second, first)
    return found


def _like(figure: Figure, other: Figure) -> Figure:
    """A bare number of a range, read in the unit of the other end too."""
    more: list[Reading] = []
    for each in other.readings:
        for own in figure.readings:
            if each.kind == PERCENT:
                more.append(Reading(PERCENT, own.value))
            elif each.bare:
                more.append(Reading(POSITION, own.value, each.axis, bare=True))
    return replace(figure, readings=(*figure.readings, *more))
