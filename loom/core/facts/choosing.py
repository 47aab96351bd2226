"""Which facts, rows, readings, passages and units a question gets: by address alone, before anything is rendered (seed 003 §7).

What was computed or addressed is never ranked. Only what is searched for beside it is, and it is held to the address (R19).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TypeVar

from loom.core.facts.asked import Ask, Note, Position, Route
from loom.core.facts.asked_for import asked_for, least_beside, terms_for
from loom.core.facts.filling import Found, Limits, fill
from loom.core.facts.inventory import Inventory
from loom.core.facts.values import STATISTICS, Fact, Held, Reading, SourceFile, Span, StatedRow
from loom.core.values import Iri

MOST_ROWS = 40
"""Stated rows that are shown whatever room there is; of more, those are that fit."""
VALUED = ("series", "table")

T = TypeVar("T", Fact, StatedRow)


@dataclass(frozen=True, slots=True)
class Passage:
    """Units of one source at an address: [start, end) of its attribute, `end` None for a point. `fact` led there, where one did; `asked`
    says that the question's words did, inside of the address."""

    source: Iri
    start: Decimal
    end: Decimal | None
    spans: tuple[Span, ...]
    fact: Fact | Reading | None = None
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is assembled. `facts`, `readings` and `rows` are shown whatever room there is (R3), `more` and `more_rows` while they
    fit. `within` are the addressed sources, none where no address resolved; `bound` are those that hold the outline and what is
    searched for: a named entity that only anchors binds nothing. `committed` says that the address bound the route (R11)."""

    facts: tuple[Fact, ...] = ()
    more: tuple[Fact, ...] = ()
    readings: tuple[Reading, ...] = ()
    rows: tuple[StatedRow, ...] = ()
    more_rows: tuple[StatedRow, ...] = ()
    rivals: tuple[tuple[Fact, ...], ...] = ()
    passages: tuple[Passage, ...] = ()
    found: tuple[Found, ...] = ()
    notes: tuple[Note, ...] = ()
    bases: tuple[tuple[Iri, float], ...] = ()
    within: frozenset[Iri] = frozenset()
    bound: frozenset[Iri] = frozenset()
    committed: bool = False

    @property
    def anything(self) -> bool:
        """Whether anything was addressed, routed or found absent."""
        return bool(self.bases or self.within or self.notes)

    @property
    def outside(self) -> frozenset[Iri]:
        """Sources that the starvation valve added beside the address."""
        return frozenset(one.source for one in self.found if one.outside)


def choose(held: Held, stock: Inventory, ask: Ask, route: Route, readout: str = "full") -> Chosen:
    """What a question as it was read and routed gets; nothing at all where it was neither addressed, routed nor noted."""
    within = addressed(stock, ask, route)
    bases = route.bases or tuple((base, 1.0) for base in sorted({stock.owner(source) for source in within} - {""}))
    if not bases and not route.notes:
        return Chosen()
    open_to = frozenset(source.iri for base, _ in bases for source in stock.of_base(base))
    bound = within if route.committed or route.sources or ask.sources or ask.carried else frozenset()
    sources = sorted(within)
    beside = _beside(stock, ask, open_to, within, committed=route.committed)
    if ask.passage and not ask.metrics and not ask.statistics:
        sources = []
    files, anchors = _anchors(stock, ask, frozenset(base for base, _ in bases), within)
    own = (*_facts(held, ask, sources), *(fact for fact in _facts(held, ask, files) if fact.entity in anchors))
    own_rows = (*_rows(held, stock, ask, sources), *(row for row in _rows(held, stock, ask, files) if row.entity in anchors))
    others, other_rows = tuple(_facts(held, ask, beside)), tuple(_rows(held, stock, ask, beside))
    facts, rows = (*own, *others), (*own_rows, *other_rows)
    readings = tuple(_readings(held, stock, ask, sorted(within)))
    must = bool(within and ask.metrics and (ask.sources or ask.entities or ask.carried))
    passages = tuple(_passages(held, stock, ask, sorted(within), own if must else (), readings))
    terms = terms_for(held, stock, ask, within)
    led = frozenset(span.iri for passage in passages for span in passage.spans)
    content = asked_for(held, stock, ask, _asked_in(ask, within, bound), terms, led, led=bool(led))
    passages += tuple(Passage(run[0].source, run[0].start, run[-1].end, run, asked=True) for run in content.runs)
    other_rows += tuple(row for row in content.rows if row not in rows)
    rows = (*own_rows, *other_rows)
    few = must and len(own_rows) <= MOST_ROWS
    chosen = Chosen(
        facts=own if must else (),
        more=others if must else facts,
        readings=readings,
        rows=own_rows if few else (),
        more_rows=other_rows if few else rows,
        rivals=tuple(_rivals(held, stock, rows)),
        passages=passages,
        notes=route.notes,
        bases=bases,
        within=within,
        bound=bound,
        committed=route.committed,
    )
    if route.notes and not within:
        return chosen
    limits = Limits(
        bound,
        open_to,
        everywhere=not route.committed,
        delivered=bool(facts or rows or readings or led),
        spans=frozenset(span.iri for passage in passages for span in passage.spans),
        rows=frozenset((row.source, row.row) for row in rows),
        readout=readout,
        passage=ask.passage,
        sealed=bool(route.notes),
        given=tuple(span for run in content.runs for span in run),
        least=least_beside(content),
    )
    return replace(chosen, found=fill(held, terms.told, limits, terms.every))


def _asked_in(ask: Ask, within: frozenset[Iri], bound: frozenset[Iri]) -> frozenset[Iri]:
    """Where passages are asked for: the address, or the files of entities that only anchor, each for what it says of them."""
    return bound or (within if ask.entities else frozenset())


def addressed(stock: Inventory, ask: Ask, route: Route) -> frozenset[Iri]:
    """The sources that a question's address resolves to: those of the route, else named ones, else the files of named entities."""
    named = route.sources or frozenset((*ask.sources, *ask.carried))
    if not named:
        named = frozenset().union(*(stock.of_entity(entity) for entity in ask.entities))
    return frozenset(source for source in named if source in stock.sources)


def _beside(stock: Inventory, ask: Ask, open_to: frozenset[Iri], within: frozenset[Iri], *, committed: bool) -> list[Iri]:
    """Files of routed bases that no address leads to, for asked metrics that no addressed file's base has: where nothing binds the
    route, names anchor and leave nothing out. A name that nobody owns gets no value of anybody else's (R15)."""
    if not ask.metrics or ask.unowned or (committed and within):
        return []
    owners = {stock.owner(source) for source in within}
    asked = {stock.metrics[metric].base for metric in ask.metrics if metric in stock.metrics} - owners
    return sorted(source for source in open_to if stock.owner(source) in asked)


def _anchors(stock: Inventory, ask: Ask, bases: frozenset[Iri], within: frozenset[Iri]) -> tuple[list[Iri], frozenset[Iri]]:
    """Files outside the address that tell of named entities: values asked of an entity are given wherever they stand (R3), in the
    owning bases alone where a source is named."""
    if not within or not ask.metrics:
        return [], frozenset()
    files = frozenset().union(*(stock.of_entity(entity) for entity in ask.entities)) - within
    own = (file for file in files if file in stock.sources and (not ask.sources or stock.owner(file) in bases))
    return sorted(own), frozenset(ask.entities)


def _facts(held: Held, ask: Ask, sources: Iterable[Iri]) -> Iterator[Fact]:
    """Computed facts of the asked metrics, or of all where none is asked; what is asked for first, then in a fixed order."""
    wanted = {statistic: place for place, statistic in enumerate(ask.statistics)}

    def order(fact: Fact) -> tuple[Iri, Iri, int, int, Iri]:
        last = len(wanted)
        return (fact.entity, fact.metric, wanted.get(fact.statistic, last), STATISTICS.index(fact.statistic), fact.iri)

    for source in sources:
        found = [fact for metric in _metrics(ask) for fact in held.facts(source, metric) if fact.statistic in STATISTICS]
        yield from sorted(_about(found, ask), key=order)


def _metrics(ask: Ask) -> Sequence[Iri | None]:
    return tuple(sorted(ask.metrics)) or (None,)


def _about(found: Sequence[T], ask: Ask) -> list[T]:
    """Those of a source that are about a named entity, where any are: a file of several tells them apart."""
    about = [one for one in found if one.entity in ask.entities]
    return about or list(found)


def _rows(held: Held, stock: Inventory, ask: Ask, sources: Iterable[Iri]) -> Iterator[StatedRow]:
    """Stated rows that hold an asked metric, at an asked position where one is asked; all of a source where no metric is."""
    for source in sources:
        if stock.sources[source].kind != "table":
            continue
        rows = _about(held.table(source), ask)
        if ask.metrics:
            stated = [fact for metric in _metrics(ask) for fact in held.facts(source, metric, "stated")]
            at = [fact for fact in stated if fact.at and _at_asked(stock.sources[source], Decimal(fact.at), ask)]
            numbers = {fact.row for fact in at or stated}
            rows = [row for row in rows if row.row in numbers]
        yield from rows


def _at_asked(source: SourceFile, at: Decimal, ask: Ask) -> bool:
    return any(
        _counts(source, one) and (one.start == at if one.end is None else one.start <= at < one.end) for one in ask.positions
    )


def _counts(source: SourceFile, position: Position) -> bool:
    """Whether a position is one of the source's attribute."""
    return source.base == position.base and source.attribute == position.attribute


def _rivals(held: Held, stock: Inventory, rows: Sequence[StatedRow]) -> Iterator[tuple[Fact, ...]]:
    """Stated values of the rows that contradict one another: of one metric, entity and position, and not one number (R32).

    Rows without a position, in a file that is about one entity, are a list of things: they are no rivals.
    """
    shown = {(row.source, row.row) for row in rows}
    groups: dict[tuple[Iri, Iri, str], list[Fact]] = {}
    for source in sorted({row.source for row in rows}):
        for fact in held.facts(source, None, "stated"):
            told_apart = bool(fact.at) or len(stock.sources[source].entities) != 1
            if fact.entity and told_apart and (fact.source, fact.row) in shown:
                groups.setdefault((fact.metric, fact.entity, fact.at or fact.position), []).append(fact)
    for key in sorted(groups):
        rivals = sorted(groups[key], key=lambda fact: (fact.source, fact.row))
        if len({Decimal(fact.number) if fact.number else fact.value for fact in rivals}) > 1:
            yield tuple(rivals)


def _readings(held: Held, stock: Inventory, ask: Ask, sources: Iterable[Iri]) -> Iterator[Reading]:
    """The rows at named points, of the asked metrics, or of all that the source has unless a passage is what is asked for.

    Where a series tells of several entities, each of those that are asked for has its own row there, and each of all where none is.
    """
    points = [one for one in ask.positions if one.end is None and not one.around]
    for source in sources:
        here = [point for point in points if _counts(stock.sources[source], point)]
        if not here or (ask.passage and not ask.metrics):
            continue
        for metric in sorted(ask.metrics) or sorted({fact.metric for fact in held.facts(source)}):
            for point in here:
                found = [held.reading(source, metric, point.start, entity) for entity in _whose(held, source, metric, ask)]
                yield from (reading for reading in found if reading is not None)


def _whose(held: Held, source: Iri, metric: Iri, ask: Ask) -> Sequence[Iri | None]:
    """The entities whose rows of a series are meant; None for a series that tells of one thing."""
    told = _told_of(held, source, metric)
    if len(told) < 2:
        return (None,)
    return [entity for entity in told if entity in ask.entities] or told


def _told_of(held: Held, source: Iri, metric: Iri) -> list[Iri]:
    """The entities that a series has values of, by IRI."""
    return sorted({fact.entity for fact in held.facts(source, metric) if fact.statistic != "stated"})


def _passages(
    held: Held, stock: Inventory, ask: Ask, sources: Iterable[Iri], facts: Sequence[Fact], readings: Sequence[Reading]
) -> Iterator[Passage]:
    """Units at named positions, and, where a passage is asked for, those at the positions of asked values. No unit twice."""
    told: set[Iri] = set()

    def fresh(spans: Iterable[Span]) -> tuple[Span, ...]:
        found = tuple(span for span in spans if span.iri not in told)
        told.update(span.iri for span in found)
        return found

    for source in sources:
        file = stock.sources[source]
        if file.kind in VALUED or (ask.metrics and not ask.passage):
            continue
        for point in ask.positions:
            if _counts(file, point):
                start, end = _window(stock, point)
                unit = held.at(source, start) if end is None else None
                spans = fresh(held.window(source, start, end) if end is not None else [unit] if unit else [])
                if spans:
                    yield Passage(source, start, end, spans)
    if not ask.passage:
        return
    valued: list[Fact | Reading] = [fact for fact in facts if fact.statistic in ask.statistics]
    for one in (*valued, *readings):
        aligned = held.span(one.span) if one.span else None
        if aligned and (spans := fresh([aligned])):
            yield Passage(aligned.source, aligned.start, None, spans, one)


def _window(stock: Inventory, asked: Position) -> tuple[Decimal, Decimal | None]:
    """The interval that a position means: a point, the declared window around it, or what was said."""
    attribute = stock.attributes.get((asked.base, asked.attribute))
    if asked.end is not None:
        return (asked.start, asked.end) if asked.end > asked.start else (asked.start, None)
    if not asked.around or attribute is None or not Decimal(attribute.window):
        return asked.start, None
    return asked.start - Decimal(attribute.window), asked.start + Decimal(attribute.window)
