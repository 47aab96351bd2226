"""The application: plain ASGI layers round the raw routes and the ordinary ones."""

import os
import sys
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from uvicorn.config import STARTUP_FAILURE

from loom.compose import Node, node
from loom.core.errors import LoomError
from loom.serve.access import Access
from loom.serve.acks import Acks, group_of
from loom.serve.api import described
from loom.serve.asgi import App, Receive, Scope, Send
from loom.serve.body import BodyLimit
from loom.serve.buckets import Buckets
from loom.serve.cors import Cors
from loom.serve.edge import Edge
from loom.serve.follow import Follower
from loom.serve.handover import received
from loom.serve.holder import Holder
from loom.serve.keeping import SOCKET, offered
from loom.serve.keys import KeyRing
from loom.serve.life import Life
from loom.serve.logs import logger, take_server_logs
from loom.serve.metrics import Metrics
from loom.serve.peer import Aliases
from loom.serve.reach import Reach
from loom.serve.routes import chat, passthrough, sparql
from loom.serve.serving import Serving
from loom.settings import load

RAW_FAMILIES = (chat, passthrough)


class Application:
    """The ASGI application of one serving process.

    Paths of raw routes are looked up here, before the framework, so that nothing stands round a streamed answer.
    """

    def __init__(self, serving: Serving, api: FastAPI, raw: dict[str, App], ring: KeyRing | None, buckets: Buckets) -> None:
        self.serving = serving
        self.api = api
        self._raw = raw
        limits, clock = serving.node.settings.limits, serving.node.clock
        bounded = BodyLimit(self._route, limits.max_body_bytes)
        guarded = Access(bounded, ring, buckets, limits.rate_limit, clock)
        crossed = Cors(guarded, serving.node.settings.serving.cors_origins)
        self._layers: App = Aliases(Edge(crossed, serving.metrics, serving.log))

    def openapi(self) -> dict[str, Any]:
        """The description of the interface."""
        return self.api.openapi()

    async def _route(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        raw = self._raw.get(path) if scope["method"] == "POST" or path in sparql.PATHS else None
        await (raw or self.api)(scope, receive, send)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._layers(scope, receive, send)
        else:
            await self.api(scope, receive, send)


def create_app(node: Node, scratch: Path | None = None) -> Application:
    """The application for a composed node. `scratch` is a folder that the workers of one node share, if there are several."""
    settings = node.settings
    log, metrics, holder = logger(settings.logs), Metrics(), Holder()
    acks = Acks(settings.node.generations / ".run", group_of(settings.serving.workers))
    follower = Follower(node.store, holder, acks, metrics, log, node.clock, node.parts, node.semantics, node.warm)
    reach = Reach(node.backend, node.clock, patience=settings.model.connect_timeout)
    serving = Serving(
        node, holder, follower, reach, metrics, log, node.clock.monotonic(), scratch / "forgotten" if scratch else None
    )
    ring = KeyRing(Path(settings.serving.api_keys_file)) if settings.serving.api_keys_file else None
    buckets = Buckets(scratch / "limits" if scratch else None)
    raw = {path: app for family in RAW_FAMILIES for path, app in family.raw(serving).items()}
    api = described(serving, raw, Life(serving, acks, ring, buckets))
    return Application(serving, api, raw | sparql.raw(serving), ring, buckets)


def from_environment() -> Application:
    """The application of a worker, or of any other ASGI server that imports it.

    A worker that cannot be composed ends with the status that makes its supervisor give up, and one sentence in the log.
    """
    given = received(os.environ)
    settings, scratch = given if given else (load(), None)
    log = logger(settings.logs)
    if given:
        take_server_logs(log)
    try:
        return create_app(node(settings, scratch / SOCKET if scratch and offered(settings) else None), scratch)
    except LoomError as error:
        if given:
            log.error("cannot_serve", reason=error.message)
            sys.exit(STARTUP_FAILURE)
        raise
