"""Writers and readers that are killed at random: nothing acknowledged is lost, and nothing half-written is seen, in either database."""

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.memory_stores import needs_postgres
from support.memory_worker import SCOPES, batch, store
from support.postgres_server import postgres
from support.remembering import read, shown

from loom.core.memory.memory_view import MemoryView
from loom.core.memory.values import Said, View

WORKER = Path(__file__).parents[1] / "support" / "memory_worker.py"
ASKED = ("keep", "clara", "tea", "cups", "of")


def whole(view: View) -> tuple[list[Said], bool]:
    """All turns in their order, and whether the view is that of the lab over them."""
    said = list(view.said(range(view.size().turns)).values())
    expected = MemoryView()
    for each in said:
        expected.add(each, read(expected, expected.next, each))
    words = tuple(f"batch{each.id.rsplit('-', 3)[0]}x{each.id.rsplit('-', 3)[1]}".lower() for each in said[::17])
    return said, shown(view, ASKED + words) == shown(expected, ASKED + words)


async def attacked(
    kind: str, place: str, folder: Path, *, processes: int, tasks: int, kills: int, meanwhile: Callable[[], None] | None = None
) -> None:
    """Kill so many processes at random moments after their first acknowledged write, each replaced by another."""
    acknowledged, faults, errors = (folder / name for name in ("acknowledged", "faults", "errors"))
    for file in (acknowledged, faults):
        file.touch()
    draw, started = random.Random(1), 0
    running: dict[str, subprocess.Popen[bytes]] = {}

    def start() -> None:
        nonlocal started
        started += 1
        name = f"w{started}"
        command = [sys.executable, str(WORKER), kind, place, name, str(tasks), str(acknowledged), str(faults)]
        with errors.open("ab") as said:
            running[name] = subprocess.Popen(command, stdout=said, stderr=said)

    try:
        for _ in range(processes):
            start()
        for killed in range(kills):
            time.sleep(draw.uniform(0.2, 1.0))
            end = time.monotonic() + 120
            while not (writing := sorted({line.split()[1] for line in acknowledged.read_text().splitlines()} & running.keys())):
                assert time.monotonic() < end and all(each.poll() is None for each in running.values()), errors.read_text()
                time.sleep(0.05)
            victim = running.pop(draw.choice(writing))
            victim.kill()
            victim.wait()
            start()
            if meanwhile is not None and killed == kills // 2:
                meanwhile()
    finally:
        for each in running.values():
            each.kill()
            each.wait()
    assert faults.read_text() == ""
    memories = store(kind, place)
    kept: set[tuple[int, str]] = set()
    for number, scope in enumerate(SCOPES):
        said, right = await memories.look(scope, whole)
        assert right, f"{scope} is not what its turns say"
        ids = [each.id for each in said]
        batches = {tuple(id.rsplit("-", 3)) for id in ids}
        for name, at, _, size in batches:
            expected = batch(name, int(at), int(size))
            begin = ids.index(expected[0].id)
            assert said[begin : begin + int(size)] == expected, "a batch is there as a whole"
        kept |= {(number, id) for id in ids}
    await memories.aclose()
    lines = acknowledged.read_text().splitlines()
    lost = [
        (int(scope), each.id)
        for scope, name, at, size in map(str.split, lines)
        for each in batch(name, int(at), int(size))
        if (int(scope), each.id) not in kept
    ]
    assert len(lines) > 20 and lost == []
    print(f"{kind}: {started} processes of {tasks} tasks, {len(lines)} batches acknowledged, {len(kept)} turns, none lost")


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
        await attacked(kind, str(tmp_path / "m.sqlite"), tmp_path, processes=64, tasks=2, kills=64)
        return
    with postgres() as server:
        await store(kind, server.url).aclose()
        await attacked(kind, server.url, tmp_path, processes=64, tasks=2, kills=64)
