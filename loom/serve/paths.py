"""Which path a request means: `/v1` and its aliases without the prefix, tolerant of doubled and trailing slashes.

Only these and the SPARQL endpoint are normalised; `/loom/units/https://…` and `/loom/spans/https://…` must keep their slashes.
"""

import re

ALIASES = {
    "/chat/completions": "/v1/chat/completions",
    "/completions": "/v1/completions",
    "/embeddings": "/v1/embeddings",
    "/models": "/v1/models",
}
CHAT = "/v1/chat/completions"
_SPARQL = ("/sparql", "/loom/sparql")
_SLASHES = re.compile(r"/{2,}")


def canonical(path: str) -> str:
    """The path under which the node knows what was asked for."""
    if path == CHAT:
        return path
    plain = _SLASHES.sub("/", path)
    if len(plain) > 1:
        plain = plain.rstrip("/") or "/"
    if plain == "/v1" or plain.startswith("/v1/"):
        return plain
    if plain in _SPARQL:
        return plain
    if plain in ALIASES:
        return ALIASES[plain]
    if plain.startswith("/models/"):
        return "/v1" + plain
    return path


_FAMILIES = ("/loom/admin/generation", "/loom/scaffold", "/loom/context", "/loom/search", "/loom/exposure", "/loom/generation")
_ADDRESSES = ("/loom/units", "/loom/spans", "/loom/facts", "/loom/memory")
_EXACT = frozenset(
    {*_SPARQL, CHAT, "/v1/completions", "/v1/embeddings", "/v1/models", "/health", "/health/live", "/health/ready", "/metrics"}
)


def route_of(path: str) -> str:
    """The label of a path in metrics: from a closed set, whatever clients send."""
    if path in _EXACT or path in _FAMILIES:
        return path
    if path.startswith("/v1/models/"):
        return "/v1/models/{id}"
    for family in _ADDRESSES:
        if path.startswith(family):
            return family
    return "other"
