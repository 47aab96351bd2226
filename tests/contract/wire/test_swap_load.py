"""Swaps and rollbacks under two workers and constant load: no request fails, none mixes two generations."""

import json
import shutil
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.installed import KITCHEN, Node, loom
from support.node_process import serving
from support.wire import CHAT, Wire, ask

EDITS = KITCHEN.parent / "edits"
NEW = "What is Yorkshire pudding?"
QUESTIONS = ("What is a Victoria sponge?", NEW)
"""A concept whose definition differs between the editions, and one that only the second has."""

Known = dict[tuple[str, str], tuple[str, list[str]]]
"""By generation and question: the block, and the titles of its units."""

ADMIN = "/loom/admin/generation"


@pytest.fixture(scope="module")
def editions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A folder with both editions of the example corpus; the ids of the first, which is current, and of the second."""
    folder = tmp_path_factory.mktemp("editions")
    second = folder / "second"
    shutil.copytree(KITCHEN, second)
    shutil.copytree(EDITS / "pages", second, dirs_exist_ok=True)
    for page in (EDITS / "removed.txt").read_text(encoding="utf-8").splitlines():
        (second / page).unlink()
    ids = []
    for source in (KITCHEN, second):
        built = loom("build", source, "--out", folder / "generations", "--quiet")
        assert built.returncode == 0, built.stderr
        ids.append(built.stdout.strip())
    return folder / "generations", ids[0], ids[1]


@pytest.fixture(scope="module")
def known(editions: tuple[Path, str, str]) -> Known:
    """What each edition serves for each question, as the command says without any node."""
    folder, *ids = editions
    found = {}
    for id in ids:
        for question in QUESTIONS:
            said = loom("query", question, "--generations", folder, "--generation", id, "--json")
            assert said.returncode == 0, said.stderr
            plan = json.loads(said.stdout)
            found[id, question] = plan["scaffold"], [unit["title"] for unit in plan["units"]]
    return found


@dataclass
class Load:
    """Clients that ask without pause, each answer held against what its generation serves."""

    base: str
    known: Known
    faults: list[str] = field(default_factory=list)
    counted: Counter[tuple[str, str]] = field(default_factory=Counter)
    over: threading.Event = field(default_factory=threading.Event)

    def run(self, kind: str) -> None:
        with httpx.Client(base_url=self.base, timeout=30, trust_env=False) as client:
            while not self.over.is_set():
                for question in QUESTIONS:
                    try:
                        generation = getattr(self, kind)(client, question)
                        self.counted[kind, generation] += 1
                    except Exception as fault:
                        self.faults.append(f"{kind}, {question}: {type(fault).__name__}: {fault}")
                        return

    def whole(self, client: httpx.Client, question: str, stream: bool = False) -> str:
        got = Wire(client).chat(ask("x", question, stream=stream))
        assert got.status == 200, got.raw
        generation: str = got.loom["pin"]["generation"]
        titles = [unit["title"] for unit in got.loom["units"]]
        assert titles == self.known[generation, question][1], f"units of another generation than {generation}"
        return generation

    def streamed(self, client: httpx.Client, question: str) -> str:
        return self.whole(client, question, stream=True)

    def block(self, client: httpx.Client, question: str) -> str:
        reply = client.post("/loom/scaffold", json={"prompt": question})
        assert reply.status_code == 200, reply.text
        said = reply.json()
        generation: str = said["pin"]["generation"]
        assert reply.headers["x-loom-generation"] == generation
        assert said["scaffold"] == self.known[generation, question][0], f"a block of another generation than {generation}"
        return generation


@pytest.fixture(scope="module")
def two(editions: tuple[Path, str, str]) -> Iterator[Node]:
    with serving(editions[0], "--workers", "2") as started:
        yield started


def test_ten_swaps_and_two_rollbacks(two: Node, editions: tuple[Path, str, str], known: Known) -> None:
    _, first, second = editions
    assert all(known[first, question] != known[second, question] for question in QUESTIONS)
    assert "Yorkshire Pudding" in known[second, NEW][1] and "Yorkshire Pudding" not in known[first, NEW][1]
    load = Load(two.base, known)
    clients = [threading.Thread(target=load.run, args=(kind,)) for kind in ("whole", "streamed", "block", "block")]
    for client in clients:
        client.start()
    try:
        with httpx.Client(base_url=two.base, timeout=30, trust_env=False) as admin:
            _wait_for_both(admin)
            for number in range(10):
                moved = admin.post(ADMIN, json={"id": (second, first)[number % 2]})
                assert moved.status_code == 200 and moved.json()["complete"], moved.text
                assert {worker["generation"] for worker in moved.json()["workers"]} == {(second, first)[number % 2]}
            for expected in (second, first):
                back = admin.post(ADMIN, json={"rollback": True})
                assert back.status_code == 200 and back.json()["generation"] == expected, back.text
    finally:
        load.over.set()
        for client in clients:
            client.join(timeout=30)
    assert not load.faults, load.faults
    for kind in ("whole", "streamed", "block"):
        for id in (first, second):
            assert load.counted[kind, id] >= 5, load.counted
    assert not any('"level":"error"' in line for line in two.lines)


def _wait_for_both(admin: httpx.Client) -> None:
    for _ in range(200):
        if len(admin.get("/health/ready").json()["workers"]) == 2:
            return
        threading.Event().wait(0.05)
    raise AssertionError("only one worker is ready")


def test_a_stream_in_flight_ends_on_its_own_generation(
    editions: tuple[Path, str, str], scripted_model: Any, known: Known
) -> None:
    folder, first, second = editions
    body = ask("words?words=20&delay=0.05", NEW, stream=True)
    with (
        serving(folder, LOOM_MODEL_URL=scripted_model.url) as node,
        httpx.Client(base_url=node.base, timeout=30, trust_env=False) as client,
        httpx.Client(base_url=node.base, timeout=30, trust_env=False) as admin,
    ):
        before = admin.get("/loom/generation").json()["id"]
        other = second if before == first else first
        with client.stream("POST", CHAT, json=body) as reply:
            lines = reply.iter_lines()
            next(lines)
            assert admin.post(ADMIN, json={"id": other}).status_code == 200
            assert Wire(admin).chat(ask(text=NEW)).loom["pin"]["generation"] == other
            last = [line for line in lines if line.startswith("data: {")][-1]
        assert reply.headers["x-loom-generation"] == before == json.loads(last[6:])["loom"]["pin"]["generation"]
        assert admin.post(ADMIN, json={"rollback": True}).json()["generation"] == before
