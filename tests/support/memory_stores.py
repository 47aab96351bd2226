"""The stores of conversations, by name, for tests that run over each: PostgreSQL is started where there is one."""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.canaries import left
from support.postgres_server import Server, postgres, programs

from loom.ports import Memories
from loom_adapters.memory.kept import FakeMemories
from loom_adapters.memory.sqlite import SqliteMemories

TABLES = ("callers", "conversations", "counts", "turns", "names", "mentions", "postings", "waiting", "wipes")


def has_postgres() -> bool:
    return programs() is not None and importlib.util.find_spec("psycopg") is not None


needs_postgres = pytest.mark.skipif(
    not has_postgres(), reason="no PostgreSQL server (Debian: postgresql) or no psycopg is installed"
)


@contextmanager
def running() -> Iterator[Server | None]:
    """The server of a whole module of tests, None where there is none."""
    if not has_postgres():
        yield None
        return
    with postgres() as server:
        yield server


def opened(kind: str, folder: Path, server: Server | None) -> Memories:
    """A store that holds nothing."""
    if kind == "fake":
        return FakeMemories()
    if kind == "sqlite":
        return SqliteMemories(folder / "new" / "memory.sqlite")
    assert server is not None
    from loom_adapters.memory.postgres import PostgresMemories

    memories = PostgresMemories(server.url)
    emptied(server)
    return memories


def emptied(server: Server) -> None:
    """Take out whatever is kept, where anything ever was."""
    known = ran(server, "select to_regclass('loom_memory.format') is not null")
    if known == [(True,)]:
        ran(server, *(f"delete from loom_memory.{table}" for table in TABLES))


def ran(server: Server, *statements: str) -> list[tuple[object, ...]]:
    """The rows of the last of these statements."""
    import psycopg

    with psycopg.connect(server.url, autocommit=True) as connection:
        found: list[tuple[object, ...]] = []
        for statement in statements:
            cursor = connection.execute(statement)
            found = cursor.fetchall() if cursor.description else []
        return found


def written_out(server: Server, words: list[str]) -> list[tuple[str, str]]:
    """What files of tables and indexes hold, once all is written to them. The log of writes is not among them."""
    ran(server, "analyze", "checkpoint")
    return [each for folder in ("base", "pg_stat", "global") for each in left(server.data / folder, words)]
