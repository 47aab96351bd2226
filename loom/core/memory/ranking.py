"""How well each piece fits a question: BM25 over what it says and what stands beside it."""

from collections.abc import Callable

import numpy as np

from loom.core.memory.finding import Floats, Found
from loom.core.memory.policy import Recalls
from loom.core.memory.values import Size

Ranker = Callable[[Found, Size, Recalls], Floats]
"""Gives each piece found its score; 0 or less is no hit."""


def bm25(found: Found, size: Size, recalls: Recalls) -> Floats:
    """Okapi BM25 with the weights of the terms in turns."""
    if not len(found.turn):
        return np.zeros(0)
    mean = size.width / size.pieces if size.pieces else 1.0
    counts = found.own + found.beside
    norm = recalls.k1 * (1 - recalls.b + recalls.b * found.width / max(mean, 1.0))
    scores: Floats = found.weights @ (counts * (recalls.k1 + 1) / (counts + norm))
    return scores
