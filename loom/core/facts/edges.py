"""Stretches at an end of something: "the first 20 WORD", "the last WORD", by the words that manifests declare for positions.

A number of such words is a stretch; one word without a number is, where it stands for several units: where it stands for one, it is
the first or last value itself.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache

from loom.core.facts import phrases, wording
from loom.core.facts.asked import Edge
from loom.core.facts.numerals import position_of
from loom.core.facts.same import Same
from loom.core.facts.tokens import Token, folded
from loom.core.facts.values import Base
from loom.core.facts.words_of_number import whole_number
from loom.core.values import Iri

LONGEST = 3
"""Words of a declared word of positions."""
REACH = 6
"""Words within which an extreme stands behind what is counted from it."""

Words = Mapping[tuple[str, ...], tuple[tuple[Iri, str, Decimal], ...]]


def read_edges(text: str, tokens: Sequence[Token], bases: Sequence[Base]) -> Iterator[tuple[Edge, int, int]]:
    """Stretches with their places [start, end) in the text, in its order, then by base and attribute."""
    words = _declared(Same(bases))
    for place, token in enumerate(tokens):
        last = token.folded in phrases.LAST
        if not (last or token.folded in phrases.FIRST):
            continue
        at = place + 1
        number = _number(tokens[at]) if at < len(tokens) and not tokens[at].parted else None
        at += number is not None
        for length in range(LONGEST, 0, -1):
            said = tokens[at : at + length]
            found = words.get(tuple(one.folded for one in said), ()) if len(said) == length else ()
            if not found or any(one.parted for one in said):
                continue
            start, end = token.start, said[-1].end
            for base, attribute, factor in found:
                if number is not None or factor != 1:
                    yield Edge(base, attribute, (number or Decimal(1)) * factor, last, text[start:end]), start, end
            break


def read_offsets(text: str, tokens: Sequence[Token], units: Collection[str]) -> Iterator[tuple[str, int, int]]:
    """What is counted from an extreme ("5 WORD after its peak"), with its place: no value is computed there. `units` are words of
    positions."""
    extreme = {word for name in ("max", "min") for word in wording.STATISTIC[name]}
    for place, token in enumerate(tokens):
        if token.folded not in phrases.OFFSETS or not place or tokens[place - 1].folded not in units:
            continue
        behind = range(place + 1, min(len(tokens), place + REACH))
        last = next((at for at in behind if tokens[at].folded in extreme), None)
        if last is not None:
            start = tokens[place - 2 if place > 1 and _number(tokens[place - 2]) is not None else place - 1].start
            yield text[start : tokens[last].end], start, tokens[last].end


def _number(token: Token) -> Decimal | None:
    if token.folded in phrases.HALF:
        return Decimal("0.5")
    if token.raw.isdecimal() and len(token.raw) < 13:
        return Decimal(token.raw)
    return whole_number(token.folded)


@lru_cache(maxsize=8)
def _declared(same: Same) -> Words:
    """The axes of each declared word, with its factor there; days are no lengths."""
    found: dict[tuple[str, ...], dict[tuple[Iri, str], Decimal]] = {}
    for base in sorted(same.bases, key=lambda base: base.iri):
        for attribute in base.attributes:
            for word, factor in ((attribute.name, "1"), *attribute.words):
                number = position_of(factor)
                if (key := folded(word)) and number and not attribute.dates:
                    found.setdefault(key, {})[base.iri, attribute.name] = number
    return {word: tuple((*axis, factor) for axis, factor in sorted(axes.items())) for word, axes in found.items()}
