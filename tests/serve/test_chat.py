"""The chat route: what goes upstream, what comes back, streamed and not, and what happens when either side goes away."""

import asyncio
import json
import time
from pathlib import Path

import httpx
import orjson
import pytest
from support.nodes import kiln_server

from loom_adapters.scripted_model import FakeModel

CHAT = "/v1/chat/completions"
QUESTION = "What is a tide kiln?"


def ask(text: str = QUESTION, **more: object) -> dict:
    return {"model": "echo", "messages": [{"role": "user", "content": text}], **more}


def events(text: str) -> list[str]:
    return [line.removeprefix("data: ") for line in text.split("\n") if line.startswith("data: ")]


async def test_a_whole_answer_is_grounded_and_accounted_for(tmp_path: Path):
    model = FakeModel()
    async with kiln_server(tmp_path, model) as url, httpx.AsyncClient(base_url=url) as client:
        reply = await client.post(CHAT, json=ask(temperature=0.5, top_k=3), headers={"x-request-id": "mine-1"})
    account = reply.json()["loom"]
    assert reply.status_code == 200 and reply.headers["content-type"] == "application/json"
    assert reply.headers["x-request-id"] == account["request_id"] == "mine-1"
    assert reply.headers["x-loom-generation"] == account["pin"]["generation"]
    assert reply.headers["x-loom-decision"] == account["decision"]["reason"] == "exact"
    assert int(reply.headers["x-loom-injected-tokens"]) == account["injected_tokens"] > 0
    assert [unit["title"] for unit in account["units"]] == ["Tide Kiln", "Kiln"]
    assert account["served"] == "delegated" and account["completion"]["class"] == "answered"
    (sent,) = model.bodies
    assert sent["temperature"] == 0.5 and sent["top_k"] == 3 and "loom" not in sent
    assert "force of tides" in sent["messages"][0]["content"]
    assert sent["messages"][1] == {"role": "user", "content": QUESTION}


async def test_a_stream_is_the_models_frames_and_one_loom_object(tmp_path: Path):
    async with kiln_server(tmp_path, FakeModel()) as url, httpx.AsyncClient(base_url=url) as client:
        reply = await client.post(CHAT, json=ask(stream=True))
    assert reply.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert reply.headers["x-accel-buffering"] == "no" and reply.headers["cache-control"] == "no-cache"
    assert "content-encoding" not in reply.headers
    *frames, done = events(reply.text)
    assert done == "[DONE]"
    chunks = [json.loads(frame) for frame in frames]
    assert "".join(chunk["choices"][0]["delta"].get("content", "") for chunk in chunks) == QUESTION
    assert ["loom" in chunk for chunk in chunks] == [False] * (len(chunks) - 1) + [True]
    assert chunks[-1]["loom"]["decision"]["reason"] == reply.headers["x-loom-decision"]


async def test_the_first_frame_does_not_wait_for_the_second(tmp_path: Path):
    async with kiln_server(tmp_path, FakeModel()) as url, httpx.AsyncClient(base_url=url) as client:
        started = time.monotonic()
        async with client.stream("POST", CHAT, json=ask(model="words?words=4&delay=2", stream=True)) as reply:
            async for _ in reply.aiter_lines():
                assert time.monotonic() - started < 2
                break


async def test_options_steer_one_request_and_never_travel_upstream(tmp_path: Path):
    model = FakeModel()
    async with kiln_server(tmp_path, model) as url, httpx.AsyncClient(base_url=url) as client:

        async def loom(**options: object) -> dict:
            return (await client.post(CHAT, json=ask(loom=options))).json()["loom"]

        off = await loom(off=True)
        assert off["decision"]["reason"] == "disabled" and off["served"] == "passthrough" and not off["units"]
        assert model.bodies[-1]["messages"] == ask()["messages"]
        assert len((await loom(max_units=1))["units"]) == 1
        assert (await loom(policy="reference"))["decision"]["confidence"] is None
        assert (await loom(wrapper="bare"))["injected_tokens"] < (await loom())["injected_tokens"]
        assert (await loom(budget=40))["decision"]["budget"] == 40
        gold = (await loom(gold=["Tidal Bellows", "Oven"]))["exposure"]["counts"]
        assert all(isinstance(count, int) for count in gold.values())
        verbatim = await loom(verbatim=True)
        assert verbatim["served"] == "verbatim"
    assert all("loom" not in body for body in model.bodies)


async def test_side_calls_pass_through_and_are_counted(tmp_path: Path):
    model = FakeModel()
    text = '### Task:\nGenerate a concise title.\n### Output:\n{ "title": "…" }\n### Chat History:\n<chat_history>tide kiln</chat_history>'
    async with kiln_server(tmp_path, model) as url, httpx.AsyncClient(base_url=url) as client:
        account = (await client.post(CHAT, json=ask(text))).json()["loom"]
        metrics = (await client.get("/metrics")).text
    assert account["decision"]["reason"] == "side_call" and account["injected_tokens"] == 0
    assert model.bodies[0]["messages"] == ask(text)["messages"]
    assert 'loom_side_calls_total{kind="title"} 1.0' in metrics


async def test_a_refusal_of_the_model_keeps_its_status_streamed_or_not(tmp_path: Path):
    async with kiln_server(tmp_path, FakeModel()) as url, httpx.AsyncClient(base_url=url) as client:
        for stream in (False, True):
            reply = await client.post(CHAT, json=ask(model="words?status=429&retry_after=7", stream=stream))
            assert reply.status_code == 429 and reply.headers["retry-after"] == "7"
            assert set(reply.json()["error"]) == {"message", "type", "param", "code"}
            assert reply.headers["content-type"] == "application/json"


async def test_a_model_that_dies_in_the_middle_ends_with_an_error_frame(tmp_path: Path):
    async with kiln_server(tmp_path, FakeModel()) as url, httpx.AsyncClient(base_url=url) as client:
        reply = await client.post(CHAT, json=ask(model="words?words=8&kill=3", stream=True))
        whole = await client.post(CHAT, json=ask(model="words?kill=0"))
    *_, last, done = events(reply.text)
    assert reply.status_code == 200 and done == "[DONE]"
    assert json.loads(last)["error"]["message"] and json.loads(last)["loom"]["completion"]["class"] == "interrupted"
    assert whole.status_code == 502 and whole.json()["error"]["type"]
    assert whole.headers["x-loom-decision"] == "exact" and whole.headers["x-should-retry"] == "false"


@pytest.mark.parametrize(
    ("model", "stream"), [("hang", False), ("hang", True), ("words?first=9", False), ("words?words=500&delay=0.02", True)]
)
async def test_a_client_that_leaves_takes_the_model_call_with_it(tmp_path: Path, model: str, stream: bool):
    fake = FakeModel()
    async with kiln_server(tmp_path, fake) as url, httpx.AsyncClient(base_url=url) as client:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await client.post(CHAT, json=ask(model=model, stream=stream))
        for _ in range(200):
            if 'status="499"' in (text := (await client.get("/metrics")).text):
                break
            await asyncio.sleep(0.01)
    assert 'loom_requests_total{route="/v1/chat/completions",status="499"} 1.0' in text
    assert len(fake.bodies) == 1 and fake.cancelled == model.startswith("words?words")


async def test_silence_is_filled_with_comments_even_before_the_model_begins(tmp_path: Path):
    async with kiln_server(tmp_path, FakeModel(), LOOM_KEEPALIVE="0.05") as url, httpx.AsyncClient(base_url=url) as client:
        late = await client.post(CHAT, json=ask(model="words?first=0.2&words=2", stream=True))
        slow = await client.post(CHAT, json=ask(model="words?delay=0.12&words=2", stream=True))
        quick = await client.post(CHAT, json=ask(stream=True))
        failed = await client.post(CHAT, json=ask(model="words?first=0.2&status=503", stream=True))
        whole = await client.post(CHAT, json=ask(model="words?first=0.2"))
    for reply in (late, slow):
        assert reply.status_code == 200 and ": keep-alive\n\n" in reply.text
        *frames, done = events(reply.text)
        assert done == "[DONE]" and orjson.loads(frames[-1])["loom"]
    assert "keep-alive" not in quick.text and "keep-alive" not in whole.text
    *_, error, done = events(failed.text)
    assert failed.status_code == 200 and done == "[DONE]" and json.loads(error)["error"]["message"]


async def test_the_reader_answers_when_there_is_no_model(tmp_path: Path):
    async with kiln_server(tmp_path) as url, httpx.AsyncClient(base_url=url) as client:
        whole = (await client.post(CHAT, json={"messages": ask()["messages"]})).json()
        streamed = await client.post(CHAT, json=ask(stream=True))
        models = (await client.get("/v1/models")).json()
    assert whole["loom"]["served"] == "reader" and "force of tides" in whole["choices"][0]["message"]["content"]
    assert whole["choices"][0]["message"]["annotations"][0]["url_citation"]["url"] == "urn:test:tide-kiln"
    said = "".join(json.loads(frame)["choices"][0]["delta"].get("content") or "" for frame in events(streamed.text)[:-1])
    assert said == whole["choices"][0]["message"]["content"]
    assert [card["id"] for card in models["data"]] == ["loom-reader"]


async def test_aliases_and_slashes_reach_the_same_route(tmp_path: Path):
    async with kiln_server(tmp_path, FakeModel()) as url, httpx.AsyncClient() as client:
        for path in ("/chat/completions", "//v1//chat/completions/", "/v1/chat/completions/"):
            assert (await client.post(url + path, json=ask())).status_code == 200


async def test_unpaired_surrogates_and_wrong_content_types_are_answered(tmp_path: Path):
    model = FakeModel()
    body = b'{"model":"echo","messages":[{"role":"user","content":"a tide kiln \\ud83d"}]}'
    async with kiln_server(tmp_path, model) as url, httpx.AsyncClient(base_url=url) as client:
        for kind in ("application/json", "text/plain", "application/x-www-form-urlencoded", ""):
            reply = await client.post(CHAT, content=body, headers={"content-type": kind})
            assert reply.status_code == 200
    assert model.bodies[-1]["messages"][-1]["content"] == "a tide kiln \ufffd"


async def test_content_is_logged_only_where_asked(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    for content, seen in (("0", False), ("1", True)):
        folder = tmp_path / content
        variables = {"LOOM_LOG_LEVEL": "debug", "LOOM_LOG_FORMAT": "json", "LOOM_LOG_CONTENT": content}
        async with kiln_server(folder, FakeModel(), **variables) as url, httpx.AsyncClient(base_url=url) as client:
            await client.post(CHAT, json=ask("What is a tide kiln, Xanthippe?"))
        logged = capfd.readouterr().err
        assert ("Xanthippe" in logged) is seen
        (line,) = [json.loads(line) for line in logged.splitlines() if '"request"' in line]
        assert line["status"] == 200 and line["decision"] == "exact" and line["injected_tokens"] > 0 and line["request_id"]
