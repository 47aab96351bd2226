"""Numbers of an answer over facts, as a client sees them: counted, named at the end, or withheld (LOOM_FACTS_ENFORCE)."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from support.nodes import KILNS, kiln_node, served
from support.ratings import FACT, LOWEST, RATED, RatingsFinder
from support.sealed import sealed

from loom.answer.plan import Plan
from loom.answer.watches.numbers import ADDED, REFUSED, NumbersWatch
from loom.compose import Node
from loom.serve.app import create_app
from loom_adapters.scripted_model import FakeModel

CHAT = "/v1/chat/completions"
QUESTION = "When did the share of the Tide Kiln peak? Not at 3:10, I think."
TRUE = "It peaked at 37,5 percent, at second 146 [1]."
FALSE = "It peaked at **39.2** %, at 2:31, up from 20.5 % [1]."
MODES = ("flag", "append", "refuse")


def model(say: str, **script: Any) -> str:
    return "words?" + urlencode({"say": say, **script})


@pytest.fixture(scope="module")
def kilns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kilns")
    sealed(folder, KILNS)
    return folder


def rated(kilns: Path, enforce: str = "flag", **variables: str) -> Node:
    plain = kiln_node(kilns, FakeModel(), concepts=(), LOOM_FACTS_ENFORCE=enforce, **variables)
    return replace(plain, finders=(*plain.finders, RatingsFinder()))


@asynccontextmanager
async def client_of(node: Node) -> AsyncIterator[httpx.AsyncClient]:
    async with served(create_app(node)) as url, httpx.AsyncClient(base_url=url) as client:
        yield client


def chat(say: str, *, text: str = QUESTION, script: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"model": model(say, **(script or {})), "messages": [{"role": "user", "content": text}], **more}


async def whole(node: Node, body: Mapping[str, Any]) -> dict[str, Any]:
    async with client_of(node) as client:
        got: dict[str, Any] = (await client.post(CHAT, json=body)).raise_for_status().json()
        return got


async def stream(node: Node, body: Mapping[str, Any]) -> tuple[str, list[dict[str, Any]]]:
    """The raw stream and its events, without the end marker."""
    async with client_of(node) as client:
        raw = (await client.post(CHAT, json={**body, "stream": True})).raise_for_status().text
    events = [line.removeprefix("data: ") for line in raw.split("\n") if line.startswith("data: ")]
    assert events.pop() == "[DONE]"
    return raw, [json.loads(each) for each in events]


def said(events: list[dict[str, Any]]) -> str:
    return "".join(choice["delta"].get("content") or "" for each in events for choice in each.get("choices", ()))


def finishes(events: list[dict[str, Any]]) -> list[str]:
    return [choice["finish_reason"] for each in events for choice in each.get("choices", ()) if choice["finish_reason"]]


@pytest.mark.parametrize("mode", MODES)
async def test_an_answer_of_shown_numbers_goes_out_as_it_came(kilns: Path, mode: str) -> None:
    node = rated(kilns, mode)
    body = await whole(node, chat(TRUE))
    assert body["choices"][0]["message"]["content"] == TRUE
    numbers = body["loom"]["facts"]["numbers"]
    assert numbers["checked"] == 3 and numbers["unsupported"] == [] and "enforced" not in numbers
    assert numbers["counts"] == {"shown": 2, "asked": 0, "derived": 0, "structural": 1, "unsupported": 0}
    first = numbers["found"][0]
    assert first == {"text": "37,5 percent", "start": 13, "end": 25, "class": "shown", "shown": "37.5 %", "iri": RATED}
    _, events = await stream(node, chat(TRUE))
    assert said(events) == TRUE and finishes(events) == ["stop"]
    assert events[-1]["loom"]["facts"] == body["loom"]["facts"]


async def test_flag_counts_and_changes_nothing(kilns: Path) -> None:
    node = rated(kilns)
    body = await whole(node, chat(FALSE))
    assert body["choices"][0]["message"]["content"] == FALSE
    numbers = body["loom"]["facts"]["numbers"]
    assert [FALSE[each["start"] : each["end"]] for each in numbers["unsupported"]] == ["39.2** %", "2:31"]
    assert numbers["counts"]["unsupported"] == 2 and "enforced" not in numbers
    _, events = await stream(node, chat(FALSE))
    assert said(events) == FALSE
    assert events[-1]["loom"]["facts"] == body["loom"]["facts"]


@pytest.mark.parametrize("usage", [False, True])
async def test_append_names_them_at_the_end(kilns: Path, usage: bool) -> None:
    node, note = rated(kilns, "append"), "\n\n" + ADDED.format("39.2 %, 2:31")
    body = await whole(node, chat(FALSE))
    assert body["choices"][0]["message"]["content"] == FALSE + note
    assert body["loom"]["facts"]["numbers"]["enforced"] == "append"
    _, events = await stream(node, chat(FALSE, stream_options={"include_usage": usage}))
    assert said(events) == FALSE + note
    (at,) = (at for at, each in enumerate(events) if said([each]) == note)
    assert finishes(events[: at + 1]) == [] and finishes(events[at + 1 :]) == ["stop"]
    assert len({each["id"] for each in events}) == 1 and len({each["model"] for each in events}) == 1
    assert bool(events[-1].get("usage")) is usage
    assert [len(each["choices"]) for each in events] == [1] * (len(events) - usage) + [0] * usage
    assert events[-1]["loom"]["facts"] == body["loom"]["facts"]


async def test_append_holds_no_frame_but_the_last(kilns: Path) -> None:
    body = {**chat(FALSE), "stream": True}
    async with client_of(rated(kilns, "append")) as client, client.stream("POST", CHAT, json=body) as answer:
        events = [line async for line in answer.aiter_lines() if line.startswith("data: {")]
    words = FALSE.split(" ")
    assert [json.loads(each.removeprefix("data: "))["choices"][0]["delta"].get("content", "") for each in events][1:-2] == [
        word + " " for word in words[:-1]
    ] + words[-1:]


async def test_refuse_answers_with_the_facts(kilns: Path) -> None:
    node = rated(kilns, "refuse")
    body = await whole(node, chat(FALSE))
    message = body["choices"][0]["message"]
    assert message["content"].startswith(REFUSED)
    assert FACT in message["content"] and LOWEST in message["content"]
    assert "39.2" not in json.dumps(body["choices"]) and body["choices"][0]["finish_reason"] == "stop"
    numbers = body["loom"]["facts"]["numbers"]
    assert numbers["enforced"] == "refuse" and numbers["counts"]["unsupported"] == 2
    assert RATED in [note["url_citation"]["url"] for note in message["annotations"]]
    assert "Tide Kiln" not in body["loom"]["exposure"]["dropped"]
    _, events = await stream(node, chat(FALSE, stream_options={"include_usage": True}))
    assert said(events) == message["content"] and finishes(events) == ["stop"]
    assert events[0]["choices"][0]["delta"]["role"] == "assistant"
    assert events[-1]["usage"] and events[-1]["loom"]["facts"] == body["loom"]["facts"]
    assert "39.2" not in json.dumps([each["choices"] for each in events])


async def test_refuse_keeps_the_connection_open_while_it_waits(kilns: Path) -> None:
    node = rated(kilns, "refuse", LOOM_KEEPALIVE="0.05")
    raw, events = await stream(node, chat(TRUE, script={"delay": 0.03}))
    assert said(events) == TRUE
    before, _, _ = raw.partition("data: ")
    assert before.count(": keep-alive") >= 2


async def test_a_stream_that_breaks_gives_nothing_without_support(kilns: Path) -> None:
    node = rated(kilns, "refuse")
    _, events = await stream(node, chat(FALSE, script={"kill": 5}))
    assert said(events) == "" and "error" in events[-1]
    _, events = await stream(node, chat(TRUE, script={"kill": 5}))
    assert said(events) and TRUE.startswith(said(events)) and "error" in events[-1]
    _, events = await stream(rated(kilns, "append"), chat(FALSE, script={"kill": 5}))
    assert said(events) and FALSE.startswith(said(events)) and "error" in events[-1]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "more",
    [
        {"response_format": {"type": "json_object"}},
        {"response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": {}}}},
        {"tools": [{"type": "function", "function": {"name": "look", "parameters": {}}}]},
        {"n": 2},
    ],
)
async def test_forms_tools_and_several_choices_are_only_counted(kilns: Path, mode: str, more: dict[str, Any]) -> None:
    node = rated(kilns, mode)
    body = await whole(node, chat(FALSE, **more))
    assert {choice["message"]["content"] for choice in body["choices"]} == {FALSE}
    assert body["loom"]["facts"]["numbers"]["counts"]["unsupported"] >= 2
    _, events = await stream(node, chat(FALSE, **more))
    assert said(events).replace(" ", "").count("**39.2**") == more.get("n", 1)


@pytest.mark.parametrize("mode", MODES)
async def test_an_answer_without_facts_knows_nothing_of_it(kilns: Path, mode: str) -> None:
    node = rated(kilns, mode)
    body = chat(FALSE, text="What is a Tide Kiln?")
    assert (await whole(node, body))["choices"][0]["message"]["content"] == FALSE
    assert "facts" not in (await whole(node, body))["loom"]
    plain = replace(node, watches=lambda plan: [each for each in node.watches(plan) if each.key != "facts"])
    ours, _ = await stream(node, body)
    theirs, _ = await stream(plain, body)
    assert ours.partition('"loom"')[0].replace("chatcmpl-3", "chatcmpl-4") == theirs.partition('"loom"')[0]


@pytest.mark.parametrize("mode", MODES)
async def test_an_answer_of_no_words_is_left_alone(kilns: Path, mode: str) -> None:
    loom = (await whole(rated(kilns, mode), {**chat(""), "model": "refusal"}))["loom"]
    assert "facts" not in loom


@pytest.mark.parametrize("mode", MODES)
async def test_thinking_is_not_part_of_the_answer(kilns: Path, mode: str) -> None:
    script = {"tokens": 4, "style": "tag"}
    body = await whole(rated(kilns, mode), chat(TRUE, script=script))
    assert body["loom"]["facts"]["numbers"]["counts"]["unsupported"] == 0
    _, events = await stream(rated(kilns, mode), chat(TRUE, script=script))
    assert said(events).endswith(TRUE)


@pytest.mark.parametrize("mode", ["append", "refuse"])
async def test_a_verdict_that_fails_costs_nobody_the_answer(kilns: Path, mode: str) -> None:
    class Broken(NumbersWatch):
        def addition(self) -> str:
            raise RuntimeError("the ruler broke")

        def instead(self) -> str | None:
            raise RuntimeError("the ruler broke")

    def watches(plan: Plan) -> list[NumbersWatch]:
        return [Broken(plan, "append" if mode == "append" else "refuse")]

    node = replace(rated(kilns, mode), watches=watches)
    assert (await whole(node, chat(FALSE)))["choices"][0]["message"]["content"] == FALSE
    assert said((await stream(node, chat(FALSE)))[1]) == FALSE


async def test_the_reader_and_verbatim_answers_say_only_what_was_shown(kilns: Path) -> None:
    plain = kiln_node(kilns, concepts=(), LOOM_FACTS_ENFORCE="refuse", LOOM_VERBATIM="1")
    node = replace(plain, finders=(*plain.finders, RatingsFinder()))
    for text in (QUESTION, "What is the Tide Kiln peak?"):
        body = await whole(node, {"model": "any", "messages": [{"role": "user", "content": text}]})
        assert "37.5 %" in body["choices"][0]["message"]["content"]
        assert body["loom"]["facts"]["numbers"]["counts"]["unsupported"] == 0
