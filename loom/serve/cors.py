"""Cross-origin access for browsers, as plain ASGI: preflights are answered here, other responses get their headers."""

from collections.abc import Sequence

from loom.serve import exchange
from loom.serve.asgi import App, Headers, Receive, Scope, Send, header

METHODS = b"GET, HEAD, POST, DELETE, OPTIONS"
HEADERS = b"authorization, content-type"
EXPOSED = b"x-request-id, x-loom-generation, x-loom-decision, x-loom-injected-tokens, retry-after"


class Cors:
    def __init__(self, app: App, origins: Sequence[str]) -> None:
        self._app = app
        self._any = "*" in origins
        self._origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "OPTIONS" and header(scope, b"access-control-request-method"):
            await self._preflight(scope, send)
            return
        if self._origins and (origin := header(scope, b"origin")) and self._allows(origin):
            exchange.of(scope).headers += [*self._origin(origin), (b"access-control-expose-headers", EXPOSED)]
        await self._app(scope, receive, send)

    def _allows(self, origin: str) -> bool:
        return self._any or origin in self._origins

    def _origin(self, origin: str) -> Headers:
        if self._any:
            return [(b"access-control-allow-origin", b"*")]
        return [(b"access-control-allow-origin", origin.encode("latin-1")), (b"vary", b"origin")]

    async def _preflight(self, scope: Scope, send: Send) -> None:
        headers: Headers = []
        if (origin := header(scope, b"origin")) and self._allows(origin):
            asked = header(scope, b"access-control-request-headers")
            headers += [
                *self._origin(origin),
                (b"access-control-allow-methods", METHODS),
                (b"access-control-allow-headers", asked.encode("latin-1") if asked else HEADERS),
                (b"access-control-max-age", b"600"),
            ]
        await send({"type": "http.response.start", "status": 204, "headers": headers})
        await send({"type": "http.response.body", "body": b""})
