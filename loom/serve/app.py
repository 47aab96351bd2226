"""The application: plain ASGI layers round the raw chat route and the ordinary routes."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from loom import __version__
from loom.compose import Node, node
from loom.core.errors import BadInput, LoomError, NotFound
from loom.serve import exchange
from loom.serve.access import Access
from loom.serve.acks import Acks, group_of
from loom.serve.asgi import App, Receive, Scope, Send
from loom.serve.body import BodyLimit
from loom.serve.buckets import Buckets
from loom.serve.cors import Cors
from loom.serve.edge import Edge
from loom.serve.errors import UNKNOWN, WrongMethod, rendered
from loom.serve.follow import Follower
from loom.serve.holder import Holder
from loom.serve.keys import KeyRing
from loom.serve.logs import logger
from loom.serve.metrics import Metrics
from loom.serve.paths import CHAT
from loom.serve.reach import Reach
from loom.serve.routes import admin, chat, grounding, health, metrics, models, passthrough, units
from loom.serve.serving import Serving
from loom.settings import HANDOVER_VARIABLE, load, refuse_unsafe, taken_over

FAMILIES = (health, metrics, models, grounding, units, admin)
RAW_FAMILIES = (chat, passthrough)
BUCKETS_VARIABLE = "LOOM_BUCKETS"


class Application:
    """The ASGI application of one serving process. `serving` is what its routes share."""

    def __init__(self, serving: Serving, api: FastAPI, layers: App) -> None:
        self.serving = serving
        self.api = api
        self._layers = layers

    def openapi(self) -> dict[str, Any]:
        return self.api.openapi()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.api(scope, receive, send)
        else:
            await self._layers(scope, receive, send)
