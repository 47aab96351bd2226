"""Stated rows, found by entity, metric and position without a row being read: a table may have a million of them.

tables.txt  tables.off.npy        sources with stated rows; table.ptr.npy u64: where the rows of each begin
headers.json                      the columns of each table
rows.jsonl  rows.off.npy          stated rows by source and row number; u64, n + 1
row.number.npy  row.entity.npy    u32 number of each row in its source; i32 its entity
ats.txt  ats.off.npy              positions of stated values as plain decimals, each once, ascending
stated.row.npy                    i32 row of each stated value, ascending
stated.fact.npy  stated.metric.npy  stated.at.npy  stated.rival.npy
                                  i32 its fact, metric, position (NONE without one); u8: whether another value contradicts it
"""

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from itertools import groupby
from typing import Any

import numpy as np

from loom.core.concepts import Blob, blob, canonical
from loom.core.facts.codec import line, row_of
from loom.core.facts.lazily import Lazily
from loom.core.facts.marks import place_of
from loom.core.facts.part_bases import Files
from loom.core.facts.values import Bounds, Fact, StatedRow
from loom.core.generation import PartFiles
from loom.core.names import Sorted, between_lines
from loom.core.values import Iri

NONE = -1


class Tabled:
    """A mapped view of the stated rows; `metrics` and `entities` are sorted names that their numbers mean."""

    def __init__(self, files: PartFiles, metrics: Sorted, entities: Sorted, decode: Callable[[bytes], Any]) -> None:
        self._decode, self._metrics, self._entities = decode, metrics, entities
        self._tables = Sorted(files.blob("tables.txt"), files.array("tables.off.npy"))
        self._ptr = files.array("table.ptr.npy")
        self._headers: Sequence[Sequence[str]] = json.loads(bytes(files.blob("headers.json")))
        self._rows = Blob(files.blob("rows.jsonl"), files.array("rows.off.npy"))
        self._number, self._entity = files.array("row.number.npy"), files.array("row.entity.npy")
        self._ats = _Positions(Sorted(files.blob("ats.txt"), files.array("ats.off.npy")))
        self._of_row, self._fact, self._metric, self._at, self._rival = (
            files.array(f"stated.{name}.npy") for name in ("row", "fact", "metric", "at", "rival")
        )  # fmt: skip

    def table(self, source: Iri) -> Sequence[StatedRow]:
        return self._read(source, range(*self._range(source)))

    def row(self, source: Iri, number: int) -> StatedRow | None:
        places = self._places(source, np.array([number]))
        return self._read(source, places.tolist())[0] if len(places) else None

    def stated(
        self, source: Iri, metrics: Sequence[Iri], entities: frozenset[Iri], positions: Sequence[Bounds]
    ) -> Sequence[StatedRow]:
        begin, end = self._range(source)
        chosen = np.ones(end - begin, bool)
        if entities and begin < end:
            whose = _one_of(self._entity[begin:end], self._entities, entities)
            chosen = whose if whose.any() else chosen
        if metrics:
            first, last = np.searchsorted(self._of_row, np.array([begin, end], np.int32)).tolist()
            asked = _one_of(self._metric[first:last], self._metrics, metrics)
            if positions:
                here = np.zeros(last - first, bool)
                for low, high in map(self._ats.between, positions):
                    here |= (self._at[first:last] >= low) & (self._at[first:last] < high)
                here &= asked
                asked = here if here.any() else asked
            holding = np.zeros(end - begin, bool)
            holding[self._of_row[first:last][asked] - begin] = True
            chosen &= holding
        return self._read(source, np.flatnonzero(chosen) + begin)

    def rivals(self, source: Iri, numbers: Sequence[int]) -> list[int]:
        """The facts of some rows that other values contradict, in order."""
        places = self._places(source, np.array(numbers, np.int64))
        found: list[int] = []
        for first, last in zip(
            np.searchsorted(self._of_row, places), np.searchsorted(self._of_row, places, "right"), strict=True
        ):
            found += self._fact[first:last][self._rival[first:last] > 0].tolist()
        return sorted(found)

    def _places(self, source: Iri, numbers: np.ndarray) -> np.ndarray:
        """Where rows of these numbers stand; those that are not there are left out."""
        begin, end = self._range(source)
        here = self._number[begin:end]
        places = np.searchsorted(here, numbers)
        inside = places < len(here)
        places, numbers = places[inside], numbers[inside]
        found: np.ndarray = (places[here[places] == numbers] + begin).astype(np.int32)
        return found

    def _range(self, source: Iri) -> tuple[int, int]:
        at = place_of(self._tables, source)
        begin, end = self._ptr[at : at + 2].tolist() if at is not None else (0, 0)
        return begin, end

    def _read(self, source: Iri, places: Sequence[int] | np.ndarray) -> Lazily[StatedRow]:
        at = place_of(self._tables, source)
        known = {"source": source, "header": list(self._headers[at]) if at is not None else []}
        return Lazily(places, lambda row: row_of({**known, **self._decode(self._rows.bytes(row))}))


class _Positions(Sequence[Decimal]):
    """Ascending positions, each read when it is looked at."""

    def __init__(self, texts: Sorted) -> None:
        self._texts = texts

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, at: Any) -> Any:
        return Decimal(self._texts[at].decode())

    def between(self, bounds: Bounds) -> tuple[int, int]:
        """The places of positions in [start, end), or of the one at start where there is no end."""
        start, end = bounds
        low = bisect_left(self, start)
        if end is None:
            return low, low + int(low < len(self) and self[low] == start)
        return low, bisect_left(self, end)


def _one_of(numbers: np.ndarray, names: Sorted, wanted: Iterable[str]) -> np.ndarray:
    """Which of some numbers mean one of these names."""
    found = np.zeros(len(numbers), bool)
    for name in sorted(wanted):
        at = place_of(names, name)
        if at is not None:
            found |= numbers == at
    return found


def press_tabled(
    ordered: Sequence[Fact], rows: Iterable[StatedRow], metrics: dict[str, int], entities: dict[str, int], lists: frozenset[Iri]
) -> Files:
    """The files, from all facts by IRI and rows in any order; `lists` are sources whose rows without a position are no rivals."""
    tables = [
        (source, list(held))
        for source, held in groupby(sorted(rows, key=lambda row: (row.source, row.row)), key=lambda row: row.source)
    ]
    names, name_off = between_lines(source for source, _ in tables)
    stated, stated_off = blob(
        line(row, "source", *(("header",) if row.header == held[0].header else ())) for _, held in tables for row in held
    )
    every = [row for _, held in tables for row in held]
    place = {(row.source, row.row): at for at, row in enumerate(every)}
    values = sorted(
        (place.get((fact.source, fact.row), NONE), number) for number, fact in enumerate(ordered) if fact.statistic == "stated"
    )
    ats = sorted({Decimal(ordered[number].at).normalize() for _, number in values if ordered[number].at})
    at_place = {at: number for number, at in enumerate(ats)}
    ats_text, ats_off = between_lines(f"{at:f}" for at in ats)
    against = contradicted((ordered[number] for _, number in values), lists)
    return {
        "tables.txt": names,
        "tables.off.npy": name_off,
        "table.ptr.npy": np.cumsum([0, *(len(held) for _, held in tables)], dtype=np.uint64),
        "headers.json": canonical([list(held[0].header) for _, held in tables]).encode("utf-8", "replace"),
        "rows.jsonl": stated,
        "rows.off.npy": stated_off,
        "row.number.npy": np.array([row.row for row in every], np.uint32),
        "row.entity.npy": np.array([entities[row.entity] for row in every], np.int32),
        "ats.txt": ats_text,
        "ats.off.npy": ats_off,
        "stated.row.npy": np.array([at for at, _ in values], np.int32),
        "stated.fact.npy": np.array([number for _, number in values], np.int32),
        "stated.metric.npy": np.array([metrics[ordered[number].metric] for _, number in values], np.int32),
        "stated.at.npy": np.array(
            [at_place[Decimal(fact.at).normalize()] if fact.at else NONE for fact in (ordered[number] for _, number in values)],
            np.int32,
        ),
        "stated.rival.npy": np.array([ordered[number].iri in against for _, number in values], np.uint8),
    }


def contradicted(facts: Iterable[Fact], lists: frozenset[Iri]) -> frozenset[Iri]:
    """Stated values of which others of one metric, entity and position differ (R32)."""
    groups: dict[tuple[Iri, Iri, str], list[Fact]] = {}
    for fact in facts:
        if fact.entity and (fact.at or fact.source not in lists):
            groups.setdefault((fact.metric, fact.entity, fact.at or fact.position), []).append(fact)
    return frozenset(
        fact.iri
        for group in groups.values()
        if len(group) > 1 and len({Decimal(fact.number) if fact.number else fact.value for fact in group}) > 1
        for fact in group
    )
