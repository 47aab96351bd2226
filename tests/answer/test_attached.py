"""Opening embeddings: every promise of their contract, broken once, is a reason; what holds serves."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from support.nodes import KILNS, concept
from support.semantics import made

from loom.answer.attached import Standing, opened
from loom.build import seal
from loom.core.errors import EmbedderFailure
from loom.core.report import Report
from loom.core.values import Concept
from loom_adapters.fake_embedder import FakeEmbedder
from loom_adapters.generation_memory import FakeGenerations
from loom_adapters.vector_exact import ExactVectors, FakeVectors

Files = dict[str, Any]
Facts = dict[str, Any]


class Other(FakeEmbedder):
    """The same words in other places: a model of the same name and width that is another one."""

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        return np.ascontiguousarray(super().embed(texts)[:, ::-1])


class Narrow(FakeEmbedder):
    def embed(self, texts: Sequence[str]) -> np.ndarray:
        return super().embed(texts)[:, :100]


class Gone(FakeEmbedder):
    closed = 0

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        raise EmbedderFailure("The embedding server is not there.")

    def close(self) -> None:
        Gone.closed += 1


class Renamed(FakeEmbedder):
    model = "hash-2"


class Blind(FakeVectors):
    """An index of a kind that was not measured."""

    kind = "blind"


def attached(
    change: Callable[[Files, Facts], object] = lambda files, facts: None, concepts: Sequence[Concept] = KILNS
) -> tuple[FakeGenerations, Any]:
    """A store with one generation, and embeddings that were changed after they were made."""
    store = FakeGenerations()
    with store.draft() as draft:
        seal.write(draft, concepts, Report({}))
        generation = store.open(store.seal(draft))
    fresh = made(generation)
    files, facts = dict(fresh.files), json.loads(json.dumps(fresh.facts))
    change(files, facts)
    store.attach(generation.id, files, facts)
    return store, generation


def standing(store: FakeGenerations, generation: Any, embedder: Any = FakeEmbedder, index: Any = ExactVectors) -> Standing:
    attachment = store.attachment(generation.id)
    assert attachment is not None
    return opened(generation, attachment, lambda contract, files: embedder(), lambda vectors, facts: index(vectors), 0.95)


def stated(field: str, value: object) -> Callable[[Files, Facts], object]:
    return lambda files, facts: facts["contract"].update({field: value})


def vectors(make: Callable[[np.ndarray], np.ndarray]) -> Callable[[Files, Facts], object]:
    return lambda files, facts: files.update({"vectors.npy": make(files["vectors.npy"])})


async def test_what_holds_serves() -> None:
    store, generation = attached()
    found = standing(store, generation)
    assert found.state == {
        "state": "on",
        "reason": None,
        "model": "hash",
        "embedder": "hash",
        "index": "exact",
        "index_reason": None,
        "recall": {"index": 1.0, "at": 10},
    }
    semantics = found.semantics
    assert semantics is not None and semantics.id == store.attachment(generation.id).id
    vector = await semantics.vector("What has a plate on which ware stands?")
    best, cosines = await semantics.search(vector, 2)
    assert best[0] == sorted(concept.iri for concept in KILNS).index("urn:test:kiln-shelf")
    assert np.allclose(semantics.cosines(vector, best), cosines)
    assert await semantics.vector("What has a plate on which ware stands?") is vector


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (stated("model", "other"), "'hash' and the vectors were made by 'other'"),
        (stated("width", 255), "256 numbers"),
        (stated("normalised", False), "not normalised"),
        (stated("recipe", "haiku"), "recipe 'haiku'"),
        (stated("embedder", "oracle"), "kind 'oracle'"),
        (stated("probe", [0.0625] * 256), "embedded differently: cosine"),
        (stated("probe_text", "Another question entirely?"), "embedded differently"),
        (stated("question_prefix", "query, please: "), "embedded differently"),
        (lambda files, facts: facts["contract"].pop("probe"), "cannot be read"),
        (lambda files, facts: facts.pop("contract"), "cannot be read"),
        (lambda files, facts: facts.update(purpose="lunch"), "'lunch'"),
        (vectors(lambda rows: rows[:-1]), "4 vectors and 5 concepts"),
        (vectors(lambda rows: rows[:, :-1].copy()), "255 numbers and the contract says 256"),
        (vectors(lambda rows: rows * np.float32(1.5)), "not of length 1"),
        (vectors(lambda rows: rows.astype(np.float64)), "float64"),
        (lambda files, facts: files.pop("vectors.npy"), "vectors.npy cannot be read"),
        (lambda files, facts: files.update({"vectors.npy": b"none"}), "vectors.npy cannot be read"),
        (lambda files, facts: files.update({"calibration.json": b"{"}), "calibration.json .* not JSON"),
        (lambda files, facts: files.update({"calibration.json": b"[]"}), "not an object"),
    ],
)
def test_what_does_not_hold_is_refused_with_its_reason(change: Callable[[Files, Facts], object], said: str) -> None:
    found = standing(*attached(change))
    assert found.semantics is None and found.state["state"] == "refused"
    assert re.search(said, found.state["reason"]), found.state["reason"]


@pytest.mark.parametrize(
    ("embedder", "said"),
    [
        (Other, "embedded differently"),
        (Narrow, "100 numbers and 256 were expected"),
        (Renamed, "'hash-2' and the vectors were made by 'hash'"),
        (Gone, "The embedding server is not there."),
        (lambda: 1 / 0, "ZeroDivisionError"),
    ],
)
def test_an_embedder_that_does_not_belong_is_refused(embedder: Any, said: str) -> None:
    closed = Gone.closed
    found = standing(*attached(), embedder=embedder)
    assert found.semantics is None and found.state["state"] == "refused" and said in found.state["reason"]
    assert Gone.closed == closed + (embedder is Gone), "what was opened is let go of"


def test_one_of_another_generation_is_refused() -> None:
    store, first = attached()
    _, generation = attached(concepts=[*KILNS[:-1], concept("Tidal Bellows", "Other bellows.")])
    attachment = store.attachment(first.id)
    assert attachment is not None
    found = opened(generation, attachment, lambda *_: FakeEmbedder(), lambda found, facts: ExactVectors(found), 0.95)
    assert found.state["state"] == "refused" and "another generation" in found.state["reason"]


@pytest.mark.parametrize(
    ("recall", "said"),
    [
        ({"kind": "blind", "index": 0.949, "at": 10}, "finds 0.949 of the nearest 10, below LOOM_MIN_RECALL (0.95)"),
        ({"kind": "exact", "index": 1.0, "at": 10}, "the recall of the index blind was not measured"),
        ({"kind": "blind", "index": True}, "was not measured"),
        (None, "was not measured"),
    ],
)
def test_an_index_that_finds_too_little_is_off_with_the_figure(recall: object, said: str) -> None:
    found = standing(*attached(lambda files, facts: facts.update(recall=recall)), index=Blind)
    assert found.semantics is None and found.state["state"] == "off" and said in found.state["reason"]
    assert found.state["index"] == "blind"


def test_an_index_at_the_floor_serves_with_what_the_calibration_adds() -> None:
    def change(files: Files, facts: Facts) -> None:
        facts["recall"] = {"kind": "blind", "index": 0.95, "at": 10}
        files["calibration.json"] = b'{"recall": {"retriever": 0.9}, "weights": [1]}'

    found = standing(*attached(change), index=Blind)
    assert found.state["state"] == "on" and found.state["recall"] == {"index": 0.95, "at": 10, "retriever": 0.9}
    assert found.semantics is not None and found.semantics.calibration["weights"] == [1]
