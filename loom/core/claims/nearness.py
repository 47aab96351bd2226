"""Vectors in two bytes a number: one that tells nearly how near a row is, and one that tells the rest for the few that it leaves.

A row is `scale` · (`high` + `low` / 254), both whole numbers of 8 bits. How far the products with a row can be from the true ones is
known from the length of what is left out (Cauchy–Schwarz), so that what is left out of a search is never among the nearest.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from loom.core.claims.spreading import Flags
from loom.core.errors import BadInput

Eighths = NDArray[np.int8]
Floats = NDArray[np.float32]
Rows = NDArray[np.int64]

CHUNK = 8192
"""Rows of one block."""
PARTS = 8
STRIPE = CHUNK // PARTS
"""Rows that are multiplied together: few enough to stay near the processor."""
HIGH, LOW = 127, 254


@dataclass(frozen=True, slots=True)
class Chunk:
    """`off` and `left` are the lengths of what `high` alone, and both, leave out of a row."""

    high: Eighths
    low: Eighths
    scale: Floats
    off: Floats
    left: Floats

    @classmethod
    def empty(cls, width: int) -> "Chunk":
        numbers = [np.zeros(CHUNK, np.float32) for _ in range(3)]
        return cls(np.zeros((CHUNK, width), np.int8), np.zeros((CHUNK, width), np.int8), *numbers)

    def copy(self) -> "Chunk":
        return Chunk(self.high.copy(), self.low.copy(), self.scale.copy(), self.off.copy(), self.left.copy())

    def put(self, rows: Rows, vectors: Floats) -> None:
        scale = np.maximum(np.abs(vectors).max(axis=1) / HIGH, np.float32(1e-30))[:, None]
        parts = vectors / scale
        high = np.rint(parts)
        rest = parts - high
        low = np.rint(rest * LOW)
        for held, value in ((self.off, rest), (self.left, rest - low / LOW)):
            held[rows] = np.sqrt(np.einsum("ij,ij->i", value, value)) * scale[:, 0] * np.float32(1.0001)
        self.high[rows], self.low[rows], self.scale[rows] = high, low, scale[:, 0]


def kept(blocks: Sequence[Chunk], given: Iterable[tuple[int, np.ndarray]], read: Flags, copied: set[int]) -> list[Chunk]:
    """Blocks that hold the vectors given, by row. Those of which `read` says that somebody may still read the former vector of a row are
    copied first, once: `copied` has their numbers. Raises BadInput for vectors of another width."""
    made = list(blocks)
    by: dict[int, dict[int, np.ndarray]] = {}
    width = made[0].high.shape[1] if made else 0
    for row, vector in given:
        width = width or len(vector)
        if vector.shape != (width,):
            raise BadInput(f"Expected a vector of {width} numbers, but got the shape {vector.shape}.", param="vector")
        by.setdefault(row // CHUNK, {})[row % CHUNK] = vector
    for at in sorted(by):
        while at >= len(made):
            copied.add(len(made))
            made.append(Chunk.empty(width))
        rows = np.array(list(by[at]), np.int64)
        if at not in copied and read[(known := rows + at * CHUNK)[known < len(read)]].any():
            made[at] = made[at].copy()
            copied.add(at)
        made[at].put(rows, np.stack(list(by[at].values())).astype(np.float32))
    return made


def near(blocks: Sequence[Chunk], rows: Rows, vector: np.ndarray, k: int) -> Rows:
    """Of rows, in their order, at least the `k` nearest, and all that could be among them. Raises BadInput."""
    width = blocks[0].high.shape[1] if blocks else len(vector)
    if vector.shape != (width,):
        raise BadInput(f"Expected a vector of {width} numbers, but got the shape {vector.shape}.", param="vector")
    if k < 1:
        return rows[:0]
    asked = vector.astype(np.float32)
    length = float(np.sqrt(np.dot(asked.astype(np.float64), asked)))
    for fine in (False, True):
        if len(rows) <= k:
            break
        found, wrong = _products(blocks, rows, asked, fine=fine)
        wrong = wrong * np.float32(length) + np.float32(width * 2.0**-22 * max(1.0, length))
        sure = found - wrong
        rows = rows[found + wrong >= np.partition(sure, len(sure) - k)[len(sure) - k]]
    return rows


def _products(blocks: Sequence[Chunk], rows: Rows, asked: Floats, *, fine: bool) -> tuple[Floats, Floats]:
    """The products with each row, from `high` alone or from both, and how wrong they can be for a vector of length 1."""
    found, wrong = np.empty(len(rows), np.float32), np.empty(len(rows), np.float32)
    held = np.empty((STRIPE, len(asked)), np.float32)
    start = 0
    for at, end in enumerate(np.searchsorted(rows, np.arange(1, len(blocks) * PARTS + 1) * STRIPE).tolist()):
        if end == start:
            continue
        block, first = blocks[at // PARTS], at * STRIPE
        whole = end - start == STRIPE
        some = slice(first % CHUNK, first % CHUNK + STRIPE) if whole else rows[start:end] - first + first % CHUNK
        numbers = held[: end - start]
        np.copyto(numbers, block.high[some])
        if fine:
            numbers += block.low[some].astype(np.float32) / LOW
        found[start:end] = np.einsum("ij,j->i", numbers, asked) * block.scale[some]
        wrong[start:end] = (block.left if fine else block.off)[some]
        start = end
    return found, wrong
