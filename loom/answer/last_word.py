"""The last word on an answer: something said at its end, or something else in its place, in the frames of the answer itself."""

from collections.abc import Sequence

import orjson

from loom.answer.wording import Head, choices_of, finishes, is_usage, payload_of
from loom.core.frames import Frame, event
from loom.core.values import Json

_THOUGHTS = ("reasoning_content", "reasoning")


def body_with(data: bytes, addition: str) -> bytes:
    """A whole completion of one choice with something said at its end."""
    payload = orjson.loads(data)
    for choice in choices_of(payload)[:1]:
        message = choice.get("message")
        if not isinstance(message, dict):
            continue
        content = message.get("content")
        if isinstance(content, list):
            message["content"] = [*content, {"type": "text", "text": addition}]
        else:
            message["content"] = (content if isinstance(content, str) else "") + addition
    return orjson.dumps(payload)


def body_instead(data: bytes, text: str) -> bytes:
    """A whole completion of one choice that says something else; what the model thought goes with what it said."""
    payload = orjson.loads(data)
    for choice in choices_of(payload)[:1]:
        earlier = choice.get("message")
        kept = earlier if isinstance(earlier, dict) else {}
        message = {key: value for key, value in kept.items() if key not in (*_THOUGHTS, "annotations")}
        choice |= {"message": {**message, "role": "assistant", "content": text}, "finish_reason": "stop"}
        if choice.get("logprobs"):
            choice["logprobs"] = None
    return orjson.dumps(payload)


def frames_with(left: Sequence[Frame], head: Head, addition: str) -> list[Frame]:
    """The last frames of a stream of one choice, with one more piece of its content before the frame that finishes it.

    Where that frame brings content too, this goes first, as a frame of its own.
    """
    piece = head.delta({"content": addition})
    for at, frame in enumerate(left):
        payload = payload_of(frame)
        if payload is None or not finishes(payload):
            continue
        choice = choices_of(payload)[0]
        delta = choice.get("delta")
        if not isinstance(delta, dict) or not delta.get("content"):
            return [*left[:at], piece, *left[at:]]
        said = {**payload, "choices": [{**choice, "finish_reason": None}]}
        said.pop("usage", None)
        ending = {**payload, "choices": [{**choice, "delta": {}}]}
        return [*left[:at], event(orjson.dumps(said)), piece, event(orjson.dumps(ending)), *left[at + 1 :]]
    return [*left, piece]


def frames_instead(left: Sequence[Frame], head: Head, text: str, *, role: bool = True) -> list[Frame]:
    """A stream of one choice that says something else than what was held of it; `left` are its last frames, for their usage, and
    `role` says whether its role has yet to be told."""
    opening: dict[str, Json] = {"role": "assistant"} if role else {}
    frames = [head.delta({**opening, "content": text}), head.delta({}, "stop")]
    for frame in left:
        payload = payload_of(frame)
        if payload is not None and is_usage(payload):
            frames.append(frame)
    return frames
