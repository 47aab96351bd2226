"""Reading and rewriting single frames: the few places where the node touches what a model sent."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

import orjson

from loom.answer.accounting import citations
from loom.core.envelope import error_object, error_type
from loom.core.errors import UpstreamFailure
from loom.core.frames import Frame, event
from loom.core.values import Block, Json

ENDS = (b"\n\n", b"\n\r\n")


def payload_of(frame: Frame) -> dict[str, Json] | None:
    """The JSON object in a frame; None where there is none."""
    try:
        value = orjson.loads(frame.data)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


def choices_of(payload: Mapping[str, Json]) -> list[dict[str, Json]]:
    """The choices of a body or chunk, as far as they are such."""
    choices = payload.get("choices")
    return [choice for choice in choices if isinstance(choice, dict)] if isinstance(choices, list) else []


def closed(frame: Frame) -> Frame:
    """The frame with the blank line that ends an event: a server may leave it out at its last."""
    return frame if frame.raw.endswith(ENDS) else event(frame.data)


def with_loom(data: bytes, account: Mapping[str, Json]) -> bytes:
    """A JSON object with the account under `loom`. Its other bytes stay as they are, unless it has such a key already."""
    text = data.rstrip()
    payload = orjson.loads(text)
    if "loom" in payload or not payload:
        return orjson.dumps({**payload, "loom": account})
    return text[:-1] + b',"loom":' + orjson.dumps(account) + b"}"


def with_usage(data: bytes, usage: Json) -> bytes:
    """A whole completion that tells this usage."""
    return orjson.dumps({**orjson.loads(data), "usage": usage})


def cited(data: bytes, block: Block) -> bytes:
    """A whole completion with citations on each message that names a served unit; the same bytes where none does."""
    if not block.served:
        return data
    payload = orjson.loads(data)
    changed = False
    for choice in choices_of(payload):
        message = choice.get("message")
        if not isinstance(message, dict) or not isinstance(message.get("content"), str):
            continue
        if found := citations(block, message["content"]):
            earlier = message.get("annotations")
            message["annotations"] = [*(earlier if isinstance(earlier, list) else ()), *found]
            changed = True
    return orjson.dumps(payload) if changed else data


def error_frame(failure: UpstreamFailure, account: Mapping[str, Json]) -> Frame:
    """The frame that ends a stream which broke: the error, which clients raise, and beside it the account of what did come."""
    stated = {"message": failure.message, "type": error_type(failure.status), "code": failure.code}
    return event(orjson.dumps({"error": error_object(failure.status, stated), "loom": account}))


def stated_error(payload: Mapping[str, Json]) -> UpstreamFailure | None:
    """The failure that an upstream states inside an answer whose status was 200; None where it states none."""
    if not payload.get("error"):
        return None
    stated = error_object(502, payload)
    code = stated["code"]
    status = int(code) if code and code.isascii() and code.isdigit() and 400 <= int(code) < 600 else 502
    return UpstreamFailure(stated["message"], status=status, code=code or "upstream_error")


def is_usage(payload: Mapping[str, Json]) -> bool:
    """Whether this is the frame that only tells usage."""
    return not payload.get("choices") and bool(payload.get("usage"))


def finishes(payload: Mapping[str, Json]) -> bool:
    """Whether any choice ends in this frame."""
    for choice in choices_of(payload):  # noqa: SIM110 - asked of every chunk, and twice as quick so
        if choice.get("finish_reason"):
            return True
    return False


def summed(first: Json, second: Json) -> Json:
    """The usage of two calls together: every count that either tells."""
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        return {key: summed(first.get(key), second.get(key)) for key in {**first, **second}}
    if _counts(first) and _counts(second):
        return first + second
    return first if second is None else second


def _counts(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class Head:
    """What every frame of one stream has in common."""

    id: Json
    created: Json
    model: Json

    @classmethod
    def of(cls, payload: Mapping[str, Json]) -> "Head":
        return cls(payload.get("id"), payload.get("created"), payload.get("model"))

    def chunk(self, choices: list[Json], **more: Json) -> Frame:
        """A chunk of this stream that the node writes itself."""
        head = {"id": self.id, "object": "chat.completion.chunk", "created": self.created, "model": self.model}
        return event(orjson.dumps({**head, "choices": choices, **more}))

    def delta(self, delta: dict[str, Json], finish: str | None = None) -> Frame:
        """A chunk of the first choice."""
        return self.chunk([{"index": 0, "delta": delta, "finish_reason": finish}])

    def continued(self, payload: dict[str, Json]) -> Frame | None:
        """A frame of a second stream as one of this stream: its id, time and model, no role again; None if nothing is left."""
        nothing = not finishes(payload) and not payload.get("usage") and bool(payload.get("choices"))
        for choice in choices_of(payload):
            delta = choice.get("delta")
            if isinstance(delta, dict):
                delta.pop("role", None)
                nothing = nothing and not any(delta.values())
        return (
            None if nothing else event(orjson.dumps({**payload, "id": self.id, "created": self.created, "model": self.model}))
        )


def as_stream(data: bytes, *, usage: bool) -> Iterator[Frame]:
    """A whole completion as the frames of a stream, for an upstream that does not stream though it was asked to."""
    body = cast(dict[str, Json], orjson.loads(data))
    head = Head.of(body)
    choices = choices_of(body)
    for choice in choices:
        message = choice.get("message")
        delta = dict(message) if isinstance(message, dict) else {}
        if isinstance(delta.get("tool_calls"), list):
            calls = [call for call in delta["tool_calls"] if isinstance(call, dict)]
            delta["tool_calls"] = [{"index": n, **call} for n, call in enumerate(calls)]
        said = {"index": choice.get("index", 0), "delta": delta, "logprobs": choice.get("logprobs"), "finish_reason": None}
        yield head.chunk([said])
    for choice in choices:
        yield head.chunk(
            [{"index": choice.get("index", 0), "delta": {}, "finish_reason": choice.get("finish_reason") or "stop"}]
        )
    if usage and body.get("usage"):
        yield head.chunk([], usage=body["usage"])
