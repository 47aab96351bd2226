"""How near two texts are by the terms that they share: what stands in for vectors where no embedder is given."""

from collections.abc import Iterable, Mapping
from math import log, sqrt

from loom.core.claims.judging.lexicon import canon
from loom.core.memory.words import words_in


def terms_of(text: str) -> frozenset[str]:
    """The canonical terms of a text that carry something."""
    return frozenset(found for word in words_in(text) if (found := canon(word.form)))


def weights_of(texts: Iterable[str]) -> dict[str, float]:
    """How much each term tells the texts apart: log of one and their number by those that have it."""
    held = [terms_of(text) for text in texts]
    every = sorted({term for terms in held for term in terms})
    return {term: log(1 + len(held) / sum(term in terms for terms in held)) for term in every}


def near(one: frozenset[str], other: frozenset[str], weights: Mapping[str, float] | None = None) -> float:
    """The cosine of two sets of terms, from 0 to 1; a term without a weight has weight 1."""
    told = weights or {}

    def mass(terms: frozenset[str]) -> float:
        return sum(told.get(term, 1.0) ** 2 for term in sorted(terms))

    if not one or not other:
        return 0.0
    return min(1.0, mass(one & other) / sqrt(mass(one) * mass(other)))
