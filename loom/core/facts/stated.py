"""Stated tables: rows kept verbatim, no arithmetic done on them (R7), and values that contradict one another (R32)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from urllib.parse import unquote

from loom.core.facts.batches import Batch
from loom.core.facts.declared import entities_by_name, entity_of_file
from loom.core.facts.iris import stated_iri
from loom.core.facts.layout import Layout
from loom.core.facts.numerals import EXACT, number_of, plain, position_of
from loom.core.facts.values import Attribute, Base, Fact, Metric, StatedRow
from loom.core.values import Iri


@dataclass(frozen=True, slots=True)
class Stated:
    """One row with the facts it states, one a declared metric that it has a cell for. `about` is what tells what it is about,
    beside the metric; `line` is 0 where the format has none."""

    row: StatedRow
    facts: tuple[Fact, ...]
    about: tuple[str, ...]
    line: int = 0


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two or more stated values of one metric about one thing, that differ; in the order of their rows, each with its line."""

    facts: tuple[Fact, ...]
    lines: tuple[int, ...]


def stated(base: Base, layout: Layout, batches: Iterable[Batch]) -> Iterator[Stated]:
    """The rows of a stated table, in its order; `batches` hold all of its columns, each of another name.

    A value's text is its cell without white space around it, whether or not it is a number. What a row is about: its entity and
    position where it has a position or a column names its entity; else all of its cells that hold no declared value, so that rows
    of a list are not taken for rivals.
    """
    source = next(source for source in base.sources if source.iri == layout.source)
    entities = entities_by_name(base) if layout.entity_column else {}
    metrics = {metric.iri: metric for metric in base.metrics}
    axis = next((one for one in base.attributes if one.name == source.attribute), Attribute(""))
    declared = {column for _, column in layout.values}
    for batch in batches:
        for place, number in enumerate(batch.rows):
            cells = dict(zip(batch.header, (column[place] for column in batch.columns), strict=True))
            entity = _entity(cells[layout.entity_column], entities) if layout.entity_column else entity_of_file(source.entities)
            position = cells[layout.position].strip() if layout.position else ""
            at = (
                position_of(position, batch.mark(layout.position, layout.decimal), axis.clock, axis.dates) if position else None
            )
            shown = plain(EXACT.normalize(at)) if at is not None else ""
            about: tuple[str, ...]
            if position or layout.entity_column:
                whom = entity or f"{layout.path}:{cells.get(layout.entity_column, '').strip().casefold()}"
                about = (whom, source.attribute, shown or position.casefold())
            else:
                about = (layout.path, *(cell.strip().casefold() for name, cell in cells.items() if name not in declared))
            facts = tuple(
                _fact(base, layout, metrics[metric], cells[column].strip(), batch.mark(column, layout.decimal), number)
                for metric, column in layout.values
                if metric in metrics and cells[column].strip()
            )
            facts = tuple(replace(fact, entity=entity, position=position, at=shown) for fact in facts)
            row = StatedRow(source.iri, batch.header, tuple(column[place] for column in batch.columns), number, entity)
            yield Stated(row, facts, about, batch.lines[place] if batch.lines else 0)


def contradictions(rows: Iterable[Stated]) -> list[Contradiction]:
    """Values that differ though they are of one metric and about one thing, over all stated tables of a base; in the order of
    metric and thing. Numbers differ as numbers (37.5 is 37.50), other texts as they are written."""
    found: dict[tuple[Iri, Iri, tuple[str, ...]], list[tuple[Iri, int, int, Fact]]] = {}
    for one in rows:
        for fact in one.facts:
            found.setdefault((fact.base, fact.metric, one.about), []).append((fact.source, fact.row, one.line, fact))
    results = []
    for key in sorted(found):
        rivals = sorted(found[key], key=lambda rival: rival[:3])
        if len({Decimal(fact.number) if fact.number else fact.value for *_, fact in rivals}) > 1:
            results.append(Contradiction(tuple(fact for *_, fact in rivals), tuple(line for _, _, line, _ in rivals)))
    return results


def _entity(cell: str, entities: Mapping[str, Iri]) -> Iri:
    return entities.get(cell.strip().casefold(), "")


def _fact(base: Base, layout: Layout, metric: Metric, value: str, mark: str, row: int) -> Fact:
    id = unquote(metric.iri.removeprefix(f"{base.iri}metric/"))
    number = number_of(value, mark, metric.unit)
    return Fact(
        iri=stated_iri(base.iri, layout.path, id, row),
        base=base.iri,
        source=layout.source,
        entity="",
        metric=metric.iri,
        statistic="stated",
        value=value,
        unit=metric.unit,
        row=row,
        number="" if number is None else plain(number),
    )
