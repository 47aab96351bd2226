"""Positions that a question states, by the attributes that manifests declare and nothing else (R5).

A number beside a declared word is a position ("WORD 146", "146 WORD", "2 WORD 26 WORD", "WORD three", "the third WORD"); where an attribute has a clock, mm:ss and
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
from loom.core.facts.said_numbers import in_words, negative, numbers_in, overlaps
from loom.core.facts.same import Same
from loom.core.facts.tokens import Token, folded
from loom.core.facts.values import Base
from loom.core.facts.words_of_number import SMALL
from loom.core.values import Iri

Axis = tuple[Iri, str]
"""A base and the name of one of its attributes."""

_CLOCK = re.compile(r"(?<![\w:.,])[0-9]{1,6}(?::[0-9]{1,2}){1,2}(?:[.,][0-9]{1,6})?(?![\w:]|[.,][0-9])")
_INWARDS = frozenset("in into".split())
_LISTED = re.compile(r"\s*,?\s*(?:(?:and|or|e|o|und|oder|et|ou|y)\s+)?", re.IGNORECASE)
_LISTS = re.compile(
    r"\s*(?:\Z|[?!.;,)]|(?:and|or|e|o|und|oder|et|ou|y|of|in|for|on|from|by|di|del|della|von|der|im|für|de|du|por)(?!\w))",
    re.IGNORECASE,
)
"""What stands behind a bare number that goes on a list of positions."""
_UNIT = re.compile(r"\s?(?P<unit>[^\W\d_]{1,20})")
_DASH = re.compile(r"\s*[-–—]\s*")
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
    """A number at [start, end) of the text, read on each axis whose word or clock it has; none where it is bare. `weak` says that it is
    a small number in words before its word ("two WORD"), which is no place by itself."""

    start: int
    end: int
    number: Decimal
    values: Mapping[Axis, Decimal]
    word: tuple[str, ...] = ()
    before: bool = False
    unread: bool = False
    weak: bool = False


def read_positions(
    text: str, tokens: Sequence[Token], bases: Sequence[Base], language: str = ""
) -> list[tuple[Position, int, int]]:
    """Positions with their places [start, end) in the text, in its order, then by base and attribute."""
    factors, clocks, units = _declared(Same(bases))
    if not any(character.isdigit() for character in text) and next(in_words(text), None) is None:
        return []
    dated = [(base.iri, one.name) for base in sorted(bases, key=lambda base: base.iri) for one in base.attributes if one.dates]
    found: list[tuple[Position, int, int]] = list(_dates(text, tokens, dated)) if dated else []
    places = [(start, end) for _, start, end in found]
    text = _without(text, places)
    atoms = _compounds(text, _atoms(text, tokens, factors, clocks, units, _spaced(Same(bases)), language))
    atoms = _listed(text, atoms, factors)
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
    spaced: Mapping[Axis, str],
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
            elif negative(text, start):
                start, number = start - 1, -number
            found.append(_Atom(start, end, number, dict.fromkeys(clocks, number)))
    used = [(atom.start, atom.end) for atom in found]
    spoken = 0
    for said in numbers_in(text, language):
        start, end, number = said.start, said.end, said.value
        if overlaps(used, start, end):
            continue
        previous = list(_between(tokens, spoken, start)[-LONGEST_WORD - 1 :])
        if previous and previous[-1].folded in _NUMBERING:
            previous.pop()
        previous = previous[-LONGEST_WORD:]
        following = _between(tokens, end, len(text))[: LONGEST_WORD + 1]
        lead = _word(previous, by_word, last=True)
        tail = _word(following[:LONGEST_WORD], by_word, last=False)
        if lead and _BESIDE.fullmatch(text[lead[-1].end : start]):
            word = tuple(token.folded for token in lead)
            atom = _Atom(lead[0].start, end, number, {} if said.rank else _times(number, by_word[word]), word, True)
        elif said.worded and not said.rank and not tail and number < 2:
            continue
        elif tail and _AFTER.fullmatch(text[end : tail[0].start]):
            word = tuple(token.folded for token in tail)
            lasts = bool(previous) and previous[-1].folded in wording.LASTING
            placed = said.rank or (bool(following[len(tail) :]) and following[len(tail)].folded in _INWARDS)
            weak = said.worded and number <= SMALL and not placed and not (previous and previous[-1].folded in phrases.AFTER)
            values = {} if lasts else _times(number, by_word[word])
            atom = _Atom(start, tail[-1].end, number, values, word, unread=lasts, weak=weak)
        else:
            if said.rank:
                continue
            lasts = bool(previous) and previous[-1].folded in wording.LASTING
            atom = _Atom(start, end, number, {}) if lasts else _by_unit(text, start, end, number, units, spaced)
        found.append(atom)
        spoken = max(spoken, atom.end)
    return sorted(found, key=lambda atom: atom.start)


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


def _by_unit(text: str, start: int, end: int, number: Decimal, units: Mapping[Axis, str], spaced: Mapping[Axis, str]) -> _Atom:
    """A number with the declared unit right behind it, a space between where the unit is nothing else."""
    behind = _UNIT.match(text, end)
    unit = behind["unit"] if behind else ""
    apart = behind is not None and behind.start("unit") > end
    values = {axis: number for axis, one in (spaced if apart else units).items() if unit and unit == one}
    return _Atom(start, behind.end() if behind and values else end, number, values)


@lru_cache(maxsize=8)
def _spaced(same: Same) -> dict[Axis, str]:
    """The units that may stand apart from a number: no small word is one, and nothing is measured in it."""
    small = wording.ARTICLES | wording.AND | wording.UNTIL | phrases.TO_THEM
    measured = {metric.unit for base in same.bases for metric in base.metrics}
    return {
        (base.iri, one.name): one.unit
        for base in same.bases
        for one in base.attributes
        if one.unit not in measured and one.unit.casefold() not in small
    }


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
    return [atom for atom in found if not atom.weak]


def _listed(text: str, atoms: Sequence[_Atom], factors: Mapping[tuple[Axis, tuple[str, ...]], Decimal]) -> list[_Atom]:
    """Bare numbers that go on behind a word and its number ("WORD 20, 40 and 60") are of the same word."""
    found: list[_Atom] = []
    for atom in atoms:
        last = found[-1] if found else None
        goes_on = last and last.before and not (atom.values or atom.word or atom.unread)
        if last and goes_on and _LISTED.fullmatch(text[last.end : atom.start]) and _LISTS.match(text, atom.end):
            atom = replace(atom, values=_as(last, atom, factors), word=last.word, before=True)
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
