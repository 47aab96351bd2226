"""An embedder without a model: a hashed bag of words. Texts are near where they share words, and nothing else is known of them."""

import re
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np

WIDTH = 256
_WORD = re.compile(r"\w+")


@lru_cache(maxsize=65_536)
def _place(word: str) -> tuple[int, int, float]:
    """Where a word counts: two numbers of a vector, and with which sign."""
    number = int.from_bytes(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
    return number % WIDTH, (number >> 20) % WIDTH, 1.0 if number >> 63 else -1.0


class FakeEmbedder:
    """The fake of every embedder, and `loom embed --model hash`: enough to try the path with, too little to retrieve by."""

    kind = "hash"
    model = "hash"

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        made = np.zeros((len(texts), WIDTH), dtype=np.float64)
        for row, text in zip(made, texts, strict=True):
            for word in _WORD.findall(text.casefold()):
                first, second, sign = _place(word)
                row[first] += sign
                row[second] += sign
            length = float(np.sqrt(np.sum(row * row)))
            if length:
                row /= length
            else:
                row[0] = 1.0
        return made.astype(np.float32)

    def close(self) -> None:
        """There is nothing to let go of."""
