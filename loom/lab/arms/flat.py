"""Retrieval over flat text, the baseline that the paper leaves open (seed §10.7, Scope): by words, by meaning, and by both.

    flat-bm25    chunks of the units that the text index finds, by BM25 (k1 1.2, b 0.75) with its weights; a title counts more
                 than the text under it, as in that index
    flat-dense   units by the vectors attached to the generation, their chunks in reading order
    flat-fused   both lists by reciprocal ranks, 1 / (60 + rank)

A clause in front of the question that only says where to look is left out, and words by which one speaks about a body of knowledge,
as the live path leaves them out.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from loom.core.concepts import remember
from loom.core.mint.asked import ASKS
from loom.core.mint.make import make
from loom.core.policy.packing import NOTHING
from loom.core.retrieval.look import META, SPEAKS_OF
from loom.core.retrieval.stem import terms
from loom.core.retrieval.text import TITLE_WEIGHT, TextIndex
from loom.core.text import home_of
from loom.core.values import Block, Candidate, Evidence, Row
from loom.lab.arms.arm import FLAT_BM25, FLAT_DENSE, FLAT_FUSED
from loom.lab.arms.chunks import Chunk, chunks, size_for
from loom.lab.arms.fitting import fitted
from loom.lab.ground import Ground

UNITS = 96
"""Units whose chunks are ranked."""

SATURATION, DAMPING = 1.2, 0.75
ASKED = 0.5
"""What a word weighs that asks for a relation: it tells chunks of a unit apart, and units hardly."""
RECIPROCAL = 60
CHUNKS_KEPT = 16_384


class Flat:
    """Flat retrieval over one generation. What was chunked once is remembered."""

    def __init__(self, ground: Ground) -> None:
        self._concepts = ground.concepts
        self._index = ground.pin.generation.part(TextIndex)
        self._semantics = ground.pin.semantics
        self._known: dict[tuple[Row, int], tuple[Chunk, ...]] = {}

    def lacks(self, arm: str) -> str | None:
        """Why an arm cannot be had here, or None."""
        if arm != FLAT_DENSE and self._index is None:
            return "the generation has no text index; build it anew"
        if arm != FLAT_BM25 and self._semantics is None:
            return "the generation has no embeddings attached, or none that serve; make them with `loom embed`"
        return None

    async def block(self, arm: str, prompt: str, tokens: int) -> Block:
        """The best chunks for a question, in their order, in so many tokens; where they are too few, those come after them that
        the text of the best one finds."""
        if not tokens:
            return NOTHING
        size = size_for(tokens)
        found = await self._ranked(arm, SPEAKS_OF.sub("", prompt) or prompt, size)
        if found and sum(len(chunk.text) for chunk in found) < 4 * tokens:
            seen = {(chunk.row, chunk.at) for chunk in found}
            found += [chunk for chunk in await self._ranked(arm, found[0].text, size) if (chunk.row, chunk.at) not in seen]
        return fitted((self._evidence(chunk, arm) for chunk in found), tokens)

    async def _ranked(self, arm: str, text: str, size: int) -> list[Chunk]:
        lists = []
        if arm in (FLAT_BM25, FLAT_FUSED):
            lists.append(self._by_words(text, size))
        if arm in (FLAT_DENSE, FLAT_FUSED):
            lists.append(await self._by_meaning(text, size))
        return lists[0] if len(lists) == 1 else fused(lists)

    def _chunks(self, row: Row, size: int) -> tuple[Chunk, ...]:
        known = self._known.get((row, size))
        if known is None:
            known = remember(self._known, (row, size), chunks(self._concepts, row, size), CHUNKS_KEPT)
        return known

    def _by_words(self, text: str, size: int) -> list[Chunk]:
        assert self._index is not None
        every = list(dict.fromkeys(terms(text)))
        wanted = [word for word in every if word not in META] or every
        rows, _ = self._index.search([word for word in wanted if word not in ASKS] or wanted, UNITS)
        numbers = dict(zip(wanted, self._index.numbers(wanted), strict=True))
        weights = {
            word: float(self._index.weight[number]) * (ASKED if word in ASKS else 1.0)
            for word, number in numbers.items()
            if number >= 0
        }
        return by_bm25([chunk for row in rows.tolist() for chunk in self._chunks(row, size)], weights)

    async def _by_meaning(self, text: str, size: int) -> list[Chunk]:
        assert self._semantics is not None
        rows, _ = await self._semantics.search(await self._semantics.vector(text), UNITS)
        return [chunk for row in rows.tolist() for chunk in self._chunks(row, size)]

    def _evidence(self, chunk: Chunk, arm: str) -> Evidence:
        iri = self._concepts.iri(chunk.row)
        found = Candidate(iri, 1.0, arm, f"chunk {chunk.at}", home_of(iri))
        return make(
            iri=iri, title=self._concepts.title(chunk.row), lines=[(chunk.text, chunk.names)], home=found.home, found=found
        )


def by_bm25(found: Sequence[Chunk], weights: Mapping[str, float]) -> list[Chunk]:
    """Chunks by BM25, ties by row and place. `weights` is what each term of the question tells.

    The title counts apart from the text: it is that of every chunk of its unit, and no longer in a long one.
    """
    average = sum(len(chunk.terms) for chunk in found) / max(1, len(found)) or 1.0

    def score(chunk: Chunk) -> float:
        counts, titles = Counter(chunk.terms), Counter(chunk.title)
        damped = SATURATION * (1 - DAMPING + DAMPING * len(chunk.terms) / average)
        return math.fsum(
            weight * (_often(TITLE_WEIGHT * titles[word], SATURATION) + _often(counts[word], damped))
            for word, weight in weights.items()
        )

    scored = sorted(((-score(chunk), chunk.row, chunk.at, chunk) for chunk in found), key=lambda each: each[:3])
    return [chunk for *_, chunk in scored]


def _often(times: float, damped: float) -> float:
    """How much a term counts that comes so often."""
    return times * (1 + SATURATION) / (times + damped)


def fused(lists: Sequence[Sequence[Chunk]]) -> list[Chunk]:
    """Rankings as one by the sum of reciprocal ranks, ties by row and place."""
    worth: dict[tuple[Row, int], float] = {}
    known: dict[tuple[Row, int], Chunk] = {}
    for ranking in lists:
        for rank, chunk in enumerate(ranking, 1):
            key = (chunk.row, chunk.at)
            known[key] = chunk
            worth[key] = worth.get(key, 0.0) + 1 / (RECIPROCAL + rank)
    return [known[key] for key in sorted(worth, key=lambda key: (-worth[key], key))]
