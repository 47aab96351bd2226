"""Writers, readers and deleters that are killed at random: nothing acknowledged is lost, nothing that was deleted comes back, and
nothing half-written is seen, in either database."""

import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from support.memory_rows import strays
from support.memory_stores import needs_postgres
from support.memory_worker import FORGETTING, FORGOT, KEPT, LOOKED, SCOPES, batch, store, word, wrong
from support.postgres_server import postgres
from support.remembering import read, shown

from loom.core.errors import LoomError
from loom.core.memory.memory_view import MemoryView
from loom.core.memory.values import Said, View
from loom.ports import Memories

WORKER = Path(__file__).parents[1] / "support" / "memory_worker.py"
ASKED = ("keep", "clara", "tea", "cups", "of")
Batch = tuple[int, str, int, int]
"""Place of the scope, process, number and size."""


def whole(view: View) -> tuple[list[Said], bool]:
    """All turns in their order, and whether the view is that of the lab over them, those that are gone left out."""
    said = view.said(view.turns(-1, 1 << 30))
    expected = MemoryView()
    for turn, each in said.items():
        expected.next = turn
        expected.add(each, read(expected, turn, each))
    parts = [each.id.rsplit("-", 3) for each in list(said.values())[::17]]
    words = tuple(word(name, int(number)) for name, number, _, _ in parts)
    return list(said.values()), shown(view, ASKED + words) == shown(expected, ASKED + words)


class Attack:
    """Processes of one store that are killed at random, each replaced by another; all that they said is in files of a folder."""

    def __init__(self, kind: str, place: str, folder: Path, tasks: int) -> None:
        self.kind, self.place, self._tasks = kind, place, tasks
        self.said, self.faults, self._errors = (folder / name for name in ("said", "faults", "errors"))
        for file in (self.said, self.faults, self._errors):
            file.touch()
        self.started = 0
        self._draw = random.Random(1)
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        self.started += 1
        name = f"w{self.started}"
        command = [sys.executable, str(WORKER), self.kind, self.place, name, str(self._tasks), str(self.said), str(self.faults)]
        with self._errors.open("ab") as errors:
            self._running[name] = subprocess.Popen(command, stdout=errors, stderr=errors)

    def lines(self, verb: str) -> list[list[str]]:
        # A process may have been killed while it wrote its last line.
        text = self.said.read_text()
        found = map(str.split, text[: text.rfind("\n") + 1].splitlines())
        return [line[1:] for line in found if line[0] == verb]

    def batches(self, verb: str) -> list[Batch]:
        return [(int(scope), name, int(number), int(size)) for scope, name, number, size in self.lines(verb)]

    def kill(self) -> None:
        """Kill a process a moment after its first write was acknowledged."""
        time.sleep(self._draw.uniform(0.2, 1.0))
        end = time.monotonic() + 120
        while not (writing := sorted({name for _, name, *_ in self.lines(KEPT)} & self._running.keys())):
            self.alive()
            assert time.monotonic() < end, "nothing is written"
            time.sleep(0.05)
        self.alive()
        victim = self._running.pop(self._draw.choice(writing))
        victim.kill()
        victim.wait()

    def alive(self) -> None:
        """No process has ended by itself: what is not foreseen ends one."""
        assert all(each.poll() is None for each in self._running.values()), self._errors.read_text()[-3000:]

    def enough(self) -> None:
        """Wait until so much was written and deleted that losing some of it would show."""
        end = time.monotonic() + 120
        while len(self.lines(KEPT)) <= 20 or len(self.lines(FORGOT)) < 3:
            self.alive()
            assert time.monotonic() < end, "too little is written or deleted"
            time.sleep(0.05)
        self.alive()

    def end(self) -> None:
        for each in self._running.values():
            each.kill()
        for each in self._running.values():
            each.wait()


async def attacked(
    kind: str, place: str, folder: Path, *, processes: int, tasks: int, kills: int, meanwhile: Callable[[], None] | None = None
) -> None:
    """Kill so many processes at random moments, and look from one that lives on after each; then see what is there."""
    attack = Attack(kind, place, folder, tasks)
    memories = store(kind, place)
    looked = 0
    try:
        for _ in range(processes):
            attack.start()
        for killed in range(kills):
            attack.kill()
            looked += await looked_at(memories)
            attack.start()
            if meanwhile is not None and killed == kills // 2:
                meanwhile()
        attack.enough()
    finally:
        attack.end()
        await memories.aclose()
    assert attack.faults.read_text() == ""
    assert looked >= kills and len(attack.lines(LOOKED)) > kills, "readers have read"
    assert strays(kind, place) == []
    kept = await held(kind, place)
    acknowledged, begun, forgot = (set(attack.batches(verb)) for verb in (KEPT, FORGETTING, FORGOT))
    assert sorted(acknowledged - begun - kept) == [], "lost"
    assert sorted(forgot & kept) == [], "what was deleted came back"
    await started_again(kind, place, kept)
    turns = sum(size for *_, size in kept)
    print(
        f"{kind}: {attack.started} processes of {tasks} tasks, {len(acknowledged)} batches acknowledged, {len(forgot)} deleted, "
        f"{len(attack.lines(LOOKED))} looks; {turns} turns are there, none lost"
    )


async def looked_at(memories: Memories) -> int:
    """How many conversations could be looked at, each of them whole."""
    seen = 0
    for scope in SCOPES:
        try:
            assert await memories.look(scope, wrong) == ""
        except LoomError:  # the server is starting again
            continue
        seen += 1
    return seen


async def held(kind: str, place: str) -> set[Batch]:
    """The batches that a store opened anew holds, each of them whole and in its order."""
    memories = store(kind, place)
    kept: set[Batch] = set()
    for at, scope in enumerate(SCOPES):
        said, right = await memories.look(scope, whole)
        assert right and await memories.look(scope, wrong) == "", f"{scope} is not what its turns say"
        ids = [each.id for each in said]
        for name, number, size in _batches(ids):
            expected = batch(name, number, size)
            begin = ids.index(expected[0].id)
            assert said[begin : begin + size] == expected, "a batch is there as a whole"
            kept.add((at, name, number, size))
        assert len(ids) == sum(size for where, *_, size in kept if where == at)
    await memories.aclose()
    return kept


def _batches(ids: Iterable[str]) -> list[tuple[str, int, int]]:
    parts = (id.rsplit("-", 3) for id in ids)
    return sorted({(name, int(number), int(size)) for name, number, _, size in parts})


async def started_again(kind: str, place: str, kept: set[Batch]) -> None:
    """A client that does not know what became of its batches sends them again: they are known, and the store goes on."""
    memories = store(kind, place)
    for at, name, number, size in sorted(kept)[:20]:
        again = await memories.append(SCOPES[at], batch(name, number, size), read)
        assert [each.state for each in again] == ["known"] * size
    fresh = await memories.append(SCOPES[0], batch("after", 0, 3), read)
    assert [each.state for each in fresh] == ["new"] * 3 and await memories.look(SCOPES[0], wrong) == ""
    await memories.aclose()


async def test_nothing_acknowledged_is_lost_on_sqlite(tmp_path: Path) -> None:
    await attacked("sqlite", str(tmp_path / "m.sqlite"), tmp_path, processes=4, tasks=16, kills=10)


@needs_postgres
async def test_nothing_acknowledged_is_lost_on_postgresql_which_crashes_too(tmp_path: Path) -> None:
    with postgres() as server:

        def crash() -> None:
            server.crash()
            server.start()

        await store("postgres", server.url).aclose()
        await attacked("postgres", server.url, tmp_path, processes=4, tasks=16, kills=10, meanwhile=crash)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=needs_postgres)])
async def test_nothing_is_lost_of_64_processes(kind: str, tmp_path: Path) -> None:
    if kind == "sqlite":
        await attacked(kind, str(tmp_path / "m.sqlite"), tmp_path, processes=64, tasks=2, kills=8)
        return
    with postgres() as server:
        await store(kind, server.url).aclose()
        await attacked(kind, server.url, tmp_path, processes=64, tasks=2, kills=8)
