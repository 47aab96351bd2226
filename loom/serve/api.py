"""The ordinary routes, under the framework, and the description of the whole interface."""

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import Match

from loom import __version__
from loom.core.errors import BadInput, LoomError, NotFound
from loom.serve import exchange, peer
from loom.serve.asgi import App, Receive, Scope, Send
from loom.serve.errors import UNKNOWN, WrongMethod, rendered
from loom.serve.life import Life
from loom.serve.routes import (
    admin,
    asking,
    chat,
    claims,
    facts,
    grounding,
    health,
    memory,
    metrics,
    models,
    passthrough,
    proposals,
    units,
)
from loom.serve.serving import Serving

FAMILIES = (health, metrics, models, grounding, units, facts, memory, asking, claims, proposals, admin)
DESCRIPTIONS: dict[str, dict[str, Any]] = {**chat.DESCRIPTIONS, **passthrough.DESCRIPTIONS}

SUMMARY = (
    "Answers from a maintained body of knowledge, through any model, and says what each answer owes to it. "
    "/sparql speaks the SPARQL 1.1 protocol; an empty GET describes it."
)


class Api(FastAPI):
    """The framework's application, described without its own form of a refusal, which ours replaces.

    A node that keeps no memory does not describe the option for it.
    """

    remembers = True

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            schema = super().openapi()
            for methods in schema["paths"].values():
                for operation in methods.values():
                    operation["responses"].pop("422", None)
            schema.pop("components", None)
            if not self.remembers:
                self.openapi_schema = _without(schema, "memory")
        assert self.openapi_schema is not None
        return self.openapi_schema


def _without(schema: Any, name: str) -> Any:
    """A description in which no object has the property of a name."""
    if isinstance(schema, list):
        return [_without(each, name) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: _without(value, name) for key, value in schema.items()}
    if isinstance(properties := made.get("properties"), dict):
        properties.pop(name, None)
    return made


class Raw(Response):
    """A response that is an ASGI application of its own."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)


def described(serving: Serving, raw: Mapping[str, App], life: Life) -> FastAPI:
    """The framework's application: every route that the interface has, and the wire form of every error it can meet."""
    api = Api(
        title="Loom",
        version=__version__,
        description=SUMMARY,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=life.span,
    )
    api.remembers = serving.node.memory is not None
    for path, app in raw.items():
        _add_raw(api, path, app)
    for family in FAMILIES:
        api.include_router(family.router(serving))
    api.include_router(peer.router(serving))
    for kind in (LoomError, HTTPException, RequestValidationError, Exception):
        api.add_exception_handler(kind, _refused)
    return api


def _add_raw(api: FastAPI, path: str, app: App) -> None:
    async def endpoint(request: Request) -> Response:
        return Raw(app)

    api.add_api_route(path, endpoint, methods=["POST"], **DESCRIPTIONS[path])


async def _refused(request: Request, error: Exception) -> Response:
    here = exchange.of(request.scope)
    status, headers, body = rendered(_as_ours(request, error), here.path, here.request_id)
    return Response(body, status, headers={name.decode(): value.decode() for name, value in headers})


METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")


def _methods(request: Request) -> str:
    """The methods that the routes of a path take together; the framework names those of the first alone. A path that is described by
    itself takes what is described, whatever a route with a parameter would take there."""
    described: Mapping[str, Any] = request.app.openapi()["paths"]
    if request.url.path in described:
        return ", ".join(sorted(method.upper() for method in described[request.url.path]))

    def takes(method: str) -> bool:
        asked = {**request.scope, "method": method}
        return any(route.matches(asked)[0] is Match.FULL for route in request.app.router.routes)

    return ", ".join(filter(takes, METHODS)) or "GET, POST"


PARSED = {
    "int": "a whole number", "float": "a number", "finite": "a number", "bool": "true or false", "string": "text",
}  # fmt: skip
"""What the framework parses, by the beginning of the name of its fault."""
BOUNDS = {
    "ge": "at least",
    "gt": "more than",
    "le": "at most",
    "lt": "less than",
    "min_length": "at least",
    "max_length": "at most",
}


def _expected(fault: Mapping[str, Any], name: str) -> str:
    """A sentence on a fault that the framework found."""
    if fault["type"] == "missing":
        return f"Expected a value as {name}, but there is none; give one."
    bound = next((f"{words} {fault['ctx'][kind]}" for kind, words in BOUNDS.items() if kind in fault.get("ctx", {})), "")
    what = PARSED.get(str(fault["type"]).partition("_")[0], "another value")
    if bound:
        what = f"text of {bound} character{'' if bound.endswith(' 1') else 's'}" if what == "text" else f"a number of {bound}"
    given = fault.get("input")
    return f"Expected {what} as {name}, not {given!r:.40}; give one."


def _as_ours(request: Request, error: Exception) -> LoomError:
    if isinstance(error, LoomError):
        return error
    if isinstance(error, RequestValidationError):
        fault = error.errors()[0]
        name = ".".join(str(part) for part in fault["loc"][1:]) or str(fault["loc"][0])
        return BadInput(_expected(fault, name), param=name)
    if isinstance(error, HTTPException) and error.status_code == 405:
        allowed = _methods(request)
        return WrongMethod(f"{request.url.path} does not take {request.method}; it takes {allowed}.", allowed)
    if isinstance(error, HTTPException) and error.status_code == 404:
        return NotFound(f"There is no {request.url.path[:200]} here; /openapi.json lists what there is.")
    if isinstance(error, HTTPException) and error.status_code < 500:
        return BadInput(str(error.detail))
    return LoomError(UNKNOWN)
