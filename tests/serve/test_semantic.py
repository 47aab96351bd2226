"""Embeddings beside a generation as a node serves them: opened with it, told in /health, followed, and never in the way."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from support import semantics
from support.embedding_server import embedding_server
from support.nodes import KILNS, OTHERS, kiln_node
from support.sealed import sealed

from loom.answer.attached import NONE
from loom.core.errors import EmbedderFailure
from loom.serve.app import create_app
from loom.serve.follow import AGAIN
from loom.serve.routes.health import state
from loom.serve.serving import Serving
from loom_adapters.clock import FakeClock
from loom_adapters.generation_folder import GenerationFolder


def embed(folder: Path, id: str, **contract: object) -> str:
    """Attach embeddings to a generation; `contract` is what is stated wrongly."""
    store = GenerationFolder(folder)
    generation = store.open(id)
    made = semantics.made(generation)
    generation.close()
    facts = {**made.facts, "contract": {**made.facts["contract"], **contract}}
    return store.attach(id, made.files, facts)


@contextlib.asynccontextmanager
async def started(folder: Path, **variables: str) -> AsyncIterator[tuple[Serving, FakeClock]]:
    """A node that has looked once, without a server; its time stands still."""
    clock = FakeClock()
    serving = create_app(replace(kiln_node(folder, concepts=(), **variables), clock=clock)).serving
    await serving.follower.look()
    try:
        yield serving, clock
    finally:
        serving.holder.close()
        await serving.node.backend.aclose()
        await asyncio.sleep(0.01)


async def semantic(serving: Serving) -> dict:
    return (await state(serving))["semantic"]


async def test_a_node_without_embeddings_says_how_to_make_them(tmp_path: Path) -> None:
    sealed(tmp_path, KILNS)
    async with started(tmp_path) as (serving, _):
        said = await state(serving)
        assert said["status"] == "ok" and said["semantic"] == {
            "state": "off", "reason": NONE, "model": None, "embedder": None, "index": None, "index_reason": None, "recall": None,
        }  # fmt: skip
        assert serving.holder.pin.semantics is None and serving.holder.pin.as_json() == {"generation": serving.holder.id}


async def test_embeddings_are_opened_beside_their_generation(tmp_path: Path) -> None:
    attachment = embed(tmp_path, sealed(tmp_path, KILNS))
    async with started(tmp_path) as (serving, _):
        assert await semantic(serving) == {
            "state": "on", "reason": None, "model": "hash", "embedder": "hash", "index": "exact",
            "index_reason": "comparing all is cheapest up to 20,000 vectors, and there are 5", "recall": {"index": 1.0, "at": 10},
        }  # fmt: skip
        pin = serving.holder.pin
        assert pin.as_json() == {"generation": serving.holder.id, "vectors": attachment}
        rows, _ = await pin.semantics.search(await pin.semantics.vector("bellows that a tide presses"), 1)
        assert rows.tolist() == [sorted(concept.iri for concept in KILNS).index("urn:test:tidal-bellows")]


async def test_refused_embeddings_are_told_and_the_node_answers_without_them(tmp_path: Path) -> None:
    embed(tmp_path, sealed(tmp_path, KILNS), recipe="haiku")
    async with started(tmp_path) as (serving, _):
        said = await state(serving)
        assert said["status"] == "degraded" and said["semantic"]["state"] == "refused"
        assert "recipe 'haiku'" in said["semantic"]["reason"] and any("haiku" in reason for reason in said["degraded"])
        assert serving.holder.pin.semantics is None


async def test_a_damaged_attachment_is_refused(tmp_path: Path) -> None:
    id = sealed(tmp_path, KILNS)
    attachment = embed(tmp_path, id)
    file = tmp_path / id[7:] / "attachments" / attachment[7:] / "vectors.npy"
    file.chmod(0o644)
    file.write_bytes(file.read_bytes()[:-4] + b"\1\2\3\4")
    async with started(tmp_path) as (serving, _):
        said = await semantic(serving)
        assert said["state"] == "refused" and "vectors.npy" in said["reason"] and "loom embed --force" in said["reason"]


async def test_nobody_wants_them(tmp_path: Path) -> None:
    embed(tmp_path, sealed(tmp_path, KILNS))
    async with started(tmp_path, LOOM_EMBEDDER="off") as (serving, _):
        said = await state(serving)
        assert said["status"] == "ok" and said["semantic"]["reason"] == "LOOM_EMBEDDER is off"


async def test_what_is_attached_later_is_followed_and_requests_keep_what_they_hold(tmp_path: Path) -> None:
    id = sealed(tmp_path, KILNS)
    async with started(tmp_path) as (serving, _):
        held = serving.holder.take()
        attachment = embed(tmp_path, id)
        await serving.follower.look()
        assert (await semantic(serving))["state"] == "on" and serving.holder.id == id
        assert serving.holder.pin.semantics.id == attachment and held.pin.semantics is None
        pin = serving.holder.pin
        await serving.follower.look()
        assert serving.holder.pin is pin, "nothing is opened anew while nothing changes"
        serving.holder.give(held)


async def test_a_swap_brings_the_embeddings_of_the_next(tmp_path: Path) -> None:
    embed(tmp_path, sealed(tmp_path, KILNS))
    async with started(tmp_path) as (serving, _):
        sealed(tmp_path, OTHERS)
        await serving.follower.look()
        assert (await semantic(serving))["state"] == "off" and serving.holder.pin.semantics is None
        GenerationFolder(tmp_path).rollback()
        await serving.follower.look()
        assert (await semantic(serving))["state"] == "on"


async def test_a_server_that_comes_up_later_is_found(tmp_path: Path) -> None:
    embed(tmp_path, sealed(tmp_path, KILNS), embedder="url")
    with embedding_server(lambda entries: (503, b"loading the model"), times=2) as server:
        async with started(tmp_path, LOOM_EMBED_URL=server.url, LOOM_EMBED_KEY="k", LOOM_EMBED_TIMEOUT="5") as (serving, clock):
            said = await semantic(serving)
            assert said["state"] == "refused" and "503: loading the model" in said["reason"] and said["embedder"] == "url"
            await serving.follower.look()
            assert len(server.asked) == 1, "not before its time"
            clock.advance(AGAIN)
            await serving.follower.look()
            assert len(server.asked) == 2 and (await semantic(serving))["state"] == "refused"
            clock.advance(AGAIN)
            await serving.follower.look()
            assert (await semantic(serving))["state"] == "on" and set(server.keys) == {"Bearer k"}
            server.trick, server.times = (lambda entries: (500, b"broken")), 1
            with pytest.raises(EmbedderFailure, match="500: broken"):
                await serving.holder.pin.semantics.vector("What is a kiln?")
            assert len(await serving.holder.pin.semantics.vector("What is a kiln?")) == 256


async def test_embeddings_by_a_server_need_its_url(tmp_path: Path) -> None:
    embed(tmp_path, sealed(tmp_path, KILNS), embedder="url")
    async with started(tmp_path) as (serving, _):
        said = await semantic(serving)
        assert said["state"] == "refused" and "LOOM_EMBED_URL" in said["reason"]


@pytest.mark.parametrize("embedder", ["onnx", "sentence-transformers"])
async def test_an_embedder_that_cannot_be_opened_is_a_reason(tmp_path: Path, embedder: str) -> None:
    embed(tmp_path, sealed(tmp_path, KILNS))
    async with started(tmp_path, LOOM_EMBEDDER=embedder) as (serving, _):
        said = await semantic(serving)
        assert said["state"] == "refused" and said["reason"]


async def test_an_embedding_in_progress_does_not_hold_up_the_loop(tmp_path: Path) -> None:
    embed(tmp_path, sealed(tmp_path, KILNS), embedder="url")

    def slow(entries: list) -> tuple[int, bytes]:
        import time

        time.sleep(0.3)
        return 500, b""

    with embedding_server() as server:
        async with started(tmp_path, LOOM_EMBED_URL=server.url, LOOM_EMBED_TIMEOUT="5") as (serving, _):
            server.trick = slow
            asked = asyncio.ensure_future(serving.holder.pin.semantics.vector("What is a kiln?"))
            turns = 0
            while not asked.done():
                await asyncio.sleep(0.005)
                turns += 1
            assert turns > 10 and isinstance(asked.exception(), EmbedderFailure)
