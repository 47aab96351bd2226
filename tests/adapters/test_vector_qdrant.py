"""Vectors in Qdrant, over its HTTP interface: pushed whole or not used, asked within the deadline, never fatal."""

import re

import numpy as np
import pytest
from support.qdrant_server import QdrantServer

from loom.core.errors import BadInput, Unreachable
from loom.core.retrieval.vectors import unit_rows
from loom_adapters.clock import FakeClock
from loom_adapters.vector_exact import ExactVectors
from loom_adapters.vector_qdrant import PUSHED_AT_ONCE, REST, Qdrant, QdrantVectors, collection, push

ROWS, WIDTH, DIGEST = 600, 12, "sha256:" + "ab" * 32
VECTORS = unit_rows(np.random.default_rng(5).normal(size=(ROWS, WIDTH)))
VECTORS[[3, 599]] = 0
LIVE = ROWS - 2


async def test_what_was_pushed_is_found_as_exact_search_finds_it() -> None:
    async with QdrantServer() as server:
        qdrant, steps = Qdrant.at(server.url, "a key"), []
        assert await push(VECTORS, qdrant, DIGEST, lambda done, total: steps.append((done, total))) == LIVE
        assert steps == [(PUSHED_AT_ONCE, LIVE), (2 * PUSHED_AT_ONCE, LIVE), (LIVE, LIVE)]
        index = QdrantVectors(VECTORS, qdrant, DIGEST, deadline=20)
        for vector in VECTORS[10:20]:
            (rows, cosines), (wanted, same) = await index.search(vector, 10), await ExactVectors(VECTORS).search(vector, 10)
            assert np.array_equal(rows, wanted) and np.array_equal(cosines, same)
        assert set(server.keys) == {"a key"}
        assert list(server.collections) == [collection(DIGEST)] == ["loom-" + "ab" * 32]
        await qdrant.client.close()


async def test_pushing_twice_sends_the_vectors_once() -> None:
    async with QdrantServer() as server:
        qdrant = Qdrant.at(server.url)
        await push(VECTORS, qdrant, DIGEST)
        sent = [asked for asked in server.asked if asked[1].endswith("/points")]
        assert await push(VECTORS, qdrant, DIGEST) == LIVE
        assert [asked for asked in server.asked if asked[1].endswith("/points")] == sent
        await qdrant.client.close()


async def test_what_is_pushed_in_part_is_refused_until_it_is_whole() -> None:
    async with QdrantServer() as server:
        qdrant, clock = Qdrant.at(server.url), FakeClock()
        index = QdrantVectors(VECTORS, qdrant, DIGEST, deadline=20, clock=clock.monotonic)
        with pytest.raises(Unreachable, match=f"holds 0 of the {LIVE} vectors.*--push-qdrant {server.url}"):
            await index.search(VECTORS[0], 5)
        await push(VECTORS, qdrant, DIGEST)
        server.collections[collection(DIGEST)].pop(7)
        clock.advance(REST)
        with pytest.raises(Unreachable, match=f"holds {LIVE - 1} of the {LIVE}"):
            await index.search(VECTORS[0], 5)
        await push(VECTORS, qdrant, DIGEST)
        clock.advance(REST)
        assert (await index.search(VECTORS[0], 5))[0][0] == 0
        await qdrant.client.close()


async def test_a_collection_of_something_else_is_named() -> None:
    async with QdrantServer() as server:
        qdrant = Qdrant.at(server.url)
        await push(VECTORS, qdrant, DIGEST)
        with pytest.raises(BadInput, match=re.escape(collection(DIGEST)) + ".*delete it"):
            await push(np.ascontiguousarray(np.eye(5, dtype=np.float32)), qdrant, DIGEST)
        with pytest.raises(BadInput, match="50 vectors"):
            await push(VECTORS[100:150], qdrant, DIGEST)
        await qdrant.client.close()


@pytest.mark.parametrize(
    "broken", [(500, b"no"), (404, b'{"status": {"error": "gone"}}'), (401, b"key"), (200, b"{}"), (200, b"<html>")]
)
async def test_an_answer_that_is_none_is_one_sentence_and_not_asked_for_again_at_once(broken: tuple[int, bytes]) -> None:
    async with QdrantServer() as server:
        qdrant, clock = Qdrant.at(server.url), FakeClock()
        await push(VECTORS, qdrant, DIGEST)
        index = QdrantVectors(VECTORS, qdrant, DIGEST, deadline=20, clock=clock.monotonic)
        await index.search(VECTORS[0], 5)
        server.broken = broken
        with pytest.raises(Unreachable, match=f"Qdrant at {server.url} did not answer as it should: .+\\.") as caught:
            await index.search(VECTORS[0], 5)
        assert "\n" not in caught.value.message
        asked = len(server.asked)
        with pytest.raises(Unreachable, match="not asked yet"):
            await index.search(VECTORS[0], 5)
        assert len(server.asked) == asked
        server.broken = None
        clock.advance(REST)
        assert (await index.search(VECTORS[0], 5))[0][0] == 0
        await qdrant.client.close()


async def test_a_late_answer_is_not_waited_for() -> None:
    async with QdrantServer() as server:
        qdrant = Qdrant.at(server.url)
        await push(VECTORS, qdrant, DIGEST)
        server.slow = 5.0
        index = QdrantVectors(VECTORS, qdrant, DIGEST, deadline=0.05)
        with pytest.raises(Unreachable, match=r"within 0\.05 s"):
            await index.search(VECTORS[0], 5)
        assert np.allclose(index.cosines(VECTORS[0], np.asarray([0])), 1)
        await qdrant.client.close()


async def test_rows_that_there_are_not_are_refused() -> None:
    async with QdrantServer() as server:
        qdrant = Qdrant.at(server.url)
        await push(VECTORS, qdrant, DIGEST)
        held = server.collections[collection(DIGEST)]
        held[ROWS + 5] = held.pop(9)
        index = QdrantVectors(VECTORS, qdrant, DIGEST, deadline=20)
        with pytest.raises(Unreachable, match="rows that the attachment does not have"):
            await index.search(VECTORS[9], 5)
        await qdrant.client.close()


async def test_nobody_there_is_one_sentence() -> None:
    qdrant = Qdrant.at("http://127.0.0.1:9")
    with pytest.raises(Unreachable, match=r"Qdrant at http://127\.0\.0\.1:9 did not answer"):
        await QdrantVectors(VECTORS, qdrant, DIGEST, deadline=20).search(VECTORS[0], 5)
    with pytest.raises(Unreachable, match=r"Qdrant at http://127\.0\.0\.1:9 did not answer"):
        await push(VECTORS, qdrant, DIGEST)
    await qdrant.client.close()


async def test_closing_lets_go_of_the_connections() -> None:
    async with QdrantServer() as server:
        qdrant = Qdrant.at(server.url)
        await push(VECTORS, qdrant, DIGEST)
        index = QdrantVectors(VECTORS, qdrant, DIGEST, deadline=20)
        await index.search(VECTORS[0], 5)
        index.close()
        await qdrant.client.close()
        QdrantVectors(VECTORS, qdrant, DIGEST).close()
