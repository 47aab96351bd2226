"""A node with a workspace of claims beside it, and the slow path that writes it."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from support.nodes import kiln_node, served

from loom.claims.workspace import Claims
from loom.compose_claims import workspace
from loom.ports import ModelBackend
from loom.serve.app import create_app

TEXTS = {"rules": "The boiler depends on the feed pump.", "plan": "The feed pump depends on the north valve."}
QUESTION = "What does the boiler depend on?"
FOLLOWS = "The boiler depends on the north valve."
WAIT = 30


@asynccontextmanager
async def desk(store: str) -> AsyncIterator[Claims]:
    claims = workspace(store)
    try:
        yield claims
    finally:
        await claims.aclose()


@asynccontextmanager
async def slow_path(store: str) -> AsyncIterator[Claims]:
    """A workspace whose queue is done as soon as something waits, in a task."""

    async def run(claims: Claims) -> None:
        while True:
            await claims.flush()
            await asyncio.sleep(0.02)

    async with desk(store) as claims:
        task = asyncio.create_task(run(claims))
        try:
            yield claims
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


@asynccontextmanager
async def client_of(
    folder: Path, store: str, model: ModelBackend | None = None, **variables: str
) -> AsyncIterator[httpx.AsyncClient]:
    given = kiln_node(folder, model, LOOM_CLAIMS="on", LOOM_CLAIMS_STORE=store, **variables)
    async with served(create_app(given)) as url, httpx.AsyncClient(base_url=url, timeout=60) as client:
        yield client


def sent(texts: dict[str, str], at: str = "2026-05-01") -> dict[str, Any]:
    """A request that sends entries, one a source."""
    return {"entries": [{"source": source, "text": text, "observed_at": at} for source, text in texts.items()], "wait": WAIT}


async def held(client: httpx.AsyncClient) -> dict[str, Any]:
    """Sends the texts and reasons over them; the claim that follows."""
    assert (await client.post("/loom/entries", json=sent(TEXTS))).status_code == 200
    reply = await client.post("/loom/ask", json={"text": QUESTION, "way": "reason", "wait": WAIT, "context": False})
    assert reply.status_code == 200, reply.text
    (id,) = reply.json()["asked"]["outcome"]["claims"]
    found = await client.get(f"/loom/claims/{id}")
    shown: dict[str, Any] = found.json()["claims"][id]
    return shown


@contextlib.contextmanager
def slow_thread(store: str) -> Iterator[None]:
    """The same in a thread of its own, for tests that are not asynchronous."""
    ended = threading.Event()

    async def run() -> None:
        async with slow_path(store):
            while not ended.is_set():
                await asyncio.sleep(0.05)

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
