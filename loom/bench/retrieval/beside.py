"""Single retrievers, to stand beside the node in a report: each proposes its four best, and units are made of them as ever."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

from loom import compose
from loom.answer.finders.ontology import OntologyFinder
from loom.answer.plan import Pin
from loom.core.concepts import Concepts
from loom.core.matching import default
from loom.core.matching.default import DefaultLexicon
from loom.core.policy.policy import Policy
from loom.core.retrieval.stem import terms
from loom.core.retrieval.text import TextIndex
from loom.core.text import slug_of
from loom.core.values import Candidate, Finding, Question, Row

FOUR, DEEP, SMOOTHING = 4, 100, 60
"""Units that each proposes; the depth of lists that are fused; the constant of reciprocal rank fusion (Cormack et al. 2009)."""

Ranked = Callable[[str, int], Awaitable[Sequence[Row]]]


class Alone(OntologyFinder):
    """Proposes the best rows of one list, unjudged."""

    def __init__(self, ranked: Ranked, *, hops: int, prose: bool) -> None:
        super().__init__(hops=hops, prose=prose)
        self._ranked = ranked

    async def find(self, question: Question, pin: Pin, policy: Policy) -> Finding:
        concepts = pin.generation.part(Concepts)
        rows = await self._ranked(question.text, FOUR) if concepts else ()
        if not concepts or not rows:
            return Finding(self.name)
        iris = [concepts.iri(row) for row in rows]
        candidates = [Candidate(iri, 1.0, "alone", home=iri[: len(iri) - len(slug_of(iri))]) for iri in iris]
        return Finding(self.name, tuple(candidates), confidence=1.0, named=True, reason="alone")


def alone(node: compose.Node, ranked: Ranked) -> compose.Node:
    """The node with nothing but one ranked list to find by."""
    retrieval = node.settings.retrieval
    return replace(node, finders=(Alone(ranked, hops=retrieval.hops, prose=retrieval.prose),))


def retrievers(pin: Pin) -> Mapping[str, Ranked | None]:
    """The lists that can be had of a generation, by name; None where it was not built."""
    titles, text, dense = _titles(pin), _text(pin), _dense(pin)
    return {
        "title matcher of this node": titles,
        "BM25 over the units": text,
        "embeddings": dense,
        "plain rank fusion of BM25 and embeddings": fused(text, dense) if text and dense else None,
    }


def fused(*lists: Ranked) -> Ranked:
    """Reciprocal rank fusion: a row is worth the sum of 1 / (60 + its rank) over the lists; ties by row."""

    async def ranked(text: str, limit: int) -> Sequence[Row]:
        worth: dict[Row, float] = {}
        for each in lists:
            for rank, row in enumerate(await each(text, DEEP), start=1):
                worth[row] = worth.get(row, 0.0) + 1 / (SMOOTHING + rank)
        return sorted(worth, key=lambda row: (-worth[row], row))[:limit]

    return ranked


def _titles(pin: Pin) -> Ranked | None:
    lexicon, concepts = pin.generation.part(DefaultLexicon), pin.generation.part(Concepts)
    if lexicon is None or concepts is None:
        return None

    async def ranked(text: str, limit: int) -> Sequence[Row]:
        return [match.row for match in default.search(lexicon, concepts.quality, text, limit)]

    return ranked


def _text(pin: Pin) -> Ranked | None:
    index = pin.generation.part(TextIndex)
    if index is None:
        return None

    async def ranked(text: str, limit: int) -> Sequence[Row]:
        rows, _ = index.search(terms(text), limit)
        return [int(row) for row in rows]

    return ranked


def _dense(pin: Pin) -> Ranked | None:
    semantics = pin.semantics
    if semantics is None:
        return None

    async def ranked(text: str, limit: int) -> Sequence[Row]:
        rows, _ = await semantics.search(await semantics.vector(text), limit)
        return [int(row) for row in rows]

    return ranked
