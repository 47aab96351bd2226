"""The SPARQL 1.1 protocol, query side: every method of two paths, answered by the process that holds the triples.

A raw route: a result is streamed as it comes, and a client that leaves stops its query. It is not in the description of the
interface, whose schemas cannot say what a query is: an empty GET answers with its own description, as the standard has it.
"""

import time
from typing import Any

from loom.core.errors import LoomError
from loom.core.sparql import asked
from loom.core.sparql.errors import NoTriples
from loom.serve import exchange
from loom.serve.asgi import App, Headers, Receive, Scope, Send, header
from loom.serve.body import ClientGone, read_body
from loom.serve.errors import WrongMethod
from loom.serve.keeping import why_off
from loom.serve.serving import Serving
from loom.serve.stream import Departure

PATHS = ("/sparql", "/loom/sparql")
ALLOWED = "GET, HEAD, POST, OPTIONS"
RESULTS_OF = {"bad_input": "refused", "bad_query": "refused", "update_refused": "refused", "not_acceptable": "refused",
              "unsupported_media": "refused", "deadline": "deadline", "query_died": "died", "busy": "busy",
              "not_ready": "not_ready", "no_triples": "not_ready"}  # fmt: skip


class Sparql:
    """One endpoint of the protocol."""

    def __init__(self, serving: Serving) -> None:
        self._serving = serving
        from loom.compose import limits

        self._limits = limits(serving.node.settings).shown().encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        metrics = self._serving.metrics
        try:
            result = await self._answer(scope, receive, send)
        except ClientGone:
            metrics.count("loom_sparql_queries_total", "gone")
            raise
        except LoomError as error:
            metrics.count("loom_sparql_queries_total", RESULTS_OF.get(error.code, "refused"))
            raise
        finally:
            metrics.observe("loom_sparql_seconds", time.perf_counter() - started)
        metrics.count("loom_sparql_queries_total", result)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> str:
        method = scope["method"]
        if method == "OPTIONS":
            await send({"type": "http.response.start", "status": 204, "headers": [(b"allow", ALLOWED.encode())]})
            await send({"type": "http.response.body", "body": b""})
            return "answered"
        if method not in ("GET", "HEAD", "POST"):
            raise WrongMethod(f"{scope['path']} does not take {method}; it takes {ALLOWED}.", ALLOWED)
        body = await read_body(receive) if method == "POST" else b""
        wanted = asked.read(
            method,
            scope["query_string"],
            header(scope, b"content-type"),
            body,
            accept=_accept(scope),
            endpoint=_endpoint(scope),
        )
        triples = self._serving.node.triples
        if triples is None:
            raise NoTriples(f"This node answers no SPARQL queries: {why_off(self._serving.node.settings)}")
        departure = Departure(scope, receive)
        try:
            async with triples.query(wanted) as answer:
                head = answer.head
                exchange.of(scope).generation = head["generation"]
                await send({"type": "http.response.start", "status": 200, "headers": self._headers(head)})
                if method != "HEAD":
                    async for piece in answer.pieces():
                        await send({"type": "http.response.body", "body": piece, "more_body": True})
                await send({"type": "http.response.body", "body": b""})
                return "truncated" if head.get("truncated") else "answered"
        finally:
            departure.over()

    def _headers(self, head: Any) -> Headers:
        found = [
            (b"content-type", head["media"].encode()),
            (b"vary", b"accept"),
            (b"x-loom-generation", head["generation"].encode()),
            (b"x-loom-limits", self._limits),
        ]
        if head.get("truncated"):
            found.append((b"x-loom-truncated", head["truncated"].encode()))
        if head.get("length") is not None:
            found.append((b"content-length", b"%d" % head["length"]))
        return found


def _accept(scope: Scope) -> str | None:
    """All Accept headers as one."""
    found = [value.decode("latin-1") for key, value in scope["headers"] if key == b"accept"]
    return ", ".join(found) if found else None


def _endpoint(scope: Scope) -> str:
    """The address of this endpoint as the client wrote it, without what an IRI cannot hold."""
    host = header(scope, b"host") or "localhost"
    plain = "".join(mark for mark in host if mark.isalnum() or mark in ".-:[]") or "localhost"
    return f"{scope.get('scheme', 'http')}://{plain}{scope['path']}"


def raw(serving: Serving) -> dict[str, App]:
    endpoint = Sparql(serving)
    return {path: endpoint for path in PATHS}
