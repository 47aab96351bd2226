"""Who judges: every port of judgement in one value, and vectors beside them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from loom.ports import (
    Deciding,
    Derivation,
    Embedder,
    Entailment,
    Extraction,
    Filing,
    Projecting,
    Proposing,
    Rendering,
    Reranking,
    Routing,
    Supposing,
    Verdicts,
)


@dataclass(frozen=True, slots=True)
class Judges:
    """One judge may stand in several places. `queries` places queries on dimensions: the small projector (§13); None: no query has
    a position. `supposing` writes what a weak read is searched for beside its question; None: nothing.
    `reranking` is a cross-encoder over the best candidates; None: there is none. `deciding`
    routes and files in one call, where one model does both; None: they are asked apart."""

    extraction: Extraction
    entailment: Entailment
    verdicts: Verdicts
    derivation: Derivation
    projecting: Projecting
    filing: Filing
    routing: Routing
    proposing: Proposing
    rendering: Rendering
    embedder: Embedder
    queries: Projecting | None = None
    supposing: Supposing | None = None
    reranking: Reranking | None = None
    deciding: Deciding | None = None

    async def vectors(self, texts: Sequence[str]) -> np.ndarray:
        """f32 (texts, width), each of length 1."""
        if not texts:
            return np.zeros((0, 0), np.float32)
        return await asyncio.to_thread(self.embedder.embed, list(texts))
