"""What every embedder does: the hashed bag of words, the real model, its graph, and a server."""

from collections.abc import Iterator

import numpy as np
import pytest
from support import minilm
from support.embedding_server import embedding_server

from loom.ports import Embedder
from loom_adapters.embeddings_url import EmbeddingsUrl
from loom_adapters.fake_embedder import FakeEmbedder
from loom_adapters.onnx_embedder import OnnxEmbedder

REAL = pytest.mark.embed
TEXTS = (
    "What hardens clay?",
    "A kiln is a furnace that hardens clay.",
    "Bread rises when yeast makes gas.",
    "Zażółć gęślą jaźń, 日本語, \ud800 and a tab\t",
    "x" * 30_000,
    "kiln " * 3_000,
)


@pytest.fixture(params=["fake", "url", pytest.param("onnx", marks=REAL), pytest.param("sentence-transformers", marks=REAL)])
def embedder(request: pytest.FixtureRequest) -> Iterator[Embedder]:
    if request.param == "url":
        with embedding_server() as server:
            made = EmbeddingsUrl(server.url, "hash", timeout=10, batch=4)
            yield made
            made.close()
    elif request.param == "fake":
        yield FakeEmbedder()
    elif request.param == "onnx":
        yield OnnxEmbedder("m", minilm.exported().small, minilm.exported().tokenizer)
    else:
        yield minilm.model()


def test_a_text_is_a_vector_of_length_one(embedder: Embedder) -> None:
    made = embedder.embed(TEXTS)
    assert made.dtype == np.float32 and made.shape[0] == len(TEXTS)
    assert np.allclose(np.linalg.norm(made.astype(np.float64), axis=1), 1, atol=1e-5)
    assert embedder.kind and embedder.model


def test_the_order_is_that_of_the_texts_and_their_company_does_not_matter(embedder: Embedder) -> None:
    together, back = embedder.embed(TEXTS), embedder.embed(TEXTS[::-1])[::-1]
    alone = np.concatenate([embedder.embed([text]) for text in TEXTS])
    assert np.allclose(together, back, atol=0.02) and np.allclose(together, alone, atol=0.02)


def test_what_is_alike_is_near(embedder: Embedder) -> None:
    clay, kiln, bread, *_ = embedder.embed(TEXTS)
    assert clay @ kiln > clay @ bread


def test_an_empty_text_has_a_vector_and_no_texts_have_none(embedder: Embedder) -> None:
    assert len(embedder.embed(["", " "])) == 2
    assert len(embedder.embed([])) == 0


def test_the_same_text_is_the_same_vector(embedder: Embedder) -> None:
    assert np.array_equal(embedder.embed(TEXTS[:1]), embedder.embed(TEXTS[:1]))
