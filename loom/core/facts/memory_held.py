"""The bases of a generation in memory: the fake of the sealed parts, for tests and small programs."""

from collections.abc import Sequence
from decimal import Decimal

from loom.core.facts.likeness import Likeness, findable
from loom.core.facts.marks import Marks, marks_of
from loom.core.facts.tabled import contradicted
from loom.core.facts.thinning import kept
from loom.core.facts.values import CLOSED, OPEN_END, OPEN_START, Base, Bounds, Fact, Reading, Span, StatedRow, Stretch
from loom.core.values import Iri


class MemoryHeld:
    """`Held` from sequences in any order.

    Spans of one source may overlap: a point belongs to the one that begins last. A series with several rows at one position gives
    the lowest row.
    """

    def __init__(
        self,
        bases: Sequence[Base] = (),
        facts: Sequence[Fact] = (),
        spans: Sequence[Span] = (),
        readings: Sequence[Reading] = (),
        rows: Sequence[StatedRow] = (),
    ) -> None:
        self._bases = tuple(sorted(bases, key=lambda base: base.iri))
        self._facts = {fact.iri: fact for fact in sorted(facts, key=lambda fact: fact.iri)}
        self._by_iri = {span.iri: span for span in spans}
        self._spans: dict[Iri, list[Span]] = {}
        for span in sorted(spans, key=lambda span: span.start):
            self._spans.setdefault(span.source, []).append(span)
        self._readings: dict[tuple[Iri, Iri, Decimal, Iri | None], Reading] = {}
        self._series: dict[tuple[Iri, Iri], list[Reading]] = {}
        for reading in sorted(readings, key=lambda one: (Decimal(one.at or one.position), one.row)):
            self._series.setdefault((reading.source, reading.metric), []).append(reading)
        for reading in sorted(readings, key=lambda reading: reading.row):
            key = (reading.source, reading.metric, Decimal(reading.at or reading.position))
            for entity in (None, reading.entity):
                self._readings.setdefault((*key, entity), reading)
        self._rows: dict[Iri, list[StatedRow]] = {}
        for row in sorted(rows, key=lambda row: row.row):
            self._rows.setdefault(row.source, []).append(row)
        self._marks = marks_of(tuple(self._facts.values()))
        self._likeness = Likeness(findable(self._bases, spans, self._facts.values(), rows))

    @property
    def bases(self) -> Sequence[Base]:
        return self._bases

    def facts(self, source: Iri | None = None, metric: Iri | None = None, statistic: str | None = None) -> Sequence[Fact]:
        """Facts that fit all that is given, by IRI."""
        return [
            fact
            for fact in self._facts.values()
            if source in (None, fact.source) and metric in (None, fact.metric) and statistic in (None, fact.statistic)
        ]

    def fact(self, iri: Iri) -> Fact | None:
        return self._facts.get(iri)

    def at(self, source: Iri, position: Decimal) -> Span | None:
        """The unit with start <= position < end; None in a gap."""
        holding = [span for span in self.spans(source) if span.start <= position and (span.end is None or position < span.end)]
        return holding[-1] if holding else None

    def window(self, source: Iri, start: Decimal, end: Decimal) -> Sequence[Span]:
        """Units that overlap [start, end), in order."""
        return [span for span in self.spans(source) if span.start < end and (span.end is None or start < span.end)]

    def spans(self, source: Iri) -> Sequence[Span]:
        """Units of a source by start; those that begin together as they were given."""
        return tuple(self._spans.get(source, ()))

    def span(self, iri: Iri) -> Span | None:
        return self._by_iri.get(iri)

    def reading(self, source: Iri, metric: Iri, position: Decimal, entity: Iri | None = None) -> Reading | None:
        """The lowest row at exactly this position, of one entity where it is given."""
        return self._readings.get((source, metric, position, entity))

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
        """Rows from `start` to `end`, which belong to it as `ends` says, of the entity, or of a series that tells of one thing; of more
        than `most` the first and the last, or those next to `near`."""
        found = [
            (Decimal(one.at or one.position), one)
            for one in self._series.get((source, metric), ())
            if entity in (None, one.entity)
        ]
        held = [
            (at, one)
            for at, one in found
            if (start <= at if ends != OPEN_START else start < at) and (at <= end if ends != OPEN_END else at < end)
        ]
        middle = None if near is None else sum(at < near for at, _ in held)
        return Stretch(tuple(held[at][1] for at in kept(len(held), most, middle)), len(held))

    def table(self, source: Iri) -> Sequence[StatedRow]:
        return tuple(self._rows.get(source, ()))

    def row(self, source: Iri, number: int) -> StatedRow | None:
        return next((row for row in self._rows.get(source, ()) if row.row == number), None)

    def stated(
        self, source: Iri, metrics: Sequence[Iri], entities: frozenset[Iri], positions: Sequence[Bounds]
    ) -> Sequence[StatedRow]:
        """Rows of a table: of these entities, where it has any of theirs; with metrics, those that state a value of one of them, at
        one of these positions where the table has any there."""
        rows = self._rows.get(source, [])
        rows = [row for row in rows if row.entity in entities] or rows
        if not metrics:
            return tuple(rows)
        values = [fact for metric in metrics for fact in self.facts(source, metric, "stated")]
        here = [fact for fact in values if fact.at and any(_within(Decimal(fact.at), one) for one in positions)]
        numbers = {fact.row for fact in here or values}
        return tuple(row for row in rows if row.row in numbers)

    def rivals(self, source: Iri, rows: Sequence[int]) -> Sequence[Fact]:
        """The stated values of some rows that others of the bases contradict, by IRI."""
        lists = frozenset(one.iri for base in self._bases for one in base.sources if len(one.entities) == 1)
        against = contradicted(self.facts(statistic="stated"), lists)
        return [fact for fact in self.facts(source, None, "stated") if fact.iri in against and fact.row in rows]

    @property
    def marks(self) -> Marks:
        return self._marks

    def search(self, terms: Sequence[str], limit: int, sources: frozenset[Iri] | None = None) -> Sequence[tuple[Iri, float]]:
        """IRIs of spans, stated rows (their facts), sources, entities and metrics that hold words asked for, best first, ties by
        IRI; with `sources`, only spans, rows and names of those."""
        return self._likeness.search(terms, limit, sources)

    def hits(self, terms: Sequence[str], limit: int, sources: frozenset[Iri]) -> Sequence[tuple[Iri, Iri, float]]:
        """What `search` gives in these sources: IRI, source, score."""
        return self._likeness.hits(terms, limit, sources)


def _within(at: Decimal, bounds: Bounds) -> bool:
    start, end = bounds
    return at == start if end is None else start <= at < end
