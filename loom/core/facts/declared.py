"""A declared series, and what was computed from it."""

from collections.abc import Mapping
from dataclasses import dataclass

from loom.core.facts.columns import SeriesColumns
from loom.core.facts.layout import Layout
from loom.core.facts.values import Attribute, Base, Fact, Metric
from loom.core.values import Iri


@dataclass(frozen=True, slots=True)
class Series:
    """One metric in one file. `position_column` is "" where rows have no position: they are then in the order of the file.
    `entity` is "" where cells of `entity_column` name it row by row, or nobody does."""

    base: Iri
    source: Iri
    path: str
    metric: Metric
    value_column: str
    position_column: str = ""
    attribute: Attribute | None = None
    entity: Iri = ""
    entity_column: str = ""
    decimal: str = "."

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read for it."""
        return tuple(dict.fromkeys(name for name in (self.position_column, self.value_column, self.entity_column) if name))


@dataclass(frozen=True, slots=True)
class Skip:
    """A row that was left out; `why` is "value", "position" or "entity", `cell` what stands there. `line` is 0 where the format
    has none."""

    row: int
    line: int
    why: str
    cell: str


@dataclass(frozen=True, slots=True)
class Doubled:
    """A position with more than one row: `count` of them, of which the lowest rows are named; `differ` says whether any two have
    different values."""

    position: str
    count: int
    rows: tuple[int, ...]
    values: tuple[str, ...]
    differ: bool


@dataclass(frozen=True, slots=True, eq=False)
class Computed:
    """What one series gave for one entity.

    `facts` are in the order of the metric's statistics; their `span` is still to be filled in. `skipped` and `doubled` name the
    first ones; the counts are of all.
    """

    series: Series
    entity: Iri
    facts: tuple[Fact, ...]
    columns: SeriesColumns
    skipped: tuple[Skip, ...] = ()
    skipped_count: int = 0
    doubled: tuple[Doubled, ...] = ()
    doubled_count: int = 0


def series_of(base: Base, layout: Layout) -> tuple[Series, ...]:
    """The series of a file, one a metric that its layout has a column for, in the layout's order."""
    source = next(source for source in base.sources if source.iri == layout.source)
    metrics = {metric.iri: metric for metric in base.metrics}
    attribute = next((one for one in base.attributes if one.name == source.attribute), None)
    return tuple(
        Series(
            base.iri,
            source.iri,
            layout.path,
            metrics[metric],
            column,
            layout.position,
            attribute,
            "" if layout.entity_column else entity_of_file(source.entities),
            layout.entity_column,
            layout.decimal,
        )
        for metric, column in layout.values
        if metric in metrics
    )


def entity_of_file(entities: tuple[Iri, ...]) -> Iri:
    """Whom the rows of a file are about that names nobody row by row: its one entity, "" where it has none or several."""
    return entities[0] if len(entities) == 1 else ""


def entities_by_name(base: Base) -> Mapping[str, Iri]:
    """Names, aliases and ids of entities in lower case, as cells name them; a name of two entities means neither."""
    found: dict[str, Iri] = {}
    for entity in base.entities:
        id = entity.iri.removeprefix(f"{base.iri}entity/")
        for name in {id.casefold(), entity.name.casefold(), *(alias.casefold() for _, alias in entity.aliases)}:
            found[name] = "" if found.get(name, entity.iri) != entity.iri else entity.iri
    return {name: iri for name, iri in found.items() if iri}
