"""Conversation memory in PostgreSQL: what is deleted is in no file of its tables, and what is said where the server or the schema is wrong."""

import asyncio
import random
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.canaries import canary, turns, words_of
from support.memory_stores import TABLES, emptied, needs_postgres, ran, running, written_out
from support.postgres_server import Server
from support.remembering import DIALOGUE, HERE, read, shown

from loom.core.errors import BadInput, Unreachable, Unwritable
from loom.core.memory.values import Reading, Said, Scope, View
from loom.ports import Kept
from loom_adapters.memory.postgres import PostgresMemories
from loom_adapters.memory.postgres_tables import FORMAT

pytestmark = needs_postgres

SCOPES = [Scope(f"caller {number % 3}", f"talk {number}") for number in range(7)]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running() as found:
        assert found is not None
        yield found


@pytest.fixture
async def memories(server: Server) -> AsyncIterator[PostgresMemories]:
    made = PostgresMemories(server.url)
    emptied(server)
    yield made
    await made.aclose()


async def filled(memories: PostgresMemories, count: int, seed: int) -> dict[int, Scope]:
    draw, where = random.Random(seed), {}
    made = turns(count, draw)
    for at in range(0, count, 10):
        scope = draw.choice(SCOPES)
        await memories.append(scope, made[at : at + 10], read)
        where.update(dict.fromkeys(range(at, min(at + 10, count)), scope))
    return where


async def test_no_table_holds_what_was_deleted(memories: PostgresMemories, server: Server) -> None:
    where = await filled(memories, 400, 1)
    assert len({word for _, word in written_out(server, words_of(range(400)))}) == 400, "what is there is found"
    gone = [number for number in where if where[number] == SCOPES[1]][::2]
    assert await memories.forget(SCOPES[1], [f"id-{canary(number)}" for number in gone]) == len(gone)
    assert written_out(server, words_of(gone)) == []
    await memories.forget_conversation(SCOPES[4])
    gone += [number for number in where if where[number] == SCOPES[4]]
    await memories.forget_caller("caller 2")
    gone += [number for number in where if where[number].caller == "caller 2"]
    assert written_out(server, words_of(gone)) == []
    assert not any(b"caller 2" in file.read_bytes() for file in (server.data / "base").rglob("*") if file.is_file())
    stays = set(where) - set(gone)
    assert len({word for _, word in written_out(server, words_of(sorted(stays)))}) == len(stays)


async def test_no_table_holds_a_forgotten_subject(memories: PostgresMemories, server: Server) -> None:
    await memories.append(HERE, turns(100, random.Random(3)), read)
    about = [f"Zoë keeps {canary(number)} safe. I keep {canary(number + 500)}." for number in range(2000, 2050)]
    await memories.append(HERE, [Said("Anna", text, id=f"z{at}") for at, text in enumerate(about)], read)
    assert await memories.forget_subject(HERE, "zoe", read) == 50
    assert written_out(server, words_of(range(2000, 2050))) == []
    assert len({word for _, word in written_out(server, words_of(range(2500, 2550)))}) == 50


async def test_a_deletion_that_somebody_still_sees_is_told_of_and_made_good(server: Server) -> None:
    import psycopg

    memories = PostgresMemories(server.url, patience=0.5)
    emptied(server)
    await memories.append(HERE, turns(5, random.Random(1), 3000), read)
    with psycopg.connect(server.url) as other:
        other.execute("set transaction isolation level repeatable read")
        other.execute("select count(*) from pg_class").fetchall()
        with pytest.raises(Unwritable, match=r"It is deleted, but somebody's transaction has seen it .* delete it again"):
            await memories.forget_conversation(HERE)
    assert (await memories.look(HERE, shown))["said"] == {}
    assert written_out(server, [canary(3001)]) != []
    assert await memories.forget_conversation(HERE) == 0, "nothing is left to delete, and yet"
    assert written_out(server, [canary(3001)]) == []
    await memories.aclose()


async def test_what_a_killed_process_did_not_wipe_the_next_one_does(server: Server) -> None:
    class Killed(PostgresMemories):
        async def _wipe(self) -> None:
            raise KeyboardInterrupt

    killed = Killed(server.url)
    emptied(server)
    await killed.append(HERE, turns(5, random.Random(1), 4000), read)
    with pytest.raises(KeyboardInterrupt):
        await killed.forget_conversation(HERE)
    await killed.aclose()
    assert written_out(server, [canary(4001)]) != []
    again = PostgresMemories(server.url)
    assert written_out(server, [canary(4001)]) == []
    await again.aclose()


async def test_a_restart_of_the_server_is_lived_through(memories: PostgresMemories, server: Server) -> None:
    await memories.append(HERE, turns(5, random.Random(1)), read)
    before = await memories.look(HERE, shown)
    server.crash()
    with pytest.raises(Unreachable, match="The database of the memory does not answer"):
        await memories.look(HERE, shown)
    server.start()
    assert await memories.look(HERE, shown) == before


async def waited_for(server: Server, task: "asyncio.Task[object]") -> None:
    """Wait until a task is over, or waits for a lock of the database."""
    locked = "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
    while not task.done() and ran(server, locked) == [(0,)]:
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("way", ["conversation", "caller"])
async def test_a_conversation_that_begins_while_the_last_one_goes_is_kept(
    memories: PostgresMemories, server: Server, way: str
) -> None:
    """What deletes the last conversation of a caller takes the caller, too, but for one that has begun another."""
    fresh = Scope(HERE.caller, "fresh")
    await memories.append(HERE, DIALOGUE[:1], read)
    reading, go = threading.Event(), threading.Event()

    def slow(view: View, turn: int, said: Said) -> Reading:
        reading.set()
        go.wait(60)
        return read(view, turn, said)

    writing = asyncio.create_task(memories.append(fresh, DIALOGUE[:1], slow))
    await asyncio.to_thread(reading.wait)
    deletion = memories.forget_conversation(HERE) if way == "conversation" else memories.forget_caller(HERE.caller)
    deleting = asyncio.create_task(deletion)
    await waited_for(server, deleting)
    go.set()
    assert list(await writing) == [Kept(0, "new")]
    gone = await deleting
    if way == "conversation":
        assert gone == 1 and await memories.conversations(HERE.caller) == ["fresh"]
        assert len((await memories.look(fresh, shown))["said"]) == 1  # type: ignore[arg-type]
        assert await memories.forget_caller(HERE.caller) == 1
    else:
        assert gone == 2
    assert [ran(server, f"select count(*) from loom_memory.{table}") for table in TABLES] == [[(0,)]] * len(TABLES)


async def test_a_turn_for_a_conversation_that_goes_meanwhile_begins_it_anew(memories: PostgresMemories, server: Server) -> None:
    import psycopg

    await memories.append(HERE, DIALOGUE[:2], read)
    with psycopg.connect(server.url) as other:
        other.execute("set search_path to loom_memory")
        other.execute("select * from counts for update")
        writing = asyncio.create_task(memories.append(HERE, DIALOGUE[2:3], read))
        await waited_for(server, writing)
        for table in ("turns", "names", "mentions", "postings", "waiting", "counts", "conversations", "callers"):
            other.execute(f"delete from {table}")
        other.commit()
    assert list(await writing) == [Kept(0, "new")]
    assert (await memories.look(HERE, shown))["said"] == {0: DIALOGUE[2]}


async def test_what_is_deleted_twice_at_once_is_deleted(memories: PostgresMemories) -> None:
    for _ in range(5):
        await memories.append(HERE, DIALOGUE, read)
        ways = (
            memories.forget_conversation(HERE),
            memories.forget_caller(HERE.caller),
            memories.forget(HERE, ["t1", "t2"]),
            memories.forget_subject(HERE, "anna", read),
        )
        found = await asyncio.gather(*ways, *(memories.forget_conversation(HERE) for _ in range(3)))
        assert sum(found) >= len(DIALOGUE) >= max(found), "each turn went with one of them, whoever came first"
        assert (await memories.look(HERE, shown))["said"] == {}
        assert await memories.conversations(HERE.caller) == []


def test_nodes_that_start_at_once_make_the_schema_once(server: Server) -> None:
    for number in range(3):
        with ThreadPoolExecutor(8) as threads:
            made = list(threads.map(lambda _: PostgresMemories(server.url, schema=f"at_once_{number}"), range(8)))  # noqa: B023
        assert ran(server, f"select number from at_once_{number}.format") == [(FORMAT,)]
        for each in made:
            asyncio.run(each.aclose())


async def test_a_look_changes_nothing_and_sees_one_state(memories: PostgresMemories) -> None:
    await memories.append(HERE, turns(3, random.Random(1)), read)
    looked, go = threading.Event(), threading.Event()
    sizes = []

    def twice(view: View) -> None:
        sizes.append(view.size().turns)
        looked.set()
        go.wait(10)
        sizes.append(len(view.said(range(9))))

    looking = asyncio.create_task(memories.look(HERE, twice))
    await asyncio.to_thread(looked.wait)
    await memories.append(HERE, turns(3, random.Random(2), 10), read)
    go.set()
    await looking
    assert sizes == [3, 3]


async def test_a_schema_of_another_format_is_refused(server: Server) -> None:
    await PostgresMemories(server.url, schema="other").aclose()
    ran(server, f"update other.format set number = {FORMAT + 1}")
    with pytest.raises(BadInput, match=f"The schema other is of format {FORMAT + 1}, and this version reads format {FORMAT}"):
        PostgresMemories(server.url, schema="other")
    with pytest.raises(BadInput, match="Expected the name of a schema"):
        PostgresMemories(server.url, schema="x; drop table y")


def test_a_server_that_is_not_there_is_named_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match="The database of the memory does not answer") as caught:
        PostgresMemories(f"postgresql://loom:hunter2@/memory?host={tmp_path}")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["postgresql://loom:hun/ter2@host/db", "postgresql://loom:p@hunter2@host/db", "mysql://loom:hunter2@host/db"]
)
def test_a_url_that_cannot_be_read_is_not_quoted(url: str) -> None:
    with pytest.raises(BadInput, match="cannot be read; write it as postgresql://USER:PASSWORD@HOST:PORT/DATABASE") as caught:
        PostgresMemories(url)
    assert "ter2" not in str(caught.value)
