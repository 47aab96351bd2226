"""The bases of a sealed generation: what the query plane asks, answered from mapped parts."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from loom.core.facts.content import BaseContent
from loom.core.facts.likeness import Findable, findable
from loom.core.facts.marks import Marks
from loom.core.facts.part_bases import BasesPart, Files, press_bases
from loom.core.facts.part_facts import FactsPart, press_facts
from loom.core.facts.part_mentions import MentionsPart, press_mentions
from loom.core.facts.part_series import Found, SeriesPart, press_series
from loom.core.facts.part_spans import SpansPart, in_order, press_spans
from loom.core.facts.placing import Placed, lanes_of, placed
from loom.core.facts.values import CLOSED, Base, Bounds, Fact, Held, Reading, Span, StatedRow, Stretch
from loom.core.generation import Generation
from loom.core.values import Iri

PARTS = (BasesPart, FactsPart, SpansPart, SeriesPart, MentionsPart)


class SealedHeld:
    """`Held` over the parts of one generation; `MemoryHeld` says what each method gives."""

    __slots__ = ("__weakref__", "_bases", "_facts", "_mentions", "_series", "_spans")

    def __init__(
        self, bases: BasesPart, facts: FactsPart, spans: SpansPart, series: SeriesPart, mentions: MentionsPart
    ) -> None:
        self._bases, self._facts, self._spans, self._series, self._mentions = bases, facts, spans, series, mentions

    @property
    def bases(self) -> Sequence[Base]:
        return self._bases.bases

    def facts(self, source: Iri | None = None, metric: Iri | None = None, statistic: str | None = None) -> Sequence[Fact]:
        return self._facts.facts(source, metric, statistic)

    def fact(self, iri: Iri) -> Fact | None:
        return self._facts.fact(iri)

    def at(self, source: Iri, position: Decimal) -> Span | None:
        return self._spans.at(source, position)

    def window(self, source: Iri, start: Decimal, end: Decimal) -> Sequence[Span]:
        return self._spans.window(source, start, end)

    def spans(self, source: Iri) -> Sequence[Span]:
        return self._spans.spans(source)

    def span(self, iri: Iri) -> Span | None:
        return self._spans.span(iri)

    def reading(self, source: Iri, metric: Iri, position: Decimal, entity: Iri | None = None) -> Reading | None:
        found = self._series.reading(source, metric, position, entity)
        return self._joined(found) if found else None

    def _joined(self, found: Found) -> Reading:
        """A reading with the unit that stands at it."""
        return replace(found.reading, span=self._spans.iri(found.span)) if found.span >= 0 else found.reading

    def stretch(
        self,
        source: Iri,
        metric: Iri,
        entity: Iri | None,
        start: Decimal,
        end: Decimal,
        most: int,
        near: Decimal | None = None,
        ends: str = CLOSED,
    ) -> Stretch:
        found, count = self._series.stretch(source, metric, entity, start, end, most, near, ends)
        return Stretch(tuple(self._joined(one) for one in found), count)

    def table(self, source: Iri) -> Sequence[StatedRow]:
        return self._facts.table(source)

    def row(self, source: Iri, number: int) -> StatedRow | None:
        return self._facts.row(source, number)

    def stated(
        self, source: Iri, metrics: Sequence[Iri], entities: frozenset[Iri], positions: Sequence[Bounds]
    ) -> Sequence[StatedRow]:
        return self._facts.stated(source, metrics, entities, positions)

    def rivals(self, source: Iri, rows: Sequence[int]) -> Sequence[Fact]:
        return self._facts.rivals(source, rows)

    @property
    def marks(self) -> Marks:
        return self._facts.marks

    def search(self, terms: Sequence[str], limit: int, sources: frozenset[Iri] | None = None) -> Sequence[tuple[Iri, float]]:
        return self._mentions.search(terms, limit, sources)

    def hits(self, terms: Sequence[str], limit: int, sources: frozenset[Iri]) -> Sequence[tuple[Iri, Iri, float]]:
        return self._mentions.hits(terms, limit, sources)


def held_of(generation: Generation) -> Held | None:
    """The bases of a generation, None where it has none; the same object each time, so that what follows from it can be kept."""
    bases = generation.part(BasesPart)
    if bases is None:
        return None
    if bases.held is None:
        facts, spans, series = generation.part(FactsPart), generation.part(SpansPart), generation.part(SeriesPart)
        mentions = generation.part(MentionsPart)
        if facts is None or spans is None or series is None or mentions is None:
            return None
        bases.held = SealedHeld(bases, facts, spans, series, mentions)
    return bases.held


def joined(contents: Sequence[BaseContent]) -> tuple[list[Span], list[Placed]]:
    """All spans in the order of their numbers, and what is at each observation, base by base."""
    ordered = in_order(span for content in contents for span in content.spans)
    lanes = lanes_of(ordered)
    return ordered, [placed(content, ordered, lanes) for content in contents]


def findables(contents: Sequence[BaseContent], ordered: Sequence[Span], found: Sequence[Placed]) -> list[Findable]:
    """All that a search can find in these bases."""
    facts = (fact for one in found for fact in one.facts)
    return findable((content.base for content in contents), ordered, facts, (row for one in contents for row in one.rows))


def press(
    contents: Sequence[BaseContent], ordered: Sequence[Span], found: Sequence[Placed], mentions: Files | None = None
) -> Iterator[tuple[str, Files]]:
    """Every part, in turn, from bases in any order and what `joined` gives for them; `mentions` where they have been pressed."""
    facts = [fact for one in found for fact in one.facts]
    rows = [row for content in contents for row in content.rows]
    lists = frozenset(one.iri for content in contents for one in content.base.sources if len(one.entities) == 1)
    yield BasesPart.KIND, press_bases(content.base for content in contents)
    yield FactsPart.KIND, press_facts(facts, rows, lists)
    yield SpansPart.KIND, press_spans(ordered)
    yield SeriesPart.KIND, press_series(one for each in found for one in each.series)
    yield MentionsPart.KIND, press_mentions(findables(contents, ordered, found)) if mentions is None else mentions
