"""The scripted model: scripts, what they make it say, and the server that speaks them over HTTP."""

import asyncio
import json
from typing import Any

import httpx
import pytest
from support.prompts import ask

from loom_adapters.scripted_model import KINDS, Actor, Script, body_of, script_of, speak, stream_of
from loom_adapters.scripted_server import ScriptedServer


def test_reading_a_script() -> None:
    assert Script.parse("think?tokens=30&style=tag&done=0&delay=0.5") == Script(
        "think", tokens=30, style="tag", done=False, delay=0.5
    )
    assert Script.parse("gpt-4o") == Script.parse("") == Script()
    for bad in ("think?tokens=many", "think?nothing=1"):
        with pytest.raises(ValueError, match=r"many|nothing"):
            Script.parse(bad)


def test_where_a_script_is_looked_for() -> None:
    assert script_of(ask("empty")).kind == "empty"
    assert script_of(ask("empty"), {"x-script": "tools"}).kind == "tools"
    assert script_of(ask("empty", script="html"), {"x-script": "tools"}).kind == "html"


@pytest.mark.parametrize(
    ("limit", "thought", "said", "finish"),
    [
        ({}, 30, 4, "stop"),
        ({"max_tokens": 34}, 30, 4, "stop"),
        ({"max_tokens": 32}, 30, 2, "length"),
        ({"max_completion_tokens": 30}, 30, 0, "length"),
        ({"max_tokens": 10}, 10, 0, "length"),
    ],
)
def test_a_limit_covers_thinking_and_answer(limit: dict[str, int], thought: int, said: int, finish: str) -> None:
    spoken = speak(Script("think", tokens=30, words=4), ask(**limit))
    assert "".join(spoken.thought).split() == ["hm"] * thought
    assert (len(spoken.said), spoken.finish) == (said, finish)
    assert spoken.usage["completion_tokens"] == thought + said
    assert spoken.usage["completion_tokens_details"] == {"reasoning_tokens": thought}


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"error", "status", "html", "hang"}))
@pytest.mark.parametrize("style", ["reasoning_content", "tag", "hidden"])
def test_stream_and_body_say_the_same(kind: str, style: str) -> None:
    script = Script(kind, tokens=20 if kind == "think" else 0, style=style)
    message = json.loads(body_of(script, ask(), "x"))["choices"][0]["message"]
    chunks = [json.loads(frame.data) for frame in stream_of(script, ask(), "x") if not frame.done]
    deltas = [chunk["choices"][0]["delta"] for chunk in chunks]
    for key in ("content", "reasoning_content", "refusal"):
        assert "".join(delta.get(key) or "" for delta in deltas) == (message.get(key) or "")
    arguments: dict[str, str] = {}
    for delta in deltas:
        for call in delta.get("tool_calls", ()):
            arguments[call["index"]] = arguments.get(call["index"], "") + call["function"]["arguments"]
    assert list(arguments.values()) == [call["function"]["arguments"] for call in message.get("tool_calls", ())]


def test_failing_a_few_times_first() -> None:
    actor = Actor()
    script = Script("words", status=503, fails=2)
    assert [actor.answer(script, ask()).status for _ in range(4)] == [503, 503, 200, 200]
    assert actor.answer(Script("status", status=429, retry_after="2"), ask()).headers["retry-after"] == "2"


@pytest.mark.parametrize(
    ("script", "body", "message"),
    [
        ("words?strict=1", ask("words?strict=1", loom={"budget": 5}), "loom"),
        (
            "words?roles=system,user",
            {"model": "words?roles=system,user", "messages": [{"role": "developer", "content": "x"}]},
            "developer",
        ),
    ],
)
def test_refusals(script: str, body: dict[str, Any], message: str) -> None:
    answer = Actor().answer(Script.parse(script), body)
    assert answer.status == 400 and message in json.loads(next(answer.frames).data)["error"]["message"]


async def test_the_server_speaks_http() -> None:
    async with ScriptedServer() as server, httpx.AsyncClient(base_url=server.url) as client:
        models = (await client.get("/models")).json()
        assert models["object"] == "list" and models["data"][0]["object"] == "model"
        assert (await client.post("/chat/completions", json=ask())).json()["choices"][0]["message"][
            "content"
        ] == "What is a kiln?"
        streamed = await client.post("/chat/completions", json=ask("words?cut=3&delay=0.001", stream=True))
        assert streamed.headers["content-type"] == "text/event-stream" and streamed.text.endswith("data: [DONE]\n\n")
        assert (await client.post("/completions", json={"model": "m", "prompt": "A"})).json()["choices"][0]["text"] == "A"
        assert (await client.post("/embeddings", json={"model": "m", "input": "A"})).json()["data"][0]["embedding"]
        assert (await client.post("/chat/completions", content=b"{")).status_code == 400
        assert (await client.get("/nowhere")).status_code == 404
        assert (await client.post("/chat/completions", json=ask("html"))).headers["content-type"] == "text/html"
    assert [each.path for each in server.requests][:2] == ["/v1/models", "/v1/chat/completions"]
    assert all(each.finished and not each.aborted for each in server.requests)


async def test_breaking_and_leaving_are_told_apart() -> None:
    async with ScriptedServer() as server, httpx.AsyncClient(base_url=server.url) as client:
        for body in (ask("words?kill=2", stream=True), ask("words?kill=9")):
            with pytest.raises(httpx.RemoteProtocolError):
                await client.post("/chat/completions", json=body)
        with pytest.raises(httpx.ReadTimeout):
            await client.post("/chat/completions", json=ask("hang"), timeout=0.05)
        await asyncio.sleep(0.05)
        assert [each.aborted for each in server.requests] == [False, False, True]
        base = server.url.removesuffix("/v1")
        told = (await client.get(f"{base}/_requests")).json()
        assert [each["aborted"] for each in told] == [False, False, True] and told[2]["body"]["model"] == "hang"
        await client.delete(f"{base}/_requests")
        assert (await client.get(f"{base}/_requests")).json() == []
