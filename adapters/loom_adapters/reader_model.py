"""The built-in reader as a model backend: it answers from the block alone, when no model URL is set."""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from loom.core.allowance import limit_of
from loom.core.errors import BadInput, NotFound
from loom.core.frames import Frame
from loom.core.reader.extract import answer
from loom.core.replies import limited, stopped, streamed, usage_of, whole
from loom.core.values import Json, ModelCard, Prompt, tokens_of

NAME = "loom-reader"
MOST_CHOICES = 16


class ReadAnswer:
    """An answer that is already whole; its frames come as fast as they are taken."""

    status = 200
    sent = NAME

    def __init__(self, frames: Sequence[Frame], *, streamed: bool) -> None:
        self.streamed = streamed
        self.headers: Mapping[str, str] = {"content-type": "text/event-stream" if streamed else "application/json"}
        self._frames = frames

    async def frames(self) -> AsyncIterator[Frame]:
        for frame in self._frames:
            yield frame
            await asyncio.sleep(0)


class ReaderModel:
    """Extractive, deterministic but for ids and the clock, and silent where nothing was served."""

    served_as = "reader"

    @asynccontextmanager
    async def chat(
        self, prompt: Prompt, *, allowance: int | None = None, insist: bool = False, headers: Mapping[str, str] | None = None
    ) -> AsyncIterator[ReadAnswer]:
        """Answer from the prompt's block. Raises BadInput for an answer in a form that quoting cannot take."""
        body = prompt.body
        form = body.get("response_format")
        if isinstance(form, Mapping) and form.get("type") in ("json_object", "json_schema"):
            raise BadInput(
                "The built-in reader quotes text and cannot fill a JSON form; leave response_format out, or set LOOM_MODEL_URL to a model.",
                param="response_format",
            )
        chosen = body.get("tool_choice")
        if chosen == "required" or isinstance(chosen, Mapping):
            raise BadInput(
                "The built-in reader quotes text and calls no tools; leave tool_choice out, or set LOOM_MODEL_URL to a model.",
                param="tool_choice",
            )
        choices = 1 if body.get("n") is None else body["n"]
        if not isinstance(choices, int) or isinstance(choices, bool) or not 1 <= choices <= MOST_CHOICES:
            raise BadInput(f"Expected `n` to be a whole number from 1 to {MOST_CHOICES}, but got {choices!r}.", param="n")
        read = answer(prompt.question.text, prompt.block.served)
        text, finish = limited(stopped(read, body.get("stop")), limit_of(body))
        head = {"id": f"chatcmpl-{uuid.uuid4().hex}", "created": int(time.time()), "model": NAME}
        usage = usage_of(_prompt_tokens(body), tokens_of(text) * choices)
        if body.get("stream") is True:
            options = body.get("stream_options")
            asked = isinstance(options, Mapping) and options.get("include_usage") is True
            frames = list(streamed(head, text, usage=usage if asked else None, finish=finish, choices=choices))
            yield ReadAnswer(frames, streamed=True)
        else:
            yield ReadAnswer([whole(head, text, usage=usage, finish=finish, choices=choices)], streamed=False)

    def forward(
        self, method: str, path: str, body: bytes, headers: Mapping[str, str]
    ) -> AbstractAsyncContextManager[ReadAnswer]:
        """There is nothing to forward to."""
        raise NotFound(f"{path} needs a model, and this node has none; set LOOM_MODEL_URL to an OpenAI-compatible URL.")

    async def models(self) -> Sequence[ModelCard]:
        return (ModelCard(NAME, "loom"),)

    async def aclose(self) -> None:
        """Nothing is held."""


def _prompt_tokens(body: Mapping[str, Json]) -> int:
    return sum(tokens_of(text) for message in body.get("messages") or () for text in _texts(message.get("content")))


def _texts(content: Json) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [part["text"] for part in content or () if isinstance(part, Mapping) and isinstance(part.get("text"), str)]
