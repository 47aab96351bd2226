"""Whole nodes for tests: a small corpus about kilns in a folder of generations, a model in memory, and a server on a port."""

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import uvicorn
from support.sealed import sealed

from loom import compose
from loom.compose import Node
from loom.core.values import Concept, Ref
from loom.ports import ModelBackend
from loom.serve.app import Application, create_app
from loom.settings import Settings, load

BASE = "urn:test:"


def concept(title: str, definition: str, *parents: str, **relations: Sequence[str]) -> Concept:
    """A concept whose IRI is its title in lower case with hyphens."""
    refs = tuple(Ref(BASE + slug(parent), parent) for parent in parents)
    pairs = tuple((name, tuple(Ref(BASE + slug(target), target) for target in targets)) for name, targets in relations.items())
    return Concept(
        BASE + slug(title), title, definition, domain="ceramics", parents=refs, ancestors=refs, relations=pairs, quality=0.5
    )


def slug(title: str) -> str:
    return title.lower().replace(" ", "-")


KILNS = (
    concept("Kiln", "A furnace that hardens clay.", "Furnace", hasPart=["Kiln Shelf"]),
    concept("Tide Kiln", "A kiln that is fired by the force of tides.", "Kiln", uses=["Tidal Bellows"]),
    concept("Furnace", "A closed space that is heated."),
    concept("Kiln Shelf", "A plate on which ware stands in a kiln."),
    concept("Tidal Bellows", "Bellows that a rising tide presses together."),
)
OTHERS = (
    concept("Kiln", "An oven for pots, as the second edition says.", "Oven"),
    concept("Oven", "A closed space for baking."),
)


def settings_for(folder: Path, **variables: str) -> Settings:
    """Settings over a folder of generations; quiet, unless the variables say otherwise."""
    return load({"LOOM_GENERATIONS": str(folder), "LOOM_LOG_LEVEL": "error", "LOOM_PORT": "0", **variables})


def kiln_node(
    folder: Path, model: ModelBackend | None = None, *, concepts: Sequence[Concept] = KILNS, **variables: str
) -> Node:
    """A node over a sealed generation of `concepts` in `folder`; answered by the reader when there is no model."""
    if concepts:
        sealed(folder, concepts)
    node = compose.node(settings_for(folder, **variables))
    return node if model is None else replace(node, backend=model)


@contextlib.asynccontextmanager
async def served(app: Application) -> AsyncIterator[str]:
    """The application behind a real server in this event loop; yields its base URL, without a path."""
    config = uvicorn.Config(app, port=0, log_config=None, ws="none", timeout_graceful_shutdown=2, interface="asgi3")
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    try:
        while not server.started:
            if running.done():
                await running
            await asyncio.sleep(0.005)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        await running


@contextlib.asynccontextmanager
async def kiln_server(folder: Path, model: ModelBackend | None = None, **more: Any) -> AsyncIterator[str]:
    """A node about kilns behind a real server."""
    async with served(create_app(kiln_node(folder, model, **more))) as url:
        yield url


@contextlib.contextmanager
def running(app: Application) -> Iterator[str]:
    """The application behind a real server in a thread, for tests without an event loop; yields its base URL."""
    config = uvicorn.Config(app, port=0, log_config=None, ws="none", timeout_graceful_shutdown=2, interface="asgi3")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.005)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
