"""The part `series`: readings by position, and the unit of content at each.

series.json                     [{source, entity, metric, unit, scale, written}] by source, metric and entity
ptr.npy                         u64, series + 1: where the readings of each begin
key.npy  row.npy                i64 position times ten to the scale; u32 row of the source; by position, then by row
span.npy                        i32 number of the span at each reading, -1 where there is none
values.txt  values.off.npy      what stands in the cells; u64, n + 1
positions.txt  positions.off.npy  positions as they are written, of series with `written`, one behind another
positions.ptr.npy               u64, series + 1: where those of each begin
"""

import json
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import ClassVar, NamedTuple, Self

import numpy as np

from loom.core.concepts import Blob, canonical
from loom.core.facts.aligning import floor_of
from loom.core.facts.columns import Texts
from loom.core.facts.content import HeldSeries
from loom.core.facts.numerals import plain
from loom.core.facts.part_bases import Files
from loom.core.facts.thinning import kept
from loom.core.facts.values import CLOSED, OPEN_END, OPEN_START, Reading
from loom.core.generation import PartFiles
from loom.core.values import Iri, Json


class Joined(NamedTuple):
    """A series, and the number of the span at each of its readings (i32, NONE in a gap)."""

    series: HeldSeries
    spans: np.ndarray


class Found(NamedTuple):
    """A reading, and the number of the span at it."""

    reading: Reading
    span: int


class SeriesPart:
    """A mapped view of all readings."""

    KIND: ClassVar[str] = "series"

    def __init__(self, files: PartFiles) -> None:
        self._about: Sequence[dict[str, Json]] = json.loads(bytes(files.blob("series.json")))
        self._of: dict[tuple[Iri, Iri], list[int]] = {}
        for number, about in enumerate(self._about):
            self._of.setdefault((about["source"], about["metric"]), []).append(number)
        self._ptr, self._key, self._row, self._span = (
            files.array(f"{name}.npy") for name in ("ptr", "key", "row", "span")
        )  # fmt: skip
        self._values = Blob(files.blob("values.txt"), files.array("values.off.npy"))
        self._positions = Blob(files.blob("positions.txt"), files.array("positions.off.npy"))
        self._positions_ptr = files.array("positions.ptr.npy")

    @classmethod
    def open(cls, files: PartFiles) -> Self:
        return cls(files)

    def reading(self, source: Iri, metric: Iri, position: Decimal, entity: Iri | None = None) -> Found | None:
        """The reading of the lowest row at exactly this position, of one entity where it is given."""
        numbers = [at for at in self._of.get((source, metric), ()) if entity is None or self._about[at]["entity"] == entity]
        found = [one for number in numbers if (one := self._at(number, position))]
        return min(found, key=lambda one: one.reading.row, default=None)

    def stretch(
        self,
        source: Iri,
        metric: Iri,
        entity: Iri | None,
        start: Decimal,
        end: Decimal,
        most: int,
        near: Decimal | None = None,
        ends: str = CLOSED,
    ) -> tuple[list[Found], int]:
        """Readings from `start` to `end`, which belong to it as `ends` says, of the entity, or of a series that tells of one thing; of
        more than `most` the first and the last, or those next to `near`. And how many there are."""
        numbers = self._of.get((source, metric), ())
        number = next((at for at in numbers if entity is None or self._about[at]["entity"] == entity), None)
        if number is None:
            return [], 0
        first, behind = self._place(number, start, behind=ends == OPEN_START), self._place(number, end, behind=ends != OPEN_END)
        middle = None if near is None else self._place(number, near) - first
        count = max(0, behind - first)
        return [self._read(number, first + at) for at in kept(count, most, middle)], count

    def _place(self, number: int, position: Decimal, *, behind: bool = False) -> int:
        """The first row of a series at a position or after it; with `behind`, after it."""
        begin, end = self._ptr[number : number + 2].tolist()
        scale = int(self._about[number]["scale"])
        key = floor_of(position, scale) if behind else -floor_of(-position, scale)
        return int(begin) + int(np.searchsorted(self._key[begin:end], key, side="right" if behind else "left"))

    def _at(self, number: int, position: Decimal) -> Found | None:
        scale = int(self._about[number]["scale"])
        key = floor_of(position, scale)
        at, (_, end) = self._place(number, position), self._ptr[number : number + 2].tolist()
        if at == end or self._key[at] != key or key != -floor_of(-position, scale):
            return None
        return self._read(number, at)

    def _read(self, number: int, at: int) -> Found:
        """The reading in a row of a series."""
        about, key = self._about[number], int(self._key[at])
        exact = plain(Decimal(key).scaleb(-int(about["scale"])))
        behind = at - int(self._ptr[number])
        written = self._positions.text(int(self._positions_ptr[number]) + behind) if about["written"] else str(key)
        reading = Reading(
            about["source"], about["entity"], about["metric"], written, self._values.text(at), about["unit"], int(self._row[at]), at=exact
        )  # fmt: skip
        return Found(reading, int(self._span[at]))


def press_series(joined: Iterable[Joined]) -> Files:
    """The files of the part, from series in any order. Columns of many rows are copied once, and only where there are several."""
    ordered = sorted(joined, key=lambda one: (one.series.source, one.series.metric, one.series.entity))
    columns = [one.series.columns for one in ordered]
    written = [one.positions for one in columns if one.positions is not None]
    about = [
        {
            "source": one.series.source,
            "entity": one.series.entity,
            "metric": one.series.metric,
            "unit": one.series.unit,
            "scale": one.series.columns.scale,
            "written": one.series.columns.positions is not None,
        }
        for one in ordered
    ]
    values, value_off = _texts([one.values for one in columns])
    positions, position_off = _texts(written)
    return {
        "series.json": canonical(about).encode("utf-8", "replace"),
        "ptr.npy": np.cumsum([0, *(len(one) for one in columns)], dtype=np.uint64),
        "key.npy": _concatenated([one.keys for one in columns], np.int64),
        "row.npy": _concatenated([one.rows for one in columns], np.uint32),
        "span.npy": _concatenated([one.spans for one in ordered], np.int32),
        "values.txt": values,
        "values.off.npy": value_off,
        "positions.txt": positions,
        "positions.off.npy": position_off,
        "positions.ptr.npy": np.cumsum([0, *(len(one.positions or ()) for one in columns)], dtype=np.uint64),
    }


def _concatenated(arrays: Sequence[np.ndarray], kind: type) -> np.ndarray:
    if len(arrays) == 1:
        return arrays[0].astype(kind, copy=False)
    return np.concatenate(arrays).astype(kind, copy=False) if arrays else np.zeros(0, kind)


def _texts(texts: Sequence[Texts]) -> tuple[bytes, np.ndarray]:
    """All texts end to end, and where each begins and the last ends: filled in place, since there may be many millions."""
    ends = np.zeros(sum(len(one) for one in texts) + 1, np.uint64)
    filled, before = 1, 0
    for one in texts:
        np.add(one.ends[1:], np.uint64(before), out=ends[filled : filled + len(one)], casting="unsafe")
        filled += len(one)
        before += len(one.blob)
    return texts[0].blob if len(texts) == 1 else b"".join(one.blob for one in texts), ends
