"""Request bodies: read whole, bounded, and understood as one JSON object or refused with a sentence."""

import json
import re
from typing import Any

import orjson

from loom.core.errors import BadInput, LoomError
from loom.serve.asgi import App, Message, Receive, Scope, Send, header
from loom.serve.errors import TooLarge

MOST_DEEP = 200
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class ClientGone(LoomError):
    """The client went away before its request was complete."""

    code = "client_gone"


async def read_body(receive: Receive) -> bytes:
    """The whole body; raises ClientGone when the client leaves in the middle of it."""
    message = await receive()
    if message["type"] == "http.request" and not message.get("more_body"):
        body: bytes = message.get("body", b"")
        return body
    pieces = []
    while message["type"] == "http.request":
        pieces.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(pieces)
        message = await receive()
    raise ClientGone("The client left before its request was complete.")


def parse_object(data: bytes) -> dict[str, Any]:
    """The JSON object in a body. Unpaired surrogates become U+FFFD, as browsers do it; raises BadInput otherwise."""
    if not data.strip():
        raise BadInput("Expected a JSON object as the request body; it is empty.")
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        value = _repaired(data, error)
    if not isinstance(value, dict):
        raise BadInput(f"Expected a JSON object as the request body, not {kind_of(value)}.")
    if data.count(b"{") + data.count(b"[") > MOST_DEEP and _too_deep(value):
        raise BadInput(f"The request body is nested more than {MOST_DEEP} levels deep; send a flatter one.")
    return value


def _repaired(data: bytes, error: orjson.JSONDecodeError) -> Any:
    if not _SURROGATE.search(data):
        place = f" at line {error.lineno}, column {error.colno}" if error.lineno else ""
        raise BadInput(
            f"Expected JSON as the request body; it cannot be parsed: {error.msg.split(': line')[0]}{place}."
        ) from None
    try:
        text = json.dumps(json.loads(data), ensure_ascii=False)
        return orjson.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    except (ValueError, RecursionError) as fault:
        raise BadInput("Expected JSON as the request body; it cannot be parsed, and holds unpaired surrogates.") from fault


def _too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MOST_DEEP):
        level = [child for item in level for child in _children(item)]
        if not level:
            return False
    return True


def _children(item: Any) -> list[Any]:
    inside = item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
    return [child for child in inside if isinstance(child, dict | list)]


def kind_of(value: Any) -> str:
    """What a JSON value is, for a sentence."""
    for kind, name in ((bool, "a boolean"), (str, "text"), (int | float, "a number"), (list, "a list"), (dict, "an object")):
        if isinstance(value, kind):
            return name
    return "null"


def whole(value: Any) -> int | None:
    """The whole number that a JSON value is (2 and 2.0 are one in JSON); None for anything else."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


class BodyLimit:
    """Refuses bodies above a limit: by their stated length at once, by counting where no length is stated."""

    def __init__(self, app: App, most: int) -> None:
        self._app = app
        self._most = most

    def _refusal(self) -> TooLarge:
        return TooLarge(f"The request body is larger than {self._most} bytes (LOOM_MAX_BODY_BYTES); send less.")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        length = header(scope, b"content-length")
        if length is not None and length.isascii() and length.isdigit():
            if int(length[:20]) > self._most:
                raise self._refusal()
            await self._app(scope, receive, send)
            return
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self._most:
                raise self._refusal()
            return message

        await self._app(scope, counted, send)
