"""A model that asks for passages, as clients see it: over HTTP, a scripted server as the model, and a real generation."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from support.nodes import kiln_node, served
from support.sources import ROOT
from support.upstream_process import Scripted, scripted
from support.wire import Got, check_stream, check_whole

from loom.build import seal, stage
from loom.compose import corpus_reader
from loom.serve.app import create_app
from loom_adapters.generation_folder import GenerationFolder

CHAT = "/v1/chat/completions"
QUESTION = "When did the loudness of Harvest Evensong peak?"
TRUE = "It peaked at 80.5 dB, at second 25."
DIRECTIVE = "HYDRATE: Harvest Evensong rehearsal tape@0-30"
SPANS = [f"urn:example:choir:span/tapes/harvest.srt/{number}" for number in (1, 2, 3)]


@pytest.fixture(scope="module")
def choir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("choir")
    work = stage.Work([stage.Source("choir", corpus_reader(ROOT / "fixtures" / "kb" / "choir"))])
    stage.run(work, stage.found())
    store = GenerationFolder(folder)
    with store.draft() as draft:
        seal.write(draft, work.concepts, work.report, work.parts)
        store.point(store.seal(draft))
    return folder


@pytest.fixture(scope="module")
def upstream() -> Iterator[Scripted]:
    with scripted() as model:
        yield model


@pytest.fixture
def model(upstream: Scripted) -> Scripted:
    upstream.forget()
    return upstream


@asynccontextmanager
async def node(choir: Path, model: Scripted, **variables: str) -> AsyncIterator[httpx.AsyncClient]:
    given = kiln_node(choir, concepts=(), LOOM_MODEL_URL=model.url, **variables)
    async with served(create_app(given)) as url, httpx.AsyncClient(base_url=url, timeout=20) as client:
        yield client


def script(say: str, then: str = "", **more: Any) -> str:
    """The name of a model that says this, and every second time something else."""
    return "words?" + urlencode({"say": say, **({"then": then} if then else {}), **more})


def chat(name: str, text: str = QUESTION, **more: Any) -> dict[str, Any]:
    return {"model": name, "messages": [{"role": "user", "content": text}], **more}


async def got(client: httpx.AsyncClient, body: dict[str, Any]) -> Got:
    answer = await client.post(CHAT, json=body)
    raw = answer.content
    if "json" in answer.headers["content-type"]:
        return Got(answer.status_code, answer.headers, raw, [json.loads(raw)])
    data = [line.removeprefix("data: ") for line in raw.decode().split("\n") if line.startswith("data: ")]
    assert data.pop() == "[DONE]"
    return Got(answer.status_code, answer.headers, raw, [json.loads(each) for each in data])


def said_in(frame: Any) -> str:
    return "".join(each.get("delta", {}).get("content") or "" for each in frame.get("choices", []))


def text_of(answer: Got) -> str:
    return "".join(
        choice[key].get("content") or "" for each in answer.chunks for choice in each.get("choices", ()) for key in ("delta", "message") if key in choice
    )  # fmt: skip


def asked(model: Scripted) -> list[dict[str, Any]]:
    return [each["body"] for each in model.requests() if each["path"].endswith("/chat/completions")]


@pytest.mark.parametrize("context", ["full", "hydrate"])
@pytest.mark.parametrize("stream", [False, True])
async def test_what_is_asked_for_is_fetched_and_answered_from(choir: Path, model: Scripted, stream: bool, context: str) -> None:
    body = chat(script(DIRECTIVE, script(TRUE)), stream=stream, loom={"context": context})
    async with node(choir, model) as client:
        answer = await got(client, body)
        metrics = (await client.get("/metrics")).text
    assert text_of(answer) == TRUE
    first, second = (each["messages"][0]["content"] for each in asked(model))
    assert "Basses, that is a third too low" in second and "Basses" not in first
    told = answer.chunks[-1]["loom"]["facts"]["hydration"]
    assert told["asked"] == ["Harvest Evensong rehearsal tape@0-30"] and told["fetched"] == SPANS
    assert (told["rounds"], told["spontaneous"], told["outcome"]) == (2, True, "hydrated")
    assert 'loom_hydrations_total{outcome="hydrated"} 1.0' in metrics
    assert answer.chunks[-1]["loom"]["facts"]["numbers"]["counts"]["unsupported"] == 0
    del answer.headers["x-loom-injected-tokens"]
    answer.headers["x-loom-injected-tokens"] = str(answer.chunks[-1]["loom"]["injected_tokens"])
    if stream:
        check_stream(answer, body)
    else:
        check_whole(answer)


@pytest.mark.parametrize(
    "then",
    [
        script(DIRECTIVE),
        "status?status=400",
        "status?status=500",
        "words?kill=1&say=HYDRATE",
        "html",
        script("HYDRATE: a\n" * 200),
        "words?" + urlencode({"say": DIRECTIVE, "done": "0", "finish": ""}),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
async def test_a_second_round_that_fails_is_a_finished_answer_of_facts(
    choir: Path, model: Scripted, stream: bool, then: str
) -> None:
    body = chat(script(DIRECTIVE, then), stream=stream, loom={"context": "hydrate"})
    async with node(choir, model) as client:
        answer = await got(client, body)
        metrics = (await client.get("/metrics")).text
    assert answer.status == 200 and "80.5 dB" in text_of(answer) and "HYDRATE" not in text_of(answer)
    assert answer.chunks[-1]["loom"]["facts"]["hydration"]["outcome"] == "degraded"
    assert answer.chunks[-1]["loom"]["completion"]["class"] == "answered" and "error" not in answer.chunks[-1]
    assert 'loom_hydrations_total{outcome="degraded"} 1.0' in metrics


@pytest.mark.parametrize("enforce", ["append", "refuse"])
@pytest.mark.parametrize("stream", [False, True])
async def test_numbers_are_verified_over_what_was_fetched(choir: Path, model: Scripted, stream: bool, enforce: str) -> None:
    async with node(choir, model, LOOM_FACTS_ENFORCE=enforce, LOOM_FACTS_CONTEXT="hydrate") as client:
        answer = await got(client, chat(script(DIRECTIVE, script("At [00:28.5] Mr Penrose was told.")), stream=stream))
        false = await got(client, chat(script(DIRECTIVE, script("It was 99.9 dB.")), stream=stream))
    numbers = answer.chunks[-1]["loom"]["facts"]["numbers"]
    assert numbers["counts"]["unsupported"] == 0 and numbers["counts"]["shown"] == 1
    assert false.chunks[-1]["loom"]["facts"]["numbers"]["enforced"] == enforce
    assert ("99.9" in text_of(false)) == (enforce == "append") and "HYDRATE" not in text_of(false)


async def test_an_ordinary_stream_has_the_same_bytes_in_every_context(choir: Path, model: Scripted) -> None:
    """What the model sends passes to the byte, whether it could have asked or not; only the account at the end differs."""
    raws = []
    async with node(choir, model) as client:
        for options in ({"off": True}, {"context": "full"}, {"context": "skeleton"}, {"context": "hydrate"}):
            answer = await client.post(CHAT, json=chat(script(TRUE), stream=True, loom=options))
            lines = answer.text.split("\n\n")
            raws.append([line.split('"id"')[1].split(",", 1)[1] for line in lines if line.startswith("data: {")][:-1])
    assert all(raw == raws[0] for raw in raws) and len(raws[0]) > 3


# Long enough to be under way still when the client has left, on the slowest machine.
LONG = "words?" + urlencode({"say": TRUE + " It rose." * 300, "delay": "0.05"})


@pytest.mark.parametrize(("first", "then"), [(LONG, ""), (DIRECTIVE, LONG)])
async def test_a_client_that_leaves_cancels_either_round(choir: Path, model: Scripted, first: str, then: str) -> None:
    name = first if first.startswith("words?") else script(first, then)
    async with node(choir, model) as client:
        async with client.stream("POST", CHAT, json=chat(name, stream=True, loom={"context": "hydrate"})) as answer:
            async for line in answer.aiter_lines():
                # What is said, and not the name of the model, which stands in every frame and holds the same words.
                if line.startswith("data: {") and "peaked" in said_in(json.loads(line.removeprefix("data: "))):
                    break
        left = await asyncio.to_thread(model.aborted_within, 20)
    chats = [each["aborted"] for each in model.requests() if each["path"].endswith("/chat/completions")]
    assert left and chats == ([False] if then else []) + [True]


async def test_temperature_is_zero_over_computed_facts_alone(choir: Path, model: Scripted) -> None:
    async with node(choir, model) as client:
        await got(client, chat(script(TRUE)))
        await got(client, chat(script(TRUE), temperature=0.7))
        await got(client, chat(script(TRUE), text="What did the sopranos say in Harvest Evensong?"))
        await got(client, chat(script(TRUE), text="Hello."))
    async with node(choir, model, LOOM_FACTS_GREEDY="0") as client:
        await got(client, chat(script(TRUE)))
    assert [each.get("temperature") for each in asked(model)] == [0, 0.7, None, None, None]


@pytest.mark.parametrize("stream", [False, True])
async def test_a_model_that_takes_no_temperature_is_called_as_the_client_sent_it(
    choir: Path, model: Scripted, stream: bool
) -> None:
    async with node(choir, model) as client:
        for _ in range(2):
            answer = await got(client, chat(script(TRUE, warm="1"), stream=stream))
            assert text_of(answer) == TRUE
        stated = await got(client, chat(script(TRUE, warm="1"), temperature=1, stream=stream))
        other = await got(client, chat(script(TRUE), stream=stream))
    assert stated.status == 400 and text_of(other) == TRUE
    assert ["temperature" in each for each in asked(model)] == [True, False, False, True, True]


async def test_node_settings_and_requests_choose_the_context(choir: Path, model: Scripted) -> None:
    text = "What is said about the loudness of Harvest Evensong?"
    prompts: dict[str, str] = {}
    async with node(choir, model, LOOM_FACTS_CONTEXT="skeleton", LOOM_FACTS_OUTLINE="0") as client:
        for name, options in (("node", {}), ("full", {"context": "full"})):
            beside = (await client.post("/loom/scaffold", json={"prompt": text, **options})).json()["scaffold"]
            prompts[name] = beside
            under = (await client.post("/loom/scaffold", json={"prompt": text, "loom": options})).json()["scaffold"]
            assert beside == under
        wrong = await client.post(CHAT, json=chat(script(TRUE), loom={"context": "thin"}))
        other = await client.post(CHAT, json=chat(script(TRUE), loom={"readout": 3}))
    assert "Knowledge base" not in prompts["node"] and "[00:" not in prompts["node"]
    assert wrong.status_code == 400 and "one of full, skeleton, hydrate as loom.context" in wrong.text
    assert other.status_code == 400 and "one of full, core-only, off as loom.readout" in other.text


@pytest.mark.parametrize("stream", [False, True])
async def test_the_official_client_sees_one_answer(choir: Path, model: Scripted, stream: bool) -> None:
    openai = pytest.importorskip("openai")
    name = script(DIRECTIVE, script(TRUE))
    messages: Any = [{"role": "user", "content": QUESTION}]
    async with (
        node(choir, model, LOOM_FACTS_CONTEXT="hydrate") as client,
        openai.AsyncOpenAI(base_url=f"{client.base_url}/v1", api_key="none", max_retries=0) as sdk,
    ):
        if stream:
            options: Any = {"include_usage": True}
            made = await sdk.chat.completions.create(model=name, messages=messages, stream=True, stream_options=options)
            chunks = [chunk async for chunk in made]
            text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
            usage, account = chunks[-1].usage, chunks[-1].model_extra["loom"]
            assert len({chunk.id for chunk in chunks}) == 1
            assert [chunk.choices[0].delta.role for chunk in chunks if chunk.choices].count("assistant") == 1
        else:
            whole = await sdk.chat.completions.create(model=name, messages=messages)
            text, usage, account = whole.choices[0].message.content, whole.usage, whole.model_extra["loom"]
        degraded = await sdk.chat.completions.create(model=script(DIRECTIVE, "status?status=400"), messages=messages)
    assert text == TRUE and account["facts"]["hydration"]["outcome"] == "hydrated"
    assert usage.total_tokens == account["facts"]["hydration"]["usage"]["total_tokens"]
    assert usage.completion_tokens == len(DIRECTIVE.split(" ")) + len(TRUE.split(" "))
    assert "80.5 dB" in degraded.choices[0].message.content and degraded.choices[0].finish_reason == "stop"


@pytest.mark.parametrize("stream", [False, True])
async def test_an_offer_is_made_and_told(choir: Path, model: Scripted, stream: bool) -> None:
    text = "Which words about loudness and rehearsal are said?"
    async with node(choir, model, LOOM_FACTS_CONTEXT="hydrate") as client:
        answer = await got(client, chat(script(TRUE), text, stream=stream))
        fetched = await got(client, chat(script(DIRECTIVE, script("Basses sang too low.")), text, stream=stream))
        tools = await got(client, chat("echo", text, stream=stream, tools=[{"type": "function", "function": {"name": "look"}}]))
    plain = answer.chunks[-1]["loom"]["facts"]["hydration"]
    assert plain == {"asked": [], "fetched": [], "rounds": 1, "spontaneous": False, "outcome": "answered"}
    told = fetched.chunks[-1]["loom"]["facts"]["hydration"]
    assert not told["spontaneous"] and told["outcome"] == "hydrated" and set(SPANS) <= set(told["fetched"])
    assert "hydration" not in tools.chunks[-1]["loom"]["facts"]
    offered = ["HYDRATE:" in each["messages"][0]["content"] for each in asked(model)]
    assert offered == [True, True, False, False]
