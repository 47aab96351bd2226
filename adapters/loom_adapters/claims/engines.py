"""The two databases behind SQLAlchemy: how a transaction begins in each, and what a failure of one is called."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from loom.core.errors import BadInput, LoomError, MissingExtra, Unreachable, Unwritable

SCHEMA = "loom_claims"
PATIENCE = 30.0
"""Seconds to wait for a lock."""


class Database:
    """An engine, and its two kinds of transaction: `writing` is alone among writers, `reading` sees one state of everything."""

    def __init__(self, engine: Engine, place: str) -> None:
        self.engine = engine
        self.place = place
        self.lite = engine.dialect.name == "sqlite"

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        with self._open(Unwritable) as connection:
            if self.lite:
                connection = connection.execution_options(loom_begin="immediate")
            with connection.begin():
                yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._open(Unreachable) as connection:
            if self.lite:
                connection = connection.execution_options(loom_begin="deferred")
            else:
                connection = connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            with connection.begin():
                yield connection

    @contextmanager
    def _open(self, kind: type[LoomError]) -> Iterator[Connection]:
        try:
            with self.engine.connect() as connection:
                yield connection
        except DBAPIError as error:
            raise kind(self._why(error), param="store") from error

    def _why(self, error: DBAPIError) -> str:
        code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_NOTADB:
            return (
                f"Expected the store of claims as a file of SQLite, but {self.place} is another kind of file, or was overwritten; "
                "give another one, which is made where there is none."
            )
        if code == sqlite3.SQLITE_CORRUPT:
            return (
                f"Expected the store of claims as a whole file of SQLite, but {self.place} is damaged ({said(error)}); "
                "put a copy of it back, or import an export into another file."
            )
        return f"{self.place} did not do it ({said(error)}); see that it is there and has room, and try again."

    def close(self) -> None:
        self.engine.dispose()


def sqlite(path: Path, patience: float = PATIENCE) -> Database:
    """A file, made where there is none, readable by its owner only. Raises BadInput where it cannot be a file of SQLite."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise BadInput(
            f"{path} cannot be opened for claims ({error.strerror}); give a file in a folder that can be written.",
            param="store",
        ) from error
    arguments = {"timeout": patience, "check_same_thread": False, "isolation_level": None}
    engine = create_engine(
        f"sqlite+pysqlite:///{path}", connect_args=arguments, poolclass=QueuePool, pool_size=8, max_overflow=64
    )

    @event.listens_for(engine, "connect")
    def connected(connection: Any, record: Any) -> None:
        for setting in (
            "journal_mode = wal",
            "synchronous = full",
            "cache_size = -65536",
            "temp_store = memory",
            f"journal_size_limit = {64 << 20}",  # a log that one large batch made long does not stay so
        ):
            connection.execute(f"pragma {setting}").fetchall()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(f"begin {connection.get_execution_options().get('loom_begin', 'deferred')}")

    return Database(engine, str(path))


def postgres_url(url: str) -> URL:
    """The URL of a PostgreSQL. Raises BadInput for what is no such URL, and MissingExtra without psycopg."""
    try:
        made = make_url(url)
    except (ArgumentError, ValueError):
        made = None
    if made is None or made.get_backend_name() not in ("postgresql", "postgres"):
        # Its beginning alone: the URL may hold a password.
        raise BadInput(
            "Expected the store of claims as the path of a file, or as postgresql://USER@HOST/DATABASE, but got "
            f"{url.partition('://')[0]:.40}://…; give one of these.",
            param="store",
        )
    if find_spec("psycopg") is None:
        raise MissingExtra("Claims in PostgreSQL need psycopg: pip install 'loom-node[postgres]'.")
    return made


def postgres(url: str, schema: str = SCHEMA, patience: float = PATIENCE) -> Database:
    """A schema of a database, made where there is none. Raises MissingExtra without psycopg, BadInput for what is no such URL."""
    engine = create_engine(
        postgres_url(url).set(drivername="postgresql+psycopg"),
        pool_size=8,
        max_overflow=64,
        pool_pre_ping=True,
        connect_args={"connect_timeout": 10},
    )

    @event.listens_for(engine, "connect")
    def connected(connection: Any, record: Any) -> None:
        free, connection.autocommit = connection.autocommit, True
        connection.execute(f"set search_path to {schema}")
        connection.execute(f"set lock_timeout to {int(patience * 1000)}")
        connection.autocommit = free

    # The place in a message is host and database; the URL may hold a password.
    return Database(engine, f"The database {engine.url.database or ''} of the claims")


def said(error: SQLAlchemyError) -> str:
    """The first line of what the driver said, without the statement and its values."""
    found = getattr(error, "orig", None) or error
    return (str(found).strip() or type(found).__name__).splitlines()[0]


def locked(connection: Connection, lite: bool) -> None:
    """Until the transaction ends, nobody else changes the tables themselves."""
    if not lite:
        connection.execute(text("select pg_advisory_xact_lock(hashtext('loom_claims'))"))
