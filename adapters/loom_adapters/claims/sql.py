"""Claims in a file of SQLite, and in a schema of PostgreSQL. Both are migrated when they are opened."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from loom.core.claims.stored import Step, no_step
from loom.core.errors import BadInput
from loom_adapters.claims import engines
from loom_adapters.claims.migrating import migrated
from loom_adapters.claims.session import Session
from loom_adapters.claims.sql_session import SqlSession
from loom_adapters.claims.stored import StoredClaims


class SqlClaims(StoredClaims):
    def __init__(self, database: engines.Database, step: Step = no_step, schema: str = engines.SCHEMA) -> None:
        super().__init__(step)
        self._database = database
        try:
            migrated(database, schema)
        except BaseException:
            database.close()
            raise

    @contextmanager
    def _transaction(self) -> Iterator[Session]:
        with self._database.writing() as connection:
            yield SqlSession(connection)

    @contextmanager
    def _snapshot(self) -> Iterator[Session]:
        with self._database.reading() as connection:
            yield SqlSession(connection)

    def _closed(self) -> None:
        self._database.close()


class SqliteClaims(SqlClaims):
    """Claims in one file, which any number of processes may hold open."""

    def __init__(self, path: Path, *, step: Step = no_step, patience: float = engines.PATIENCE) -> None:
        super().__init__(engines.sqlite(path, patience), step)


class PostgresClaims(SqlClaims):
    """Claims in a schema of their own, for nodes on several machines. Needs the extra `postgres`."""

    def __init__(
        self, url: str, *, schema: str = engines.SCHEMA, step: Step = no_step, patience: float = engines.PATIENCE
    ) -> None:
        if not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", schema):
            raise BadInput(f"Expected the name of a schema in small letters, but got {schema!r:.80}.", param="schema")
        super().__init__(engines.postgres(url, schema, patience), step, schema)
