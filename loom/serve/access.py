"""Who may do what, how often: API keys and rate limits, as plain ASGI."""

from loom.ports import Clock
from loom.serve import exchange
from loom.serve.asgi import App, Receive, Scope, Send, header
from loom.serve.buckets import Buckets
from loom.serve.errors import NoKey, NotAllowed, TooMany
from loom.serve.keys import Key, KeyRing

OPEN = ("/health", "/health/live", "/health/ready", "/", "/openapi.json")
"""Paths that never ask for a key: probes, and the description of the interface."""

CLAIMS = ("/loom/ask", "/loom/entries", "/loom/claims", "/loom/domains", "/loom/dimensions")
OPEN_CLAIMS = frozenset({"/loom/ask", "/loom/entries", "/loom/entries/withdraw", "/loom/entries/restore", "/loom/claims"})
"""What adds to a workspace of claims; what decides on claims, domains and dimensions takes an admin."""


def scope_for(path: str, method: str = "GET") -> str | None:
    """The scope that a request asks for; None asks for nothing."""
    if path in OPEN:
        return None
    if path.startswith("/v1"):
        return "chat"
    if path.startswith("/loom/memory"):
        reads = method in ("GET", "HEAD") or (method == "POST" and path.endswith("/recall"))
        return "read" if reads else "write"
    if path.startswith("/loom/proposals"):
        if method in ("GET", "HEAD"):
            return "read"
        return "write" if path == "/loom/proposals/assertions" else "admin"
    if path.startswith(CLAIMS) and method not in ("GET", "HEAD"):
        return "write" if path in OPEN_CLAIMS else "admin"
    return "admin" if path.startswith("/loom/admin") else "read"


class Access:
    """Checks the key of a request against the scope of its path, and takes one request from the caller's bucket."""

    def __init__(self, app: App, ring: KeyRing | None, buckets: Buckets, limit: int, clock: Clock) -> None:
        self._app = app
        self._ring = ring
        self._buckets = buckets
        self._limit = limit
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wanted = scope_for(scope["path"], scope["method"])
        if wanted is not None:
            key = self._key(scope, wanted) if self._ring else None
            here = exchange.of(scope)
            if key:
                here.caller = key.id
            limit = self._limit if key is None or key.rate_limit is None else key.rate_limit
            if limit:
                self._take(key.id if key else _address(scope), limit)
        await self._app(scope, receive, send)

    def _key(self, scope: Scope, wanted: str) -> Key:
        sent = _sent(scope)
        if not sent:
            raise NoKey("This node asks for an API key; send it as `Authorization: Bearer <key>`.")
        key = self._ring.find(sent) if self._ring else None
        if key is None:
            raise NoKey("The API key is not one of this node's; check it, or ask for one made with `loom keys add`.")
        if not key.covers(wanted):
            raise NotAllowed(f"The API key {key.id} has the scopes {', '.join(key.scopes)}; this path needs {wanted}.")
        return key

    def _take(self, caller: str, limit: int) -> None:
        seconds = self._buckets.take(caller, limit, self._clock.monotonic())
        if seconds:
            raise TooMany(f"More than {limit} requests a minute; the next one is welcome in {seconds:.1f} seconds.", seconds)


def _sent(scope: Scope) -> str | None:
    value = header(scope, b"authorization")
    if value:
        kind, _, rest = value.partition(" ")
        if kind.lower() == "bearer" and rest.strip():
            return rest.strip()
    return header(scope, b"x-api-key") or header(scope, b"api-key")


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return f"address {client[0]}" if client else "address unknown"
