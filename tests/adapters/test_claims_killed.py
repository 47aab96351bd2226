"""Sixteen readers while the writer is killed between every two steps of a commit: no version is seen in half, none is seen after a
later one, and nothing that was acknowledged is lost, in either database."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from support.claims_stored import Writer, needs_postgres, torn
from support.claims_worker import STEPS, WHOLE, lines, store, wrong
from support.postgres_server import postgres

from loom.core.claims.view import ClaimView

WORKER = Path(__file__).parents[1] / "support" / "claims_worker.py"
PROCESSES, TASKS = 4, 4


async def test_the_steps_are_those_of_a_commit(tmp_path: Path) -> None:
    taken: list[str] = []
    claims = store("sqlite", str(tmp_path / "claims.sqlite"), taken.append)
    await (await Writer.of(claims)).commit()
    assert taken == STEPS
    await claims.aclose()


async def attacked(kind: str, place: str, folder: Path, meanwhile: Callable[[], None] | None = None) -> None:
    await store(kind, place).aclose()
    running: list[subprocess.Popen[bytes]] = []
    writing: subprocess.Popen[bytes] | None = None
    with (folder / "errors").open("ab") as said:
        try:
            for number in range(PROCESSES):
                command = [sys.executable, str(WORKER), kind, place, "readers", str(folder), f"r{number}", str(TASKS)]
                running.append(subprocess.Popen(command, stdout=said, stderr=said))
            command = [sys.executable, str(WORKER), kind, place, "writers", str(folder), str(PROCESSES * TASKS)]
            writing = subprocess.Popen(command, stdout=said, stderr=said, start_new_session=True)
            running.append(writing)
            assert writing.wait(timeout=1700) == 0, (folder / "errors").read_text()
            assert (folder / "errors").read_text() == ""  # a server that goes away is an error that SQLAlchemy logs
            before = len(lines(folder, "looked"))
            if meanwhile is not None:
                meanwhile()
            while len({line.split()[0] for line in lines(folder, "looked")[before:]}) < PROCESSES * TASKS:
                time.sleep(0.2)
                assert all(each.poll() is None for each in running[:-1]), (folder / "errors").read_text()
        finally:
            if writing is not None and writing.poll() is None:
                with suppress(ProcessLookupError):
                    os.killpg(writing.pid, signal.SIGKILL)  # the one that it waits for, too
            for each in running:
                each.kill()
                each.wait()
    assert lines(folder, "faults") == []
    assert lines(folder, "ended") == STEPS
    committed = len(lines(folder, "committed"))
    assert committed == WHOLE * len(STEPS)
    asked, noted = lines(folder, "asked"), Counter(lines(folder, "noted"))

    def work(view: ClaimView) -> None:
        assert wrong(view) == [] and torn(view) == []
        assert view.version == committed + 1, "the last one was committed, and its writer killed before it could say so"
        kept = view.asked(asked)
        assert kept.keys() == set(asked)
        assert len({each.number for each in kept.values()}) == len(asked)
        assert all(each.version == each.outcome for each in kept.values() if each.version)
        shown = view.shown(noted)
        # A reader that was ended may have noted once more than it could say.
        assert all(0 <= shown[name].count - count <= 1 for name, count in noted.items())

    claims = store(kind, place)
    await claims.look(work)
    await claims.aclose()
    looked = lines(folder, "looked")
    versions = {line.split()[1] for line in looked}
    print(
        f"{kind}: {len(STEPS)} writers killed, {committed} commits acknowledged, {len(looked)} looks of {PROCESSES * TASKS} readers at "
        f"{len(versions)} versions, {len(asked)} asks, none torn, none lost"
    )
    assert len(versions) > len(STEPS)


@pytest.mark.timeout(1800)
async def test_a_writer_killed_at_any_step_leaves_a_whole_version_in_sqlite(tmp_path: Path) -> None:
    await attacked("sqlite", str(tmp_path / "claims.sqlite"), tmp_path)


@needs_postgres
@pytest.mark.timeout(1800)
async def test_a_writer_killed_at_any_step_leaves_a_whole_version_in_postgresql(tmp_path: Path) -> None:
    with postgres() as server:

        def crash() -> None:
            server.crash()
            server.start()

        await attacked("postgres", server.url, tmp_path, crash)
