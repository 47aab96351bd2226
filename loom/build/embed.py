"""Embeddings of a sealed generation: its texts as vectors, and what embeds questions later, with everything that must fit together.

Nothing here is sealed into the generation. What comes out are files and facts of an attachment.
"""

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from loom.core.concepts import Concepts
from loom.core.errors import EmbedderFailure, NotFound
from loom.core.generation import Generation
from loom.core.retrieval.contract import (
    PROBE,
    PROBE_PLACES,
    PURPOSE,
    RECIPE,
    RECIPES,
    EmbeddingContract,
    cut,
    read_contract,
)
from loom.core.retrieval.nearest import UnitVectors
from loom.core.retrieval.recall import AT, recall
from loom.core.retrieval.vectors import fault_of, unit_rows
from loom.core.values import Json
from loom.ports import Attachment, Embedder, VectorIndex

SAMPLE, ASKED = 64, 200
"""Questions on which two embedders are compared, and on which an index is."""

LEAST_COSINE = 0.98
"""Least mean cosine of an encoder's vectors to those of the model that it stands for."""

QUESTION_LONGEST = 200

Progress = Callable[[int, int], object]
Embed = Callable[[Sequence[str]], np.ndarray]
Ask = Callable[[VectorIndex, np.ndarray, int], Sequence[np.ndarray]]
"""The rows that an index finds for each of some vectors. Searching may wait, and a build has no event loop."""

Calibrate = Callable[[Generation, np.ndarray, Embed], Mapping[str, Json]]
"""From a generation, its vectors and what embeds questions: what `calibration.json` shall hold. Nothing: no such file."""


class Encoder(NamedTuple):
    """What embeds questions of an attachment, the files that it is opened from, and what is known of it."""

    embedder: Embedder
    files: Mapping[str, bytes]
    facts: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Model:
    """What texts are embedded by. `encoders` gives what questions could be embedded by, the cheapest first."""

    embedder: Embedder
    encoders: Callable[[], Iterable[Encoder]]
    revision: str = ""
    question_prefix: str = ""
    text_prefix: str = ""

    def close(self) -> None:
        self.embedder.close()


@dataclass(frozen=True, slots=True)
class Made:
    """The files and facts of an attachment; `reused` counts the vectors that were known."""

    contract: EmbeddingContract
    files: Mapping[str, bytes | np.ndarray]
    facts: Mapping[str, Json] = field(default_factory=dict)
    reused: int = 0


def embed(
    generation: Generation,
    model: Model,
    index: Callable[[np.ndarray, str], VectorIndex],
    ask: Ask,
    *,
    batch: int = 64,
    progress: Progress = lambda done, total: None,
    calibrate: Calibrate | None = None,
    known: Mapping[str, np.ndarray] | None = None,
) -> Made:
    """Embed every unit of a generation. `index` is what would serve vectors of a digest; `ask` waits for it.

    `progress` is told how many units are done, and of how many; `known` holds vectors of texts by the same model. Raises NotFound where there are no concepts, EmbedderFailure.
    """
    concepts = generation.part(Concepts)
    if concepts is None or not concepts.count:
        raise NotFound(f"{generation.id[:19]} holds no concepts, so there is nothing to embed.")
    recipe = RECIPES[RECIPE]
    texts = [model.text_prefix + recipe.text(concepts, row) for row in range(concepts.count)]
    known = known or {}
    vectors = _all(model.embedder, texts, batch, progress, known)
    questions = [model.question_prefix + question for question in questions_of(concepts, ASKED)]
    encoder = _encoder(model, questions[:: max(1, len(questions) // SAMPLE)])
    probe = model.embedder.embed([model.question_prefix + PROBE])[0]
    contract = EmbeddingContract(
        model.embedder.model,
        vectors.shape[1],
        RECIPE,
        encoder.embedder.kind,
        tuple(round(float(number), PROBE_PLACES) for number in probe),
        revision=model.revision,
        question_prefix=model.question_prefix,
        text_prefix=model.text_prefix,
    )
    if mismatch := contract.mismatch(encoder.embedder.embed([model.question_prefix + PROBE])[0]):
        raise EmbedderFailure(f"What would embed questions does not fit the vectors: {mismatch}.")
    files: dict[str, bytes | np.ndarray] = {"vectors.npy": vectors, **encoder.files}
    asked, digest = encoder.embedder.embed(questions), hashlib.sha256(vectors.tobytes()).hexdigest()
    facts: dict[str, Json] = {
        "purpose": PURPOSE,
        "contract": contract.as_json(),
        "concepts": concepts.count,
        "vectors": digest,
        "encoder": {"model": encoder.embedder.model, **encoder.facts},
        "recall": recall_of(index(vectors, digest), vectors, asked, ask),
    }
    if calibrate is not None:

        def embedded(texts: Sequence[str]) -> np.ndarray:
            return encoder.embedder.embed([model.question_prefix + text for text in texts])

        if calibration := calibrate(generation, vectors, embedded):
            files["calibration.json"] = json.dumps(calibration, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()
    return Made(contract, files, facts, sum(text in known for text in texts))


def vectors_of(generation: Generation, attachment: Attachment, model: Model) -> dict[str, np.ndarray]:
    """The vector of each text of a generation that was embedded by this very model; none where that is not certain."""
    facts, concepts = attachment.manifest["facts"], generation.part(Concepts)
    if facts.get("purpose") != PURPOSE or concepts is None or not model.revision:
        return {}
    contract, vectors = read_contract(facts.get("contract")), attachment.array("vectors.npy")
    same = (model.embedder.model, model.revision, RECIPE, model.question_prefix, model.text_prefix)
    if same != (contract.model, contract.revision, contract.recipe, contract.question_prefix, contract.text_prefix):
        return {}
    if fault_of(vectors, concepts.count, contract.width):
        return {}
    recipe = RECIPES[RECIPE]
    return {model.text_prefix + recipe.text(concepts, row): vectors[row] for row in range(concepts.count)}


def questions_of(concepts: Concepts, count: int) -> list[str]:
    """At most `count` questions about units spread evenly over a generation, some by title, some by what their texts begin with."""
    rows = np.unique(np.linspace(0, concepts.count - 1, min(count, concepts.count)).astype(np.int64)).tolist()
    asked = []
    for number, row in enumerate(rows):
        told = str(concepts.record(row).get("definition") or "")
        asked.append(f"What is {concepts.title(row)}?" if number % 2 or not told else cut(told, QUESTION_LONGEST))
    return asked


def recall_of(index: VectorIndex, vectors: np.ndarray, asked: np.ndarray, ask: Ask) -> dict[str, Json]:
    """The share of the exact ten nearest that the index finds, over these vectors of questions."""
    exact = UnitVectors(vectors)
    found = [rows.tolist() for rows in ask(index, asked, AT)]
    reached = recall(found, [exact.search(vector, AT)[0].tolist() for vector in asked])
    return {"kind": index.kind, "index": round(reached, 4), "at": AT, "questions": len(found)}


def _all(
    embedder: Embedder, texts: Sequence[str], batch: int, progress: Progress, known: Mapping[str, np.ndarray]
) -> np.ndarray:
    """The vectors of all texts, longest first, so that texts of one length share a batch and the pace only improves."""
    held = [row for row, text in enumerate(texts) if text in known]
    order = sorted((row for row, text in enumerate(texts) if text not in known), key=lambda row: (-len(texts[row]), row))
    vectors: np.ndarray | None = None
    if held:
        vectors = np.zeros((len(texts), len(known[texts[held[0]]])), dtype=np.float32)
        vectors[held] = [known[texts[row]] for row in held]
    progress(len(held), len(texts))
    for start in range(0, len(order), batch):
        rows = order[start : start + batch]
        made = unit_rows(embedder.embed([texts[row] for row in rows]))
        if vectors is None:
            vectors = np.zeros((len(texts), made.shape[1]), dtype=np.float32)
        if made.shape != (len(rows), vectors.shape[1]):
            raise EmbedderFailure(
                f"Expected {len(rows)} vectors of {vectors.shape[1]} numbers from {embedder.model}, but got the shape {made.shape}."
            )
        vectors[rows] = made
        progress(len(held) + start + len(rows), len(texts))
    return vectors if vectors is not None else np.zeros((0, 0), dtype=np.float32)


def _encoder(model: Model, questions: Sequence[str]) -> Encoder:
    """The cheapest encoder whose vectors of questions are those of the model, nearly; raises EmbedderFailure where none is."""
    wanted, reached = model.embedder.embed(questions), []
    for encoder in model.encoders():
        made = encoder.embedder.embed(questions)
        cosine = (
            math.fsum(np.einsum("ij,ij->i", made, wanted, dtype=np.float64)) / len(questions)
            if made.shape == wanted.shape
            else 0.0
        )
        if cosine >= LEAST_COSINE:
            return encoder._replace(facts={**encoder.facts, "cosine": round(cosine, 4)})
        reached.append(f"{cosine:.3f}")
    raise EmbedderFailure(
        f"What would embed questions gives other vectors than {model.embedder.model} does (mean cosine {', '.join(reached)}; at least "
        f"{LEAST_COSINE} was expected); give another --model."
    )
