"""Opening the embeddings of a generation: everything that their contract states is checked, and what does not hold is a reason.

A node whose embeddings are refused serves on without them; a wrong vector would be worse than none.
"""

import json
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from loom.answer.semantics import OpenSemantics
from loom.core.concepts import Concepts
from loom.core.errors import BrokenGeneration, LoomError
from loom.core.generation import Generation
from loom.core.retrieval.contract import PURPOSE, EmbeddingContract, read_contract
from loom.core.retrieval.vectors import fault_of
from loom.core.values import Json
from loom.ports import Attachment, Embedder, VectorIndex

CALIBRATION = "calibration.json"
NONE = "no embeddings are attached to this generation; `loom embed` makes them"

OpenEmbedder = Callable[[EmbeddingContract, Attachment], Embedder]
OpenIndex = Callable[[np.ndarray, Mapping[str, Json]], VectorIndex]


class Standing(NamedTuple):
    """The embeddings of a generation as they are served, or None; and how they stand, as `/health` says it.

    `state` is on, off (nobody wants them, there are none, or they are too coarse) or refused (they do not hold).
    """

    semantics: OpenSemantics | None
    state: Mapping[str, Json]


def off(reason: str, **known: Json) -> Standing:
    return Standing(None, _state("off", reason, **known))


def refused(reason: str, **known: Json) -> Standing:
    return Standing(None, _state("refused", reason, **known))


def opened(
    generation: Generation, attachment: Attachment, embedder: OpenEmbedder, index: OpenIndex, min_recall: float
) -> Standing:
    """The embeddings of an attachment, if they are what its contract says. `embedder` and `index` open what serves them."""
    known: dict[str, Json] = {}
    held: list[Embedder | VectorIndex] = []
    try:
        standing = _opened(generation, attachment, embedder, index, min_recall, known, held)
    except LoomError as error:
        standing = refused(error.message, **known)
    except Exception as error:
        standing = refused(f"{type(error).__name__}: {error}", **known)
    if standing.semantics is None:
        for each in held:
            each.close()
    return standing


def _opened(
    generation: Generation,
    attachment: Attachment,
    open_embedder: OpenEmbedder,
    open_index: OpenIndex,
    min_recall: float,
    known: dict[str, Json],
    held: list[Embedder | VectorIndex],
) -> Standing:
    facts: Mapping[str, Json] = attachment.manifest["facts"]
    if facts.get("purpose") != PURPOSE:
        return refused(f"the attachment {attachment.id[:19]} is for {facts.get('purpose')!r}, not for {PURPOSE!r}")
    if attachment.manifest["generation"] != generation.id:
        return refused(f"the attachment {attachment.id[:19]} belongs to another generation")
    contract = read_contract(facts.get("contract"))
    known["model"] = contract.model
    if fault := contract.fault():
        return refused(fault, **known)
    concepts = generation.part(Concepts)
    vectors = attachment.array("vectors.npy")
    if fault := fault_of(vectors, concepts.count if concepts else 0, contract.width):
        return refused(fault, **known)

    embedder = open_embedder(contract, attachment)
    held.append(embedder)
    known["embedder"] = embedder.kind
    if embedder.kind != "url" and embedder.model != contract.model:
        return refused(f"the embedder is {embedder.model!r} and the vectors were made by {contract.model!r}", **known)
    probe = embedder.embed([contract.question_prefix + contract.probe_text])
    if mismatch := contract.mismatch(probe[0] if len(probe) else probe):
        return refused(mismatch, **known)

    index = open_index(vectors, facts)
    held.append(index)
    calibration = _calibration(attachment)
    recall = _recall(facts, calibration, index.kind)
    known |= {"index": index.kind, "recall": recall}
    if recall["index"] is None:
        return off(f"the recall of the index {index.kind} was not measured; `loom embed --force` measures it", **known)
    if recall["index"] < min_recall:
        return off(
            f"the index {index.kind} finds {recall['index']:.3f} of the nearest {recall['at']}, below LOOM_MIN_RECALL ({min_recall:g})",
            **known,
        )
    return Standing(OpenSemantics(contract, embedder, index, calibration, attachment.id), _state("on", None, **known))


def _recall(facts: Mapping[str, Json], calibration: Mapping[str, Json], kind: str) -> dict[str, Json]:
    """What was measured for this kind of index, with what the calibration adds; exact search finds what it is measured by."""
    stated = facts.get("recall")
    measured: Mapping[str, Json] = stated if isinstance(stated, Mapping) else {}
    at, figure = measured.get("at", 10), measured.get("index") if measured.get("kind") == kind else None
    if kind == "exact":
        figure = 1.0
    elif not isinstance(figure, int | float) or isinstance(figure, bool):
        figure = None
    added = calibration.get("recall")
    return {**(added if isinstance(added, Mapping) else {}), "index": figure, "at": at}


def _calibration(attachment: Attachment) -> Mapping[str, Json]:
    if CALIBRATION not in attachment.manifest["files"]:
        return {}
    try:
        content = json.loads(bytes(attachment.blob(CALIBRATION)))
    except ValueError as error:
        raise BrokenGeneration(f"The {CALIBRATION} of {attachment.id[:19]} is not JSON ({error}).") from error
    if not isinstance(content, dict):
        raise BrokenGeneration(f"The {CALIBRATION} of {attachment.id[:19]} is not an object.")
    return content


def _state(state: str, reason: str | None, **known: Json) -> dict[str, Json]:
    return {
        "state": state,
        "reason": reason,
        **{key: known.get(key) for key in ("model", "embedder", "index", "index_reason", "recall")},
    }
