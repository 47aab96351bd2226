"""Conversation memory in PostgreSQL: what is deleted is in no file of its tables, and what is said where the server or the schema is wrong."""

import asyncio
import random
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from support.canaries import canary, turns, words_of
from support.memory_stores import emptied, needs_postgres, ran, running, written_out
from support.postgres_server import Server
from support.remembering import HERE, read, shown

from loom.core.errors import BadInput, Unreachable, Unwritable
from loom.core.memory.values import Said, Scope, View
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
