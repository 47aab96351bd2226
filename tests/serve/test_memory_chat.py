"""Memory in the chat path: what a question is shown of its conversation, what is kept of it, and when nothing is said."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.memory_nodes import CHAT, POTTERY, asking, memory_node
from support.nodes import kiln_node, served

from loom.serve.app import create_app
from loom_adapters.scripted_model import FakeModel

ECHO = {"model": "echo", "messages": [{"role": "user", "content": "What did Anna start?"}]}


async def told(client: httpx.AsyncClient, body: dict[str, Any], **headers: str) -> dict[str, Any]:
    reply = await client.post(CHAT, json=body, headers=headers)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


def said(body: dict[str, Any]) -> str:
    text: str = body["choices"][0]["message"]["content"]
    return text


@pytest.fixture
def model() -> FakeModel:
    return FakeModel()


async def filled(client: httpx.AsyncClient, conversation: str = "trip") -> None:
    reply = await client.post(f"/loom/memory/{conversation}/turns", json={"turns": list(POTTERY)})
    assert [each["state"] for each in reply.json()["turns"]] == ["new", "new"]


async def test_a_question_is_shown_what_was_said_of_whom_it_names(tmp_path: Path, model: FakeModel) -> None:
    async with served(create_app(memory_node(tmp_path, model))) as url, httpx.AsyncClient(base_url=url) as client:
        await filled(client)
        loom = (await told(client, asking("When did Anna start pottery?")))["loom"]
    block = model.bodies[-1]["messages"][0]["content"]
    assert '8 May, 2024, Anna: "I started pottery yesterday. Ben hates the smell of glaze." (that is: 7 May, 2024)' in block
    assert "canoe" not in block
    assert loom["decision"]["reason"] == "memory" and loom["units"][0]["tier"] == "addressed"
    memory = loom["memory"]
    assert (memory["conversation"], memory["subjects"], memory["silent"], memory["written"]) == ("trip", ["anna"], None, [])
    assert [(hit["turn"], hit["id"], hit["date"]) for hit in memory["hits"]] == [(0, "t1", "2024-05-08")]
    assert memory["confidence"] > 0.9


async def test_where_nothing_was_said_a_model_is_told_so_and_the_reader_says_no_more(tmp_path: Path, model: FakeModel) -> None:
    question = "What did Ben cook for dinner?"
    async with served(create_app(memory_node(tmp_path, model))) as url, httpx.AsyncClient(base_url=url) as client:
        await filled(client)
        loom = (await told(client, asking(question)))["loom"]
    assert (
        "Nothing is recorded in this conversation about cook for dinner of Ben." in model.bodies[-1]["messages"][0]["content"]
    )
    assert loom["memory"]["silent"] == "nothing" and loom["units"][0]["tier"] == "computed"
    async with served(create_app(memory_node(tmp_path))) as url, httpx.AsyncClient(base_url=url) as client:
        assert said(await told(client, asking(question))) == "No information available"
        assert "canoe in Lisbon" in said(await told(client, asking("Where did Ben buy a canoe?")))


async def test_a_question_of_the_corpus_is_none_of_memorys_business(tmp_path: Path, model: FakeModel) -> None:
    async with served(create_app(memory_node(tmp_path, model))) as url, httpx.AsyncClient(base_url=url) as client:
        await filled(client)
        await told(client, asking("What is a tide kiln?"))
        with_memory = model.bodies[-1]
        await told(client, asking("What is a tide kiln?", None))
    assert with_memory == model.bodies[-1]
    assert "force of tides" in with_memory["messages"][0]["content"]


async def test_without_memory_what_goes_upstream_is_the_same_to_the_byte(tmp_path: Path) -> None:
    sent = []
    for node in (kiln_node(tmp_path, FakeModel()), memory_node(tmp_path, FakeModel())):
        async with served(create_app(node)) as url, httpx.AsyncClient(base_url=url) as client:
            await filled(client) if node.memory else None
            for text in ("What is a tide kiln?", "What did Anna start?", "hello"):
                reply = await told(client, asking(text, None))
                assert "memory" not in reply["loom"]
        sent.append(json.dumps(node.backend.bodies))  # type: ignore[attr-defined]
    assert sent[0] == sent[1]
