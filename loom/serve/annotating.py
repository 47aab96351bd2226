"""The page on which a person labels a sample: on this machine only, for whoever has its address.

The address holds a token, so that no other user and no other site can read or write. A write has to come from the page itself
(its Origin, and JSON, which no form sends); a name that resolves to this machine is not enough to be it (the Host is checked). The
page loads nothing from elsewhere and says nothing but what `Session.shown` gives.
"""

import hmac
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import orjson
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from loom.core.errors import BadInput, LoomError
from loom.core.values import Json
from loom.serve.run import listen

PAGE = Path(__file__).with_name("annotating.html")
HOST = "127.0.0.1"
LONGEST = 32_768
"""Bytes of one choice."""

HEADERS = {
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}


class Labelling(Protocol):
    """What is labelled: an item by its place, and a choice of it."""

    def shown(self, at: int) -> dict[str, Json]: ...
    def choose(self, at: int, label: Json, note: Json) -> dict[str, Json]: ...


def create_app(session: Labelling, token: str, port: int) -> Starlette:
    """The page and its two calls, under `/TOKEN/`."""
    near = {f"{name}:{port}" for name in (HOST, "localhost")}

    def admitted(request: Request) -> None:
        if request.headers.get("host", "") not in near:
            raise HTTPException(403, f"Expected this page to be opened as http://{HOST}:{port}/.")
        given = str(request.path_params["token"])
        if not hmac.compare_digest(given.encode(), token.encode()):
            raise HTTPException(404, "There is nothing here; open the address that the command printed.")

    async def page(request: Request) -> Response:
        admitted(request)
        nonce = secrets.token_urlsafe(16)
        policy = (
            f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; img-src data:; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        text = PAGE.read_text(encoding="utf-8").replace("{{nonce}}", nonce)
        return HTMLResponse(text, headers={**HEADERS, "content-security-policy": policy})

    async def item(request: Request) -> Response:
        admitted(request)
        at = int(request.path_params["at"])
        if request.method == "GET":
            return told(session.shown(at))
        origin = request.headers.get("origin", "")
        if origin.removeprefix("http://") not in near or request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
            raise HTTPException(403, "Expected a choice to come from the page itself.")
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise HTTPException(415, "Expected a choice as JSON.")
        chosen = orjson.loads(await _body(request))
        if not isinstance(chosen, dict):
            raise BadInput("Expected a choice to be an object with label and note.")
        return told(session.choose(at, chosen.get("label"), chosen.get("note", "")))

    return Starlette(
        routes=[Route("/{token}/", page, methods=["GET"]), Route("/{token}/items/{at:int}", item, methods=["GET", "POST"])],
        exception_handlers={HTTPException: _refused, LoomError: _refused, orjson.JSONDecodeError: _refused},
    )


async def _body(request: Request) -> bytes:
    taken = bytearray()
    async for piece in request.stream():
        taken += piece
        if len(taken) > LONGEST:
            raise HTTPException(413, f"Expected a choice of at most {LONGEST} bytes.")
    return bytes(taken)


def told(value: Json, status: int = 200) -> Response:
    return Response(orjson.dumps(value), status, {**HEADERS, "content-type": "application/json"})


async def _refused(request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException):
        return JSONResponse({"error": {"message": error.detail}}, error.status_code, HEADERS)
    message = error.message if isinstance(error, LoomError) else "Expected a choice as JSON."
    return JSONResponse({"error": {"message": message}}, 400, HEADERS)


def annotate(session: Labelling, port: int, say: Callable[[str], Any], *, token: str | None = None) -> int:
    """Serve the page until interrupted; `say` is told its address once it is bound. Returns the exit code."""
    token = token or secrets.token_urlsafe(24)
    sock = listen(HOST, port)
    port = sock.getsockname()[1]
    config = uvicorn.Config(
        create_app(session, token, port), ws="none", lifespan="off", access_log=False, log_config=None, server_header=False
    )
    server = _Server(config, partial(say, f"http://{HOST}:{port}/{token}/"))
    with suppress(KeyboardInterrupt):
        server.run(sockets=[sock])
    return 0 if server.started else 2


class _Server(uvicorn.Server):
    """Says where it is when it takes connections."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], Any]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()
