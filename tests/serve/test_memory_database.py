"""A node whose memory is in PostgreSQL, and a database that is late, gone, wrong, or comes back: chats are answered without memory and
say so, writes are refused with a sentence, and nothing that was acknowledged is lost."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.memory_nodes import CHAT, POTTERY, Nodes, asking
from support.memory_stores import needs_postgres, ran
from support.nodes import served
from support.postgres_server import Server, postgres

from loom.serve.app import create_app
from loom_adapters.scripted_model import FakeModel

pytestmark = needs_postgres

ASK = "When did Anna start pottery?"
GONE = "The database of the memory does not answer"
EVERY: list[tuple[str, str, Any]] = [
    ("POST", "/loom/memory/trip/turns", {"turns": [{"text": "I live in Lisbon."}]}),
    ("POST", "/loom/memory/trip/recall", {"question": ASK}),
    ("POST", "/loom/memory/import?conversation=trip", {"text": "I live in Porto."}),
    ("GET", "/loom/memory", None),
    ("GET", "/loom/memory/trip", None),
    ("GET", "/loom/memory/trip/export", None),
    ("GET", "/loom/memory/export", None),
    ("DELETE", "/loom/memory/trip/turns/t1", None),
    ("DELETE", "/loom/memory/trip/subjects/Anna", None),
    ("DELETE", "/loom/memory/trip", None),
    ("DELETE", "/loom/memory", None),
]


@pytest.fixture
def own() -> Iterator[Server]:
    """A server of the test's own, whose database is empty."""
    with postgres() as server:
        yield server


async def unremembered(client: httpx.AsyncClient, model: FakeModel, why: str) -> None:
    """A chat is answered, from the corpus and without memory, and says so; every route refuses with a sentence."""
    reply = await client.post(CHAT, json=asking("What is a tide kiln?", remember="user"))
    assert reply.status_code == 200 and reply.json()["choices"][0]["message"]["content"]
    assert "force of tides" in json.dumps(model.bodies[-1])
    loom = reply.json()["loom"]
    assert [each.startswith(f"memory: {why}") for each in loom["decision"]["failures"]] == [True], loom["decision"]
    assert loom["memory"]["confidence"] is None and loom["memory"]["hits"] == loom["memory"]["written"] == []
    for method, path, body in EVERY:
        refused = await client.request(method, path, json=body)
        assert refused.status_code == 503, (path, refused.text)
        said = refused.json()["detail"]
        assert said.startswith(why) and said.endswith(".") and "hunter2" not in said
        assert refused.headers["x-should-retry"] == "true" and "canoe" not in refused.text


async def remembered(client: httpx.AsyncClient) -> None:
    """Many at once are shown what was said."""
    replies = await asyncio.gather(*(client.post(CHAT, json=asking(ASK)) for _ in range(12)))
    assert [reply.json()["loom"]["memory"]["hits"][0]["id"] for reply in replies] == ["t1"] * 12
    assert not any(reply.json()["loom"]["decision"].get("failures") for reply in replies)


async def test_a_database_that_goes_away_and_comes_back(own: Server, tmp_path: Path) -> None:
    model = FakeModel()
    node = Nodes(tmp_path, own)(model)
    acknowledged: list[str] = []
    refusals: list[tuple[int, str]] = []
    ending = asyncio.Event()

    async def writing(client: httpx.AsyncClient, name: str) -> None:
        number = 0
        while not ending.is_set():
            number += 1
            turn = {"speaker": "Ben", "text": f"I sold cup {number}.", "id": f"{name}-{number}"}
            reply = await client.post("/loom/memory/shop/turns", json={"turns": [turn]})
            if reply.status_code == 200:
                acknowledged.append(turn["id"])
            else:
                refusals.append((reply.status_code, reply.json()["detail"]))

    async with served(create_app(node)) as url, httpx.AsyncClient(base_url=url, timeout=60) as client:
        assert (await client.post("/loom/memory/trip/turns", json={"turns": list(POTTERY)})).status_code == 200
        await remembered(client)
        for _ in range(2):
            ending.clear()
            writers = [asyncio.create_task(writing(client, f"w{len(acknowledged)}x{at}")) for at in range(4)]
            before = len(acknowledged)
            while len(acknowledged) < before + 10:
                await asyncio.sleep(0.01)
            await asyncio.to_thread(own.crash)
            seen = len(refusals)
            while len(refusals) < seen + 4:
                await asyncio.sleep(0.01)
            ending.set()
            await asyncio.gather(*writers)
            await unremembered(client, model, GONE)
            await asyncio.to_thread(own.start)
            await remembered(client)
        assert {status for status, _ in refusals} == {503}
        assert all(text.startswith("The database of the memory d") and text.endswith(".") for _, text in refusals)
        export = (await client.get("/loom/memory/shop/export")).text
        kept = {json.loads(line).get("id") for line in export.splitlines()}
        assert len(acknowledged) >= 20 and set(acknowledged) <= kept
        again = await client.post(
            "/loom/memory/trip/turns", json={"turns": [*POTTERY, {"text": "I live in Lisbon.", "id": "t3"}]}
        )
        assert [turn["state"] for turn in again.json()["turns"]] == ["known", "known", "new"]
        metrics = (await client.get("/metrics")).text
    assert 'loom_memory_turns_total{result="failed"} 2.0' in metrics
    assert 'loom_memory_recalls_total{result="failed"} 2.0' in metrics


async def test_a_node_that_starts_before_its_database(own: Server, tmp_path: Path) -> None:
    """It is ready, and remembers from when the database is there; two nodes then make its tables at once."""
    own.crash()
    model, nodes = FakeModel(), Nodes(tmp_path, own)
    one, other = nodes(model), nodes(model)
    async with (
        served(create_app(one)) as url,
        served(create_app(other)) as beside,
        httpx.AsyncClient(base_url=url, timeout=60) as client,
        httpx.AsyncClient(base_url=beside, timeout=60) as second,
    ):
        assert (await client.get("/health/ready")).status_code == 200
        await unremembered(client, model, GONE)
        own.start()
        turns = [{"speaker": "Anna", "text": "I started pottery yesterday.", "id": f"t{number}"} for number in range(8)]
        replies = await asyncio.gather(
            *(
                each.post("/loom/memory/trip/turns", json={"turns": [turn]})
                for each, turn in zip((client, second) * 4, turns, strict=True)
            )
        )
        kept = [turn for reply in replies for turn in reply.json()["turns"]]
        assert sorted(turn["turn"] for turn in kept) == list(range(8)) and {turn["state"] for turn in kept} == {"new"}
        for each in (client, second):
            assert (await each.get("/loom/memory")).json() == {"conversations": [{"conversation": "trip", "turns": 8}]}


async def test_a_wrong_password_and_a_role_without_rights(own: Server, tmp_path: Path) -> None:
    ran(own, "alter role loom password 'glaze'", "create role weak login password 'glaze'")
    hba = own.data / "pg_hba.conf"
    hba.write_text("local all all scram-sha-256\n")
    own.crash()
    own.start()
    for who, why in (
        ("password=hunter2", GONE + " (connection failed"),
        ("password=glaze&user=weak", "The tables of the memory cannot be made (permission denied"),
    ):
        model = FakeModel()
        node = Nodes(tmp_path, own)(model, LOOM_MEMORY_STORE=f"{own.url}&{who}")
        async with served(create_app(node)) as url, httpx.AsyncClient(base_url=url, timeout=60) as client:
            await unremembered(client, model, why)
    node = Nodes(tmp_path, own)(LOOM_MEMORY_STORE=f"{own.url}&password=glaze")
    async with served(create_app(node)) as url, httpx.AsyncClient(base_url=url, timeout=60) as client:
        assert (await client.post("/loom/memory/trip/turns", json={"turns": list(POTTERY)})).status_code == 200


async def test_a_url_that_cannot_be_read_is_not_quoted(tmp_path: Path) -> None:
    for store in ("postgresql://loom:hun/ter2@host/db", "postgresql://loom:hunter2@x@host/db"):
        model = FakeModel()
        node = Nodes(tmp_path)(model, LOOM_MEMORY_STORE=store)
        async with served(create_app(node)) as url, httpx.AsyncClient(base_url=url) as client:
            await unremembered(client, model, "The URL of the memory's database cannot be read; write it as postgresql://")


@pytest.mark.parametrize("nodes", ["postgres"], indirect=True)
async def test_a_database_that_is_late_costs_no_answer(nodes: Nodes) -> None:
    import psycopg

    model = FakeModel()
    assert nodes.server is not None
    async with served(create_app(nodes(model))) as url, httpx.AsyncClient(base_url=url, timeout=60) as client:
        await client.post("/loom/memory/trip/turns", json={"turns": list(POTTERY)})
        with psycopg.connect(nodes.server.url) as other:
            other.execute("lock table loom_memory.counts in access exclusive mode")
            reply = await client.post(CHAT, json=asking("What is a tide kiln?"))
            other.rollback()
        assert reply.status_code == 200 and "force of tides" in json.dumps(model.bodies[-1])
        assert reply.json()["loom"]["decision"]["failures"] == ["memory: no answer within 2 s"]
        await remembered(client)
