"""What embeds a generation: order, prefixes, questions, and which encoder is good enough."""

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from support.generations import MemoryGeneration
from support.nodes import KILNS, concept
from support.semantics import ask

from loom.build import seal
from loom.build.embed import Encoder, Made, Model, embed, questions_of, recall_of, vectors_of
from loom.core.concepts import Concepts
from loom.core.errors import EmbedderFailure, NotFound
from loom.core.report import Report
from loom.core.retrieval.contract import PROBE, RECIPE, RECIPES, EmbeddingContract
from loom.core.retrieval.vectors import unit_rows
from loom_adapters.fake_embedder import FakeEmbedder
from loom_adapters.generation_memory import FakeGenerations
from loom_adapters.vector_exact import ExactVectors

GENERATION = MemoryGeneration(KILNS)


class Listening(FakeEmbedder):
    """Remembers what it was given."""

    def __init__(self) -> None:
        self.given: list[str] = []

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.given += texts
        return super().embed(texts)


class Coarse(FakeEmbedder):
    """The same vectors with something added to each, as a graph of too few bits gives."""

    kind = "onnx"

    def __init__(self, blur: float) -> None:
        self._blur = blur

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        made = super().embed(texts)
        return unit_rows(made + self._blur * np.sign(np.cos(np.arange(made.shape[1]))) / np.sqrt(made.shape[1]))


class Uneven(FakeEmbedder):
    def embed(self, texts: Sequence[str]) -> np.ndarray:
        return super().embed(texts[:-1])


class Halved:
    """An index that finds every other row."""

    kind = "halved"

    def __init__(self, vectors: np.ndarray) -> None:
        self._exact = ExactVectors(vectors)

    async def search(self, vector: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        rows, cosines = await self._exact.search(vector, k)
        return rows[::2], cosines[::2]


def made(model: Model | None = None, generation: MemoryGeneration = GENERATION, **more: object) -> Made:
    chosen = model or Model(FakeEmbedder(), lambda: [Encoder(FakeEmbedder(), {}, {})])
    return embed(generation, chosen, lambda vectors, digest: ExactVectors(vectors), ask, **more)


@pytest.mark.parametrize("batch", [1, 2, 64])
def test_rows_are_in_the_order_of_the_generation(batch: int) -> None:
    part = GENERATION.part(Concepts)
    wanted = FakeEmbedder().embed([RECIPES[RECIPE].text(part, row) for row in range(part.count)])
    told: list[tuple[int, int]] = []
    found = made(batch=batch, progress=lambda done, total: told.append((done, total)))
    assert np.array_equal(found.files["vectors.npy"], wanted)
    assert told[0] == (0, 5) and told[-1] == (5, 5) and told == sorted(told)
    assert found.contract == EmbeddingContract("hash", 256, RECIPE, "hash", found.contract.probe)


def test_texts_that_stayed_as_they_were_keep_their_vectors() -> None:
    listening = Listening()
    model = Model(listening, lambda: [Encoder(listening, {}, {})], revision="r")
    before = made(model)
    store = FakeGenerations()
    with store.draft() as draft:
        seal.write(draft, KILNS, Report({}))
        old = store.open(store.seal(draft))
    store.attach(old.id, before.files, before.facts)
    known = vectors_of(old, store.attachment(old.id), model)
    listening.given.clear()
    changed = MemoryGeneration(
        [*KILNS[:-1], concept("Tidal Bellows", "Something else."), concept("Ash", "What a fire leaves.")]
    )
    told: list[tuple[int, int]] = []
    after = made(model, changed, known=known, progress=lambda done, total: told.append((done, total)))
    assert [given for given in listening.given if ". " in given][:2] == [
        "Tidal Bellows. Something else.",
        "Ash. What a fire leaves.",
    ]
    assert after.reused == 4 and told == [(4, 6), (6, 6)]
    assert np.array_equal(after.files["vectors.npy"], made(model, changed).files["vectors.npy"])
    for other in (replace(model, revision="s"), replace(model, revision=""), replace(model, text_prefix="t: ")):
        assert vectors_of(old, store.attachment(old.id), other) == {}


def test_what_a_model_wants_said_before_texts_and_questions_is_said() -> None:
    embedder = Listening()
    model = Model(embedder, lambda: [Encoder(embedder, {}, {})], "r", question_prefix="ask: ", text_prefix="text: ")
    contract = made(model).contract
    assert embedder.given[0].startswith("text: ") and "ask: " + PROBE in embedder.given
    assert not [given for given in embedder.given if not given.startswith(("text: ", "ask: "))]
    assert (contract.question_prefix, contract.text_prefix, contract.revision) == ("ask: ", "text: ", "r")


def test_the_cheapest_encoder_that_is_true_to_the_model_is_taken() -> None:
    coarse = Encoder(Coarse(0.6), {"model.onnx": b"coarse"}, {"weights": "int4"})
    fine = Encoder(Coarse(0.1), {"model.onnx": b"fine"}, {"weights": "int8"})
    exact = Encoder(Coarse(0.0), {"model.onnx": b"exact"}, {"weights": "float32"})
    found = made(Model(FakeEmbedder(), lambda: [coarse, fine, exact]))
    assert found.files["model.onnx"] == b"fine" and found.contract.embedder == "onnx"
    assert found.facts["encoder"]["weights"] == "int8" and 0.98 <= found.facts["encoder"]["cosine"] < 1
    with pytest.raises(EmbedderFailure, match=r"mean cosine 0\.\d+; at least 0\.98"):
        made(Model(FakeEmbedder(), lambda: [coarse]))


def test_an_embedder_that_drops_a_text_is_found_out() -> None:
    with pytest.raises(EmbedderFailure, match="Expected 5 vectors of 256 numbers"):
        made(Model(Uneven(), lambda: []))


def test_nothing_to_embed() -> None:
    with pytest.raises(NotFound, match="no concepts"):
        made(generation=MemoryGeneration([]))


def test_questions_are_spread_over_the_generation_and_tell_both_ways() -> None:
    many = MemoryGeneration([concept(f"Kiln {n:03}", f"The kiln of number {n}." if n % 3 else "") for n in range(300)])
    asked = questions_of(many.part(Concepts), 100)
    assert len(asked) == 100 == len(set(asked))
    assert "What is Kiln 299?" in asked and "What is Kiln 000?" in asked
    assert sum(question.startswith("What is ") for question in asked) > 50
    assert any(question.startswith("The kiln of number") for question in asked)
    assert questions_of(MemoryGeneration(KILNS).part(Concepts), 100)[1] == "What is Kiln?"


def test_recall_is_what_the_index_finds_of_what_is_nearest() -> None:
    many = MemoryGeneration([concept(f"Kiln {n}", f"Number {n} of many kilns.") for n in range(40)])
    vectors = made(generation=many).files["vectors.npy"]
    assert recall_of(ExactVectors(vectors), vectors, vectors[:7], ask) == {
        "kind": "exact",
        "index": 1.0,
        "at": 10,
        "questions": 7,
    }
    assert recall_of(Halved(vectors), vectors, vectors, ask)["index"] == 0.5


def test_a_calibration_is_made_over_the_vectors_and_travels_with_them() -> None:
    def calibrate(generation: object, vectors: np.ndarray, embedded: object) -> dict:
        question = embedded(["A closed space that is heated."])[0]
        return {"best": int(np.argmax(vectors @ question)), "of": len(vectors)}

    found = made(calibrate=calibrate)
    assert json.loads(found.files["calibration.json"]) == {"best": 0, "of": 5}
    assert "calibration.json" not in made(calibrate=lambda *_: {}).files
