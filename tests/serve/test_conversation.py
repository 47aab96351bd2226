"""A conversation tried without a model is read as chat reads it."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from support.nodes import kiln_server

from loom_adapters.scripted_model import FakeModel

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    async with kiln_server(tmp_path_factory.mktemp("node"), FakeModel()) as url, httpx.AsyncClient(base_url=url) as client:
        yield client


def said(*texts: str) -> list[dict[str, Any]]:
    return [{"role": "assistant" if place % 2 else "user", "content": text} for place, text in enumerate(texts)]


TITLE = "Generate a title for this chat in 3-5 words, reply with the title only.\n<chat_history>\nUSER: What is a kiln?"
TALKS = {
    "one question": said("What is a tide kiln?"),
    "a question after another": said("What is a furnace?", "A closed space.", "What is a tide kiln?"),
    "a change of topic": said("What is a furnace?", "A closed space.", "Never mind. What is a tide kiln?"),
    "a follow-up": said("What is a tide kiln?", "A kiln fired by tides.", "and what does it use?"),
    "a system message": [{"role": "system", "content": "Be brief."}, *said("What is a tide kiln?")],
    "words in parts": [{"role": "user", "content": [{"type": "text", "text": "What is a tide kiln?"}]}],
    "a side call": said(TITLE),
    "no words": [{"role": "user", "content": None}],
    "something else": said("What is a tide kiln?", "A kiln fired by tides.", "How do I bake bread?"),
}


@pytest.mark.parametrize("talk", TALKS)
async def test_scaffold_context_and_chat_agree(client: httpx.AsyncClient, talk: str) -> None:
    body = {"messages": TALKS[talk]}
    tried = (await client.post("/loom/scaffold", json=body)).json()
    context = (await client.post("/loom/context", json=body)).json()
    chatted = (await client.post("/v1/chat/completions", json={"model": "echo", **body})).json()["loom"]
    for account in (context["loom"], chatted):
        assert (account["decision"], account["units"]) == (tried["decision"], tried["units"])
    assert (tried["decision"]["reason"] == "side_call") is (talk == "a side call")
    assert tried["scaffold"] in (context["messages"][0]["content"] or "")


@pytest.mark.parametrize("talk", ["one question", "a question after another", "a change of topic"])
async def test_a_question_that_stands_by_itself_is_given_the_same_in_any_talk(client: httpx.AsyncClient, talk: str) -> None:
    alone = (await client.post("/loom/scaffold", json={"prompt": "What is a tide kiln?"})).json()
    tried = (await client.post("/loom/scaffold", json={"messages": TALKS[talk]})).json()
    assert {**tried, "request_id": ""} == {**alone, "request_id": ""} and tried["scaffold"]


async def test_options_stand_beside_messages_as_beside_a_prompt(client: httpx.AsyncClient) -> None:
    body = {"messages": TALKS["a question after another"], "max_units": 1, "loom": {"hops": 0}}
    tried = (await client.post("/loom/scaffold", json=body)).json()
    assert [unit["title"] for unit in tried["units"]] == ["Tide Kiln"]
    bare = await client.post("/scaffold", json=body, headers={"accept": "text/markdown"})
    assert bare.text == tried["scaffold"]
