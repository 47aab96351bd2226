"""The wire form of every error, in one table: the OpenAI envelope on `/v1`, problem+json elsewhere."""

import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import orjson

from loom.core.envelope import error_type
from loom.core.errors import LoomError, UpstreamFailure
from loom.serve.asgi import Headers, Send, send_body

INVALID = "invalid_request_error"
SERVER = "server_error"


class TooLarge(LoomError):
    """A request body above the limit."""

    code = "too_large"


class NoKey(LoomError):
    """A request without an API key, or with one that is not known."""

    code = "invalid_api_key"


class NotAllowed(LoomError):
    """A key whose scopes do not cover the request."""

    code = "not_allowed"


class TooMany(LoomError):
    """A caller over its limit; `seconds` says when the next request is welcome."""

    code = "rate_limited"

    def __init__(self, message: str, seconds: float) -> None:
        super().__init__(message)
        self.seconds = seconds


class WrongMethod(LoomError):
    """A path that exists under other methods; `allowed` lists them."""

    code = "method_not_allowed"

    def __init__(self, message: str, allowed: str) -> None:
        super().__init__(message)
        self.allowed = allowed


class NotReady(LoomError):
    """The node cannot answer questions yet, and says why."""

    code = "not_ready"


class Conflict(LoomError):
    """An administrative request that the present state does not allow."""

    code = "conflict"


@dataclass(frozen=True, slots=True)
class Form:
    """Status and OpenAI type of an error, whether a client should try again, and after how many seconds."""

    status: int
    type: str
    retry: bool = False
    after: int | None = None


TABLE = {
    "bad_input": Form(400, INVALID),
    "budget": Form(400, INVALID),
    "invalid_api_key": Form(401, "authentication_error"),
    "not_allowed": Form(403, "permission_error"),
    "not_found": Form(404, "not_found_error"),
    "method_not_allowed": Form(405, INVALID),
    "conflict": Form(409, "conflict_error"),
    "bad_query": Form(400, INVALID),
    "update_refused": Form(403, INVALID),
    "not_acceptable": Form(406, INVALID),
    "unsupported_media": Form(415, INVALID),
    "no_triples": Form(404, "not_found_error"),
    "query_died": Form(503, SERVER),
    "busy": Form(503, SERVER, retry=True, after=1),
    "deadline": Form(504, SERVER),
    "broken_generation": Form(409, "conflict_error"),
    "unwritable": Form(409, "conflict_error"),
    "too_large": Form(413, INVALID),
    "rate_limited": Form(429, "rate_limit_error", retry=True),
    "internal": Form(500, SERVER),
    "missing_extra": Form(501, SERVER),
    "embedder_failure": Form(502, SERVER),
    "unfit_store": Form(503, SERVER),
    "not_now": Form(503, SERVER, retry=True, after=2),
    "unreachable": Form(503, SERVER, retry=True, after=2),
    "not_ready": Form(503, SERVER, retry=True, after=2),
    "no_generation": Form(503, SERVER, retry=True, after=2),
}
"""Other codes take the form of `internal`. An upstream failure has its own status, and is not to be tried again: the node has
done so already."""

UNKNOWN = "The node met an error that it did not expect; the log has it under this request id."


def form_of(error: LoomError) -> Form:
    if isinstance(error, UpstreamFailure):
        return Form(error.status, error_type(error.status))
    return TABLE.get(error.code, TABLE["internal"])


def envelope(error: LoomError) -> dict[str, Any]:
    """The OpenAI form; all four keys are always there, `code` is always text."""
    return {"error": {"message": error.message, "type": form_of(error).type, "param": error.param, "code": error.code}}


def problem(error: LoomError, request_id: str) -> dict[str, Any]:
    """RFC 9457, with the code as member `error`."""
    status = form_of(error).status
    members = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": error.message,
        "error": error.code,
        "param": error.param,
        "request_id": request_id,
    }
    return {name: value for name, value in members.items() if value is not None}


def headers_of(error: LoomError) -> Headers:
    form = form_of(error)
    headers: Headers = [(b"x-should-retry", b"true" if form.retry else b"false")]
    if isinstance(error, TooMany):
        headers.append((b"retry-after", b"%d" % max(1, -(-error.seconds // 1))))
        headers.append((b"retry-after-ms", b"%d" % max(1, error.seconds * 1000)))
    elif form.after is not None:
        headers.append((b"retry-after", b"%d" % form.after))
    if isinstance(error, NoKey):
        headers.append((b"www-authenticate", b"Bearer"))
    if isinstance(error, WrongMethod):
        headers.append((b"allow", error.allowed.encode()))
    return headers


def dumped(value: Any) -> bytes:
    """JSON bytes of anything, also of text that is not valid Unicode."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value, default=str).encode()


def in_envelope(path: str) -> bool:
    return path == "/v1" or path.startswith("/v1/")


def rendered(error: LoomError, path: str, request_id: str) -> tuple[int, Headers, bytes]:
    """Status, headers (content type among them) and body of an error on a path."""
    if in_envelope(path):
        kind, body = b"application/json", envelope(error)
    else:
        kind, body = b"application/problem+json", problem(error, request_id)
    return form_of(error).status, [(b"content-type", kind), *headers_of(error)], dumped(body)


async def send_error(send: Send, error: LoomError, path: str, request_id: str) -> None:
    status, headers, body = rendered(error, path, request_id)
    await send_body(send, status, headers, body)
