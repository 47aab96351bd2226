"""The error object of the OpenAI wire, made from whatever an upstream sends as one."""

from collections.abc import Mapping

from loom.core.values import Json

TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
}
LONGEST = 2000


def error_type(status: int) -> str:
    """The `type` that goes with a status where nothing better is known."""
    return TYPES.get(status, "invalid_request_error" if 400 <= status < 500 else "server_error")


def _message(payload: Json) -> str | None:
    """The sentence in the shapes that servers use: text, `message`, `detail`, a list of `msg`."""
    if isinstance(payload, str):
        return payload.strip()[:LONGEST] or None
    if isinstance(payload, list):
        return "; ".join(filter(None, map(_message, payload)))[:LONGEST] or None
    if isinstance(payload, Mapping):
        for key in ("message", "detail", "msg", "error", "error_msg"):
            if key in payload and (found := _message(payload[key])):
                return found
    return None


def error_object(status: int, payload: Json) -> dict[str, Json]:
    """`{message, type, param, code}` with all four keys, `code` text or null; further keys of the upstream's error are kept.

    `payload` is what the upstream sent: a decoded body of any shape, or its text.
    """
    inner = payload.get("error") if isinstance(payload, Mapping) else None
    stated: Mapping[str, Json] = inner if isinstance(inner, Mapping) else payload if isinstance(payload, Mapping) else {}
    code, param, kind = stated.get("code"), stated.get("param"), stated.get("type")
    kept = {key: value for key, value in inner.items() if key != "loom"} if isinstance(inner, Mapping) else {}
    return {
        **kept,
        "message": _message(payload) or f"The model answered with status {status} and gave no reason.",
        "type": kind if isinstance(kind, str) and kind else error_type(status),
        "param": param if isinstance(param, str) else None,
        "code": None if code is None else str(code),
    }
