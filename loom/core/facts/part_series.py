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
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import ClassVar, NamedTuple, Self

import numpy as np

from loom.core.concepts import Blob, canonical
from loom.core.facts.aligning import floor_of
from loom.core.facts.columns import Texts
from loom.core.facts.content import HeldSeries
from loom.core.facts.numerals import plain
from loom.core.facts.part_bases import Files
from loom.core.facts.values import Reading
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

    def _at(self, number: int, position: Decimal) -> Found | None:
        scale = int(self._about[number]["scale"])
        key = floor_of(position, scale)
        begin, end = self._ptr[number : number + 2].tolist()
        at = begin + int(np.searchsorted(self._key[begin:end], key, side="left"))
        if at == end or self._key[at] != key or key != -floor_of(-position, scale):
            return None
        about = self._about[number]
        exact = plain(Decimal(key).scaleb(-scale))
        written = self._positions.text(int(self._positions_ptr[number]) + at - begin) if about["written"] else str(key)
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
    if len(texts) == 1:
        return texts[0].blob, texts[0].ends
    return b"".join(one.blob for one in texts), np.concatenate([np.zeros(1, np.uint64), *_ends(texts)])


def _ends(texts: Sequence[Texts]) -> Iterator[np.ndarray]:
    before = 0
    for one in texts:
        yield one.ends[1:] + np.uint64(before)
        before += len(one.blob)
