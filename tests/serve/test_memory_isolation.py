"""Nobody is shown what another said: neither by caller nor by conversation, whatever is asked in whatever order."""

import json
import random
from pathlib import Path

import httpx
import pytest
from support.canaries import canary
from support.memory_nodes import CHAT, Nodes, asking, memory_node
from support.nodes import served

from loom.answer.plan import Pin
from loom.compose import Node
from loom.core.errors import BadInput
from loom.core.memory.values import Said
from loom.core.memory.values import Scope as MemoryScope
from loom.core.values import Options, Question, Remembering, Scope
from loom.serve.app import create_app
from loom.serve.keys import new_key, write_keys
from loom_adapters.scripted_model import FakeModel

CALLERS = [f"key{number:02}" for number in range(10)]
CONVERSATIONS = ("trip", "work")
SAME = "The secret word of Anna for the lighthouse is {}."


def question(text: str, caller: str, conversation: str) -> Question:
    body = {"messages": [{"role": "user", "content": text}]}
    return Question(text, Scope(caller, conversation), body, options=Options(memory=Remembering(conversation)), deadline=60.0)


async def interleaved(node: Node, pin: Pin, asks: int, seed: int) -> int:
    """Turns in, questions and deletions of ten callers with conversations of one name, in a random order; the number of words that were
    shown to whom they belong. Everybody says the same but for a word of their own, and asks for everybody's."""
    assert node.memory is not None
    draw = random.Random(seed)
    owners: dict[str, tuple[str, str]] = {}
    live: dict[tuple[str, str], list[str]] = {}
    found = 0
    for number in range(asks):
        whose = (draw.choice(CALLERS), draw.choice(CONVERSATIONS))
        if draw.random() < 0.15 or not live.get(whose):
            word = canary(seed * 100_000 + number)
            owners[word] = whose
            live.setdefault(whose, []).append(word)
            said = Said(draw.choice(("Anna", "Ben")), SAME.format(word), "2024-05-08", f"turn-{number}")
            await node.memory.add(MemoryScope(*whose), [said])
        elif draw.random() < 0.02:
            await node.memory.forget_conversation(MemoryScope(*whose))
            live[whose] = []
        text = draw.choice(
            ("What is the secret word of Anna?", f"Who said {draw.choice(list(owners))}?", "What is the lighthouse?")
        )
        plan = await node.prepare(question(text, *whose), pin)
        shown = [word for word in owners if word in plan.block.text and word not in text]
        assert [word for word in shown if word not in live[whose]] == [], (number, whose)
        told = dict(plan.decision.told).get("memory")
        assert told is not None and told["conversation"] == whose[1]
        found += len(shown)
    return found


async def run(nodes: Nodes, asks: int, seed: int) -> None:
    node = nodes(FakeModel())
    generation = node.store.open(str(node.store.current()))
    try:
        assert await interleaved(node, node.pin(generation), asks, seed) > asks / 10
    finally:
        assert node.memory is not None
        await node.memory.aclose()
        generation.close()


async def test_many_questions_of_ten_callers(nodes: Nodes) -> None:
    await run(nodes, 2_000 if nodes.server is None else 500, 1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 5))
async def test_more_questions_of_ten_callers(nodes: Nodes, seed: int) -> None:
    """Through the whole node; the stores are asked a hundred thousand times by themselves."""
    await run(nodes, 5_000 if nodes.server is None else 2_000, seed)


async def test_two_keys_with_conversations_of_one_name(nodes: Nodes, tmp_path: Path) -> None:
    texts, keys = {}, {}
    for name in ("one", "two"):
        key, texts[name] = new_key(name, ["chat", "read", "write"], "2026-01-01T00:00:00+00:00")
        keys[key.id] = key
    write_keys(tmp_path / "keys.json", keys)
    model = FakeModel()
    node = nodes(model, LOOM_API_KEYS_FILE=str(tmp_path / "keys.json"))
    ask = "What is the secret word of Anna for the lighthouse?"
    async with served(create_app(node)) as url, httpx.AsyncClient(base_url=url) as client:
        words = {}
        for number, name in enumerate(texts):
            words[name] = canary(700_000 + number)
            client.headers["authorization"] = f"Bearer {texts[name]}"
            turn = {"speaker": "Anna", "text": SAME.format(words[name]), "id": "t1"}
            assert (await client.post("/loom/memory/trip/turns", json={"turns": [turn]})).status_code == 200
        for name, other in (("one", "two"), ("two", "one")):
            client.headers["authorization"] = f"Bearer {texts[name]}"
            chat = await client.post(CHAT, json=asking(ask, remember="all"))
            streamed = await client.post(CHAT, json=asking(ask, stream=True))
            others = [
                (await client.get(path)).text
                for path in ("/loom/memory", "/loom/memory/trip", "/loom/memory/export", "/loom/memory/trip/export")
            ]
            asked = (await client.post("/loom/memory/trip/recall", json={"question": ask})).text
            scaffold = await client.post("/loom/scaffold", json={"prompt": ask, "loom": {"memory": {"conversation": "trip"}}})
            assert words[name] in json.dumps(model.bodies[-1]) and words[name] in asked and words[name] in scaffold.text
            assert all(words[name] in text for text in others[1:])
            every = "".join([chat.text, streamed.text, scaffold.text, asked, *others, json.dumps(model.bodies[-2:])])
            assert words[other] not in every
        client.headers["authorization"] = f"Bearer {texts['one']}"
        assert (await client.delete("/loom/memory")).json() == {"turns": 2}
        assert words["one"] not in (await client.get("/loom/memory/export")).text
        client.headers["authorization"] = f"Bearer {texts['two']}"
        assert words["two"] in (await client.get("/loom/memory/export")).text


@pytest.mark.parametrize("scopes", ["chat,read", "chat,write", "chat"])
async def test_scopes_of_keys(tmp_path: Path, scopes: str) -> None:
    key, text = new_key("one", scopes.split(","), "2026-01-01T00:00:00+00:00")
    write_keys(tmp_path / "keys.json", {key.id: key})
    node = memory_node(tmp_path, FakeModel(), LOOM_API_KEYS_FILE=str(tmp_path / "keys.json"))
    turns = {"turns": [{"text": "I live in Lisbon."}]}
    reads = [("GET", "/loom/memory", None), ("GET", "/loom/memory/a", None), ("GET", "/loom/memory/export", None)]
    reads += [("POST", "/loom/memory/a/recall", {"question": "Where do I live?"})]
    writes = [
        ("POST", "/loom/memory/a/turns", turns),
        ("POST", "/loom/memory/import", turns),
        ("DELETE", "/loom/memory/a", None),
    ]
    writes += [("DELETE", "/loom/memory", None), ("DELETE", "/loom/memory/a/turns/recall", None)]
    writes += [("DELETE", "/loom/memory/a/subjects/recall", None), ("DELETE", "/loom/memory/recall", None)]
    async with served(create_app(node)) as url, httpx.AsyncClient(base_url=url) as client:
        client.headers["authorization"] = f"Bearer {text}"
        for scope, requests in (("read", reads), ("write", writes)):
            for method, path, body in requests:
                status = (await client.request(method, path, json=body)).status_code
                assert (status != 403) is (scope in scopes.split(",")), (method, path, status)
        assert (await client.post(CHAT, json=asking("I live in Lisbon.", remember="user"))).status_code == 200


@pytest.mark.parametrize(("caller", "conversation"), [("", "trip"), ("key00", ""), (" ", "trip"), ("key00", " ")])
def test_there_is_no_scope_without_both(caller: str, conversation: str) -> None:
    with pytest.raises(BadInput):
        MemoryScope(caller, conversation)
