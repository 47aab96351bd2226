"""Conversation memory in a file of SQLite, which any number of processes may hold open.

What is deleted leaves the file at once: `secure_delete` overwrites it where it stood, and the log of writes is emptied. A row with
text is written behind the last one and never moves (its neighbours are not deleted but emptied), since SQLite leaves copies of what
it moved in the slack of a page, where nothing overwrites them. Once half of the file is such empty rows it is written anew. That
is also why postings are a table of this module's own: FTS5 keeps what was deleted.
"""

import asyncio
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from queue import LifoQueue
from typing import TypeVar

import orjson

from loom.core.errors import BadInput, LoomError, NotNow, Unreachable
from loom_adapters.memory.session import GONE, Rows, Session, Values
from loom_adapters.memory.stored import StoredMemories

T = TypeVar("T")
log = logging.getLogger(__name__)

FORMAT = 1
"""Of the tables, in `user_version`. A version that changes them says here how it takes over files of the one before."""

APPLICATION = 0x4C6F6F4D
"""`application_id` of such a file ("LooM")."""

PATIENCE = 30.0
"""Seconds to wait for another process' transaction, and for readers that still see what was deleted."""

READERS = 4
LOGGED = 16_000
"""Rows that are written into the log before it is copied into the file: some thousand turns."""

LONGEST = 64 << 20
"""Bytes of the log from which on it is to begin anew, and that it keeps then."""
PAGE = 4096
"""Bytes of a page, as SQLite makes files."""

SLACK = 4_000_000
"""Bytes of empty rows that a file may always hold."""

_SLACK = "select bytes, (select page_count * page_size from pragma_page_count, pragma_page_size) from slack"
TABLES = """
create table callers (seq integer primary key autoincrement, digest blob, body blob);
create unique index callers_by_digest on callers (digest) where digest is not null;
create table conversations (seq integer primary key autoincrement, caller integer, digest blob, body blob);
create unique index conversations_by_digest on conversations (caller, digest) where caller is not null;
create table counts (
  caller integer, conversation integer, next integer not null, names integer not null, turns integer not null,
  pieces integer not null, length integer not null, width integer not null, primary key (caller, conversation)
) without rowid;
create table turns (
  seq integer primary key, caller integer, conversation integer, turn integer, id blob, state integer, body blob
);
create unique index turns_by_number on turns (caller, conversation, turn) where caller is not null;
create unique index turns_by_id on turns (caller, conversation, id) where caller is not null;
create table names (
  seq integer primary key, caller integer, conversation integer, kind integer, number integer, id blob, body blob
);
create unique index names_by_number on names (caller, conversation, kind, number) where caller is not null;
create unique index names_by_id on names (caller, conversation, kind, id) where caller is not null;
create table mentions (
  caller integer, conversation integer, kind integer, number integer, place integer,
  primary key (caller, conversation, kind, number, place)
) without rowid;
create table postings (
  caller integer, conversation integer, term integer, chunk integer, before integer not null, body blob not null,
  primary key (caller, conversation, term, chunk)
) without rowid;
create table waiting (
  caller integer, conversation integer, turn integer, body blob not null, primary key (caller, conversation, turn)
) without rowid;
create table slack (bytes integer not null);
insert into slack values (0)
"""
EMPTIED = {
    "callers": ("digest", "body"),
    "conversations": ("caller", "digest", "body"),
    "turns": ("caller", "conversation", "turn", "id", "state", "body"),
    "names": ("caller", "conversation", "kind", "number", "id", "body"),
}
"""Columns of the tables with text."""

_LATEST = """select postings.term, postings.chunk, before, body from (
  select json_extract(value, '$[0]') as term, (
    select max(chunk) from postings where caller = ?1 and conversation = ?2 and term = json_extract(value, '$[0]') and chunk <= json_extract(value, '$[1]')
  ) as chunk from json_each(?3)
) as wanted cross join postings on caller = ?1 and conversation = ?2 and postings.term = wanted.term and postings.chunk = wanted.chunk"""


class SqliteSession:
    """A transaction of SQLite, as `Session`."""

    locking = holding = ""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def all(self, statement: str, values: Values = ()) -> Rows:
        return self._db.execute(statement, values).fetchall()

    def many(self, statement: str, rows: Sequence[Values]) -> None:
        self._db.executemany(statement, rows)

    def erase(self, table: str, where: str, values: Values) -> None:
        self._db.execute(
            f"update slack set bytes = bytes + (select coalesce(sum(length(body) + 40), 0) from {table} where {where})", values
        )
        emptied = ", ".join(f"{column} = null" for column in EMPTIED[table])
        self._db.execute(f"update {table} set {emptied} where {where}", values)

    def mute(self, where: str, values: Values) -> None:
        self._db.execute(
            f"update slack set bytes = bytes + (select coalesce(sum(length(body)), 0) from turns where {where})", values
        )
        self._db.execute(f"update turns set body = null, state = {GONE} where {where}", values)

    def wiping(self, conversation: int) -> None:
        """Every deletion is followed by emptying the log."""

    def latest(self, caller: int, conversation: int, wanted: Sequence[tuple[int, int]]) -> Rows:
        return self._db.execute(_LATEST, (caller, conversation, orjson.dumps(wanted).decode())).fetchall()


class SqliteMemories(StoredMemories):
    """`Memories` in one file, made where there is none, in which `slack` bytes of empty rows are borne. The log beside it is copied into
    the file each time `logged` rows were written, and begins anew from `longest` bytes on.

    Writes of this process wait for one another in a thread, reads have some of their own; between processes SQLite's locks decide.
    Raises BadInput for a file that is none of these.
    """

    def __init__(
        self, path: Path, *, patience: float = PATIENCE, slack: int = SLACK, logged: int = LOGGED, longest: int = LONGEST
    ) -> None:
        self._path, self._patience, self._slack = path, patience, slack
        self._logged, self._longest = logged, longest
        self._writer = _opened(path, patience)
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="memory-write")
        # What SQLite would do in the middle of every so many appends, beside them: copy the log into the file.
        self._writer.execute("pragma wal_autocheckpoint = 0").fetchall()
        self._writer.execute(f"pragma journal_size_limit = {longest}").fetchall()
        self._copier = _connection(path, patience)
        _set(self._copier, 2048)
        self._copying = ThreadPoolExecutor(1, thread_name_prefix="memory-log")
        self._copied = self._writer.total_changes
        self._copies: Future[int] | None = None
        self._reading = ThreadPoolExecutor(READERS, thread_name_prefix="memory-read")
        self._readers: LifoQueue[sqlite3.Connection] = LifoQueue()
        for _ in range(READERS):
            self._readers.put(_reader(path, patience))

    async def aclose(self) -> None:
        self._writing.shutdown()
        self._copying.shutdown()
        self._copier.close()
        self._reading.shutdown()
        while not self._readers.empty():
            self._readers.get().close()
        self._writer.close()

    async def _write(self, work: Callable[[Session], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._writing, self._transaction, work)

    async def _read(self, work: Callable[[Session], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._reading, self._snapshot, work)

    async def _wipe(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._writing, self._emptied)

    def _transaction(self, work: Callable[[Session], T]) -> T:
        try:
            self._writer.execute("begin immediate")
            try:
                result = work(SqliteSession(self._writer))
                self._writer.execute("commit")
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("rollback")
                raise
        except sqlite3.Error as error:
            raise self._failure(error, NotNow, "written") from error
        self._copy()
        return result

    def _copy(self) -> None:
        """Have the log copied into the file beside what is written next, and see to it that it begins anew.

        The log begins anew with the first write that finds all of it copied, which a copy beside writes in a row never comes to: each
        page is then looked for in a log that grows without end. So what came in while a long one was copied, which is little, is copied
        between two writes. A log that grows quicker than it is copied is waited for.
        """
        copies = self._copies
        if copies is not None and copies.done():
            self._copies = None
            if copies.result() > self._longest // PAGE:
                _copied(self._writer)
        if self._writer.total_changes - self._copied > self._logged:
            self._copied = self._writer.total_changes
            self._copies = self._copying.submit(_copied, self._copier)
            if copies is not None and not copies.done():
                wait([self._copies])

    def _snapshot(self, work: Callable[[Session], T]) -> T:
        db = self._readers.get()
        try:
            db.execute("begin")
            try:
                return work(SqliteSession(db))
            finally:
                db.execute("rollback")
        except sqlite3.Error as error:
            raise self._failure(error, Unreachable, "read") from error
        finally:
            self._readers.put(db)

    def _emptied(self) -> None:
        """Give free pages back and empty the log, once no reader needs it; what this process remembers of pages goes too."""
        try:
            if not self._renewed():
                self._writer.executescript("pragma incremental_vacuum")  # `execute` would free one page
            emptied = _checkpointed(self._writer, self._patience)
        except sqlite3.Error as error:
            raise self._failure(error, NotNow, "emptied of what was deleted") from error
        if not emptied:
            raise NotNow(
                f"It is deleted, but the log beside {self._path} still holds it, since a reader has not ended for "
                f"{self._patience:g} s; delete it again."
            )
        idle = [self._readers.get() for _ in range(READERS)]
        for db in (*idle, self._writer):
            db.execute("pragma shrink_memory")
        for db in idle:
            self._readers.put(db)

    def _renewed(self) -> bool:
        """Write the file anew where half of it is empty rows. What is deleted for it may leave copies, and what is written has none."""
        ((slack, size),) = self._writer.execute(_SLACK).fetchall()
        if slack < max(self._slack, size / 2):
            return False
        self._writer.execute("begin immediate")
        for table, columns in EMPTIED.items():
            self._writer.execute(f"delete from {table} where {columns[0]} is null")
        self._writer.execute("update slack set bytes = 0")
        self._writer.execute("commit")
        self._writer.execute("pragma temp_store = file")
        self._writer.execute("vacuum")
        self._writer.execute("pragma temp_store = memory")
        return True

    def _failure(self, error: sqlite3.Error, kind: type[LoomError], what: str) -> LoomError:
        if "locked" in str(error) or "busy" in str(error):
            return kind(f"{self._path} is held by another process for longer than {self._patience:g} s; try again.")
        return kind(f"{self._path} cannot be {what} ({error}); make room or restore the file, then try again.")


def _copied(db: sqlite3.Connection) -> int:
    """Copy what the log holds, as far as no reader needs it, and give its pages. What cannot be copied is on the disk all the same, and
    copied later: it is no fault of the write behind which it is tried."""
    try:
        ((_, pages, _),) = db.execute("pragma wal_checkpoint(passive)").fetchall()
    except sqlite3.Error as error:
        log.warning("The log of the memory could not be copied into its file yet: %s", error)
        return 0
    return int(pages)


def _checkpointed(db: sqlite3.Connection, patience: float) -> bool:
    end = time.monotonic() + patience
    while True:
        ((busy, *_),) = db.execute("pragma wal_checkpoint(truncate)").fetchall()
        if not busy:
            return True
        if time.monotonic() > end:
            return False
        time.sleep(0.01)


def _set(db: sqlite3.Connection, cache: int = 65536) -> None:
    for setting in ("secure_delete = on", "synchronous = full", "temp_store = memory", f"cache_size = -{cache}"):
        db.execute(f"pragma {setting}").fetchall()


def _connection(path: Path, patience: float) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False, cached_statements=512)


def _reader(path: Path, patience: float) -> sqlite3.Connection:
    db = _connection(path, patience)
    _set(db, 16384)
    db.execute("pragma query_only = on")
    return db


def _opened(path: Path, patience: float) -> sqlite3.Connection:
    """The file, made where there is none, without what a process that died left in the log. Raises BadInput."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # what people said is for nobody else to read
    except OSError as error:
        raise BadInput(
            f"{path} cannot be opened for memory ({error.strerror}); give a file in a folder that can be written."
        ) from error
    db = _connection(path, patience)
    try:
        _set(db)
        _prepared(db, path)
        db.execute("pragma wal_checkpoint(truncate)").fetchall()
    except sqlite3.Error as error:
        db.close()
        raise BadInput(
            f"Expected conversation memory in {path}, but it cannot be used ({error}); give another file."
        ) from error
    except BadInput:
        db.close()
        raise
    return db


def _prepared(db: sqlite3.Connection, path: Path) -> None:
    # Deletion gives pages back; that can only be said of a file that holds nothing yet.
    db.execute("pragma auto_vacuum = incremental")
    db.execute("pragma journal_mode = wal").fetchall()
    db.execute("begin immediate")
    try:
        ((application,),) = db.execute("pragma application_id").fetchall()
        ((format,),) = db.execute("pragma user_version").fetchall()
        ((tables,),) = db.execute("select count(*) from sqlite_schema").fetchall()
        if tables and (application, format) != (APPLICATION, FORMAT):
            what = (
                f"format {format}, and this version reads format {FORMAT}"
                if application == APPLICATION
                else "another program's"
            )
            raise BadInput(
                f"{path} is not memory that can be used here: it is {what}; give another file, or the version that wrote it."
            )
        if not tables:
            for statement in TABLES.split(";\n"):
                db.execute(statement)
            db.execute(f"pragma application_id = {APPLICATION}")
            db.execute(f"pragma user_version = {FORMAT}")
        db.execute("commit")
    except BaseException:
        if db.in_transaction:
            db.execute("rollback")
        raise
