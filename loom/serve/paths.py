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
    single = plain(path)
    if len(single) > 1:
        single = single.rstrip("/") or "/"
    if single == "/v1" or single.startswith("/v1/"):
        return single
    if single in _SPARQL:
        return single
    if single in ALIASES:
        return ALIASES[single]
    if single.startswith("/models/"):
        return "/v1" + single
    return path


def plain(path: str) -> str:
    """A path with single slashes."""
    return _SLASHES.sub("/", path)


_FAMILIES = (
    *("/loom/admin/generation", "/loom/scaffold", "/loom/context", "/loom/search", "/loom/exposure", "/loom/generation"),
    "/loom/ask",
)
_ADDRESSES = (
    *("/loom/units", "/loom/spans", "/loom/facts", "/loom/memory", "/loom/proposals"),
    *("/loom/asks", "/loom/entries", "/loom/claims", "/loom/domains", "/loom/dimensions"),
)
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
