"""The part `spans`: units of content by source and start, and the axis of each source cut where the unit at a position changes.

Positions are whole numbers at the scale of their source: position = value / 10 ** scale. An open end is OPEN.

    spans.jsonl  spans.off.npy           one canonical JSON line a span; u64, n + 1
    iris.txt  iris.off.npy  iri.span.npy IRIs, sorted; i32: the span of each
    sources.txt  sources.off.npy         sources with spans; source.ptr.npy u64: where the spans of each begin
    scale.npy                            u8, one a source
    start.npy  end.npy  reach.npy        i64, one a span; reach is the furthest end so far within the source
    cut.ptr.npy  cut.start.npy  cut.span.npy  u64, i64, i32: where segments of each source begin, and the span of each or -1
"""

import json
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from itertools import groupby
from typing import Any, ClassVar, Self

import numpy as np

from loom.core.concepts import Blob, blob
from loom.core.facts.aligning import NONE, digits_of, floor_of, scaled, segments
from loom.core.facts.codec import line, span_of
from loom.core.facts.lazily import Lazily
from loom.core.facts.marks import place_of
from loom.core.facts.part_bases import Files
from loom.core.facts.values import Span
from loom.core.generation import PartFiles
from loom.core.names import Sorted, between_lines
from loom.core.values import Iri

OPEN = (1 << 63) - 1


class SpansPart:
    """A mapped view of all spans. A span's number is its place in the order of sources and starts."""

    KIND: ClassVar[str] = "spans"

    def __init__(self, files: PartFiles, decode: Callable[[bytes], Any] = json.loads) -> None:
        self._decode = decode
        self._lines = Blob(files.blob("spans.jsonl"), files.array("spans.off.npy"))
        self._iris = Sorted(files.blob("iris.txt"), files.array("iris.off.npy"))
        self._iri_span = files.array("iri.span.npy")
        self._sources = Sorted(files.blob("sources.txt"), files.array("sources.off.npy"))
        self._ptr = files.array("source.ptr.npy")
        self._scale = files.array("scale.npy")
        self._start, self._end, self._reach = (files.array(f"{name}.npy") for name in ("start", "end", "reach"))
        self._cut_ptr, self._cut_start = files.array("cut.ptr.npy"), files.array("cut.start.npy")
        self._cut_span = files.array("cut.span.npy")

    @classmethod
    def open(cls, files: PartFiles) -> Self:
        return cls(files, getattr(files, "decode", json.loads))

    def number(self, number: int) -> Span:
        return span_of(self._decode(self._lines.bytes(number)))

    def iri(self, number: int) -> Iri:
        iri: Iri = self._decode(self._lines.bytes(number))["iri"]
        return iri

    def span(self, iri: Iri) -> Span | None:
        at = place_of(self._iris, iri)
        return None if at is None else self.number(int(self._iri_span[at]))

    def spans(self, source: Iri) -> Lazily[Span]:
        at = place_of(self._sources, source)
        begin, end = self._ptr[at : at + 2].tolist() if at is not None else (0, 0)
        return Lazily(range(begin, end), self.number)

    def at(self, source: Iri, position: Decimal) -> Span | None:
        """The span at a position: one search among the segments."""
        at = place_of(self._sources, source)
        if at is None:
            return None
        begin, end = self._cut_ptr[at : at + 2].tolist()
        wanted = floor_of(position, int(self._scale[at]))
        segment = int(np.searchsorted(self._cut_start[begin:end], wanted, side="right")) - 1
        number = int(self._cut_span[begin + segment]) if segment >= 0 else NONE
        return self.number(number) if number != NONE else None

    def window(self, source: Iri, start: Decimal, end: Decimal) -> list[Span]:
        """Spans that overlap [start, end): those that begin before its end and reach beyond its start."""
        at = place_of(self._sources, source)
        if at is None:
            return []
        first, last = self._ptr[at : at + 2].tolist()
        scale = int(self._scale[at])
        low, high = floor_of(start, scale), -floor_of(-end, scale)
        last = first + int(np.searchsorted(self._start[first:last], high, side="left"))
        first += int(np.searchsorted(self._reach[first:last], low, side="right"))
        return [self.number(number) for number in range(first, last) if self._end[number] > low]


def in_order(spans: Iterable[Span]) -> list[Span]:
    """Spans by source and start: a span's place here is its number."""
    return sorted(spans, key=lambda span: (span.source, span.start))


def press_spans(ordered: Sequence[Span]) -> Files:
    """The files of the part, from spans that are `in_order`."""
    groups = [(source, list(held)) for source, held in groupby(ordered, key=lambda span: span.source)]
    scales, starts, ends, reaches = [], [], [], []
    cut_ptr, cut_starts, cut_spans = [0], [], []
    first = 0
    for _, held in groups:
        digits = max(digits_of(bound) for span in held for bound in (span.start, span.end) if bound is not None)
        start = scaled([span.start for span in held], digits).values
        end = np.array([OPEN if span.end is None else floor_of(span.end, digits) for span in held], np.int64)
        cut = segments([(span.start, span.end) for span in held])
        scales.append(digits)
        starts.append(start)
        ends.append(end)
        reaches.append(np.maximum.accumulate(end))
        cut_starts += [floor_of(bound, digits) for bound in cut.starts]
        cut_spans += [NONE if unit == NONE else first + unit for unit in cut.units]
        cut_ptr.append(len(cut_starts))
        first += len(held)
    lines, line_off = blob(map(line, ordered))
    by_iri = sorted((span.iri, number) for number, span in enumerate(ordered))
    iris, iri_off = between_lines(iri for iri, _ in by_iri)
    sources, source_off = between_lines(source for source, _ in groups)
    return {
        "spans.jsonl": lines,
        "spans.off.npy": line_off,
        "iris.txt": iris,
        "iris.off.npy": iri_off,
        "iri.span.npy": np.array([number for _, number in by_iri], np.int32),
        "sources.txt": sources,
        "sources.off.npy": source_off,
        "source.ptr.npy": np.cumsum([0, *(len(held) for _, held in groups)], dtype=np.uint64),
        "scale.npy": np.array(scales, np.uint8),
        "start.npy": _joined(starts),
        "end.npy": _joined(ends),
        "reach.npy": _joined(reaches),
        "cut.ptr.npy": np.array(cut_ptr, np.uint64),
        "cut.start.npy": np.array(cut_starts, np.int64),
        "cut.span.npy": np.array(cut_spans, np.int32),
    }


def _joined(arrays: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate(arrays) if arrays else np.zeros(0, np.int64)
