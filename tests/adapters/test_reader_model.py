"""The reader as a model backend: an OpenAI answer, whole or streamed, made from the block alone."""

import json
from typing import Any

import pytest
from support.asking import pinned, plan
from support.worked import CLASSES

from loom.core.errors import BadInput, NotFound
from loom.core.values import Prompt
from loom_adapters.reader_model import NAME, ReaderModel

PIN = pinned(*CLASSES)
SAID = "**Kiln**: A chamber that reaches firing temperature. [1]"


def prompt(text: str = "What is a kiln?", **more: Any) -> Prompt:
    return plan(PIN, text, body={"model": "any", "messages": [{"role": "user", "content": text}], **more}).prompt


async def chunks(**more: Any) -> list[dict[str, Any]]:
    async with ReaderModel().chat(prompt(stream=True, **more)) as upstream:
        assert upstream.streamed and upstream.headers["content-type"] == "text/event-stream"
        frames = [frame async for frame in upstream.frames()]
    assert frames[-1].done
    return [json.loads(frame.data) for frame in frames[:-1]]


async def body(**more: Any) -> dict[str, Any]:
    async with ReaderModel().chat(prompt(**more)) as upstream:
        assert (upstream.status, upstream.streamed, upstream.sent) == (200, False, NAME)
        (frame,) = [frame async for frame in upstream.frames()]
    found: dict[str, Any] = json.loads(frame.data)
    return found


def text_of(found: list[dict[str, Any]], index: int = 0) -> str:
    return "".join(
        choice["delta"].get("content", "") for chunk in found for choice in chunk["choices"] if choice["index"] == index
    )


async def test_a_whole_answer() -> None:
    found = await body()
    assert found["object"] == "chat.completion" and found["model"] == NAME
    assert found["choices"][0]["message"] == {"role": "assistant", "content": SAID, "refusal": None}
    assert found["choices"][0]["finish_reason"] == "stop"
    usage = found["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"] > usage["prompt_tokens"] > 0


async def test_a_stop_sequence_is_kept() -> None:
    found = await body(stop=["nothing", " that"])
    assert found["choices"][0]["message"]["content"] == "**Kiln**: A chamber"
    assert found["choices"][0]["finish_reason"] == "stop"
    assert text_of(await chunks(stop=" that")) == "**Kiln**: A chamber"


@pytest.mark.parametrize("chosen", ["required", {"type": "function", "function": {"name": "f"}}])
async def test_a_call_that_must_be_made_is_refused(chosen: Any) -> None:
    tools = [{"type": "function", "function": {"name": "f"}}]
    with pytest.raises(BadInput, match="calls no tools"):
        await body(tools=tools, tool_choice=chosen)
    assert (await body(tools=tools, tool_choice="auto"))["choices"][0]["message"]["content"] == SAID


async def test_a_stream_says_the_same() -> None:
    found = await chunks()
    assert text_of(found) == SAID
    assert [chunk["choices"][0]["finish_reason"] for chunk in found][-1] == "stop"
    assert len({chunk["id"] for chunk in found}) == 1


async def test_usage_is_streamed_where_it_was_asked_for() -> None:
    assert not any(chunk.get("usage") for chunk in await chunks())
    last = (await chunks(stream_options={"include_usage": True}))[-1]
    assert last["choices"] == [] and last["usage"] == (await body())["usage"]


@pytest.mark.parametrize("key", ["max_tokens", "max_completion_tokens"])
async def test_a_limit_cuts_the_answer_and_says_so(key: str) -> None:
    choice = (await body(**{key: 3}))["choices"][0]
    assert (choice["message"]["content"], choice["finish_reason"]) == (SAID[:12], "length")
    found = await chunks(**{key: 3})
    assert text_of(found) == SAID[:12] and found[-1]["choices"][0]["finish_reason"] == "length"


async def test_several_choices_are_the_same_answer() -> None:
    found = await body(n=3)
    assert [choice["message"]["content"] for choice in found["choices"]] == [SAID] * 3
    streamed = await chunks(n=2)
    assert text_of(streamed, 0) == text_of(streamed, 1) == SAID


@pytest.mark.parametrize("n", [0, -1, 17, 1.5, "2", True])
async def test_an_impossible_number_of_choices_is_refused(n: Any) -> None:
    with pytest.raises(BadInput, match="from 1 to 16"):
        await body(n=n)


@pytest.mark.parametrize("kind", ["json_object", "json_schema"])
async def test_a_form_that_quoting_cannot_take_is_refused(kind: str) -> None:
    with pytest.raises(BadInput, match="LOOM_MODEL_URL"):
        await body(response_format={"type": kind})
    assert (await body(response_format={"type": "text"}))["choices"]


async def test_every_answer_has_its_own_id() -> None:
    assert (await body())["id"] != (await body())["id"]


async def test_what_needs_a_model_is_refused_and_the_reader_lists_itself() -> None:
    reader = ReaderModel()
    with pytest.raises(NotFound, match="/v1/embeddings needs a model"):
        async with reader.forward("POST", "/v1/embeddings", b"{}", {}):
            pass
    assert [card.id for card in await reader.models()] == [NAME]
    assert reader.served_as == "reader"
    await reader.aclose()
