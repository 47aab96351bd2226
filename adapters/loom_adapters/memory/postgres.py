"""Conversation memory in PostgreSQL, for nodes on several machines. Needs the extra `postgres` (psycopg 3).

What is deleted leaves the tables with `VACUUM FULL`: a plain one leaves the bytes of deleted rows in their pages. Tables with text
are divided by conversation, so that this rewrites and locks a small part of them. What is still to be rewritten is written down in
the transaction that deletes, and done by whichever process comes next where this one does not live to do it. Columns with text
have no statistics, which would quote them. The server's log of writes, its replicas and backups are the operator's to expire.
"""

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from queue import Empty, LifoQueue
from typing import Any, TypeVar

from loom.core.errors import BadInput, LoomError, MissingExtra, NotNow, Unreachable
from loom_adapters.memory.postgres_tables import CALLERS, FORMAT, PARTS, statements
from loom_adapters.memory.session import GONE, Rows, Session, Values
from loom_adapters.memory.stored import StoredMemories

T = TypeVar("T")

CONNECTIONS = 8
CONNECTING = {
    "connect_timeout": 10,
    "tcp_user_timeout": 30_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 4,
}
"""Parameters of libpq, in seconds and (tcp_user_timeout) milliseconds."""

PATIENCE = 30.0
"""Seconds to wait for a lock, and for transactions that still see what was deleted."""

DEADLOCK, DEADLOCKS = "40P01", 20
"""SQLSTATE of a transaction that was ended because others waited for it and it for them, and how many such ends one write bears."""

_LATEST = """select wanted.term, found.chunk, found.before, found.body
from unnest(%s::bigint[], %s::bigint[]) as wanted (term, turn) cross join lateral (
  select chunk, before, body from postings where caller = %s and conversation = %s and term = wanted.term and chunk <= wanted.turn
  order by chunk desc limit 1
) as found"""
_PART = f"select part from generate_series(0, {PARTS - 1}) as part where satisfies_hash_partition('turns'::regclass, {PARTS}, part, %s)"


class PostgresSession:
    """A transaction of PostgreSQL, as `Session`."""

    locking, holding = " for update", " for key share"

    def __init__(self, connection: Any) -> None:
        self._cursor = connection.cursor(binary=True)

    def all(self, statement: str, values: Values = ()) -> Rows:
        found: Rows = self._cursor.execute(statement.replace("?", "%s"), values).fetchall()
        return found

    def many(self, statement: str, rows: Sequence[Values]) -> None:
        if rows:
            self._cursor.executemany(statement.replace("?", "%s"), rows)

    def erase(self, table: str, where: str, values: Values) -> None:
        self._cursor.execute(f"delete from {table} where {where}".replace("?", "%s"), values)

    def mute(self, where: str, values: Values) -> None:
        self._cursor.execute(f"update turns set body = null, state = {GONE} where {where}".replace("?", "%s"), values)

    def wiping(self, conversation: int) -> None:
        self._cursor.execute(f"insert into wipes (part) {_PART}", (conversation,))
        self._cursor.execute("insert into wipes (part) values (%s)", (CALLERS,))

    def latest(self, caller: int, conversation: int, wanted: Sequence[tuple[int, int]]) -> Rows:
        terms, turns = [term for term, _ in wanted], [turn for _, turn in wanted]
        found: Rows = self._cursor.execute(_LATEST, (terms, turns, caller, conversation)).fetchall()
        return found


class PostgresMemories(StoredMemories):
    """`Memories` in one schema of a database, made where there is none. A statement waits in a thread of its own.

    Raises MissingExtra without psycopg, Unreachable where no server answers, BadInput for a schema of another version or a URL that is
    none.
    """

    def __init__(
        self, url: str, *, schema: str = "loom_memory", connections: int = CONNECTIONS, patience: float = PATIENCE
    ) -> None:
        if not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", schema):
            raise BadInput(f"Expected the name of a schema in small letters, but got {schema!r:.80}.", param="schema")
        self._url, self._schema, self._patience = url, schema, patience
        self._library = _library()
        self._more = _unless_given(self._library, url)
        self._threads = ThreadPoolExecutor(connections, thread_name_prefix="memory")
        self._idle: LifoQueue[Any] = LifoQueue()
        connection = self._connected()
        try:
            self._prepared(connection)
            self._wiped()
        except BaseException:
            connection.close()
            raise
        self._idle.put(connection)

    async def aclose(self) -> None:
        self._threads.shutdown()
        self._dropped()

    async def _write(self, work: Callable[[Session], T]) -> T:
        return await self._elsewhere(lambda: self._transaction(work, "read committed", NotNow))

    async def _read(self, work: Callable[[Session], T]) -> T:
        return await self._elsewhere(lambda: self._transaction(work, "repeatable read read only", Unreachable))

    async def _wipe(self) -> None:
        await self._elsewhere(self._wiped)

    async def _elsewhere(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def _connected(self) -> Any:
        try:
            connection = self._library.connect(self._url, autocommit=True, **self._more)
            connection.adapters.register_dumper(int, import_module("psycopg.types.numeric").Int8Dumper)
            connection.execute(f"set search_path to {self._schema}")
            connection.execute(f"set lock_timeout to {int(self._patience * 1000)}")
        except self._library.Error as error:
            # The message names host and port; the URL, with its password, is left out.
            raise Unreachable(
                f"The database of the memory does not answer ({_said(error)}); see that it runs, and its URL."
            ) from None
        return connection

    def _transaction(self, work: Callable[[Session], T], level: str, kind: type[LoomError]) -> T:
        """Do it, once more where the server turns out to be gone and come back, and again where it ended a deadlock by ending this: the
        others of it went on. Whatever is done here may be done twice."""
        gone, deadlocks = False, 0
        while True:
            connection = self._free()
            try:
                connection.execute(f"begin isolation level {level}")
                result = work(PostgresSession(connection))
                connection.execute("commit")
            except self._library.Error as error:
                self._given_back(connection)
                if connection.closed and not gone:
                    gone = True
                    self._dropped()
                elif error.sqlstate == DEADLOCK and deadlocks < DEADLOCKS:
                    deadlocks += 1
                else:
                    raise kind(f"The database of the memory did not do it ({_said(error)}); try again.") from error
            except BaseException:
                self._given_back(connection)
                raise
            else:
                self._idle.put(connection)
                return result

    def _free(self) -> Any:
        try:
            return self._idle.get_nowait()
        except Empty:
            return self._connected()

    def _dropped(self) -> None:
        """Close what is idle: it went to the same server."""
        while True:
            try:
                self._idle.get_nowait().close()
            except Empty:
                return

    def _given_back(self, connection: Any) -> None:
        """Put a connection back whose transaction failed, where it is still good."""
        try:
            connection.execute("rollback")
        except self._library.Error:
            connection.close()
        else:
            self._idle.put(connection)

    def _wiped(self) -> None:
        """Rewrite what holds rows that were deleted, until none of them is held back by somebody who still sees it."""
        end = time.monotonic() + self._patience
        connection = self._connected()
        dead: list[int] = []
        connection.add_notice_handler(lambda notice: dead.extend(_dead(notice)))
        try:
            for part, last in connection.execute("select part, max(seq) from wipes group by part order by part").fetchall():
                tables = ("callers", "conversations") if part == CALLERS else (f"turns_{part}", f"names_{part}")
                for table in tables:
                    while True:
                        dead.clear()
                        connection.execute(f"vacuum (full, verbose) {table}")
                        if not any(dead):
                            break
                        if time.monotonic() > end:
                            raise NotNow(
                                f"It is deleted, but somebody's transaction has seen it for {self._patience:g} s, so that the tables "
                                "still hold it; end that transaction, and delete it again."
                            )
                        time.sleep(0.05)
                connection.execute("delete from wipes where part = %s and seq <= %s", (part, last))
        except self._library.Error as error:
            raise NotNow(f"It is deleted, but the tables could not be rewritten ({_said(error)}); delete it again.") from error
        finally:
            connection.close()

    def _prepared(self, connection: Any) -> None:
        try:
            with connection.transaction():
                connection.execute("select pg_advisory_xact_lock(hashtext('loom_memory'))")
                known = connection.execute("select to_regclass(%s) is not null", (f"{self._schema}.format",)).fetchone()[0]
                if not known:
                    connection.execute(f"create schema if not exists {self._schema}")
                    for statement in statements():
                        connection.execute(statement)
                ((format,),) = connection.execute("select number from format").fetchall()
        except self._library.Error as error:
            raise NotNow(
                f"The tables of the memory cannot be made ({_said(error)}); give a role that may make a schema."
            ) from error
        if format != FORMAT:
            raise BadInput(
                f"The schema {self._schema} is of format {format}, and this version reads format {FORMAT}; give another schema, or the "
                "version that wrote it.",
                param="schema",
            )


def _library() -> Any:
    try:
        return import_module("psycopg")
    except ImportError:
        raise MissingExtra("Memory in PostgreSQL needs psycopg: pip install 'loom-node[postgres]'.") from None


def _unless_given(library: Any, url: str) -> dict[str, int]:
    """What a connection is made with, but for what the URL says itself: so that a server that vanished is noticed.

    Raises BadInput for a URL that cannot be read, or only by taking a part of the password for something else; it is not quoted."""
    try:
        given = import_module("psycopg.conninfo").conninfo_to_dict(url)
    except library.Error:
        given = None
    if given is None or not re.fullmatch(r"[0-9,]*", str(given.get("port", ""))) or "@" in str(given.get("host", "")):
        raise BadInput(
            "The URL of the memory's database cannot be read; write it as postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with %40 for "
            "an @ in the password, %2F for a slash, and so on.",
            param="url",
        ) from None
    return {name: value for name, value in CONNECTING.items() if name not in given}


def _dead(notice: Any) -> list[int]:
    """The count of rows that a vacuum had to leave, in whichever language the server speaks: the first number of its detail."""
    found = re.search(r"\d+", notice.message_detail or "")
    return [int(found[0])] if found else []


def _said(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
