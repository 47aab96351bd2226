"""Series in the making: rows are appended to buffers as they come, and put in the order of their positions once."""

from collections.abc import Sequence

import numpy as np

from loom.core.facts.columns import FARTHEST, SeriesColumns, Texts, too_far

CHUNK = 1 << 18
"""Texts that are put in order at a time."""


class TextsBuilder:
    """Collects texts."""

    def __init__(self) -> None:
        self._blob = bytearray()
        self._lengths = bytearray()

    def add(self, texts: Sequence[str]) -> None:
        joined = "".join(texts)
        blob = joined.encode()
        sizes = map(len, texts) if len(blob) == len(joined) else (len(text.encode()) for text in texts)
        self._blob += blob
        self._lengths += np.fromiter(sizes, np.uint32, len(texts)).tobytes()

    def ordered(self, order: np.ndarray | None) -> Texts:
        """The texts in an order of their places, or as they came. The builder is empty behind it."""
        lengths = np.frombuffer(self._lengths, np.uint32)
        source, self._blob, self._lengths = self._blob, bytearray(), bytearray()
        if order is None:
            return Texts(bytes(source), _ends(lengths))
        target = bytearray(len(source))
        _gather(np.frombuffer(source, np.uint8), lengths, order, np.frombuffer(target, np.uint8))
        del source
        return Texts(bytes(target), _ends(lengths[order]))


def _gather(source: np.ndarray, lengths: np.ndarray, order: np.ndarray, target: np.ndarray) -> None:
    """Write the texts of `source` into `target` in order."""
    starts = _ends(lengths)[:-1]
    filled = 0
    for begin in range(0, len(order), CHUNK):
        chosen = order[begin : begin + CHUNK]
        sizes = lengths[chosen].astype(np.int64)
        ends = np.cumsum(sizes)
        places = np.arange(int(ends[-1]), dtype=np.int64)
        places += np.repeat(starts[chosen].astype(np.int64) - (ends - sizes), sizes)
        target[filled : filled + len(places)] = source[places]
        filled += len(places)


def _ends(lengths: np.ndarray) -> np.ndarray:
    """Where each text begins and the last ends, in four bytes where that is enough."""
    whole = int(lengths.sum(dtype=np.uint64))
    ends = np.zeros(len(lengths) + 1, np.uint32 if whole < 1 << 32 else np.uint64)
    np.cumsum(lengths, out=ends[1:])
    return ends


class ColumnsBuilder:
    """Collects readable rows in the order of the file. Positions have one scale together, as fine as the finest of them."""

    def __init__(self) -> None:
        self._scale = 0
        self._farthest = 0
        self._keys = bytearray()
        self._rows = bytearray()
        self._numbers = bytearray()
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
        """Rows of one batch. `keys` are positions times ten to the `scale`; `positions` None says that each is its key's text, and
        the scale is zero then. Raises BadInput where the finest position leaves no room for the farthest."""
        if positions is not None and self._positions is None:
            self._positions = TextsBuilder()
            if self._keys:
                self._positions.add([str(key) for key in np.frombuffer(self._keys, np.int64).tolist()])
        if self._positions is not None:
            self._positions.add([str(key) for key in keys.tolist()] if positions is None else positions)
        scaled = self._scaled(keys, scale)
        self._keys += scaled.tobytes()
        self._rows += rows.astype(np.uint32).tobytes()
        self._numbers += numbers.tobytes()
        self._values.add(values)

    def _scaled(self, keys: np.ndarray, scale: int) -> np.ndarray:
        """The keys at the series' scale, which grows to theirs where that is finer."""
        finest = max(scale, self._scale)
        grown, factor = 10 ** (finest - self._scale), 10 ** (finest - scale)
        farthest = max(self._farthest * grown, int(np.abs(keys).max()) * factor if len(keys) else 0)
        if farthest >= FARTHEST:
            raise too_far(finest)
        if grown > 1 and self._keys:
            self._keys = bytearray((np.frombuffer(self._keys, np.int64) * grown).tobytes())
        self._scale, self._farthest = finest, farthest
        return keys * factor if factor > 1 else keys

    def finish(self) -> SeriesColumns:
        """The series; the builder is empty behind it."""
        keys: np.ndarray = np.frombuffer(self._keys, np.int64)
        rows: np.ndarray = np.frombuffer(self._rows, np.uint32)
        numbers: np.ndarray = np.frombuffer(self._numbers, np.float64)
        self._keys, self._rows, self._numbers = bytearray(), bytearray(), bytearray()
        order = _order(keys, rows)
        if order is not None:
            keys = keys[order]
            rows = rows[order]
            numbers = numbers[order]
        values = self._values.ordered(order)
        positions = self._positions.ordered(order) if self._positions else None
        return SeriesColumns(keys, self._scale, rows, values, numbers, positions)


def _order(keys: np.ndarray, rows: np.ndarray) -> np.ndarray | None:
    """The places of rows by position, then by row; None where they stand so already."""
    rising = bool(np.all(rows[1:] > rows[:-1]))
    if rising and bool(np.all(keys[1:] >= keys[:-1])):
        return None
    return np.argsort(keys, kind="stable") if rising else np.lexsort((rows, keys))
