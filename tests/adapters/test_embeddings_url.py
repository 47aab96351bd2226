"""An embeddings server that misbehaves: what it gave is said, with little of its own words, and nothing wrong gets through."""

import json
import time
from typing import Any

import numpy as np
import pytest
from support.embedding_server import Trick, embedding_server, good

from loom.core.errors import EmbedderFailure
from loom_adapters.embeddings_url import EmbeddingsUrl

Entries = list[dict[str, Any]]


def sent(entries: object) -> tuple[int, bytes]:
    return 200, json.dumps({"data": entries}).encode()


def without_index(entries: Entries) -> tuple[int, bytes]:
    return sent([{"embedding": entry["embedding"]} for entry in entries])


def slow(entries: Entries) -> tuple[int, bytes]:
    time.sleep(0.6)
    return good(entries)


@pytest.mark.parametrize(
    ("trick", "said"),
    [
        (lambda entries: (500, b"out of memory " * 100), "answered 500: out of memory"),
        (lambda entries: (401, b'{"error": "bad key"}'), "answered 401"),
        (lambda entries: (302, b""), "answered 302"),
        (lambda entries: (200, b"<html>hello</html>"), "something else than embeddings: <html>"),
        (lambda entries: (200, b'{"data": null}'), "something else"),
        (lambda entries: (200, b'{"data": [1, 2]}'), "something else"),
        (lambda entries: (200, b"\xff\xfe"), "something else"),
        (lambda entries: sent(entries[:-1]), "1 vectors for 2 texts"),
        (lambda entries: sent([*entries, entries[0]]), "3 vectors for 2 texts"),
        (lambda entries: sent([{**entry, "index": 0} for entry in entries]), "places that are not theirs"),
        (lambda entries: sent([{**entry, "index": "0"} for entry in entries]), "places that are not theirs"),
        (lambda entries: sent([entries[0], {**entries[1], "embedding": [1.0]}]), "of one length"),
        (lambda entries: sent([{**entry, "embedding": []} for entry in entries]), "of one length"),
        (lambda entries: sent([{**entry, "embedding": "AAAA"} for entry in entries]), "of one length"),
        (lambda entries: sent([{**entry, "embedding": [0.0, 0.0]} for entry in entries]), "of one length"),
        (lambda entries: (200, b'{"data": [{"embedding": [NaN]}, {"embedding": [1]}]}'), "of one length"),
        (slow, "did not answer in 0.3 s"),
    ],
)
def test_what_is_wrong_is_said(trick: Trick, said: str) -> None:
    with embedding_server(trick) as server:
        embedder = EmbeddingsUrl(server.url, "hash", timeout=0.3)
        with pytest.raises(EmbedderFailure, match=said) as failure:
            embedder.embed(["one", "two"])
        embedder.close()
    assert len(failure.value.message) < 320


def test_a_server_that_is_not_there() -> None:
    embedder = EmbeddingsUrl("http://user:secret@127.0.0.1:9/v1", "m", timeout=1)
    with pytest.raises(EmbedderFailure, match=r"The embedding server 127\.0\.0\.1:9 did not answer") as failure:
        embedder.embed(["one"])
    assert "secret" not in failure.value.message
    embedder.close()


def test_vectors_come_back_in_the_order_of_the_texts() -> None:
    texts = [f"word{n} of many" for n in range(7)]
    with embedding_server(lambda entries: sent(entries[::-1])) as server:
        embedder = EmbeddingsUrl(server.url, "m", key="k", timeout=5, batch=3)
        made = embedder.embed(texts)
        assert [len(body["input"]) for body in server.asked] == [3, 3, 1]
        assert {body["model"] for body in server.asked} == {"m"} and set(server.keys) == {"Bearer k"}
        server.trick = without_index
        assert np.array_equal(embedder.embed(texts), made)
        embedder.close()


def test_widths_that_differ_between_batches() -> None:
    def growing(entries: Entries) -> tuple[int, bytes]:
        return sent([{**entry, "embedding": [1.0] * len(server.asked)} for entry in entries])

    with embedding_server(growing) as server:
        embedder = EmbeddingsUrl(server.url, "m", timeout=5, batch=1)
        with pytest.raises(EmbedderFailure, match=r"different widths \(1, 2\)"):
            embedder.embed(["one", "two"])
        embedder.close()


def test_a_build_asks_again_and_a_question_does_not() -> None:
    with embedding_server(lambda entries: (503, b"loading"), times=2) as server:
        patient = EmbeddingsUrl(server.url, "m", timeout=5, attempts=3, pause=0.01)
        assert len(patient.embed(["one"])) == 1 and len(server.asked) == 3
        patient.close()
    with embedding_server(lambda entries: (503, b"loading"), times=2) as server:
        once = EmbeddingsUrl(server.url, "m", timeout=5)
        with pytest.raises(EmbedderFailure, match="503: loading"):
            once.embed(["one"])
        assert len(server.asked) == 1
        once.close()
    with embedding_server(lambda entries: (400, b"too long"), times=1) as server:
        patient = EmbeddingsUrl(server.url, "m", timeout=5, attempts=3, pause=0.01)
        with pytest.raises(EmbedderFailure, match="400: too long"):
            patient.embed(["one"])
        patient.close()
