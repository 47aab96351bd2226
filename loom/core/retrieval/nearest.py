"""The rows nearest to a vector, with cosines that are the same on every machine.

Sums of f32 depend on the order in which a processor adds, so they only narrow down. What is returned is computed on whole numbers:
each number of a vector is rounded to 2⁻²⁵, products are below 2⁵¹ and so are their sums, and f64 adds those exactly in any order.

Products are by einsum, not by `@`: BLAS would start a thread a processor for each question, which on a busy machine wait for one
another thirty times as long as one thread computes.
"""

import math

import numpy as np

from loom.core.errors import BadInput, BrokenGeneration
from loom.core.retrieval.vectors import LENGTH_ERROR

SCALE = 2.0**25
BLOCK = 64
CHECKED_AT_ONCE = 4096

Found = tuple[np.ndarray, np.ndarray]
"""Rows (i64) and their cosines (f64), best first, ties by row."""


class UnitVectors:
    """The vectors of one attachment, f32 (rows, width), mapped or in memory; each row has length 1 or is all zeros.

    Rows of zeros stand for units without a vector and are never found. Raises BrokenGeneration for anything else.
    """

    def __init__(self, vectors: np.ndarray) -> None:
        if vectors.ndim != 2 or vectors.dtype != np.float32:
            raise BrokenGeneration(
                f"Expected vectors as float32 in 2 dimensions, but got {vectors.dtype} in {vectors.ndim}; "
                "make them again with `loom embed --force`."
            )
        self.rows = np.asarray(vectors)
        self.width = int(vectors.shape[1])
        self.dead = _dead(self.rows)
        self._slack = np.float32(4 * (self.width + 1) * 2.0**-24)

    @property
    def live(self) -> int:
        """How many rows can be found."""
        return len(self.rows) - len(self.dead)

    def asked(self, vector: np.ndarray) -> np.ndarray:
        """A vector to compare with, as f32; raises BadInput where it is not one of length 1 and of this width."""
        if vector.shape != (self.width,):
            raise BadInput(f"Expected a vector of {self.width} numbers, but got the shape {vector.shape}.", param="vector")
        made = np.ascontiguousarray(vector, dtype=np.float32)
        length = math.sqrt(float(made @ made))
        if not abs(length - 1) <= LENGTH_ERROR:
            raise BadInput(f"Expected a vector of length 1, but its length is {length:g}.", param="vector")
        return made

    def search(self, vector: np.ndarray, k: int) -> Found:
        """The `k` nearest rows of all, or as many as there are."""
        asked = self.asked(vector)
        k = min(k, self.live)
        if k <= 0:
            return np.zeros(0, dtype=np.int64), np.zeros(0)
        near = np.einsum("ij,j->i", self.rows, asked)
        near[self.dead] = -np.inf
        return self.ranked(asked, np.flatnonzero(near >= _reached(near, k) - self._slack), k)

    def ranked(self, vector: np.ndarray, rows: np.ndarray, k: int) -> Found:
        """The `k` nearest of the given rows, each of which must be given once."""
        cosines = self.cosines(vector, rows)
        order = np.lexsort((rows, -cosines))[:k]
        return rows[order].astype(np.int64), cosines[order]

    def cosines(self, vector: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """f64, in the order of the rows; 0 where a row is all zeros."""
        some = np.rint(self.rows[rows].astype(np.float64) * SCALE)
        made: np.ndarray = np.einsum("ij,j->i", some, np.rint(vector.astype(np.float64) * SCALE)) / SCALE**2
        return made


def _reached(near: np.ndarray, k: int) -> np.float32:
    """A value that at least `k` of the numbers reach and few more do: the k-th largest of the largest of each block."""
    whole = len(near) // BLOCK * BLOCK
    if whole < 2 * k * BLOCK:
        return np.float32(np.partition(near, len(near) - k)[len(near) - k])
    largest = near[:whole].reshape(-1, BLOCK).max(axis=1)
    return np.float32(np.partition(largest, len(largest) - k)[len(largest) - k])


def _dead(vectors: np.ndarray) -> np.ndarray:
    """The rows that are all zeros; raises BrokenGeneration where another has not length 1. Reads every page once."""
    dead = []
    for start in range(0, len(vectors), CHECKED_AT_ONCE):
        some = vectors[start : start + CHECKED_AT_ONCE]
        squares = np.einsum("ij,ij->i", some, some)
        zero = squares == 0
        wrong = np.flatnonzero(~(zero | (np.abs(np.sqrt(squares) - 1) <= LENGTH_ERROR)))
        if len(wrong):
            raise BrokenGeneration(
                f"Expected vectors of length 1, but row {start + wrong[0]} is not; make them again with `loom embed --force`."
            )
        dead.append(np.flatnonzero(zero) + start)
    return np.concatenate(dead) if dead else np.zeros(0, dtype=np.int64)
