"""Conversation memory in SQLite: what is deleted is in no file, what is acknowledged outlives the process, and which files are refused."""

import asyncio
import random
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from support.canaries import canary, left, turns, words_of
from support.remembering import HERE, read, shown

from loom.core.errors import BadInput, Unwritable
from loom.core.memory.values import Said, Scope, View
from loom_adapters.memory.sqlite import FORMAT, SLACK, SqliteMemories

SCOPES = [Scope(f"caller {number % 3}", f"talk {number}") for number in range(7)]


async def filled(path: Path, count: int, seed: int, slack: int = SLACK) -> tuple[SqliteMemories, dict[int, Scope]]:
    """A store with so many turns in the order of their numbers, some a batch, spread over scopes."""
    memories, draw, where = SqliteMemories(path, slack=slack), random.Random(seed), {}
    made = turns(count, draw)
    at = 0
    while at < count:
        scope, size = draw.choice(SCOPES), draw.choice((1, 1, 5, 20))
        await memories.append(scope, made[at : at + size], read)
        where.update(dict.fromkeys(range(at, min(at + size, count)), scope))
        at += size
    return memories, where


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 4))])
async def test_no_file_holds_a_deleted_turn(tmp_path: Path, seed: int) -> None:
    memories, where = await filled(tmp_path / "m.sqlite", 900, seed)
    assert len({word for _, word in left(tmp_path, words_of(range(900)))}) == 900, "what is there is found"
    draw, gone = random.Random(seed), []
    for _ in range(30):
        scope = draw.choice(SCOPES)
        chosen = [number for number in where if where[number] == scope and draw.random() < 0.2]
        assert await memories.forget(scope, [f"id-{canary(number)}" for number in chosen]) == len(chosen)
        gone += chosen
        for number in chosen:
            del where[number]
        assert left(tmp_path, words_of(gone)) == []
    await memories.aclose()
    assert left(tmp_path, words_of(gone)) == []
    assert len({word for _, word in left(tmp_path, words_of(list(where)))}) == len(where), "and the others are still there"


async def test_a_log_of_writes_in_a_row_begins_anew(tmp_path: Path) -> None:
    """Nothing has to pause for it, and nobody has to read."""
    memories = SqliteMemories(tmp_path / "m.sqlite", logged=500, longest=1 << 20)
    log, longest = tmp_path / "m.sqlite-wal", 0
    for turn in turns(1500, random.Random(3)):
        await memories.append(HERE, [turn], read)
        longest = max(longest, log.stat().st_size)
    assert longest < 16 << 20, "they are some 36 MB"
    assert await memories.look(HERE, lambda view: view.size().turns) == 1500
    await memories.aclose()


async def test_no_file_holds_a_deleted_conversation_or_caller(tmp_path: Path) -> None:
    memories, where = await filled(tmp_path / "m.sqlite", 900, 9)
    await memories.forget_conversation(SCOPES[4])
    assert left(tmp_path, words_of([number for number in where if where[number] == SCOPES[4]])) == []
    assert b"talk 4" not in (tmp_path / "m.sqlite").read_bytes()
    await memories.forget_caller("caller 2")
    gone = [number for number in where if where[number].caller == "caller 2"]
    assert gone and left(tmp_path, words_of(gone)) == []
    assert b"caller 2" not in (tmp_path / "m.sqlite").read_bytes()
    await memories.aclose()


async def test_the_file_shrinks_when_much_was_deleted(tmp_path: Path) -> None:
    memories, where = await filled(tmp_path / "m.sqlite", 900, 9, slack=100_000)
    await memories.forget(SCOPES[0], ["nothing"])  # copies the log into the file
    before = (tmp_path / "m.sqlite").stat().st_size
    stays = await memories.look(SCOPES[0], shown)
    for scope in SCOPES[1:]:
        await memories.forget_conversation(scope)
        assert left(tmp_path, words_of([number for number in where if where[number] == scope])) == []
    assert (tmp_path / "m.sqlite").stat().st_size < before / 2
    assert await memories.look(SCOPES[0], shown) == stays
    await memories.append(SCOPES[1], turns(3, random.Random(1), 900), read)
    assert list(await memories.conversations("caller 1")) == ["talk 1"]
    await memories.aclose()


async def test_no_file_holds_a_forgotten_subject(tmp_path: Path) -> None:
    memories = SqliteMemories(tmp_path / "m.sqlite")
    await memories.append(HERE, turns(300, random.Random(3)), read)
    about = [
        Said("Anna", f"Zoë keeps {canary(number)} safe. I keep {canary(number + 500)}.", id=f"z{number}")
        for number in range(300, 500)
    ]
    for said in about:
        await memories.append(HERE, [said], read)
    assert await memories.forget_subject(HERE, "zoe", read) == 200
    assert left(tmp_path, words_of(range(300, 500))) == []
    assert not any("Zoë".encode() in file.read_bytes() or "Zoëy".encode() in file.read_bytes() for file in tmp_path.iterdir())
    assert len(left(tmp_path, words_of(range(800, 1000)))) >= 200
    await memories.aclose()


async def test_a_deletion_in_one_process_reaches_what_another_has_open(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    one, other = SqliteMemories(path), SqliteMemories(path)
    await one.append(HERE, turns(50, random.Random(1)), read)
    before = await other.look(HERE, shown)
    await one.forget_conversation(HERE)
    assert left(tmp_path, words_of(range(50))) == []
    assert (await other.look(HERE, shown)) != before
    await other.append(HERE, [Said("Ben", "New.", id="n")], read)
    await other.aclose()
    await one.aclose()
    assert left(tmp_path, words_of(range(50))) == []


async def test_a_reader_that_does_not_end_is_told_of(tmp_path: Path) -> None:
    memories = SqliteMemories(tmp_path / "m.sqlite", patience=0.2)
    await memories.append(HERE, turns(5, random.Random(1)), read)
    started, end = threading.Event(), threading.Event()

    def slow(view: View) -> None:
        view.size()
        started.set()
        end.wait(10)

    looking = asyncio.create_task(memories.look(HERE, slow))
    await asyncio.to_thread(started.wait)
    with pytest.raises(Unwritable, match=r"It is deleted, but the log beside .* still holds it, .* delete it again"):
        await memories.forget(HERE, [f"id-{canary(1)}"])
    assert list((await memories.look(HERE, shown))["said"]) == [0, 2, 3, 4]  # type: ignore[call-overload]
    end.set()
    await looking
    assert await memories.forget(HERE, [f"id-{canary(1)}"]) == 0
    assert left(tmp_path, [canary(1)]) == []
    await memories.aclose()


KILLED_WHILE_DELETING = """
import asyncio, os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from support.remembering import HERE
from loom_adapters.memory.sqlite import SqliteMemories

class Killed(SqliteMemories):
    async def _wipe(self):
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(Killed(Path(sys.argv[1])).forget_conversation(HERE))
"""


async def test_what_a_killed_process_left_in_the_log_goes_when_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    memories = SqliteMemories(path)
    await memories.append(HERE, turns(20, random.Random(1)), read)
    command = [sys.executable, "-c", KILLED_WHILE_DELETING, str(path), str(Path(__file__).parents[1])]
    assert subprocess.run(command, check=False, timeout=60).returncode == -9
    assert left(tmp_path, words_of(range(20))), "it is still in the log"
    await memories.aclose()
    again = SqliteMemories(path)
    assert left(tmp_path, words_of(range(20))) == []
    await again.aclose()


async def test_a_file_is_for_its_owner_only(tmp_path: Path) -> None:
    memories = SqliteMemories(tmp_path / "m.sqlite")
    await memories.append(HERE, turns(1, random.Random(1)), read)
    assert {file.stat().st_mode & 0o077 for file in tmp_path.iterdir()} == {0}
    await memories.aclose()


async def test_a_file_of_another_format_or_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    await SqliteMemories(path).aclose()
    with sqlite3.connect(path) as db:
        db.execute(f"pragma user_version = {FORMAT + 1}")
    db.close()
    with pytest.raises(BadInput, match=f"it is format {FORMAT + 1}, and this version reads format {FORMAT}; give another file"):
        SqliteMemories(path)
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as db:
        db.execute("create table recipes (name text)")
    db.close()
    with pytest.raises(BadInput, match="is not memory that can be used here: it is another program's"):
        SqliteMemories(other)
    plain = tmp_path / "plain.txt"
    plain.write_text("not a database, but long enough to be looked at as one " * 50)
    with pytest.raises(BadInput, match=r"Expected conversation memory in .*, but it cannot be used"):
        SqliteMemories(plain)
    with pytest.raises(BadInput, match="cannot be opened for memory"):
        SqliteMemories(tmp_path / "plain.txt" / "below")
