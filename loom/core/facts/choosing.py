"""Which facts, rows, readings, passages and units a question gets: by address alone, before anything is rendered (seed 003 §7).

What was computed or addressed is never ranked. Only what is searched for beside it is, and it is held to the address (R19).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import islice
from typing import TypeVar

from loom.core.facts import series
from loom.core.facts.absence import NO_METRIC
from loom.core.facts.asked import Ask, Edge, Note, Position, Route
from loom.core.facts.asked_for import asked_for, least_beside, terms_for
from loom.core.facts.chains import Link, links, told_elsewhere
from loom.core.facts.filling import Found, Limits, fill
from loom.core.facts.inventory import Inventory
from loom.core.facts.valued import MOST_BESIDE, MOST_RIVALRIES, Read, counts, facts, rivals, rows
from loom.core.facts.values import Fact, Held, Reading, Span, StatedRow
from loom.core.values import Iri

MOST_ROWS = 40
"""Stated rows that are shown whatever room there is; of more, those are that fit."""
VALUED = ("series", "table")

T = TypeVar("T")


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
    """What is assembled. `facts`, `readings` and `rows` are shown whatever room there is (R3), `more`, `more_readings`, `windows` and
    `more_rows` while they fit; `unread` counts those beyond. `within` are the addressed sources, none where no address resolved; `bound` are those that hold the outline and what is
    searched for: a named entity that only anchors binds nothing. `committed` says that the address bound the route (R11)."""

    facts: tuple[Fact, ...] = ()
    more: tuple[Fact, ...] = ()
    readings: tuple[Reading, ...] = ()
    more_readings: tuple[Reading, ...] = ()
    windows: tuple[series.Window, ...] = ()
    rows: tuple[StatedRow, ...] = ()
    more_rows: tuple[StatedRow, ...] = ()
    unread: int = 0
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


def choose(held: Held, stock: Inventory, ask: Ask, route: Route, readout: str = "full", most: int = MOST_BESIDE) -> Chosen:
    """What a question as it was read and routed gets; nothing at all where it was neither addressed, routed nor noted. Where what it
    names leads to what it asks for, that is chosen as if it were named, with what leads there. Of what is shown while it fits, `most`
    facts and as many rows are read."""
    most = max(most, MOST_ROWS)
    chain = links(held, stock, ask)
    if not chain:
        return _chosen(held, stock, ask, route, readout, most)
    ask, route = _led(stock, ask, route, chain)
    chosen = _chosen(held, stock, ask, route, readout, most)
    return _with_links(chosen, chain)


def _led(stock: Inventory, ask: Ask, route: Route, chain: Sequence[Link]) -> tuple[Ask, Route]:
    """The question and its route with what was led to."""
    entities = tuple(dict.fromkeys((*ask.entities, *(link.entity for link in chain))))
    metrics = tuple(dict.fromkeys((*ask.metrics, *(metric for link in chain for metric in link.metrics))))
    had = {stock.metrics[metric].name for link in chain for metric in link.metrics}
    notes = tuple(note for note in route.notes if note.kind != NO_METRIC or not any(f'"{name}"' in note.text for name in had))
    files = frozenset(source for link in chain for source in stock.of_entity(link.entity)) if route.sources else frozenset()
    least = min((score for _, score in route.bases), default=1.0)
    beside = sorted({stock.entities[link.entity].base for link in chain} - {base for base, _ in route.bases})
    bases = (*route.bases, *((base, least) for base in beside))
    return replace(ask, entities=entities, metrics=metrics, loose=()), replace(
        route, bases=bases, notes=notes, sources=route.sources | files
    )


def _with_links(chosen: Chosen, chain: Sequence[Link]) -> Chosen:
    """What says that one thing leads to the other is shown beside what it led to."""
    told = {span.iri for passage in chosen.passages for span in passage.spans}
    spans = {link.span.iri: link.span for link in chain if link.span is not None and link.span.iri not in told}
    rows = {(link.row.source, link.row.row): link.row for link in chain if link.row is not None and link.row not in chosen.rows}
    return replace(
        chosen,
        passages=(*(Passage(one.source, one.start, one.end, (one,), asked=True) for one in spans.values()), *chosen.passages),
        rows=(*chosen.rows, *rows.values()),
        more_rows=tuple(row for row in chosen.more_rows if (row.source, row.row) not in rows),
        found=tuple(one for one in chosen.found if one.iri not in spans and (one.row is None or one.row not in rows.values())),
    )


def _chosen(held: Held, stock: Inventory, ask: Ask, route: Route, readout: str, most: int) -> Chosen:
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
    files, anchors = _anchors(held, stock, ask, frozenset(base for base, _ in bases), within)
    must = bool(within and ask.metrics and (ask.sources or ask.entities or ask.carried))
    asked = None if must else most
    theirs = anchors or frozenset(ask.entities)
    shared = [source for source in sources if series.shared(stock, ask, source)]
    whole, files = [source for source in sources if source not in shared], sorted({*files, *shared})
    own = _both(facts(held, stock, ask, whole, asked), facts(held, stock, ask, files, asked, theirs | {""}))
    own_rows = _both(rows(held, stock, ask, whole, most), rows(held, stock, ask, files, most, theirs | {""}))
    others, other_rows = facts(held, stock, ask, beside, most), rows(held, stock, ask, beside, most)
    readings = tuple(series.at_points(held, stock, ask, sorted(within)))
    windows = tuple(series.within(held, stock, ask, sorted(within) or beside))
    more_readings = () if within else tuple(islice(series.at_points(held, stock, ask, beside), most))
    if len(readings) > MOST_ROWS:
        readings, more_readings = (), readings
    passages = tuple(_passages(held, stock, ask, sorted(within), own.kept if must else (), readings))
    terms = terms_for(held, stock, ask, within)
    led = frozenset(span.iri for passage in passages for span in passage.spans)
    content = asked_for(held, stock, ask, _asked_in(ask, within, bound), terms, led, led=bool(led))
    passages += tuple(Passage(run[0].source, run[0].start, run[-1].end, run, asked=True) for run in content.runs)
    apart = () if content.runs or content.rows else told_elsewhere(held, stock, ask, terms.content, within)
    passages += tuple(Passage(one.source, one.start, one.end, (one,), asked=True) for link in apart if (one := link.span))
    few = must and len(own_rows.kept) + own_rows.left <= MOST_ROWS
    stated = (*own_rows.kept, *other_rows.kept)
    asked_rows = (*content.rows, *(link.row for link in apart if link.row is not None))
    named_rows = tuple(row for row in asked_rows if row not in stated)
    more_rows = (*(() if few else own_rows.kept), *other_rows.kept, *named_rows)
    must_rows = own_rows.kept if few else ()
    unread = (0 if must else own.left) + others.left + own_rows.left + other_rows.left
    chosen = Chosen(
        facts=own.kept if must else (),
        more=others.kept if must else (*own.kept, *others.kept),
        readings=readings,
        more_readings=more_readings,
        windows=windows,
        rows=must_rows,
        more_rows=more_rows,
        unread=unread,
        rivals=(*rivals(held, must_rows), *islice(rivals(held, more_rows), MOST_RIVALRIES)),
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
        delivered=bool(own.kept or others.kept or must_rows or more_rows or readings or more_readings or windows or led),
        spans=frozenset(span.iri for passage in passages for span in passage.spans),
        rows=frozenset((row.source, row.row) for row in (*must_rows, *more_rows)),
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


def _anchors(
    held: Held, stock: Inventory, ask: Ask, bases: frozenset[Iri], within: frozenset[Iri]
) -> tuple[list[Iri], frozenset[Iri]]:
    """Files outside the address that tell of named entities: values asked of an entity are given wherever they stand (R3); where a
    source is named, in the owning bases alone, and only where none that is named has the asked value (R11)."""
    if not within or not ask.metrics:
        return [], frozenset()
    if any(held.marks.statistics(metric, ask.sources) for metric in ask.metrics if ask.sources):
        return [], frozenset()
    files = frozenset().union(*(stock.of_entity(entity) for entity in ask.entities)) - within
    own = (file for file in files if file in stock.sources and (not ask.sources or stock.owner(file) in bases))
    return sorted(own), frozenset(ask.entities)


def _both(first: Read[T], second: Read[T]) -> Read[T]:
    return Read((*first.kept, *second.kept), first.left + second.left)


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
            if counts(file, point):
                start, end = _window(stock, point)
                unit = held.at(source, start) if end is None else None
                spans = fresh(held.window(source, start, end) if end is not None else [unit] if unit else [])
                if spans:
                    yield Passage(source, start, end, spans)
        for edge in ask.edges:
            if counts(file, edge) and (units := held.spans(source)) and (spans := fresh(_at_edge(held, units, edge))):
                yield Passage(source, spans[0].start, spans[-1].end, spans)
    if not ask.passage:
        return
    valued: list[Fact | Reading] = [fact for fact in facts if fact.statistic in ask.statistics and not ask.windowed]
    for one in (*valued, *readings):
        aligned = held.span(one.span) if one.span else None
        if aligned and (spans := fresh([aligned])):
            yield Passage(aligned.source, aligned.start, None, spans, one)


def _at_edge(held: Held, units: Sequence[Span], edge: Edge) -> Sequence[Span]:
    """The units of a source at its beginning or its end."""
    first, last = units[0], units[-1]
    if not edge.last:
        return held.window(first.source, first.start, first.start + edge.length)
    end = last.start if last.end is None else last.end
    return [span for span in held.window(first.source, end - edge.length, series.FARTHEST) if edge.length]


def _window(stock: Inventory, asked: Position) -> tuple[Decimal, Decimal | None]:
    """The interval that a position means: a point, the declared window around it, or what was said."""
    attribute = stock.attributes.get((asked.base, asked.attribute))
    if asked.end is not None:
        return (asked.start, asked.end) if asked.end > asked.start else (asked.start, None)
    if not asked.around or attribute is None or not Decimal(attribute.window):
        return asked.start, None
    return asked.start - Decimal(attribute.window), asked.start + Decimal(attribute.window)
