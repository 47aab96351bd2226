"""Routes of memory: turns in and out, what is refused, exports and imports, and deletion that leaves nothing."""

import gc
import json
import os
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.canaries import canary
from support.memory_nodes import CHAT, POTTERY, Nodes, asking, memory_node
from support.memory_stores import has_postgres, needs_postgres
from support.node_process import kitchen, serving
from support.nodes import served

from loom.serve.app import create_app
from loom_adapters.scripted_model import FakeModel


async def test_a_batch_may_be_sent_again(nodes: Nodes) -> None:
    without_ids = {"turns": [{"text": "Yes."}, {"text": "Yes."}, {"speaker": "Anna", "text": "No."}]}
    async with served(create_app(nodes())) as url, httpx.AsyncClient(base_url=url) as client:
        for state in ("new", "known"):
            reply = await client.post("/loom/memory/trip/turns", json=without_ids)
            assert [turn["state"] for turn in reply.json()["turns"]] == [state] * 3
            assert len({turn["id"] for turn in reply.json()["turns"]}) == 3
        changed = await client.post(
            "/loom/memory/trip/turns", json={"turns": [{"id": reply.json()["turns"][0]["id"], "text": "Maybe."}]}
        )
        assert changed.status_code == 409 and "says something else" in changed.json()["detail"]
        assert (await client.delete(f"/loom/memory/trip/turns/{reply.json()['turns'][0]['id']}")).json() == {"turns": 1}
        again = await client.post("/loom/memory/trip/turns", json=without_ids)
        assert [turn["state"] for turn in again.json()["turns"]] == ["gone", "known", "known"]
        assert (await client.get("/loom/memory")).json() == {"conversations": [{"conversation": "trip", "turns": 2}]}


async def test_turns_are_listed_by_page_and_by_person(nodes: Nodes) -> None:
    turns = [{"speaker": ("Anna", "Ben")[n % 2], "text": f"I have {n} cups.", "id": f"t{n}"} for n in range(25)]
    async with served(create_app(nodes())) as url, httpx.AsyncClient(base_url=url) as client:
        await client.post("/loom/memory/trip/turns", json={"turns": turns})
        await client.delete("/loom/memory/trip/turns/t3")
        for about, expected in (
            ("", [n for n in range(25) if n != 3]),
            ("Ben", [n for n in range(1, 25, 2) if n != 3]),
            ("Zoe", []),
        ):
            seen, after = [], -1
            while after is not None:
                params: dict[str, Any] = {"after": after, "limit": 7, **({"about": about} if about else {})}
                page = (await client.get("/loom/memory/trip", params=params)).json()
                seen += [turn["turn"] for turn in page["turns"]]
                after = page["after"]
            assert seen == expected


BAD: list[tuple[Any, str]] = [
    ({}, "Expected a list of 1 to 1,000 turns as turns, not null"),
    ({"turns": []}, "not 0"),
    ({"turns": [{"text": "x"}] * 1001}, "not 1,001"),
    ({"turns": ["x"]}, "an object with speaker and text as turns[0], not text"),
    ({"turns": [{"text": "x"}, {"text": "x", "Speaker": "A"}]}, "Unknown member turns[1].Speaker"),
    ({"turns": [{"text": 7}]}, "as turns[0].text, not a number"),
    ({"turns": [{"text": "  "}]}, "Expected words as turns[0].text"),
    ({"turns": [{"text": "x" * 100_001}]}, "at most 100,000 characters as turns[0].text, not 100,001"),
    ({"turns": [{"text": "x", "date": "May"}]}, "ISO date such as 2026-05-08 as turns[0].date, not 'May'"),
    ({"turns": [{"text": "x", "id": ""}]}, "as turns[0].id"),
    ({"turns": [{"text": "x", "speaker": "?"}]}, "name of a speaker as turns[0].speaker"),
    ({"turns": [{"text": "x"}], "conversation": "a"}, "Unknown member conversation"),
]


@pytest.mark.parametrize(("body", "words"), BAD)
async def test_what_is_no_turn_is_refused_and_nothing_is_kept(tmp_path: Path, body: Any, words: str) -> None:
    async with served(create_app(memory_node(tmp_path))) as url, httpx.AsyncClient(base_url=url) as client:
        reply = await client.post("/loom/memory/trip/turns", json=body)
        assert reply.status_code == 400 and words in reply.json()["detail"], reply.text
        assert (await client.get("/loom/memory")).json() == {"conversations": []}


async def test_an_export_is_taken_in_again_and_asked_the_same(nodes: Nodes) -> None:
    ask = {"question": "Where did Ben buy a canoe?"}
    async with served(create_app(nodes())) as url, httpx.AsyncClient(base_url=url) as client:
        await client.post("/loom/memory/trip/turns", json={"turns": list(POTTERY)})
        before = (await client.post("/loom/memory/trip/recall", json=ask)).json()
        exported = (await client.get("/loom/memory/export")).content
        assert exported == (await client.get("/loom/memory/trip/export")).content
        twice = await client.post("/loom/memory/import", content=exported)
        assert twice.status_code == 400 and "delete it first" in twice.json()["detail"]
        assert (await client.delete("/loom/memory/trip")).json() == {"turns": 2}
        assert (await client.get("/loom/memory/export")).content == b""
        taken = (await client.post("/loom/memory/import", content=exported)).json()
        assert taken == {"format": "loom", "conversations": [{"conversation": "trip", "turns": 2, "new": 2}], "faults": []}
        assert (await client.post("/loom/memory/trip/recall", json=ask)).json() == before
    assert "canoe in Lisbon" in before["context"] and before["silent"] is None


async def test_exports_of_chat_programs_are_taken_in(nodes: Nodes) -> None:
    chat = "12/05/2023, 14:04 - Anna: I started pottery.\n99/99/2023, 09:12 - Ben: nonsense\n"
    async with served(create_app(nodes())) as url, httpx.AsyncClient(base_url=url) as client:
        nameless = await client.post("/loom/memory/import", content=chat)
        assert nameless.status_code == 400 and "name of the conversation" in nameless.json()["detail"]
        for new in (1, 0):
            taken = (await client.post("/loom/memory/import", params={"conversation": "family"}, content=chat)).json()
            assert taken["conversations"] == [{"conversation": "family", "turns": 1, "new": new}]
            assert [fault["where"] for fault in taken["faults"]] == ["line 2"]
        asked = (await client.post("/loom/memory/family/recall", json={"question": "When did Anna start pottery?"})).json()
        assert '12 May, 2023, Anna: "I started pottery."' in asked["context"]


async def test_nothing_is_known_of_a_stranger(nodes: Nodes) -> None:
    async with served(create_app(nodes())) as url, httpx.AsyncClient(base_url=url) as client:
        await client.post("/loom/memory/trip/turns", json={"turns": list(POTTERY)})
        asked = (await client.post("/loom/memory/trip/recall", json={"question": "Where does Wilhelmina live?"})).json()
        assert (asked["subjects"], asked["silent"]) == ([], "nothing")
        assert asked["context"].startswith("Nothing is recorded in this conversation about Wilhelmina live.")
        unknown = await client.delete("/loom/memory/trip/subjects/Wilhelmina")
        assert unknown.status_code == 404 and "knows nobody" in unknown.json()["detail"]


HARMLESS = (types.FrameType, types.ModuleType, types.FunctionType, types.CodeType, types.CellType, types.CoroutineType)


def remembered(word: str) -> list[str]:
    """Where this process holds a word, in whatever form, but for the frames of the test itself."""
    gc.unfreeze()
    gc.collect()
    found = []
    for held in gc.get_objects():
        if isinstance(held, HARMLESS):
            continue
        for each in gc.get_referents(held):
            if isinstance(each, str | bytes) and word in (each if isinstance(each, str) else each.decode("latin-1")).lower():
                found.append(f"{type(held).__name__}: {each[:80]!r}")
    return found


async def spoken_of(client: httpx.AsyncClient, model: FakeModel, word: str, answered: str) -> None:
    """Say something with a word, have a question answered with it and another, and say it in a chat with turns before it."""
    turn = {"speaker": "Anna", "text": f"I keep a {word} in the kiln. Do you like {word}?", "id": "t1"}
    await client.post("/loom/memory/trip/turns", json={"turns": [turn, {"speaker": "Ben", "text": "It is nice.", "id": "t2"}]})
    for stream in (False, True):
        await client.post(
            CHAT, json={**asking("What does Anna keep in the kiln?", stream=stream), "model": f"echo?say={answered}"}
        )
        assert word in json.dumps(model.bodies[-1])
        talk = [
            {"role": "user", "content": f"What about the {word}?"},
            {"role": "assistant", "content": f"The {word} is {answered}."},
        ]
        ask = asking("and what is it for?", remember="all", stream=stream, speaker="Anna")
        await client.post(CHAT, json={**ask, "messages": [*talk, *ask["messages"]], "model": "echo?say=It+burns+well."})
    model.bodies.clear()


ALONE = "LOOM_TEST_ALONE"


def test_what_is_deleted_is_nowhere_in_a_process_of_its_own() -> None:
    """What other tests leave in a process would be searched, too."""
    wanted = ["-q", "-p", "no:cacheprovider", __file__, "-k", "test_what_is_deleted_is_nowhere and not own"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *wanted], env={**os.environ, ALONE: "1"}, capture_output=True, text=True, timeout=170
    )
    assert run.returncode == 0 and f"{3 + has_postgres()} passed" in run.stdout, run.stdout[-3000:]


@pytest.mark.skipif(ALONE not in os.environ, reason="run in a process of its own by the test before")
@pytest.mark.parametrize(
    ("nodes", "way"),
    [
        ("sqlite", "subject"),
        ("sqlite", "conversation"),
        ("sqlite", "caller"),
        pytest.param("postgres", "subject", marks=needs_postgres),
    ],
    indirect=["nodes"],
)
async def test_what_is_deleted_is_nowhere(nodes: Nodes, way: str, capfd: pytest.CaptureFixture[str]) -> None:
    word, answered = canary(810_000), canary(810_001)
    stem = word.lower().removesuffix("ings")
    path = {"subject": "/loom/memory/trip/subjects/Anna", "conversation": "/loom/memory/trip", "caller": "/loom/memory"}[way]
    model = FakeModel()
    node = nodes(model, LOOM_LOG_LEVEL="debug", LOOM_LOG_FORMAT="json")
    async with served(create_app(node)) as url, httpx.AsyncClient(base_url=url) as client:
        await spoken_of(client, model, word, answered)
        assert nodes.left([word]) and remembered(stem)
        if way == "subject":  # the assistant's turns are not Anna's
            turns = (await client.get("/loom/memory/trip", params={"about": "assistant"})).json()["turns"]
            assert all(
                [(await client.delete(f"/loom/memory/trip/turns/{turn['id']}")).json() == {"turns": 1} for turn in turns]
            )
        assert (await client.delete(path)).json()["turns"] >= 1
        assert remembered(stem) == []
        await client.post(CHAT, json={**asking("What does Anna keep in the kiln?"), "model": "words"})
        seen = json.dumps(model.bodies)
        for path in ("/loom/memory", "/loom/memory/trip", "/loom/memory/export", "/metrics"):
            seen += (await client.get(path)).text
        assert word not in seen
        assert nodes.left([word, answered]) == []
    assert nodes.left([word, answered]) == []
    logged = capfd.readouterr()
    assert word not in logged.out + logged.err and "trip" not in logged.out + logged.err


async def test_a_turn_that_is_deleted_is_nowhere(nodes: Nodes) -> None:
    word = canary(810_002)
    async with served(create_app(nodes())) as url, httpx.AsyncClient(base_url=url) as client:
        await client.post("/loom/memory/trip/turns", json={"turns": [*POTTERY, {"text": f"I keep a {word}.", "id": "t/3"}]})
        assert (await client.delete("/loom/memory/trip/turns/t/3")).json() == {"turns": 1}
        assert (await client.delete("/loom/memory/trip/turns/t/3")).json() == {"turns": 0}
        assert word not in (await client.get("/loom/memory/export")).text
        assert nodes.left([word]) == [] and (await client.get("/loom/memory")).json()["conversations"][0]["turns"] == 2


async def test_a_deletion_waits_for_what_is_on_its_way(nodes: Nodes) -> None:
    async with served(create_app(nodes(FakeModel()))) as url, httpx.AsyncClient(base_url=url) as client:
        for _ in range(20):
            await client.post(CHAT, json=asking("I bought a canoe.", remember="user"))
            assert (await client.delete("/loom/memory/trip")).json() == {"turns": 1}
        assert (await client.get("/loom/memory")).json() == {"conversations": []}


@pytest.mark.slow
def test_workers_share_one_store(nodes: Nodes, tmp_path: Path) -> None:
    settings = {"LOOM_MEMORY": "on", "LOOM_MEMORY_STORE": nodes.store}
    with serving(kitchen(tmp_path / "generations"), "--workers", "2", **settings) as node:
        for number in range(60):
            body = {"turns": [{"speaker": "Anna", "text": f"I bought {canary(number)} number {number}.", "id": f"t{number}"}]}
            reply = httpx.post(f"{node.base}/loom/memory/trip/turns", json=body)
            assert reply.json()["turns"] == [{"turn": number, "id": f"t{number}", "state": "new"}]
            asked = httpx.post(
                f"{node.base}/loom/memory/trip/recall", json={"question": f"What did Anna say of {canary(number)}?"}
            )
            assert canary(number) in asked.json()["context"]
        assert httpx.delete(f"{node.base}/loom/memory/trip").json() == {"turns": 60}
        for _ in range(10):
            assert httpx.get(f"{node.base}/loom/memory").json() == {"conversations": []}
        assert nodes.left([canary(number) for number in range(60)]) == []
