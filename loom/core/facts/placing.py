"""What was there at each observation: facts and readings joined with the content of what they are about, once, at build (R6)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from loom.core.facts.aligning import NONE, Interval, Scaled, Segments, join_scaled, joinable, segments
from loom.core.facts.content import BaseContent
from loom.core.facts.part_series import Joined
from loom.core.facts.values import Base, Fact, SourceFile, Span
from loom.core.values import Iri

FIRST_KIND = "transcript"


class Lane(NamedTuple):
    """The units of one content file, and the number of the first among all spans."""

    units: Sequence[Interval]
    cut: Segments
    first: int


class Placed(NamedTuple):
    """Facts with their spans, and series with the number of the span at each reading."""

    facts: list[Fact]
    series: list[Joined]


def lanes_of(ordered: Sequence[Span]) -> dict[Iri, Lane]:
    """The units of every source, from spans by source and start."""
    units: dict[Iri, list[Interval]] = {}
    firsts: dict[Iri, int] = {}
    for number, span in enumerate(ordered):
        firsts.setdefault(span.source, number)
        units.setdefault(span.source, []).append((span.start, span.end))
    return {source: Lane(held, segments(held), firsts[source]) for source, held in units.items()}


def beside(base: Base, source: SourceFile, lanes: Mapping[Iri, Lane]) -> list[Lane]:
    """Content that lies on the axis of a source: transcripts first, then by IRI."""
    found = [one for one in base.sources if one.iri in lanes and one.iri != source.iri and joinable(base, source, one)]
    return [lanes[one.iri] for one in sorted(found, key=lambda one: (one.kind != FIRST_KIND, one.iri))]


def placed(content: BaseContent, ordered: Sequence[Span], lanes: Mapping[Iri, Lane]) -> Placed:
    """Facts and series of a base with the content at their positions: of the first file beside them that has a unit there."""
    base = content.base
    around = {source.iri: beside(base, source, lanes) for source in base.sources}
    facts = []
    for fact in content.facts:
        number = _number(Decimal(fact.at), around.get(fact.source, ())) if fact.at else NONE
        facts.append(fact if number == NONE else replace(fact, span=ordered[number].iri))
    series = []
    for one in content.series:
        positions = Scaled(one.columns.scale, one.columns.keys)
        spans = np.full(len(positions.values), NONE, np.int32)
        for lane in around.get(one.source, ()):
            found = join_scaled(positions, lane.units)
            fresh = (spans == NONE) & (found != NONE)
            spans[fresh] = found[fresh] + lane.first
        series.append(Joined(one, spans))
    return Placed(facts, series)


def _number(position: Decimal, lanes: Sequence[Lane]) -> int:
    for lane in lanes:
        unit = lane.cut.unit(position)
        if unit != NONE:
            return lane.first + unit
    return NONE
