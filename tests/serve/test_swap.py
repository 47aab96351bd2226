"""Swapping generations under a running node: pinned requests, refusals, rollback, probes, and several workers under load."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from support.nodes import KILNS, OTHERS, kiln_node, kiln_server, served
from support.sealed import sealed

from loom.serve.app import create_app
from loom_adapters.generation_folder import GenerationFolder
from loom_adapters.scripted_model import FakeModel

CHAT = "/v1/chat/completions"
ADMIN = "/loom/admin/generation"
SAYS = {"first": "hardens clay", "second": "second edition"}


def ask(model: str = "echo", **more: object) -> dict:
    return {"model": model, "messages": [{"role": "user", "content": "What is a kiln?"}], **more}


async def test_moving_and_rolling_back(tmp_path: Path):
    async with kiln_server(tmp_path) as url, httpx.AsyncClient(base_url=url) as client:
        first = (await client.get("/loom/generation")).json()["id"]
        second = sealed(tmp_path, OTHERS, point=False)
        moved = await client.post(ADMIN, json={"id": second})
        assert moved.status_code == 200 and moved.json()["complete"] and moved.json()["before"] == first
        assert [worker["generation"] for worker in moved.json()["workers"]] == [second]
        scaffold = (await client.post("/loom/scaffold", json={"prompt": "kiln"})).json()
        assert scaffold["pin"]["generation"] == second and SAYS["second"] in scaffold["scaffold"]
        back = await client.post(ADMIN, json={"rollback": True})
        assert back.status_code == 200 and back.json()["generation"] == first
        again = await client.post(ADMIN, json={"id": second[:19]})
        assert again.json()["generation"] == second
        same = await client.post(ADMIN, json={"id": second})
        assert same.status_code == 200 and same.json()["before"] == second
    store = GenerationFolder(tmp_path)
    assert (store.current(), store.previous()) == (second, first)


async def test_a_moved_pointer_is_followed(tmp_path: Path):
    async with kiln_server(tmp_path) as url, httpx.AsyncClient(base_url=url) as client:
        second = sealed(tmp_path, OTHERS)
        for _ in range(100):
            if (await client.get("/health/ready")).json()["generation"] == second:
                break
            await asyncio.sleep(0.02)
        state = (await client.get("/health")).json()
        metrics = (await client.get("/metrics")).text
    assert state["generation"] == second and [worker["generation"] for worker in state["workers"]] == [second]
    assert f'loom_generation_info{{id="{second}"}} 1.0' in metrics
    assert metrics.count('loom_generation_info{id="') == 2


async def test_a_request_in_flight_finishes_on_its_own(tmp_path: Path):
    node = kiln_node(tmp_path, FakeModel())
    first = node.store.current()
    second = sealed(tmp_path, OTHERS, point=False)
    app = create_app(node)
    async with served(app) as url, httpx.AsyncClient(base_url=url) as client:
        slow = asyncio.create_task(client.post(CHAT, json=ask("words?words=10&delay=0.05", stream=True)))
        await asyncio.sleep(0.1)
        assert (await client.post(ADMIN, json={"id": second})).status_code == 200
        assert not slow.done()
        after = (await client.post(CHAT, json=ask())).json()["loom"]
        reply = await slow
    last = json.loads(reply.text.split("data: ")[-2])
    assert last["loom"]["pin"]["generation"] == reply.headers["x-loom-generation"] == first
    assert after["pin"]["generation"] == second


async def test_a_broken_generation_is_refused_and_the_old_one_serves_on(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    async with kiln_server(tmp_path, LOOM_LOG_FORMAT="json") as url, httpx.AsyncClient(base_url=url) as client:
        first = (await client.get("/loom/generation")).json()["id"]
        second = sealed(tmp_path, OTHERS, point=False)
        lines = tmp_path / second.removeprefix("sha256:") / "parts" / "concepts" / "concepts.jsonl"
        lines.chmod(0o644)
        good = lines.read_bytes()
        lines.write_bytes(good.replace(b"oven", b"oxen"))
        refused = await client.post(ADMIN, json={"id": second})
        assert refused.status_code == 409 and refused.json()["error"] == "broken_generation"
        assert GenerationFolder(tmp_path).current() == first
        state = (await client.get("/health")).json()
        assert state["status"] == "degraded" and state["refused"]["id"] == second and state["refused"]["reason"]
        assert state["generation"] == first
        assert (await client.get("/health/ready")).status_code == 200
        assert 'loom_swaps_total{result="refused"} 1.0' in (await client.get("/metrics")).text
        await asyncio.sleep(1.1)
        assert (await client.get("/health")).json()["refused"] == state["refused"]
        (tmp_path / "current").write_text(second + "\n")
        await asyncio.sleep(0.7)
        scaffold = (await client.post("/loom/scaffold", json={"prompt": "kiln"})).json()
        assert scaffold["pin"]["generation"] == first
        lines.write_bytes(good)
        moved = await client.post(ADMIN, json={"id": second})
        assert moved.status_code == 200
        assert (await client.get("/health")).json()["status"] == "ok"
    events = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert {event["generation"] for event in events if event["event"] == "generation_refused"} == {second}


async def test_a_store_that_cannot_be_written_is_no_unexpected_error(tmp_path: Path):
    (tmp_path / "store").mkdir()
    async with kiln_server(tmp_path / "store") as url, httpx.AsyncClient(base_url=url) as client:
        first = (await client.get("/loom/generation")).json()["id"]
        second = sealed(tmp_path / "store", OTHERS, point=False)
        os.rename(tmp_path / "store" / ".run", tmp_path / "run")
        (tmp_path / "store" / ".run").write_text("")
        refused = await client.post(ADMIN, json={"id": second})
        assert (
            refused.status_code == 409 and refused.json()["error"] == "unwritable" and "permissions" in refused.json()["detail"]
        )
        assert (await client.post(CHAT, json=ask())).json()["loom"]["pin"]["generation"] == first
        (tmp_path / "store" / ".run").unlink()
        os.rename(tmp_path / "run", tmp_path / "store" / ".run")


async def test_a_pointer_that_makes_no_sense_is_told_and_the_old_one_serves_on(tmp_path: Path):
    async with kiln_server(tmp_path) as url, httpx.AsyncClient(base_url=url) as client:
        first = (await client.get("/loom/generation")).json()["id"]
        (tmp_path / "current").write_text("next week's\n")
        await asyncio.sleep(1.1)
        state = (await client.get("/health")).json()
        assert state["status"] == "degraded" and "one generation id" in state["degraded"][0]
        assert state["generation"] == first and (await client.post(CHAT, json=ask())).status_code == 200
        (tmp_path / "current").write_text(first + "\n")
        await asyncio.sleep(1.1)
        assert (await client.get("/health")).json()["status"] == "ok"


async def test_without_a_generation_the_node_lives_and_is_not_ready(tmp_path: Path):
    async with kiln_server(tmp_path, concepts=()) as url, httpx.AsyncClient(base_url=url) as client:
        ready, state = await client.get("/health/ready"), (await client.get("/health")).json()
        chat = await client.post(CHAT, json=ask())
        scaffold = await client.post("/loom/scaffold", json={"prompt": "kiln"})
        assert (await client.get("/health/live")).status_code == 200
        assert ready.status_code == 503 and ready.headers["retry-after"] and "loom build" in ready.json()["detail"]
        assert "loom generations use" in ready.json()["detail"] and "loom generations use" in scaffold.json()["detail"]
        assert state["status"] == "unready" and state["generation"] is None
        assert chat.status_code == 503 and chat.json()["error"]["code"] == "no_generation"
        assert chat.headers["x-should-retry"] == "true" and scaffold.status_code == 503
        sealed(tmp_path, KILNS)
        for _ in range(100):
            if (await client.get("/health/ready")).status_code == 200:
                break
            await asyncio.sleep(0.02)
        assert (await client.post(CHAT, json=ask())).status_code == 200


async def test_a_late_worker_is_named(tmp_path: Path):
    """One process that was told it is one of two waits for the other, in vain."""
    async with served(create_app(kiln_node(tmp_path, LOOM_WORKERS="2"))) as url, httpx.AsyncClient(base_url=url) as client:
        second = sealed(tmp_path, OTHERS, point=False)
        moved = await client.post(ADMIN, json={"id": second, "wait": 0.2})
    assert moved.status_code == 202 and not moved.json()["complete"]
    assert [worker["pid"] for worker in moved.json()["workers"]] == [os.getpid()]


async def test_the_loop_is_not_stalled_by_an_opening(tmp_path: Path):
    async with kiln_server(tmp_path) as url, httpx.AsyncClient(base_url=url) as client:
        second, first = sealed(tmp_path, OTHERS, point=False), (await client.get("/loom/generation")).json()["id"]
        worst, stop = [0.0], asyncio.Event()

        async def beat() -> None:
            while not stop.is_set():
                before = time.perf_counter()
                await asyncio.sleep(0.001)
                worst[0] = max(worst[0], time.perf_counter() - before - 0.001)

        beating = asyncio.create_task(beat())
        for id in (second, first) * 5:
            assert (await client.post(ADMIN, json={"id": id})).status_code == 200
        stop.set()
        await beating
    assert worst[0] < 0.05


@contextlib.asynccontextmanager
async def node_of(folder: Path, workers: int) -> AsyncIterator[tuple[str, subprocess.Popen[str]]]:
    """`loom serve` with workers, in a process of its own, once all of them are ready."""
    command = [sys.executable, "-m", "loom", "serve", "--generations", str(folder), "--port", "0", "--workers", str(workers)]
    environment = {**os.environ, "LOOM_LOG_FORMAT": "json"}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    assert process.stderr
    line = await asyncio.to_thread(process.stderr.readline)
    url = json.loads(line)["url"].removesuffix("/v1")
    drain = asyncio.create_task(asyncio.to_thread(process.stderr.read))
    try:
        async with httpx.AsyncClient(base_url=url) as client:
            for _ in range(400):
                with contextlib.suppress(httpx.TransportError):
                    ready = await client.get("/health/ready")
                    if ready.status_code == 200 and len(ready.json()["workers"]) == workers:
                        break
                await asyncio.sleep(0.05)
            else:
                raise AssertionError("the node was not ready in time")
        yield url, process
    finally:
        process.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(process.wait, 30) == 0
        await drain
        process.stderr.close()


@pytest.mark.slow
async def test_fifty_swaps_and_five_rollbacks_under_load(tmp_path: Path):
    first, second = sealed(tmp_path, KILNS), sealed(tmp_path, OTHERS, point=False)
    said = {first: SAYS["first"], second: SAYS["second"]}
    counted = {first: 0, second: 0}
    async with node_of(tmp_path, 2) as (url, _), httpx.AsyncClient(base_url=url, timeout=30) as client:
        stop = asyncio.Event()

        async def load(stream: bool) -> None:
            while not stop.is_set():
                reply = await client.post(CHAT, json=ask(stream=stream))
                assert reply.status_code == 200, reply.text
                generation = reply.headers["x-loom-generation"]
                body = json.loads(reply.text.split("data: ")[-2]) if stream else reply.json()
                assert body["loom"]["pin"]["generation"] == generation
                if not stream:
                    assert said[generation] in body["choices"][0]["message"]["content"]
                counted[generation] += 1

        loads = [asyncio.create_task(load(stream)) for stream in (False, True, False, True)]
        for number in range(50):
            moved = await client.post(ADMIN, json={"id": (second, first)[number % 2]})
            assert moved.status_code == 200, moved.text
        for _ in range(5):
            back = await client.post(ADMIN, json={"rollback": True})
            assert back.status_code == 200, back.text
        stop.set()
        await asyncio.gather(*loads)
        metrics = (await client.get("/metrics")).text
    assert min(counted.values()) > 20
    assert f'loom_requests_total{{route="{CHAT}",status="200"}} {sum(counted.values())}.0' in metrics
    assert not list((tmp_path / ".run").glob("*.json"))
