"""The meanings of concepts in memory, by a hashed bag of words: what a finder is given, without a store or a model."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from support.generations import MemoryGeneration

from loom.answer.semantics import OpenSemantics
from loom.build.embed import Encoder, Made, Model, embed
from loom.core.concepts import Concepts
from loom.core.generation import Generation
from loom.core.retrieval.contract import PROBE, PROBE_PLACES, RECIPE, RECIPES, EmbeddingContract
from loom.core.values import Concept
from loom_adapters.fake_embedder import WIDTH, FakeEmbedder
from loom_adapters.vector_exact import ExactVectors


def hashed(concepts: Sequence[Concept], calibration: Mapping[str, Any] | None = None) -> OpenSemantics:
    """Semantics over these concepts, in the order of their IRIs."""
    part = MemoryGeneration(concepts).part(Concepts)
    embedder = FakeEmbedder()
    vectors = embedder.embed([RECIPES[RECIPE].text(part, row) for row in range(part.count)])
    probe = tuple(round(float(number), PROBE_PLACES) for number in embedder.embed([PROBE])[0])
    contract = EmbeddingContract("hash", WIDTH, RECIPE, "hash", probe)
    return OpenSemantics(contract, embedder, ExactVectors(vectors), calibration)


def made(generation: Generation) -> Made:
    """The embeddings of an opened generation by the same bag of words, as `loom embed --model hash` makes them."""
    model = Model(FakeEmbedder(), lambda: [Encoder(FakeEmbedder(), {}, {})])
    return embed(generation, model, lambda vectors, digest: ExactVectors(vectors), ask)


def ask(index: Any, vectors: np.ndarray, k: int) -> list[np.ndarray]:
    """The rows that an index finds which never waits."""
    found = []
    for vector in vectors:
        try:
            index.search(vector, k).send(None)
        except StopIteration as end:
            found.append(end.value[0])
    return found
