"""Which statistics of which metric each source has of which entity: what is there is told without reading a value.

Sources and metrics are those that have facts, entities are "" where a fact names none. A table of marks is i32, four rows of n:
metric, source, entity, statistic, as places in sorted lists of names, in that order.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from loom.core.facts.values import STATISTICS, Fact
from loom.core.names import Sorted, between_lines
from loom.core.values import Iri

KNOWN = (*STATISTICS, "stated")
STATED = KNOWN.index("stated")


class Names(NamedTuple):
    """Sorted names of metrics, sources and entities."""

    metrics: Sorted
    sources: Sorted
    entities: Sorted


class Marks:
    """A view over a table of marks; `by_source` (i32) puts them in the order of their sources."""

    def __init__(self, names: Names, table: np.ndarray, by_source: np.ndarray) -> None:
        self._names = names
        self._metric, self._source, self._entity, self._statistic = table
        self._by_source = by_source
        self._sources = table[1][by_source]
        self._places: dict[Iri, int] = {}

    def metrics(self, source: Iri) -> tuple[Iri, ...]:
        """The metrics that a source has facts of, stated ones among them, by IRI."""
        return self._texts(self._names.metrics, self._metric[self._of_source(source)])

    def sources(self, metric: Iri) -> frozenset[Iri]:
        """The sources that have facts of a metric."""
        return frozenset(self._texts(self._names.sources, self._source[self._of_metric(metric)]))

    def entities(self, source: Iri, metric: Iri) -> tuple[Iri, ...]:
        """The entities that a source has computed values of a metric of, by IRI; "" for values of no entity."""
        places = self._of_source(source)
        here = (self._metric[places] == place_of(self._names.metrics, metric)) & (self._statistic[places] != STATED)
        return self._texts(self._names.entities, self._entity[places[here]])

    def statistics(self, metric: Iri, sources: Collection[Iri], entity: Iri | None = None) -> frozenset[str]:
        """The statistics of a metric in these sources; with an entity, its own wherever they stand, and those here that name none."""
        marks = self._of_metric(metric)
        here = self._in(self._source[marks], sources)
        if entity is not None:
            whose = self._entity[marks]
            here = (here & (whose == place_of(self._names.entities, ""))) | (whose == place_of(self._names.entities, entity))
        return frozenset(KNOWN[code] for code in np.unique(self._statistic[marks][here]).tolist())

    def computed(
        self, sources: Collection[Iri], metrics: Sequence[Iri] = (), entities: Collection[Iri] = (), *, alone: bool = False
    ) -> int:
        """How many computed values of these metrics, of all where none is given, sources have: of these entities where a source has
        any of theirs, and nothing of other sources where they count `alone`."""
        here = self._in(self._source, sources) & (self._statistic != STATED)
        if metrics:
            asked = [at for metric in metrics if (at := place_of(self._names.metrics, metric)) is not None]
            here &= np.isin(self._metric, np.array(asked, np.int32))
        if entities:
            whose = [at for entity in entities if (at := place_of(self._names.entities, entity)) is not None]
            theirs = here & np.isin(self._entity, np.array(whose, np.int32))
            here &= theirs if alone else theirs | ~np.isin(self._source, np.unique(self._source[theirs]))
        return int(np.count_nonzero(here))

    def _in(self, found: np.ndarray, sources: Collection[Iri]) -> np.ndarray:
        """Which marks, by their sources, are of these."""
        if not self._places and len(self._names.sources):
            self._places = {self._names.sources[at].decode(): at for at in range(len(self._names.sources))}
        places = [at for source in sources if (at := self._places.get(source)) is not None]
        if len(places) == 1:
            one: np.ndarray = found == places[0]
            return one
        return np.isin(found, np.array(places, np.int32))

    def _of_metric(self, metric: Iri) -> slice:
        at = place_of(self._names.metrics, metric)
        if at is None:
            return slice(0, 0)
        return slice(*np.searchsorted(self._metric, np.array([at, at + 1], np.int32)).tolist())

    def _of_source(self, source: Iri) -> np.ndarray:
        at = place_of(self._names.sources, source)
        if at is None:
            return self._by_source[:0]
        begin, end = np.searchsorted(self._sources, np.array([at, at + 1], np.int32)).tolist()
        return self._by_source[begin:end]

    @staticmethod
    def _texts(names: Sorted, places: np.ndarray) -> tuple[str, ...]:
        return tuple(names[at].decode() for at in np.unique(places).tolist())


def place_of(names: Sorted, name: str) -> int | None:
    """Where a name stands in a sorted list."""
    wanted = name.encode("utf-8", "replace")
    at = names.first(wanted)
    return at if at < len(names) and names[at] == wanted else None


def numbered(names: Iterable[str]) -> dict[str, int]:
    """The place of each of some names among them, sorted."""
    return {name: at for at, name in enumerate(sorted(set(names)))}


def press_marks(facts: Sequence[Fact], entities: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """The table, and the order of its marks by source."""
    metrics, sources = numbered(fact.metric for fact in facts), numbered(fact.source for fact in facts)
    known = {(metrics[one.metric], sources[one.source], entities[one.entity], KNOWN.index(one.statistic)) for one in facts}
    table = np.array(sorted(known), np.int32).reshape(-1, 4).T.copy()
    return table, np.argsort(table[1], kind="stable").astype(np.int32)


def marks_of(facts: Sequence[Fact]) -> Marks:
    """The marks of facts in memory."""
    entities = numbered(["", *(fact.entity for fact in facts)])
    lists = (numbered(fact.metric for fact in facts), numbered(fact.source for fact in facts), entities)
    made = (Sorted(memoryview(text), offsets) for text, offsets in map(between_lines, lists))
    return Marks(Names(*made), *press_marks(facts, entities))
