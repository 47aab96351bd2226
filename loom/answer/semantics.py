"""The meanings of a generation as a request uses them: vectors of questions, made off the event loop, and the rows near them."""

import asyncio
from collections.abc import Mapping

import numpy as np

from loom.core.concepts import remember
from loom.core.errors import EmbedderFailure
from loom.core.retrieval.contract import EmbeddingContract
from loom.core.values import Json
from loom.ports import Embedder, VectorIndex

REMEMBERED = 256
"""Vectors of questions that are kept for each generation."""


class OpenSemantics:
    """An attachment that was found to be what its contract says, ready for questions."""

    def __init__(
        self,
        contract: EmbeddingContract,
        embedder: Embedder,
        index: VectorIndex,
        calibration: Mapping[str, Json] | None = None,
        id: str = "",
    ) -> None:
        self.id = id
        self.contract = contract
        self.calibration: Mapping[str, Json] = calibration or {}
        self._embedder = embedder
        self._index = index
        self._known: dict[str, np.ndarray] = {}

    async def vector(self, text: str) -> np.ndarray:
        """The unit vector of a question, f32 (width,); raises EmbedderFailure."""
        known = self._known.get(text)
        if known is None:
            known = remember(self._known, text, await asyncio.to_thread(self._one, text), REMEMBERED)
        return known

    def forget(self) -> None:
        """Drop the vectors of questions."""
        self._known.clear()

    def _one(self, text: str) -> np.ndarray:
        made = self._embedder.embed([self.contract.question_prefix + text])
        if made.shape != (1, self.contract.width):
            raise EmbedderFailure(
                f"Expected one vector of {self.contract.width} numbers from the embedder, but got the shape {made.shape}."
            )
        vector: np.ndarray = made[0]
        return vector

    async def search(self, vector: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        return await self._index.search(vector, k)

    def cosines(self, vector: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return self._index.cosines(vector, rows)

    def close(self) -> None:
        self._embedder.close()
        self._index.close()
