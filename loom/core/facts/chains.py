"""A value that is asked of something which is only spoken of: where what is named leads to it, in one step or two.

A question names one thing and asks for a metric that it has no value of. A row about it, or a unit that names it, names another
thing that has one: that thing is meant, and the row or unit is shown as the link. The other way round, a row of a table that holds
the metric may name what is named. Only whole declared names count, and a named file or base is left for nothing (R11).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from loom.core.facts import wording
from loom.core.facts.asked import Ask
from loom.core.facts.asked_for import mentions, names_entity
from loom.core.facts.inventory import Inventory
from loom.core.facts.naming import ENTITY, Names, names_of
from loom.core.facts.tokens import folded, normal, tokens_of
from loom.core.facts.values import Entity, Held, Span, StatedRow
from loom.core.values import Iri

STEPS = 2
MOST_LINKS = 8
"""Links of one question; who asks for one thing is not shown a list of all."""
LOOKED_AT = 24
MOST_READ = 4000
"""Characters of a unit that are read for names."""


@dataclass(frozen=True, slots=True)
class Link:
    """What was led to, by which of its metrics, and the unit or row that says so."""

    entity: Iri
    metrics: tuple[Iri, ...]
    span: Span | None = None
    row: StatedRow | None = None


def links(held: Held, stock: Inventory, ask: Ask) -> tuple[Link, ...]:
    """The links from what is named to what has the asked metrics; none where what is named has them."""
    if not ask.entities or ask.sources or ask.bases or ask.carried:
        return ()
    asked = (*ask.metrics, *ask.loose)
    spoken = frozenset(folded(ask.text)) - wording.ALL_FUNCTION
    bare = not ask.metrics and not ask.statistics

    def meant(entity: Iri, metric: Iri) -> bool:
        """What loose words ask for is asked of what is spoken of by a word of its name, or where they ask for all there is."""
        return bare or metric not in ask.loose or any(spoken & set(words) for words in _wordings(stock.entities[entity]))

    lacking = tuple(metric for metric in asked if metric in stock.metrics and not _have(held, stock, ask.entities, metric))
    if not lacking:
        return ()
    names = names_of(held.bases)
    known = set(ask.entities)
    frontier: list[tuple[Iri, tuple[Link, ...]]] = [(entity, ()) for entity in ask.entities]
    found: list[Link] = []
    for _ in range(STEPS):
        reached: list[tuple[Iri, tuple[Link, ...]]] = []
        for entity, way in frontier:
            for link in _from(held, stock, names, entity, known):
                metrics = tuple(
                    metric for metric in lacking if meant(link.entity, metric) and _have(held, stock, (link.entity,), metric)
                )
                step = (*way, Link(link.entity, metrics, link.span, link.row))
                if metrics:
                    found += [one for one in step if one not in found]
                reached.append((link.entity, step))
        if not found:
            back = (link for entity in ask.entities for link in _naming(held, stock, entity, lacking, known))
            found += [one for one in back if all(meant(one.entity, metric) for metric in one.metrics)]
        if found:
            break
        known |= {entity for entity, _ in reached}
        frontier = reached
    return tuple(found[:MOST_LINKS])


def told_elsewhere(held: Held, stock: Inventory, ask: Ask, content: Sequence[str], within: frozenset[Iri]) -> tuple[Link, ...]:
    """Units and rows outside of the address that name what is named in full and hold words of what is asked for; of use where no value
    is asked, and the address says nothing of that. Best first."""
    if (
        not content
        or ask.metrics
        or ask.statistics
        or ask.positions
        or not ask.entities
        or ask.sources
        or ask.bases
        or ask.carried
    ):
        return ()
    outside = frozenset(stock.sources) - within
    scores = dict(held.search(content, LOOKED_AT * 4, outside))
    found: dict[Iri, Link] = {}
    for entity in ask.entities:
        called = _wordings(stock.entities[entity])
        for words in sorted(called):
            for hit, _ in held.search(words, LOOKED_AT, outside):
                if hit not in scores or hit in found:
                    continue
                span, fact = held.span(hit), held.fact(hit)
                row = held.row(fact.source, fact.row) if fact is not None and fact.statistic == "stated" else None
                if row is not None and any(folded(cell) in called for cell in row.cells):
                    found[hit] = Link(row.entity, (), row=row)
                elif span is not None and names_entity(span, words):
                    found[hit] = Link(entity, (), span=span)
    ranked = dict.fromkeys(found[hit] for hit in sorted(found, key=lambda hit: (-scores[hit], hit)))
    return tuple(ranked)[:STEPS]


def _have(held: Held, stock: Inventory, entities: Sequence[Iri], metric: Iri) -> bool:
    """Whether one of the entities has a value of a metric: its own, or that of a file which is about it alone."""
    return any(
        held.marks.statistics(metric, [one for one in stock.of_entity(entity) if _alone(stock, one, entity)], entity)
        for entity in entities
    )


def _alone(stock: Inventory, source: Iri, entity: Iri) -> bool:
    return source in stock.sources and set(stock.sources[source].entities) == {entity}


def _from(held: Held, stock: Inventory, names: Names, entity: Iri, known: set[Iri]) -> Iterator[Link]:
    """What rows about an entity, and units that name it, name beside it."""
    for source in sorted(stock.of_entity(entity)):
        file = stock.sources.get(source)
        if file is None:
            continue
        if file.kind == "table":
            for row in held.stated(source, (), frozenset((entity,)), ())[:LOOKED_AT]:
                if row.entity != entity:
                    continue
                for other in _named(names, row.cells):
                    if other not in known:
                        yield Link(other, (), row=row)
        elif file.kind != "series":
            for span in mentions(held, stock.entities[entity], source):
                for other in _named(names, (span.text,)):
                    if other not in known:
                        yield Link(other, (), span=span)


def _named(names: Names, texts: Sequence[str]) -> tuple[Iri, ...]:
    """The entities that texts name in full, in their order."""
    found: dict[Iri, None] = {}
    for text in texts:
        tokens = tokens_of(normal(text[:MOST_READ]))
        for match in names.find(tokens, [False] * len(tokens)):
            if match.whole:
                found |= dict.fromkeys(match.owners(ENTITY))
    return tuple(found)


def _naming(held: Held, stock: Inventory, entity: Iri, metrics: Sequence[Iri], known: set[Iri]) -> Iterator[Link]:
    """Rows of tables with an asked metric that name an entity of another base in a cell: the row's own thing has the value."""
    called = _wordings(stock.entities[entity])
    bases = {stock.metrics[metric].base for metric in metrics}
    tables = frozenset(file.iri for base in bases for file in stock.of_base(base) if file.kind == "table")
    hits = {hit: None for words in called for hit, _ in held.search(words, LOOKED_AT, tables)} if tables else {}
    seen: set[tuple[Iri, int]] = set()
    for hit in hits:
        fact = held.fact(hit)
        if fact is None or (fact.source, fact.row) in seen:
            continue
        seen.add((fact.source, fact.row))
        row = held.row(fact.source, fact.row)
        if row is None or not row.entity or row.entity in known or not any(folded(cell) in called for cell in row.cells):
            continue
        ours = tuple(
            one for one in metrics if row in held.stated(row.source, (one,), frozenset((row.entity,)), ())[:MOST_LINKS]
        )
        if ours:
            yield Link(row.entity, ours, row=row)


def _wordings(entity: Entity) -> frozenset[tuple[str, ...]]:
    return frozenset(folded(name) for name in (entity.name, *(alias for _, alias in entity.aliases)))
