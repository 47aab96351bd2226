"""Answers that the node writes itself, on the OpenAI wire: whole, or as the frames of a stream."""

import json
import re
from collections.abc import Iterator, Mapping

from loom.core.frames import DONE, Frame, event
from loom.core.values import Json

_PIECE = re.compile(r"\s*\S+\s*")


def _encoded(value: Json) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")


def usage_of(prompt: int, completion: int) -> dict[str, int]:
    """Usage in tokens as this node counts them."""
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def whole(head: Mapping[str, Json], text: str, *, usage: Mapping[str, int], finish: str = "stop", choices: int = 1) -> Frame:
    """A `chat.completion` body as the one frame it is. `head` holds id, created and model."""
    body = {
        **head,
        "object": "chat.completion",
        "choices": [
            {
                "index": index,
                "message": {"role": "assistant", "content": text, "refusal": None},
                "finish_reason": finish,
                "logprobs": None,
            }
            for index in range(choices)
        ],
        "usage": dict(usage),
    }
    data = _encoded(body)
    return Frame(data, data)


def streamed(
    head: Mapping[str, Json], text: str, *, usage: Mapping[str, int] | None, finish: str = "stop", choices: int = 1
) -> Iterator[Frame]:
    """The frames of a streamed answer, a word at a time; a usage frame only where `usage` is given."""
    shared: dict[str, Json] = {**head, "object": "chat.completion.chunk"}
    if usage is not None:
        shared["usage"] = None

    def chunk(index: int, delta: Mapping[str, Json], reason: str | None = None) -> Frame:
        return event(
            _encoded({**shared, "choices": [{"index": index, "delta": delta, "finish_reason": reason, "logprobs": None}]})
        )

    for index in range(choices):
        yield chunk(index, {"role": "assistant", "content": "", "refusal": None})
        for piece in _PIECE.findall(text):
            yield chunk(index, {"content": piece})
    for index in range(choices):
        yield chunk(index, {}, finish)
    if usage is not None:
        yield event(_encoded({**shared, "choices": [], "usage": dict(usage)}))
    yield DONE


def limited(text: str, tokens: int | None) -> tuple[str, str]:
    """The text within a limit of tokens, and its finish reason."""
    if tokens is None or len(text) <= tokens * 4:
        return text, "stop"
    return text[: tokens * 4], "length"


def stopped(text: str, stop: Json) -> str:
    """The text up to the first of the stop sequences of a request: one text, or a list of them. Anything else stops nothing."""
    given = stop if isinstance(stop, list) else [stop]
    found = [text.find(mark) for mark in given if isinstance(mark, str) and mark]
    return text[: min((at for at in found if at >= 0), default=len(text))]
