"""The part `facts`: computed and stated values in the order of their IRIs, and the rows of stated tables.

facts.jsonl  facts.off.npy     one canonical JSON line a fact; u64, n + 1
iris.txt     iris.off.npy      their IRIs, sorted
sources.txt  sources.off.npy   sources that have facts; source.ptr.npy u64, source.fact.npy i32: the facts of each, in order
metrics.txt  metrics.off.npy   metrics likewise; metric.ptr.npy, metric.fact.npy
statistic.npy                  u8: the place of each fact's statistic in KNOWN
tables.txt   tables.off.npy    sources with stated rows; table.ptr.npy u64: where the rows of each begin
headers.json                   the columns of each table
rows.jsonl   rows.off.npy      stated rows by source and row number
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, ClassVar, Self

import numpy as np

from loom.core.concepts import Blob, blob, canonical
from loom.core.facts.codec import fact_of, line, row_of
from loom.core.facts.lazily import Lazily
from loom.core.facts.part_bases import Files
from loom.core.facts.values import STATISTICS, Fact, StatedRow
from loom.core.generation import PartFiles
from loom.core.names import Sorted, between_lines
from loom.core.values import Iri

KNOWN = (*STATISTICS, "stated")


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
        self._tables = Sorted(files.blob("tables.txt"), files.array("tables.off.npy"))
        self._table_ptr = files.array("table.ptr.npy")
        self._headers: Sequence[Sequence[str]] = json.loads(bytes(files.blob("headers.json")))
        self._rows = Blob(files.blob("rows.jsonl"), files.array("rows.off.npy"))

    @classmethod
    def open(cls, files: PartFiles) -> Self:
        return cls(files, getattr(files, "decode", json.loads))

    def facts(self, source: Iri | None, metric: Iri | None, statistic: str | None) -> list[Fact]:
        """Facts that fit all that is given, by IRI; what does not is not read."""
        numbers = np.arange(len(self._lines), dtype=np.int32) if source is None else self._sources.of(source)
        if metric is not None:
            of_metric = self._metrics.of(metric)
            numbers = of_metric if source is None else np.intersect1d(numbers, of_metric, assume_unique=True)
        if statistic is not None:
            code = KNOWN.index(statistic) if statistic in KNOWN else len(KNOWN)
            numbers = numbers[self._statistic[numbers] == code]
        return [self._fact(number) for number in numbers.tolist()]

    def fact(self, iri: Iri) -> Fact | None:
        at = place_of(self._iris, iri)
        return None if at is None else self._fact(at)

    def _fact(self, at: int) -> Fact:
        return fact_of(self._decode(self._lines.bytes(at)))

    def table(self, source: Iri) -> Lazily[StatedRow]:
        at = place_of(self._tables, source)
        begin, end = self._table_ptr[at : at + 2].tolist() if at is not None else (0, 0)
        known = {"source": source, "header": list(self._headers[at]) if at is not None else []}
        return Lazily(range(begin, end), lambda row: row_of({**known, **self._decode(self._rows.bytes(row))}))


class Grouped:
    """What belongs to each of some sorted names: names, pointers, and numbers of what is pointed at."""

    def __init__(self, files: PartFiles, names: str, one: str, of: str) -> None:
        self._names = Sorted(files.blob(f"{names}.txt"), files.array(f"{names}.off.npy"))
        self._ptr = files.array(f"{one}.ptr.npy")
        self._numbers = files.array(f"{one}.{of}.npy")

    def of(self, name: str) -> np.ndarray:
        """What belongs to a name, in order: i32."""
        at = place_of(self._names, name)
        begin, end = self._ptr[at : at + 2].tolist() if at is not None else (0, 0)
        numbers: np.ndarray = self._numbers[begin:end]
        return numbers


def place_of(names: Sorted, name: str) -> int | None:
    """Where a name stands in a sorted list."""
    wanted = name.encode("utf-8", "replace")
    at = names.first(wanted)
    return at if at < len(names) and names[at] == wanted else None


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


def press_facts(facts: Iterable[Fact], rows: Iterable[StatedRow]) -> Files:
    """The files of the part, from facts and rows in any order."""
    ordered = sorted(facts, key=lambda fact: fact.iri)
    lines, line_off = blob(line(fact) for fact in ordered)
    iris, iri_off = between_lines(fact.iri for fact in ordered)
    tables = [
        (source, list(held))
        for source, held in groupby(sorted(rows, key=lambda row: (row.source, row.row)), key=lambda row: row.source)
    ]
    names, name_off = between_lines(source for source, _ in tables)
    stated, stated_off = blob(
        line(row, "source", *(("header",) if row.header == held[0].header else ())) for _, held in tables for row in held
    )
    return {
        "facts.jsonl": lines,
        "facts.off.npy": line_off,
        "iris.txt": iris,
        "iris.off.npy": iri_off,
        **grouped("sources", "source", "fact", [fact.source for fact in ordered]),
        **grouped("metrics", "metric", "fact", [fact.metric for fact in ordered]),
        "statistic.npy": np.array([KNOWN.index(fact.statistic) for fact in ordered], np.uint8),
        "tables.txt": names,
        "tables.off.npy": name_off,
        "table.ptr.npy": np.cumsum([0, *(len(held) for _, held in tables)], dtype=np.uint64),
        "headers.json": canonical([list(held[0].header) for _, held in tables]).encode("utf-8", "replace"),
        "rows.jsonl": stated,
        "rows.off.npy": stated_off,
    }
