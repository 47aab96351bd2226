"""The stores of conversations, by name, for tests that run over each: PostgreSQL is started where there is one."""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
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
    import psycopg

    with psycopg.connect(server.url, autocommit=True) as connection:
        for table in TABLES:
            connection.execute(f"delete from loom_memory.{table}")
