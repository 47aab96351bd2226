"""Which headers cross the node: a few of the client's upstream, a few of the upstream's back."""

from collections.abc import Collection, Mapping

from loom.serve.asgi import Headers, Scope

BACK = frozenset({"content-type", "retry-after", "retry-after-ms", "x-should-retry", "openai-processing-ms", "openai-version"})


def client_headers(scope: Scope, names: Collection[str]) -> dict[str, str]:
    """The client's headers that the settings allow to travel upstream."""
    if not names:
        return {}
    wanted = {name.encode() for name in names}
    return {key.decode(): value.decode("latin-1") for key, value in scope["headers"] if key in wanted}


def passed_back(headers: Mapping[str, str]) -> Headers:
    """The upstream's headers that a client may act on. Its own request id comes back under another name."""
    found: Headers = []
    for name, value in headers.items():
        name = name.lower()
        if name in BACK or name.startswith("x-ratelimit-"):
            found.append((name.encode(), value.encode("latin-1", "replace")))
        elif name == "x-request-id":
            found.append((b"x-upstream-request-id", value.encode("latin-1", "replace")))
    return found
