"""The part `facts`: computed and stated values in the order of their IRIs, and the rows of stated tables.

facts.jsonl  facts.off.npy     one canonical JSON line a fact; u64, n + 1
iris.txt     iris.off.npy      their IRIs, sorted
sources.txt  sources.off.npy   sources that have facts; source.ptr.npy u64, source.fact.npy i32: the facts of each, in order
metrics.txt  metrics.off.npy   metrics likewise; metric.ptr.npy, metric.fact.npy
statistic.npy                  u8: the place of each fact's statistic in KNOWN
entities.txt entities.off.npy  entities of facts and rows, "" among them
marks.npy    marks.source.npy  what each source has of each metric and entity (`loom.core.facts.marks`)
tables.txt   and its like      the rows of stated tables (`loom.core.facts.tabled`)
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from loom.core.concepts import Blob, blob
from loom.core.facts.codec import fact_of, line
from loom.core.facts.lazily import Lazily
from loom.core.facts.marks import KNOWN, Marks, Names, numbered, place_of, press_marks
from loom.core.facts.part_bases import Files
from loom.core.facts.tabled import Tabled, press_tabled
from loom.core.facts.values import Bounds, Fact, StatedRow
from loom.core.generation import PartFiles
from loom.core.names import Sorted, between_lines
from loom.core.values import Iri


class FactsPart:
    """A mapped view of all facts and stated rows."""

    KIND: ClassVar[str] = "facts"

    def __init__(self, files: PartFiles, decode: Callable[[bytes], Any] = json.loads) -> None:
        self._decode = decode
        self._lines = Blob(files.blob("facts.jsonl"), files.array("facts.off.npy"))
        self._iris = Sorted(files.blob("iris.txt"), files.array("iris.off.npy"))
        self._sources = Grouped(files, "sources", "source", "fact")
        self._metrics = Grouped(files, "metrics", "metric", "fact")
        self._statistic = files.array("statistic.npy")
        names = Names(
            self._metrics.names, self._sources.names, Sorted(files.blob("entities.txt"), files.array("entities.off.npy"))
        )
        self.marks = Marks(names, files.array("marks.npy"), files.array("marks.source.npy"))
        self._tabled = Tabled(files, names.metrics, names.entities, decode)

    @classmethod
    def open(cls, files: PartFiles) -> Self:
        return cls(files, getattr(files, "decode", json.loads))

    def facts(self, source: Iri | None, metric: Iri | None, statistic: str | None) -> Sequence[Fact]:
        """Facts that fit all that is given, by IRI. Each is read when it is looked at."""
        numbers = np.arange(len(self._lines), dtype=np.int32) if source is None else self._sources.of(source)
        if metric is not None:
            of_metric = self._metrics.of(metric)
            numbers = of_metric if source is None else both(numbers, of_metric)
        if statistic is not None:
            code = KNOWN.index(statistic) if statistic in KNOWN else len(KNOWN)
            numbers = numbers[self._statistic[numbers] == code]
        return Lazily(numbers, self._fact)

    def fact(self, iri: Iri) -> Fact | None:
        at = place_of(self._iris, iri)
        return None if at is None else self._fact(at)

    def _fact(self, at: int) -> Fact:
        return fact_of(self._decode(self._lines.bytes(at)))

    def table(self, source: Iri) -> Sequence[StatedRow]:
        return self._tabled.table(source)

    def row(self, source: Iri, number: int) -> StatedRow | None:
        return self._tabled.row(source, number)

    def stated(
        self, source: Iri, metrics: Sequence[Iri], entities: frozenset[Iri], positions: Sequence[Bounds]
    ) -> Sequence[StatedRow]:
        return self._tabled.stated(source, metrics, entities, positions)

    def rivals(self, source: Iri, rows: Sequence[int]) -> Sequence[Fact]:
        return [self._fact(number) for number in self._tabled.rivals(source, rows)]


def both(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """What two ascending lists have in common; the shorter one is looked up in the longer."""
    few, many = sorted((some, others), key=len)
    places = np.searchsorted(many, few)
    inside = few[places < len(many)]
    found: np.ndarray = inside[many[places[: len(inside)]] == inside]
    return found


class Grouped:
    """What belongs to each of some sorted names: names, pointers, and numbers of what is pointed at."""

    def __init__(self, files: PartFiles, names: str, one: str, of: str) -> None:
        self.names = Sorted(files.blob(f"{names}.txt"), files.array(f"{names}.off.npy"))
        self._ptr = files.array(f"{one}.ptr.npy")
        self._numbers = files.array(f"{one}.{of}.npy")

    def of(self, name: str) -> np.ndarray:
        """What belongs to a name, in order: i32."""
        at = place_of(self.names, name)
        begin, end = self._ptr[at : at + 2].tolist() if at is not None else (0, 0)
        numbers: np.ndarray = self._numbers[begin:end]
        return numbers


def grouped(names: str, one: str, of: str, belonging: Sequence[str]) -> Files:
    """The files of a `Grouped`, from the name to which each number belongs."""
    known = sorted(set(belonging))
    numbers: Mapping[str, list[int]] = {name: [] for name in known}
    for number, name in enumerate(belonging):
        numbers[name].append(number)
    text, offsets = between_lines(known)
    return {
        f"{names}.txt": text,
        f"{names}.off.npy": offsets,
        f"{one}.ptr.npy": np.cumsum([0, *(len(numbers[name]) for name in known)], dtype=np.uint64),
        f"{one}.{of}.npy": np.array([number for name in known for number in numbers[name]], np.int32),
    }


def press_facts(facts: Iterable[Fact], rows: Iterable[StatedRow], lists: frozenset[Iri] = frozenset()) -> Files:
    """The files of the part, from facts and rows in any order. `lists` are sources that are about one thing: their rows without a
    position do not contradict one another."""
    ordered = sorted(facts, key=lambda fact: fact.iri)
    rows = list(rows)
    lines, line_off = blob(line(fact) for fact in ordered)
    iris, iri_off = between_lines(fact.iri for fact in ordered)
    metrics = numbered(fact.metric for fact in ordered)
    entities = numbered(["", *(fact.entity for fact in ordered), *(row.entity for row in rows)])
    entity_text, entity_off = between_lines(entities)
    marks, by_source = press_marks(ordered, entities)
    return {
        "facts.jsonl": lines,
        "facts.off.npy": line_off,
        "iris.txt": iris,
        "iris.off.npy": iri_off,
        **grouped("sources", "source", "fact", [fact.source for fact in ordered]),
        **grouped("metrics", "metric", "fact", [fact.metric for fact in ordered]),
        "statistic.npy": np.array([KNOWN.index(fact.statistic) for fact in ordered], np.uint8),
        "entities.txt": entity_text,
        "entities.off.npy": entity_off,
        "marks.npy": marks,
        "marks.source.npy": by_source,
        **press_tabled(ordered, rows, metrics, entities, lists),
    }
