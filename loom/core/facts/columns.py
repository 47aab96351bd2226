"""A series as compact arrays, in the order of its positions: what point queries and alignment look up, and a part writes down.

A row of ten million costs about thirty bytes: a whole number for its position, a float that only says where to look, the number of
its row, and its value's text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from loom.core.errors import BadInput
from loom.core.facts.numerals import EXACT

CHUNK = 1 << 20
FARTHEST = 1 << 62
"""Positions times ten to their scale stay below it."""


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Texts one behind another: `ends` (n + 1, uint64) are the places in `blob` (utf-8) where each begins and the last ends."""

    blob: bytes
    ends: np.ndarray

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, at: int) -> str:
        return self.blob[int(self.ends[at]) : int(self.ends[at + 1])].decode()


@dataclass(frozen=True, slots=True, eq=False)
class SeriesColumns:
    """The readable rows of a series by position, those of one position by row.

    `keys` (n, int64) are positions times ten to the `scale`; `rows` (n, uint32) their rows in the source; `values` what stands in
    their cells; `positions` how the source writes them, None where that is the key itself. `numbers` (n, float64) are the values
    rounded to floats: an order, never to be shown.
    """

    keys: np.ndarray
    scale: int
    rows: np.ndarray
    values: Texts
    numbers: np.ndarray
    positions: Texts | None = None

    def __len__(self) -> int:
        return len(self.keys)

    def value(self, at: int) -> str:
        return self.values[at]

    def row(self, at: int) -> int:
        return int(self.rows[at])

    def position(self, at: int) -> str:
        """The position as the source writes it."""
        return str(int(self.keys[at])) if self.positions is None else self.positions[at]

    def at(self, at: int) -> Decimal:
        """The position as a number."""
        return EXACT.scaleb(Decimal(int(self.keys[at])), -self.scale)

    def key_range(self, at: int) -> range:
        """The places of all rows at the position of the one at `at`."""
        return self._of_key(self.keys[at])

    def _of_key(self, key: np.int64) -> range:
        return range(int(np.searchsorted(self.keys, key, "left")), int(np.searchsorted(self.keys, key, "right")))

    def find(self, position: Decimal) -> range:
        """The places of all rows at exactly this position; empty where there is none."""
        scaled = EXACT.scaleb(position, self.scale)
        if scaled != scaled.to_integral_value() or abs(scaled) >= 1 << 63:
            return range(0)
        return self._of_key(np.int64(int(scaled)))


class TextsBuilder:
    """Collects texts; its chunks are let go as they are put in order."""

    def __init__(self) -> None:
        self._blobs: list[bytes] = []
        self._lengths: list[np.ndarray] = []

    def add(self, texts: Sequence[str]) -> None:
        joined = "".join(texts)
        blob = joined.encode()
        sizes = map(len, texts) if len(blob) == len(joined) else (len(text.encode()) for text in texts)
        self._blobs.append(blob)
        self._lengths.append(np.fromiter(sizes, np.uint32, len(texts)))

    def ordered(self, order: np.ndarray | None) -> Texts:
        """The texts in an order of their places, or as they came. The builder is empty behind it."""
        lengths = np.concatenate(self._lengths) if self._lengths else np.zeros(0, np.uint32)
        self._lengths = []
        blob = b"".join(self._blobs)
        self._blobs = []
        if order is None:
            return Texts(blob, _ends(lengths))
        starts = _ends(lengths)[:-1]
        source = np.frombuffer(blob, np.uint8)
        pieces = []
        for begin in range(0, len(order), CHUNK):
            chosen = order[begin : begin + CHUNK]
            sizes = lengths[chosen].astype(np.int64)
            ends = np.cumsum(sizes)
            places = np.arange(int(ends[-1]), dtype=np.int64)
            places += np.repeat(starts[chosen].astype(np.int64) - (ends - sizes), sizes)
            pieces.append(source[places].tobytes())
        return Texts(b"".join(pieces), _ends(lengths[order]))


def _ends(lengths: np.ndarray) -> np.ndarray:
    ends = np.zeros(len(lengths) + 1, np.uint64)
    np.cumsum(lengths, out=ends[1:])
    return ends


class ColumnsBuilder:
    """Collects readable rows in the order of the file. Positions grow one scale together, as fine as the finest of them."""

    def __init__(self) -> None:
        self.scale = 0
        self._keys: list[np.ndarray] = []
        self._scales: list[int] = []
        self._rows: list[np.ndarray] = []
        self._numbers: list[np.ndarray] = []
        self._values = TextsBuilder()
        self._positions: TextsBuilder | None = None

    def add(
        self,
        keys: np.ndarray,
        scale: int,
        positions: Sequence[str] | None,
        rows: np.ndarray,
        values: Sequence[str],
        numbers: np.ndarray,
    ) -> None:
        """Rows of one batch. `keys` are positions times ten to the `scale`; `positions` None says that each is its key's text."""
        if positions is not None and self._positions is None:
            self._positions = TextsBuilder()
            for earlier in self._keys:
                self._positions.add([str(key) for key in earlier.tolist()])
        if self._positions is not None:
            self._positions.add([str(key) for key in keys.tolist()] if positions is None else positions)
        self.scale = max(self.scale, scale)
        self._keys.append(keys)
        self._scales.append(scale)
        self._rows.append(rows.astype(np.uint32))
        self._numbers.append(numbers)
        self._values.add(values)

    def finish(self) -> SeriesColumns:
        """The series; the builder is empty behind it. Raises BadInput where the finest position leaves no room for the farthest."""
        if any(
            len(keys) and int(np.abs(keys).max()) * 10 ** (self.scale - scale) >= FARTHEST for keys, scale in self._scaled()
        ):
            raise too_far(self.scale)
        keys = self._joined([keys * 10 ** (self.scale - scale) for keys, scale in self._scaled()], np.int64)
        self._keys = []
        rows, self._rows = self._joined(self._rows, np.uint32), []
        numbers, self._numbers = self._joined(self._numbers, np.float64), []
        order = None
        if bool(np.any(keys[1:] < keys[:-1])) or bool(np.any((keys[1:] == keys[:-1]) & (rows[1:] < rows[:-1]))):
            order = np.lexsort((rows, keys))
            keys, rows, numbers = keys[order], rows[order], numbers[order]
        values = self._values.ordered(order)
        positions = self._positions.ordered(order) if self._positions else None
        return SeriesColumns(keys, self.scale, rows, values, numbers, positions)

    def _scaled(self) -> Iterator[tuple[np.ndarray, int]]:
        return zip(self._keys, self._scales, strict=True)

    @staticmethod
    def _joined(chunks: list[np.ndarray], kind: type) -> np.ndarray:
        return np.concatenate(chunks) if chunks else np.zeros(0, kind)


def key_of(position: Decimal, scale: int) -> int | None:
    """A position times ten to the scale, where that is whole and fits; else None."""
    scaled = EXACT.scaleb(position, scale)
    whole = int(scaled)
    return whole if whole == scaled and abs(whole) < FARTHEST else None


def too_far(scale: int) -> BadInput:
    return BadInput(
        f"The positions of a series reach too far for {scale} decimals, which one of them has; write them in fewer digits."
    )
