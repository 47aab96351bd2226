"""What the URL backend adds to the contract: headers, aliases, deadlines, retries, odd upstreams."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest
from support.prompts import ask, prompt

from loom.core.errors import BadSettings, UpstreamFailure
from loom_adapters.openai_url import Deadlines, OpenAIUrl, base_of
from loom_adapters.scripted_server import ScriptedServer

FAST = Deadlines(connect=1, first_byte=0.3, idle=0.3)


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with ScriptedServer() as server:
        yield server


async def frames_of(backend: OpenAIUrl, body: dict[str, Any], **options: Any) -> list[bytes]:
    async with backend.chat(prompt(body), **options) as upstream:
        return [frame.raw async for frame in upstream.frames()]


class Canned(httpx.AsyncBaseTransport):
    """Answers each request with the next of the given makers."""

    def __init__(self, *makers: Callable[[httpx.Request], httpx.Response]) -> None:
        self.makers = list(makers)
        self.requests: list[httpx.Request] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return self.makers.pop(0)(request)


def refuse(request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("refused")


def reply(status: int, content: bytes = b"{}", **headers: str) -> Callable[[httpx.Request], httpx.Response]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda request: httpx.Response(status, headers={"content-type": "application/json", **named}, content=content)


@pytest.mark.parametrize(
    ("given", "base"),
    [
        ("http://h:1/v1", "http://h:1/v1"),
        ("http://h:1/v1/", "http://h:1/v1"),
        ("http://h:1", "http://h:1/v1"),
        ("https://h/api/openai/chat/completions", "https://h/api/openai"),
        (" http://h/v1 ", "http://h/v1"),
    ],
)
def test_the_base_of_a_url(given: str, base: str) -> None:
    assert base_of(given) == base


@pytest.mark.parametrize("given", ["", "h:1/v1", "ftp://h", "http://"])
def test_a_url_that_is_none(given: str) -> None:
    with pytest.raises(BadSettings, match="Expected a model URL"):
        base_of(given)


def test_an_unknown_profile_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadSettings, match="ollama"):
        OpenAIUrl("http://h", profile="olama", transport=Canned())


async def test_headers(server: ScriptedServer) -> None:
    backend = OpenAIUrl(server.url, key="secret", headers={"X-Team": "clay"}, forward=["X-User"])
    client = {"authorization": "Bearer client", "x-user": "ann", "cookie": "c", "x-other": "o"}
    await frames_of(backend, ask(), headers=client)
    await backend.aclose()
    sent = server.requests[0].headers
    assert sent["authorization"] == "Bearer secret"
    assert (sent["x-team"], sent["x-user"], sent["accept"]) == ("clay", "ann", "application/json")
    assert not {"cookie", "x-other"} & set(sent)
    assert sent["accept-encoding"] == "identity"


async def test_the_clients_authorization_goes_only_where_settings_say_so(server: ScriptedServer) -> None:
    for forward, expected in [((), None), (("Authorization",), "Bearer client")]:
        backend = OpenAIUrl(server.url, forward=forward)
        await frames_of(backend, ask(), headers={"authorization": "Bearer client"})
        await backend.aclose()
        assert server.requests[-1].headers.get("authorization") == expected


async def test_aliases(server: ScriptedServer) -> None:
    backend = OpenAIUrl(server.url, aliases={"house": "words?words=1"})
    async with backend.chat(prompt(ask("house"))) as upstream:
        (frame,) = [frame async for frame in upstream.frames()]
    body = json.loads(frame.data)
    assert upstream.sent == "words?words=1" == body["model"]
    async with backend.forward("POST", "/embeddings", b'{"model":"house","input":"a"}', {}) as upstream:
        [_ async for _ in upstream.frames()]
    assert json.loads(server.requests[-1].raw) == {"model": "words?words=1", "input": "a"}
    assert [card.id for card in await backend.models()][:2] == ["house", "echo"]
    await backend.aclose()


async def test_pass_through_is_byte_for_byte(server: ScriptedServer) -> None:
    backend = OpenAIUrl(server.url, aliases={"house": "echo"}, key="secret")
    odd = b'{ "prompt" : "\xc3\xa9" , "model":"other", "x": 1.50 , "stream": true}'
    async with backend.forward("POST", "/completions", odd, {"content-type": "application/json; charset=utf-8"}) as upstream:
        frames = [frame.raw async for frame in upstream.frames()]
    await backend.aclose()
    assert server.requests[-1].raw == odd
    assert server.requests[-1].headers["content-type"] == "application/json; charset=utf-8"
    assert upstream.streamed and frames[-1] == b"data: [DONE]\n\n"


async def test_the_profile_is_applied_and_unknown_fields_pass() -> None:
    canned = Canned(reply(200))
    backend = OpenAIUrl("http://h:11434/v1", transport=canned)
    messages = [{"role": "developer", "content": "Be brief."}, {"role": "user", "content": "Hi", "name": "ann"}]
    await frames_of(
        backend, {"model": "m", "messages": messages, "max_completion_tokens": 7, "top_k": 3, "chat_template_kwargs": {"a": 1}}
    )
    assert json.loads(canned.requests[0].content) == {
        "model": "m",
        "messages": [{"role": "system", "content": "Be brief."}, messages[1]],
        "max_tokens": 7,
        "top_k": 3,
        "chat_template_kwargs": {"a": 1},
    }


async def test_the_model_list_tells_the_profile() -> None:
    listed = json.dumps({"data": [{"id": "m", "owned_by": "vllm"}, {"id": "n", "owned_by": "vllm"}, {"nothing": 1}]}).encode()
    backend = OpenAIUrl("http://h/v1", transport=Canned(reply(200, listed)))
    assert backend.profile.name == "generic"
    assert [card.id for card in await backend.models()] == ["m", "n"]
    assert backend.profile.name == "vllm"


@pytest.mark.parametrize("reply_of", [reply(500), reply(200, b"[]"), reply(200, b"<html>")])
async def test_a_model_list_that_is_none(reply_of: Any) -> None:
    with pytest.raises(UpstreamFailure, match="list of models"):
        await OpenAIUrl("http://h/v1", transport=Canned(reply_of)).models()


class Broken(httpx.AsyncByteStream):
    """A body that breaks after these pieces."""

    def __init__(self, *pieces: bytes) -> None:
        self._pieces = pieces

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            yield piece
        raise httpx.ReadError("reset")


def broken(*pieces: bytes) -> Callable[[httpx.Request], httpx.Response]:
    return lambda request: httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=Broken(*pieces))


@pytest.mark.parametrize(
    ("makers", "status", "calls"),
    [
        ([refuse, reply(200)], 200, 2),
        ([reply(503), reply(502), reply(200)], 200, 3),
        ([reply(429, retry_after="0"), reply(200)], 200, 2),
        ([reply(429, retry_after="60")], 429, 1),
        ([reply(429, retry_after="Wed, 21 Oct 2026 07:28:00 GMT")], 429, 1),
        ([reply(503), reply(503), reply(503)], 503, 3),
        ([broken(), reply(200)], 200, 2),
        ([broken(), refuse, reply(200)], 200, 3),
        ([reply(500)], 500, 1),
        ([reply(400)], 400, 1),
        ([reply(408)], 408, 1),
    ],
)
async def test_what_is_tried_again(makers: list[Any], status: int, calls: int) -> None:
    canned = Canned(*makers)
    async with OpenAIUrl("http://h/v1", transport=canned).chat(prompt(ask(stream=True))) as upstream:
        assert upstream.status == status
    assert len(canned.requests) == calls


@pytest.mark.parametrize(("pieces", "calls"), [((), 3), ((b"data: {}\n\n",), 1)])
async def test_nothing_is_tried_again_once_a_byte_has_come(pieces: tuple[bytes, ...], calls: int) -> None:
    canned = Canned(*[broken(*pieces)] * 3)
    with pytest.raises(UpstreamFailure, match="broke off") as failure:
        await frames_of(OpenAIUrl("http://h/v1", transport=canned), ask(stream=True))
    assert failure.value.code == "upstream_interrupted" and len(canned.requests) == calls


async def test_an_unreachable_upstream_says_what_to_check() -> None:
    backend = OpenAIUrl("http://127.0.0.1:9/v1", retries=1)
    with pytest.raises(UpstreamFailure, match=r"127\.0\.0\.1:9 cannot be reached") as failure:
        await frames_of(backend, ask())
    assert (failure.value.status, failure.value.code) == (502, "upstream_unreachable")
    await backend.aclose()


async def test_deadlines(server: ScriptedServer) -> None:
    backend = OpenAIUrl(server.url, deadlines=FAST)
    with pytest.raises(UpstreamFailure, match="did not begin") as failure:
        await frames_of(backend, ask("hang"))
    assert (failure.value.status, failure.value.code) == (504, "upstream_timeout")
    with pytest.raises(UpstreamFailure, match="sent nothing for") as failure:
        await frames_of(backend, ask("words?delay=2", stream=True))
    assert failure.value.code == "upstream_timeout"
    assert await frames_of(backend, ask("words?words=4&delay=0.15", stream=True))
    await backend.aclose()


@pytest.mark.parametrize("body", [ask("hang"), ask("words?words=99&delay=0.05", stream=True)])
async def test_leaving_early_ends_the_call_upstream(server: ScriptedServer, body: dict[str, Any]) -> None:
    backend = OpenAIUrl(server.url)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await frames_of(backend, body)
    for _ in range(100):
        if server.requests[0].aborted:
            break
        await asyncio.sleep(0.01)
    assert server.requests[0].aborted
    await backend.aclose()


async def test_a_stream_read_to_its_end_marker_keeps_the_connection(server: ScriptedServer) -> None:
    backend = OpenAIUrl(server.url)
    for _ in range(3):
        async with backend.chat(prompt(ask(stream=True))) as upstream:
            async for frame in upstream.frames():
                if frame.done:
                    break
    await backend.aclose()
    assert server.connections == 1


@pytest.mark.parametrize(
    ("content", "kind", "error"),
    [
        (b'{"error": {"message": "No.", "type": "t", "code": 7, "extra": 1}}', None, {"message": "No.", "type": "t", "param": None, "code": "7", "extra": 1}),
        (b'{"error": "No."}', None, {"message": "No.", "type": "invalid_request_error", "param": None, "code": None}),
        (b'{"object": "error", "message": "No.", "type": "BadRequestError", "param": "n", "code": 400}', None, {"message": "No.", "type": "BadRequestError", "param": "n", "code": "400"}),
        (b'{"detail": [{"msg": "a"}, {"msg": "b"}]}', None, {"message": "a; b", "type": "invalid_request_error", "param": None, "code": None}),
        (b"plain words", "text/plain", {"message": "plain words", "type": "invalid_request_error", "param": None, "code": None}),
        (b"", "text/plain", {"message": "The model answered with status 422 and gave no reason.", "type": "invalid_request_error", "param": None, "code": None}),
    ],
)  # fmt: skip
async def test_errors_arrive_in_the_envelope(content: bytes, kind: str | None, error: dict[str, Any]) -> None:
    canned = Canned(
        reply(422, content, **({"content_type": kind} if kind else {}), retry_after="3", x_ratelimit_remaining="9", server="x")
    )
    async with OpenAIUrl("http://h/v1", transport=canned).chat(prompt(ask(stream=True))) as upstream:
        assert upstream.status == 422 and not upstream.streamed
        assert dict(upstream.headers) == {"content-type": "application/json", "retry-after": "3", "x-ratelimit-remaining": "9"}
        (frame,) = [frame async for frame in upstream.frames()]
    assert json.loads(frame.data) == {"error": error}


@pytest.mark.parametrize(
    ("maker", "body", "message"),
    [
        (reply(200, b"<html>", content_type="text/html; charset=utf-8"), ask(), "Expected a chat completion"),
        (reply(200, b"data: {}\n\n", content_type="text/event-stream"), ask(), "Expected a chat completion"),
        (reply(302, location="http://elsewhere/v1"), ask(), "redirects to http://elsewhere/v1"),
    ],
)
async def test_answers_that_are_none(maker: Any, body: dict[str, Any], message: str) -> None:
    with pytest.raises(UpstreamFailure, match=message) as failure:
        await frames_of(OpenAIUrl("http://h/v1", transport=Canned(maker)), body)
    assert failure.value.status == 502


@pytest.mark.parametrize(
    "script", ["words?cut=1", "words?line=crlf", "words?line=tight", "words?comments=1&cut=3", "tools?cut=7"]
)
async def test_a_stream_in_any_dress_is_the_same(server: ScriptedServer, script: str) -> None:
    backend = OpenAIUrl(server.url)
    async with backend.chat(prompt(ask(script, say="né→😀 done", stream=True))) as upstream:
        frames = [frame async for frame in upstream.frames()]
    await backend.aclose()
    assert frames[-1].done
    assert all(json.loads(frame.data)["object"] == "chat.completion.chunk" for frame in frames[:-1] if frame.data)


async def test_a_compressed_body_is_read() -> None:
    import gzip

    canned = Canned(reply(200, gzip.compress(b'{"a": 1}'), content_encoding="gzip"))
    assert await frames_of(OpenAIUrl("http://h/v1", transport=canned), ask()) == [b'{"a": 1}']
