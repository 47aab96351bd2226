"""An embedder that knows what the words of a world mean: synonyms are one, names and aspects weigh most, fillers least.

It stands for a dense model that has learned this; how a real one does is measured with that model in its place.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from math import cos, pi, sin

import numpy as np

from loom.lab.claims.worlds.words import ASPECTS, CUES, MEANING, TELLING

WIDTH = 256
_KNOWN = {word for aspect in ASPECTS for word, _ in aspect} | {word for words in TELLING.values() for word in words}
NAME, ASPECT, CUE, OTHER = 0.7, 1.0, 0.5, 0.25
"""What a word weighs by its kind. A name is told by its capital letter."""
LEAN = 0.45
"""What a leaning weighs beside all words of a text."""


@lru_cache(maxsize=65_536)
def _direction(word: str) -> np.ndarray:
    seed = int.from_bytes(sha256(word.encode()).digest()[:8], "little")
    made = np.random.default_rng(seed).standard_normal(WIDTH)
    found: np.ndarray = made / np.sqrt(np.sum(made * made))
    return found


class WorldLikeness:
    """Vectors f32 (texts, WIDTH + 2), each of length 1. `leaning` says of some texts where they lie on an axis, from 0 to 1: in the last two
    members they differ from one another by that, and from all other texts alike."""

    kind = "lab"
    model = "planted"

    def __init__(self, leaning: Mapping[str, float] | None = None) -> None:
        self._leaning = leaning or {}

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        made = np.zeros((len(texts), WIDTH + 2), np.float64)
        for row, text in zip(made, texts, strict=True):
            for spelled in re.findall(r"[A-Za-z0-9]+", text):
                word = spelled.lower()
                meant = MEANING.get(word, word)
                weight = (
                    ASPECT
                    if meant in _KNOWN
                    else CUE
                    if word in CUES
                    else NAME
                    if spelled[0].isupper() and len(word) > 3
                    else OTHER
                )
                row[:WIDTH] += weight * _direction(meant)
            if (lies := self._leaning.get(text)) is not None:
                along = LEAN * float(np.sqrt(np.sum(row * row)))
                row[WIDTH:] = along * cos(pi * lies), along * sin(pi * lies)
            length = float(np.sqrt(np.sum(row * row)))
            if length:
                row /= length
            else:
                row[0] = 1.0
        return made.astype(np.float32)

    def close(self) -> None:
        """There is nothing to let go of."""
