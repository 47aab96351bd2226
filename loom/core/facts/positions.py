"""Positions that a question states, by the attributes that manifests declare and nothing else (R5).

A number beside a declared word is a position ("WORD 146", "146 WORD", "2 WORD 26 WORD"); where an attribute has a clock, mm:ss and
h:mm:ss are too, bracketed or not, and where it has dates, days and months with their year. Two of them joined are a range: [start, end), and where the attribute has no unit, and so counts
whole things, up to the end of the last. The parser is total: what is no position is left alone.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from loom.core.facts import phrases, wording
from loom.core.facts.asked import Position
from loom.core.facts.days import Said, days_in
from loom.core.facts.numerals import position_of
from loom.core.facts.same import Same
from loom.core.facts.tokens import Token, folded
from loom.core.facts.values import Base
from loom.core.values import Iri

Axis = tuple[Iri, str]
"""A base and the name of one of its attributes."""

_CLOCK = re.compile(r"(?<![\w:.,])[0-9]{1,6}(?::[0-9]{1,2}){1,2}(?:[.,][0-9]{1,6})?(?![\w:]|[.,][0-9])")
_NUMBER = re.compile(
    r"(?<![\w:.,])(?P<digits>[0-9]{1,12}(?:[.,][0-9]{1,9}){0,4})(?P<suffix>st|nd|rd|th|º|ª|°|er|ère|e|ème|o|a|\.(?=\s\w))?(?![0-9:])"
)
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?")
_DASH = re.compile(r"\s*[-–—]\s*")
_NEGATIVE = re.compile(r"(?:^|[^\d\s]\s|\()[-−]$")
_BESIDE = re.compile(r"\s*(?:#|(?:no?|nr|number|numero|número|nummer|numéro)\b\.?)?\s*", re.IGNORECASE)
_AFTER = re.compile(r"\s?")
_JOINT = re.compile(r"[\s,]*(?:and|e|und|et|y)?[\s,]*", re.IGNORECASE)
_APPROXIMATE = re.compile(r"[~≈]\s*$")
_AROUND = tuple(tuple(phrase.split()) for phrase in wording.AROUND)
_NUMBERING = frozenset("no n nr number numero número nummer numéro".split())
LONGEST_WORD = 3
"""Words of a declared word of positions."""


@dataclass(frozen=True, slots=True)
class _Atom:
    """A number at [start, end) of the text, read on each axis whose word or clock it has; none where it is bare."""

    start: int
    end: int
    number: Decimal
    values: Mapping[Axis, Decimal]
    word: tuple[str, ...] = ()
    before: bool = False
    unread: bool = False


def read_positions(
    text: str, tokens: Sequence[Token], bases: Sequence[Base], language: str = ""
) -> list[tuple[Position, int, int]]:
    """Positions with their places [start, end) in the text, in its order, then by base and attribute."""
    factors, clocks, units = _declared(Same(bases))
    if not any(character.isdigit() for character in text):
        return []
    dated = [(base.iri, one.name) for base in sorted(bases, key=lambda base: base.iri) for one in base.attributes if one.dates]
    found: list[tuple[Position, int, int]] = list(_dates(text, tokens, dated)) if dated else []
    places = [(start, end) for _, start, end in found]
    text = _without(text, places)
    atoms = _compounds(text, _atoms(text, tokens, factors, clocks, units, language))
    at = 0
    while at < len(atoms):
        first = atoms[at]
        second = _until(text, tokens, first, atoms[at + 1], factors) if at + 1 < len(atoms) else None
        at += 2 if second else 1
        if second:
            one, other = second
            start, end = one.start, other.end
            for axis in sorted(set(one.values) & set(other.values)):
                low, high = sorted((one.values[axis], other.values[axis]))
                whole = factors.get((axis, one.word), Decimal(1)) if not units.get(axis) else Decimal(0)
                found.append((Position(*axis, low, high + whole, False, text[start:end]), start, end))
        elif first.values:
            around = _around(text, tokens, first)
            toward = "" if around else _toward(text, tokens, first)
            for axis in sorted(first.values):
                position = Position(*axis, first.values[axis], None, around, text[first.start : first.end], toward)
                found.append((position, first.start, first.end))
    return sorted(found, key=lambda one: one[1])


def _dates(text: str, tokens: Sequence[Token], axes: Sequence[Axis]) -> Iterator[tuple[Position, int, int]]:
    """Days and whole months that a text says; two that are joined are a range up to the end of the last."""
    said = list(days_in(text))
    at = 0
    while at < len(said):
        one, other = said[at], said[at + 1] if at + 1 < len(said) else None
        at += 1
        last = one
        if other is not None and _reaches(text, tokens, one, other) and one.first < other.after:
            last, at = other, at + 1
        whole = last is not one or one.month
        around = not whole and _around(text, tokens, _Atom(one.start, one.end, Decimal(one.first), {}))
        end = Decimal(last.after) if whole else None
        for axis in axes:
            yield Position(*axis, Decimal(one.first), end, around, text[one.start : last.end]), one.start, last.end


def _reaches(text: str, tokens: Sequence[Token], one: Said, other: Said) -> bool:
    """Whether one date leads up to another: "from the 3rd of May 2026 to the 5th of May 2026", "between … and …"."""
    between = [token.folded for token in _between(tokens, one.end, other.start)]
    lead = {token.folded for token in tokens if token.end <= one.start} & wording.BETWEEN
    joined = [word for word in between if word not in wording.ARTICLES or word in wording.UNTIL]
    if _DASH.fullmatch(text[one.end : other.start]):
        return True
    return bool(joined) and all(word in wording.UNTIL or (lead and word in wording.AND) for word in joined)


def _without(text: str, places: Sequence[tuple[int, int]]) -> str:
    """The text with some places blank, so that all others stay where they are."""
    for start, end in places:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


@lru_cache(maxsize=8)
def _declared(same: Same) -> tuple[dict[tuple[Axis, tuple[str, ...]], Decimal], list[Axis], dict[Axis, str]]:
    """The factor of each declared word on its axis, the axes with a clock, and the unit of each."""
    factors: dict[tuple[Axis, tuple[str, ...]], Decimal] = {}
    clocks: list[Axis] = []
    units: dict[Axis, str] = {}
    for base in sorted(same.bases, key=lambda base: base.iri):
        for attribute in base.attributes:
            axis = (base.iri, attribute.name)
            units[axis] = attribute.unit
            for word, factor in ((attribute.name, "1"), *attribute.words):
                number = position_of(factor)
                if (key := folded(word)) and number is not None and not attribute.dates:
                    factors[axis, key] = number
            if attribute.clock:
                clocks.append(axis)
    return factors, clocks, units


def _atoms(
    text: str,
    tokens: Sequence[Token],
    factors: Mapping[tuple[Axis, tuple[str, ...]], Decimal],
    clocks: Sequence[Axis],
    units: Mapping[Axis, str],
    language: str,
) -> list[_Atom]:
    by_word: dict[tuple[str, ...], dict[Axis, Decimal]] = {}
    for (axis, word), factor in factors.items():
        by_word.setdefault(word, {})[axis] = factor
    found: list[_Atom] = []
    for match in _CLOCK.finditer(text):
        number = position_of(match.group(), clock=True)
        start, end = match.span()
        if number is not None and clocks:
            if text[start - 1 : start] == "[" and text[end : end + 1] == "]":
                start, end = start - 1, end + 1
            found.append(_Atom(start, end, number, dict.fromkeys(clocks, number)))
    used = [(atom.start, atom.end) for atom in found]
    spoken = 0
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        number = _number(match["digits"], language)
        if number is None or _overlaps(used, start, end):
            continue
        if _NEGATIVE.search(text[:start][-3:]):
            found.append(_Atom(start, end, number, {}, unread=True))
            spoken = end
            continue
        previous = list(_between(tokens, spoken, start)[-LONGEST_WORD - 1 :])
        if previous and previous[-1].folded in _NUMBERING:
            previous.pop()
        previous = previous[-LONGEST_WORD:]
        following = _between(tokens, end, len(text))[:LONGEST_WORD]
        lead = _word(previous, by_word, last=True)
        tail = _word(following, by_word, last=False)
        if lead and _BESIDE.fullmatch(text[lead[-1].end : start]):
            word = tuple(token.folded for token in lead)
            atom = _Atom(lead[0].start, end, number, _times(number, by_word[word]), word, True)
        elif tail and _AFTER.fullmatch(text[end : tail[0].start]):
            word = tuple(token.folded for token in tail)
            lasts = bool(previous) and previous[-1].folded in wording.LASTING
            atom = _Atom(start, tail[-1].end, number, {} if lasts else _times(number, by_word[word]), word, unread=lasts)
        else:
            atom = _Atom(start, end, number, _by_unit(text, end, number, units))
            if atom.values:
                atom = replace(atom, end=end + len(next(iter({units[axis] for axis in atom.values}))))
        found.append(atom)
        spoken = max(spoken, atom.end)
    return sorted(found, key=lambda atom: atom.start)


def _overlaps(places: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether a stretch overlaps one of others, which stand in order and apart."""
    at = bisect_left(places, end, key=lambda one: one[0])
    return at > 0 and start < places[at - 1][1]


def _between(tokens: Sequence[Token], start: int, end: int) -> Sequence[Token]:
    """The words that stand whole in a stretch of the text."""
    first = bisect_left(tokens, start, key=lambda token: token.start)
    behind = bisect_right(tokens, end, key=lambda token: token.end)
    return tokens[first : max(first, behind)]


def _word(tokens: Sequence[Token], by_word: Mapping[tuple[str, ...], object], *, last: bool) -> Sequence[Token]:
    """The longest declared word at that end of the tokens."""
    for length in range(len(tokens), 0, -1):
        part = tokens[-length:] if last else tokens[:length]
        if tuple(token.folded for token in part) in by_word:
            return part
    return ()


def _times(number: Decimal, factors: Mapping[Axis, Decimal]) -> dict[Axis, Decimal]:
    return {axis: number * factor for axis, factor in factors.items()}


def _by_unit(text: str, end: int, number: Decimal, units: Mapping[Axis, str]) -> dict[Axis, Decimal]:
    """A number with the declared unit glued to it."""
    glued = re.match(r"[^\W\d_]+", text[end : end + 20])
    return {axis: number for axis, unit in units.items() if glued and unit and unit == glued.group()}


def _number(digits: str, language: str) -> Decimal | None:
    """Groups of three are set off by commas in English, by points elsewhere; otherwise either mark sets off decimals."""
    group, mark = (",", ".") if language in ("en", "") else (".", ",")
    if _GROUPED.fullmatch(digits) and group in digits:
        return position_of(digits.replace(group, "").replace(mark, "."))
    return position_of(digits.replace(",", ".")) if digits.count(",") + digits.count(".") <= 1 else None


def _compounds(text: str, atoms: Sequence[_Atom]) -> list[_Atom]:
    """Numbers side by side that count the same in ever smaller words are one position."""
    found: list[_Atom] = []
    for atom in atoms:
        last = found[-1] if found else None
        if (
            last
            and last.word
            and atom.word
            and last.word != atom.word
            and last.before == atom.before
            and _JOINT.fullmatch(text[last.end : atom.start])
            and (common := [a for a in last.values if a in atom.values and _steps(last, atom, a)])
        ):
            values = {axis: last.values[axis] + atom.values[axis] for axis in common}
            found[-1] = _Atom(last.start, atom.end, atom.number, values, atom.word, atom.before)
        else:
            found.append(atom)
    return found


def _steps(last: _Atom, atom: _Atom, axis: Axis) -> bool:
    """Whether the second is counted in smaller steps: its number is more than its value is of the first's step."""
    if not last.number or not atom.number:
        return bool(atom.number)
    return abs(last.values[axis] / last.number) > abs(atom.values[axis] / atom.number)


def _until(
    text: str, tokens: Sequence[Token], one: _Atom, other: _Atom, factors: Mapping[tuple[Axis, tuple[str, ...]], Decimal]
) -> tuple[_Atom, _Atom] | None:
    """The two ends of a range, a bare one counted as its partner is; None where they are no range."""
    if one.unread or other.unread or not (one.values or other.values):
        return None
    between = [token.folded for token in _between(tokens, one.end, other.start)]
    gap = text[one.end : other.start]
    lead = [token.folded for token in _between(tokens, 0, one.start)[-3:]]
    joined = [word for word in between if word not in wording.ARTICLES or word in wording.UNTIL]
    dashed = _DASH.fullmatch(gap) is not None
    reaches = (
        bool(joined) and all(word in wording.UNTIL | wording.ARTICLES for word in joined) and not re.search(r"[.;?!,\n]", gap)
    )
    paired = len(joined) == 1 and joined[0] in wording.AND and bool(wording.BETWEEN & set(lead))
    paired = paired or (
        bool(wording.BETWEEN & set(lead)) and len(between) > 0 and between[0] in wording.AND and len(between) <= 2
    )
    if not (dashed or reaches or paired):
        return None
    if not other.values:
        other = replace(other, values=_as(one, other, factors), word=one.word)
    elif not one.values:
        one = replace(one, values=_as(other, one, factors), word=other.word)
    return (one, other) if set(one.values) & set(other.values) else None


def _as(model: _Atom, bare: _Atom, factors: Mapping[tuple[Axis, tuple[str, ...]], Decimal]) -> dict[Axis, Decimal]:
    return {axis: bare.number * factors[axis, model.word] for axis in model.values if (axis, model.word) in factors}


def _around(text: str, tokens: Sequence[Token], atom: _Atom) -> bool:
    if _APPROXIMATE.search(text[max(0, atom.start - 4) : atom.start]):
        return True
    lead = tuple(token.folded for token in _between(tokens, 0, atom.start)[-4:])
    if lead and lead[-1] in wording.ARTICLES and not _ends_around(lead):
        lead = lead[:-1]
    tail = [token.folded for token in _between(tokens, atom.end, len(text))[:1]]
    return _ends_around(lead) or tail == ["herum"]


def _toward(text: str, tokens: Sequence[Token], atom: _Atom) -> str:
    """Whether values before, until or after a position are asked for. A length behind "after" is a position: after 2 WORD."""
    lead = [token.folded for token in _between(tokens, 0, atom.start)[-3:]]
    tail = [token.folded for token in _between(tokens, atom.end, len(text))[:2]]
    onwards = not phrases.ONWARDS.isdisjoint(tail[:1] if tail[:1] != ["in"] else tail)
    while lead and lead[-1] in phrases.TO_THEM and lead[-1] not in phrases.FROM:
        lead.pop()
    if not lead:
        return ""
    placed = atom.before or not atom.word
    if lead[-1] in phrases.AFTER | phrases.FROM and onwards:
        return "after"
    if lead[-1] in phrases.AFTER and placed:
        return "after"
    if lead[-1] in phrases.UNTIL_ONLY:
        return "until"
    return "before" if lead[-1] in phrases.BEFORE and placed else ""


def _ends_around(lead: tuple[str, ...]) -> bool:
    return any(lead[-len(parts) :] == parts for parts in _AROUND)
