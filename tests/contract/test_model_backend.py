"""What every model backend does: one suite, run over the in-memory fake and over HTTP; what needs no script, over the reader too."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from support.prompts import ask, prompt

from loom.core.errors import UpstreamFailure
from loom.ports import ModelBackend
from loom_adapters.openai_url import Deadlines, OpenAIUrl
from loom_adapters.reader_model import ReaderModel
from loom_adapters.scripted_model import FakeModel
from loom_adapters.scripted_server import ScriptedServer


@asynccontextmanager
async def opened(name: str) -> AsyncIterator[ModelBackend]:
    if name != "http":
        local = FakeModel() if name == "fake" else ReaderModel()
        yield local
        await local.aclose()
        return
    async with ScriptedServer() as server:
        real = OpenAIUrl(server.url, deadlines=Deadlines(connect=2, first_byte=5, idle=5))
        yield real
        await real.aclose()


@pytest.fixture(params=["fake", "http"])
async def backend(request: pytest.FixtureRequest) -> AsyncIterator[ModelBackend]:
    async with opened(request.param) as backend:
        yield backend


@pytest.fixture(params=["fake", "http", "reader"])
async def any_backend(request: pytest.FixtureRequest) -> AsyncIterator[ModelBackend]:
    async with opened(request.param) as backend:
        yield backend


async def answer(backend: ModelBackend, body: dict[str, Any], **options: Any) -> tuple[int, bool, list[bytes]]:
    async with backend.chat(prompt(body), **options) as upstream:
        return upstream.status, upstream.streamed, [frame.data async for frame in upstream.frames()]


async def test_a_whole_body_is_one_frame(any_backend: ModelBackend) -> None:
    status, streamed, frames = await answer(any_backend, ask())
    assert (status, streamed, len(frames)) == (200, False, 1)
    body = json.loads(frames[0])
    assert (body["object"], body["choices"][0]["finish_reason"]) == ("chat.completion", "stop")
    assert body["choices"][0]["message"]["content"] and body["usage"]["completion_tokens"] > 0


async def test_a_stream_says_what_the_body_says_and_ends_with_its_marker(any_backend: ModelBackend) -> None:
    _, _, (whole,) = await answer(any_backend, ask())
    status, streamed, frames = await answer(any_backend, ask(stream=True))
    assert (status, streamed, frames.pop()) == (200, True, b"[DONE]")
    chunks = [json.loads(frame) for frame in frames]
    said = "".join(chunk["choices"][0]["delta"].get("content") or "" for chunk in chunks)
    assert said == json.loads(whole)["choices"][0]["message"]["content"]
    assert [chunk["choices"][0]["finish_reason"] for chunk in chunks] == [None] * (len(chunks) - 1) + ["stop"]
    assert len({chunk["id"] for chunk in chunks}) == 1


async def test_usage_is_told_where_it_was_asked_for(any_backend: ModelBackend) -> None:
    for asked in (False, True):
        _, _, frames = await answer(any_backend, ask(stream=True, stream_options={"include_usage": asked}))
        told = [chunk for chunk in map(json.loads, frames[:-1]) if not chunk["choices"]]
        assert [chunk["usage"]["completion_tokens"] > 0 for chunk in told] == [True] * asked


async def test_an_error_keeps_its_status_and_is_one_frame(backend: ModelBackend) -> None:
    status, streamed, frames = await answer(backend, ask("status?status=401", stream=True))
    assert (status, streamed) == (401, False)
    assert set(json.loads(frames[0])["error"]) == {"message", "type", "param", "code"}


async def test_what_was_sent_is_told(any_backend: ModelBackend) -> None:
    async with any_backend.chat(prompt(ask("words?words=1"))) as upstream:
        assert upstream.sent in ("words?words=1", "loom-reader")
        assert all(name == name.lower() for name in upstream.headers)
        assert [frame async for frame in upstream.frames()]


async def test_a_break_in_the_middle_is_an_upstream_failure(backend: ModelBackend) -> None:
    frames = []
    with pytest.raises(UpstreamFailure):
        async with backend.chat(prompt(ask("words?kill=3", stream=True))) as upstream:
            async for frame in upstream.frames():
                frames.append(frame)
    assert len(frames) == 3


async def test_an_answer_may_be_left_early_and_the_backend_serves_on(backend: ModelBackend) -> None:
    async with backend.chat(prompt(ask("words?words=50&delay=0.05", stream=True))) as upstream:
        async for _ in upstream.frames():
            break
    assert (await answer(backend, ask()))[0] == 200


async def test_the_allowance_raises_a_limit_and_inserts_one_only_on_insistence(backend: ModelBackend) -> None:
    thinking = "think?tokens=3000&words=2"
    for options, limit, finish in [
        ({}, {"max_tokens": 200}, "length"),
        ({"allowance": 4096}, {"max_tokens": 200}, "stop"),
        ({"allowance": 4096}, {"max_completion_tokens": 200}, "stop"),
        ({"allowance": 100}, {"max_tokens": 4000}, "stop"),
    ]:
        _, _, frames = await answer(backend, ask(thinking, **limit), **options)
        assert json.loads(frames[0])["choices"][0]["finish_reason"] == finish
    small = thinking + "&limit=100"
    for options, finish in [({"allowance": 4096}, "length"), ({"allowance": 4096, "insist": True}, "stop")]:
        _, _, frames = await answer(backend, ask(small), **options)
        assert json.loads(frames[0])["choices"][0]["finish_reason"] == finish


async def test_a_waiting_call_can_be_cancelled(backend: ModelBackend) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await answer(backend, ask("hang"))


async def test_models_are_listed(any_backend: ModelBackend) -> None:
    cards = await any_backend.models()
    assert cards and all(card.id and card.owned_by for card in cards)


async def test_other_routes_are_passed_through(backend: ModelBackend) -> None:
    async with backend.forward(
        "POST", "/completions", b'{"model": "echo", "prompt": "A"}', {"content-type": "application/json"}
    ) as upstream:
        frames = [frame async for frame in upstream.frames()]
    assert upstream.status == 200 and json.loads(frames[0].data)["object"]


async def test_the_clients_request_is_not_changed(any_backend: ModelBackend) -> None:
    body = ask("think?tokens=5", max_tokens=9)
    before = json.dumps(body)
    await answer(any_backend, body, allowance=4096, insist=True)
    assert json.dumps(body) == before
