"""Facts of declared series, computed once at build (seed 003 §3.1, R2): extrema with positions and ties, first, last, count, mean.

Values keep their source text. A row without a number or position is skipped and counted. Order is that of positions, never of rows:
rows in another order give the same facts but for `row`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, localcontext
from typing import TypeVar
from urllib.parse import unquote

import numpy as np

from loom.core.facts.batches import Batch
from loom.core.facts.columns import SeriesColumns
from loom.core.facts.declared import Computed, Series, Skip
from loom.core.facts.deriving import mean_of
from loom.core.facts.doubles import doubled_of
from loom.core.facts.gathering import CHUNK, ColumnsBuilder
from loom.core.facts.iris import fact_iri
from loom.core.facts.numerals import EXACT, number_of, places, plain
from loom.core.facts.parsing import decimals_of, numbers_of, places_of
from loom.core.facts.values import Fact
from loom.core.values import Iri

T = TypeVar("T")
KEPT = 5
"""Skipped rows and doubled positions that are named; all are counted."""


def compute(
    series: Sequence[Series], batches: Iterable[Batch], entities: Mapping[str, Iri] | None = None
) -> tuple[Computed, ...]:
    """The facts of series of one file, from one passage over its rows: one result a series, in their order.

    A series with an `entity_column` gives one result for each entity that its cells name, by IRI; before them stands one without
    facts, for the rows that are about nobody known. `entities` are names in lower case and whom they mean (`entities_by_name`).
    About thirty bytes a row and series are held, so many series of a very long file are better read one by one. Raises BadInput where
    positions cannot be told apart in 62 bits.
    """
    entities = entities or {}
    builders = {(at, one.entity): SeriesBuilder(one, one.entity) for at, one in enumerate(series)}
    for batch in batches:
        for at, one in enumerate(series):
            if not one.entity_column:
                builders[at, one.entity].add(batch)
                continue
            cells = batch.column(one.entity_column)
            owners: dict[Iri, list[int]] = {}
            for place, cell in enumerate(cells):
                owners.setdefault(entities.get(cell.strip().casefold(), ""), []).append(place)
            for owner, chosen in owners.items():
                builder = builders.setdefault((at, owner), SeriesBuilder(one, owner))
                if owner:
                    builder.add(batch, chosen)
                else:
                    builder.skip(batch, chosen, cells)
    return tuple(builders.pop(key).finish() for key in sorted(builders))


class SeriesBuilder:
    """Collects one series of one entity, batch by batch."""

    def __init__(self, series: Series, entity: Iri) -> None:
        self._series = series
        self._entity = entity
        self._columns = ColumnsBuilder()
        self._skipped: list[Skip] = []
        self._skipped_count = 0
        self._total = Decimal(0)
        self._mark = series.decimal

    def add(self, batch: Batch, chosen: Sequence[int] | None = None) -> None:
        """The rows of a batch, or those at `chosen` places of it."""
        series = self._series
        cells = _at(batch.column(series.value_column), chosen)
        rows = np.asarray(_at(batch.rows, chosen), np.int64)
        self._mark = batch.mark(series.value_column, series.decimal)
        numbers = numbers_of(cells, self._mark, series.metric.unit)
        readable = numbers.readable
        if series.position_column:
            positions = _at(batch.column(series.position_column), chosen)
            clock = series.attribute is not None and series.attribute.clock
            dates = series.attribute is not None and series.attribute.dates
            found = places_of(positions, batch.mark(series.position_column, series.decimal), clock, dates)
            keys, scale, texts = found.keys, found.scale, found.texts
            readable = readable & found.readable
        else:
            keys, scale, texts = rows, 0, None
        values: Sequence[str] = numbers.texts
        floats = numbers.floats
        if not readable.all():
            for place in np.flatnonzero(~readable).tolist():
                why, cell = ("position", positions[place]) if numbers.readable[place] else ("value", cells[place])
                self._skip(batch, place if chosen is None else chosen[place], why, cell)
            kept = np.flatnonzero(readable)
            keys, rows, floats = keys[kept], rows[kept], floats[kept]
            values = [values[place] for place in kept.tolist()]
            texts = None if texts is None else [texts[place] for place in kept.tolist()]
        if "mean" in series.metric.statistics:
            self._sum(values)
        self._columns.add(keys, scale, texts, rows, values, floats)

    def skip(self, batch: Batch, places: Sequence[int], cells: Sequence[str]) -> None:
        """Rows whose entity nobody knows."""
        for place in places:
            self._skip(batch, place, "entity", cells[place])

    def _skip(self, batch: Batch, place: int, why: str, cell: str) -> None:
        self._skipped_count += 1
        if len(self._skipped) < KEPT:
            self._skipped.append(Skip(batch.rows[place], batch.lines[place] if batch.lines else 0, why, cell))

    def _sum(self, values: Sequence[str]) -> None:
        """An exact sum is written as finely as the finest of what it is of."""
        with localcontext(EXACT):
            self._total = sum(decimals_of(values, self._mark, self._series.metric.unit), self._total)

    def _number(self, value: str) -> Decimal:
        """A value that was found readable."""
        return number_of(value, self._mark, self._series.metric.unit) or Decimal(0)

    def finish(self) -> Computed:
        columns = self._columns.finish()
        doubled, doubled_count = doubled_of(columns, self._number, KEPT)
        return Computed(
            self._series,
            self._entity,
            () if self._series.entity_column and not self._entity else tuple(self._facts(columns)),
            columns,
            tuple(self._skipped),
            self._skipped_count,
            doubled,
            doubled_count,
        )

    def _facts(self, columns: SeriesColumns) -> Iterator[Fact]:
        for statistic in self._series.metric.statistics:
            if statistic == "count":
                yield self._fact(statistic, value=str(len(columns)), number=str(len(columns)))
            elif not len(columns):
                continue
            elif statistic == "mean":
                mean = mean_of(self._total, len(columns), places(self._total))
                unit = self._series.metric.unit
                yield self._fact(statistic, value=mean.replace(".", self._mark), number=mean, unit=unit)
            elif statistic in ("min", "max"):
                lowest, ties = self._extreme(columns, statistic)
                yield self._found(statistic, columns, lowest, ties)
            elif statistic in ("first", "last"):
                yield self._found(statistic, columns, columns.key_range(0 if statistic == "first" else len(columns) - 1), 0)

    def _extreme(self, columns: SeriesColumns, statistic: str) -> tuple[list[int], int]:
        """The rows with the extreme value at the lowest position that has it, and how many further rows have it.

        Floats keep the order of what they are rounded from, so it is among those of the extreme float; which of them, their exact
        numbers say."""
        upward = statistic == "max"
        floats = columns.numbers
        best: Decimal | None = None
        lowest: list[int] = []
        count = 0
        for place in _each(np.flatnonzero(floats == (floats.max() if upward else floats.min()))):
            number = self._number(columns.value(place))
            if best is None or (number > best if upward else number < best):
                best, lowest, count = number, [place], 1
            elif number == best:
                count += 1
                if columns.keys[place] == columns.keys[lowest[0]]:
                    lowest.append(place)
        return lowest, count - 1

    def _found(self, statistic: str, columns: SeriesColumns, places: Sequence[int], ties: int) -> Fact:
        """The fact of one of several rows at one position: of the lowest number, then by texts, so that the order of rows does
        not matter."""
        place = min(
            places,
            key=lambda place: (self._number(columns.value(place)), columns.value(place), columns.position(place), place),
        )
        value = columns.value(place)
        positioned = bool(self._series.position_column)
        return self._fact(
            statistic,
            value=value,
            number=plain(self._number(value)),
            unit=self._series.metric.unit,
            position=columns.position(place) if positioned else "",
            at=plain(columns.at(place)) if positioned else "",
            row=columns.row(place),
            ties=ties,
        )

    def _fact(
        self,
        statistic: str,
        *,
        value: str,
        number: str,
        unit: str = "",
        position: str = "",
        at: str = "",
        row: int = 0,
        ties: int = 0,
    ) -> Fact:
        series = self._series
        metric = unquote(series.metric.iri.removeprefix(f"{series.base}metric/"))
        entity = self._entity.removeprefix(f"{series.base}entity/")
        return Fact(
            iri=fact_iri(series.base, series.path, metric, f"{entity}/{statistic}" if series.entity_column else statistic),
            base=series.base,
            source=series.source,
            entity=self._entity,
            metric=series.metric.iri,
            statistic=statistic,
            value=value,
            unit=unit,
            position=position,
            row=row,
            ties=ties,
            skipped=self._skipped_count,
            number=number,
            at=at,
        )


def _at(cells: Sequence[T], chosen: Sequence[int] | None) -> Sequence[T]:
    return cells if chosen is None else [cells[place] for place in chosen]


def _each(places: np.ndarray) -> Iterator[int]:
    """The places as whole numbers, never all at once: a series may be of one value throughout."""
    for begin in range(0, len(places), CHUNK):
        yield from places[begin : begin + CHUNK].tolist()
