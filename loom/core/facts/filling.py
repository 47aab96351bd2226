"""What is searched for beside computed and addressed evidence, held to the address (seed 003 §7; R19, R22).

Where an address resolved, units come from its sources alone. The starvation valve opens only where these give fewer than STARVED
units and fewer than STARVED_TEXT characters, and nothing was computed or addressed: what it lets in is marked as outside.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from loom.core.facts.values import Held, Span, StatedRow
from loom.core.values import Iri

STARVED, STARVED_TEXT = 3, 600
READOUTS = ("full", "core-only", "off")
LOOKED_AT, UNITS, FOLLOWING = 24, 6, 2
"""Hits that are looked at, hits that are kept, and units that follow each in a passage."""
FAR_BELOW, CORE = 0.35, 0.75
"""The share of the best score from which a unit is kept, and from which it is of the core."""


@dataclass(frozen=True, slots=True)
class Found:
    """A unit or a stated row that a search found, `outside` where the valve let it in. `after` are the units that follow it, where a
    passage is asked for."""

    iri: Iri
    source: Iri
    score: float
    span: Span | None = None
    row: StatedRow | None = None
    outside: bool = False
    after: tuple[Span, ...] = ()

    @property
    def size(self) -> int:
        """Characters of its text."""
        return len(self.span.text) if self.span else sum(map(len, self.row.cells)) if self.row else 0


@dataclass(frozen=True, slots=True)
class Limits:
    """What a search is held to: the addressed sources (none: those of the routed bases, `open_to`), whether the valve may leave the
    routed bases, whether anything was computed or addressed, and the units and rows (source, number) that are shown already. `passage` says that a
    passage is asked for, which goes on where a hit ends; `sealed` that the valve stays shut, since something was found absent;
    `given` are the units of the addressed passages that were asked for, and `least` the score that a unit has to have beside them."""

    within: frozenset[Iri]
    open_to: frozenset[Iri]
    everywhere: bool = True
    delivered: bool = False
    spans: frozenset[Iri] = frozenset()
    rows: frozenset[tuple[Iri, int]] = frozenset()
    readout: str = "full"
    passage: bool = False
    sealed: bool = False
    given: tuple[Span, ...] = ()
    least: float = 0.0


def fill(held: Held, terms: Sequence[str], limits: Limits, named: Sequence[str] = ()) -> tuple[Found, ...]:
    """Units for the telling words of a question, best first; where those find nothing at the address, for the words of its names.
    Readout `core-only` keeps those near the best, `off` none."""
    if limits.readout == "off" or not (limits.within or limits.open_to):
        return ()
    terms = terms or named
    inside = list(searched(held, terms, limits, limits.within or limits.open_to, outside=False))
    if not inside and limits.within and named:
        inside = list(searched(held, named, limits, limits.within, outside=False))
    if not limits.within or limits.sealed or not starved(inside, limits):
        return _read_out(inside, limits.readout)
    sources = frozenset(source.iri for base in held.bases for source in base.sources) if limits.everywhere else limits.open_to
    outside = list(searched(held, terms, limits, sources - limits.within, outside=True))
    return (*_read_out(inside, limits.readout), *_read_out(outside, limits.readout))


def starved(inside: list[Found], limits: Limits) -> bool:
    """Whether the address gave too little to go by: nothing computed or led to, few units and little text."""
    sizes = [*(one.size for one in inside), *(len(span.text) for span in limits.given)]
    return not limits.delivered and len(sizes) < STARVED and sum(sizes) < STARVED_TEXT


def _read_out(found: list[Found], readout: str) -> tuple[Found, ...]:
    """What a readout keeps of what was found; whether the address starved is judged before."""
    return tuple(one for one in found if readout == "full" or one.score >= CORE * found[0].score)


def searched(
    held: Held, terms: Sequence[str], limits: Limits, sources: frozenset[Iri], *, outside: bool = False
) -> Iterator[Found]:
    """The hits of a search in some sources that are near the best of them, best first, each once."""
    found = [
        one for iri, score in held.search(terms, LOOKED_AT, sources) if (one := _unit(held, iri, score, outside, limits))
    ] if sources and terms else []  # fmt: skip
    kept: set[tuple[Iri, int] | Iri] = set()
    hits = 0
    for one in found:
        key = (one.row.source, one.row.row) if one.row else one.iri
        if one.score >= max(FAR_BELOW * found[0].score, limits.least) and key not in kept and hits < UNITS:
            hits += 1
            kept.add(key)
            if limits.passage and one.span:
                after = tuple(span for span in _after(held, one.span) if span.iri not in kept and span.iri not in limits.spans)
                kept.update(span.iri for span in after)
                one = replace(one, after=after)
            yield one


def _after(held: Held, span: Span) -> Iterator[Span]:
    for _ in range(FOLLOWING):
        following = held.at(span.source, span.end) if span.end is not None else None
        if following is None or following.iri == span.iri:
            return
        yield following
        span = following


def _unit(held: Held, iri: Iri, score: float, outside: bool, limits: Limits) -> Found | None:
    span = held.span(iri)
    if span is not None:
        return None if span.iri in limits.spans else Found(iri, span.source, score, span=span, outside=outside)
    fact = held.fact(iri)
    if fact is None or fact.statistic != "stated" or (fact.source, fact.row) in limits.rows:
        return None
    row = held.row(fact.source, fact.row)
    return Found(iri, fact.source, score, row=row, outside=outside) if row else None
