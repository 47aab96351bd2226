"""Vectors compared one by one with all others: exact, nothing to build, and one mapped copy however many workers there are."""

import math

import numpy as np

from loom.core.errors import BadInput
from loom.core.retrieval.nearest import Found, UnitVectors


class ExactVectors:
    """Exact search over mapped vectors. Raises BrokenGeneration where they are none, BadInput for a vector of another shape."""

    kind = "exact"

    def __init__(self, vectors: np.ndarray) -> None:
        self._vectors = UnitVectors(vectors)

    async def search(self, vector: np.ndarray, k: int) -> Found:
        return self._vectors.search(vector, k)

    def cosines(self, vector: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return self._vectors.cosines(self._vectors.asked(vector), rows)

    def close(self) -> None:
        """Mapped pages go when the last array does."""


class FakeVectors:
    """The fake of every index: plain numbers in plain loops."""

    kind = "fake"

    def __init__(self, vectors: np.ndarray) -> None:
        self._width = vectors.shape[1]
        self._rows = [[float(number) for number in row] for row in vectors]

    async def search(self, vector: np.ndarray, k: int) -> Found:
        found = [row for row, numbers in enumerate(self._rows) if any(numbers)]
        cosines = {row: self._cosine(vector, row) for row in found}
        found = sorted(found, key=lambda row: (-cosines[row], row))[: max(0, k)]
        return np.asarray(found, dtype=np.int64), np.asarray([cosines[row] for row in found], dtype=np.float64)

    def cosines(self, vector: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return np.asarray([self._cosine(vector, int(row)) for row in rows], dtype=np.float64)

    def close(self) -> None:
        """There is nothing to let go of."""

    def _cosine(self, vector: np.ndarray, row: int) -> float:
        if vector.shape != (self._width,) or not abs(math.hypot(*map(float, vector)) - 1) <= 1e-3:
            raise BadInput(f"Expected a vector of {self._width} numbers and of length 1.", param="vector")
        return math.fsum(float(one) * two for one, two in zip(vector, self._rows[row], strict=True))
