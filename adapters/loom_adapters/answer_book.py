"""Kept answers of models: a SQLite file that survives a killed process and a power cut, and the same in memory."""

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import orjson

from loom.core.errors import BadInput, Unwritable
from loom.core.values import Json

T = TypeVar("T")

FORMAT = 1
TABLES = """
create table if not exists calls (
  number integer primary key, key text not null, attempt integer not null, repeated integer not null,
  call text not null, how text
);
create index if not exists calls_of_a_request on calls (key, attempt);
create table if not exists answers (
  key text not null, attempt integer not null, number integer not null, answer text not null, primary key (key, attempt)
) without rowid;
"""
SHARED = 30.0
"""Seconds that one process waits for another's write to a shared file."""
LOST = "select coalesce(sum((how is null) - repeated), 0) from calls where key = ? and attempt = ?"
"""Calls of which nothing was heard, less those that were sent again for it."""


def _text(value: Mapping[str, Json]) -> str:
    return orjson.dumps(value).decode()


@dataclass(slots=True)
class _Write:
    """Something to do inside the next transaction, and who waits for it."""

    work: Callable[[sqlite3.Connection], Json]
    done: "asyncio.Future[Json]"


class SqliteAnswers:
    """An `AnswerBook` in one SQLite file, in WAL mode and synchronised at each commit.

    What is written at the same time shares one transaction, so that many calls under way do not wait for the disk one after
    another. The file is locked while it is open, unless it is `shared`: then several processes may have it open, see what the others
    kept, and wait for each other's writes. Raises BadInput for a file that is none of these, or that another run holds.
    """

    def __init__(self, path: Path, *, shared: bool = False) -> None:
        self._path = path
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="answers")
        self._waiting: list[_Write] = []
        self._flushing: asyncio.Task[None] | None = None
        self._db = _opened(path, shared)

    async def answers(self, key: str) -> Sequence[Mapping[str, Json]]:
        def work(db: sqlite3.Connection) -> Json:
            return db.execute("select answer from answers where key = ? order by attempt", (key,)).fetchall()

        try:
            found = await asyncio.get_running_loop().run_in_executor(self._thread, work, self._db)
            return [_object(answer) for (answer,) in found]
        except (sqlite3.Error, ValueError) as error:
            raise _unreadable(self._path, error) from error

    async def sending(self, key: str, attempt: int, call: Mapping[str, Json]) -> tuple[int, bool]:
        stated = _text(call)

        def work(db: sqlite3.Connection) -> Json:
            ((lost,),) = db.execute(LOST, (key, attempt)).fetchall()
            made = db.execute(
                "insert into calls (key, attempt, repeated, call) values (?, ?, ?, ?)", (key, attempt, lost > 0, stated)
            )
            return made.lastrowid, lost > 0

        number, repeated = await self._write(work)
        return int(number), bool(repeated)

    async def heard(self, number: int, how: Mapping[str, Json], answer: Mapping[str, Json] | None = None) -> None:
        stated, said = _text(how), None if answer is None else _text(answer)

        def work(db: sqlite3.Connection) -> Json:
            db.execute("update calls set how = ? where number = ?", (stated, number))
            if said is not None:
                db.execute(
                    "insert or replace into answers select key, attempt, number, ? from calls where number = ?", (said, number)
                )

        await self._write(work)

    def ledger(self) -> Iterator[Mapping[str, Json]]:
        """Every call; for when none is under way. Raises BadInput where the file cannot be read."""
        last = 0
        try:
            while page := self._thread.submit(self._page, last).result():
                last = page[-1][0]
                for number, key, attempt, repeated, call, how in page:
                    yield _entry(number, key, attempt, bool(repeated), _object(call), None if how is None else _object(how))
        except (sqlite3.Error, ValueError) as error:
            raise _unreadable(self._path, error) from error

    def _page(self, last: int) -> list[tuple[int, str, int, int, str, str | None]]:
        asked = "select number, key, attempt, repeated, call, how from calls where number > ? order by number limit 1000"
        return self._db.execute(asked, (last,)).fetchall()

    async def aclose(self) -> None:
        while self._flushing is not None:
            await self._flushing
        await asyncio.get_running_loop().run_in_executor(self._thread, self._db.close)
        self._thread.shutdown()

    async def _write(self, work: Callable[[sqlite3.Connection], Json]) -> Json:
        loop = asyncio.get_running_loop()
        write = _Write(work, loop.create_future())
        self._waiting.append(write)
        if self._flushing is None:
            self._flushing = loop.create_task(self._flush())
        return await write.done

    async def _flush(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                try:
                    results = await loop.run_in_executor(self._thread, self._commit, [write.work for write in batch])
                except sqlite3.Error as error:
                    failure = Unwritable(
                        f"{self._path} cannot be written ({error}); make room, then run the same command again."
                    )
                    for write in batch:
                        if not write.done.done():
                            write.done.set_exception(failure)
                    continue
                for write, result in zip(batch, results, strict=True):
                    if not write.done.done():
                        write.done.set_result(result)
        finally:
            self._flushing = None

    def _commit(self, works: Sequence[Callable[[sqlite3.Connection], Json]]) -> list[Json]:
        self._db.execute("begin immediate")
        try:
            results = [work(self._db) for work in works]
            self._db.execute("commit")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("rollback")
            raise
        return results


def _opened(path: Path, shared: bool) -> sqlite3.Connection:
    """The file, made where there is none, locked against others until it is closed where it is not shared."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(path, timeout=SHARED if shared else 0.5, isolation_level=None, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        why = (isinstance(error, OSError) and error.strerror) or error
        raise BadInput(f"{path} cannot be opened ({why}); give a folder that can be written.", param="out") from error
    try:
        locking = "normal" if shared else "exclusive"
        for setting in (f"locking_mode = {locking}", "journal_mode = wal", "synchronous = full"):
            db.execute(f"pragma {setting}")
        ((format,),) = db.execute("pragma user_version").fetchall()
        if format not in (0, FORMAT):
            raise BadInput(
                f"{path} was written by another version of Loom (format {format}); give another folder.", param="out"
            )
        db.execute("begin exclusive")
        for statement in TABLES.split(";"):
            db.execute(statement)
        db.execute(f"pragma user_version = {FORMAT}")
        db.execute("commit")
    except sqlite3.Error as error:
        db.close()
        if "locked" in str(error):
            message = f"Another run is at work in {path.parent}; wait until it has ended, or give another folder."
        elif not all(os.access(place, os.W_OK) for place in (path.parent, path)):
            message = f"{path} cannot be written; give a folder that can."
        else:
            raise _unreadable(path, error) from None
        raise BadInput(message, param="out") from None
    except BadInput:
        db.close()
        raise
    return db


def _object(text: str) -> dict[str, Json]:
    """An object that was kept. Raises ValueError."""
    found = orjson.loads(text)
    if not isinstance(found, dict):
        raise ValueError(f"{text[:40]!r} is no object")
    return found


def _unreadable(path: Path, error: Exception) -> BadInput:
    return BadInput(
        f"Expected kept answers in {path}, but it cannot be read ({error}); give another folder, or move it away: its answers are "
        "then asked for again.",
        param="out",
    )


def _entry(
    number: int, key: str, attempt: int, repeated: bool, call: Mapping[str, Json], how: Mapping[str, Json] | None
) -> dict[str, Json]:
    stated = {"number": number, "key": key, "attempt": attempt, "repeated": repeated, "heard": how is not None}
    return {**stated, **call, **(how or {})}


@dataclass(slots=True)
class _Call:
    key: str
    attempt: int
    repeated: bool
    call: dict[str, Json]
    how: dict[str, Json] | None = None


@dataclass(slots=True)
class FakeAnswers:
    """The in-memory `AnswerBook`."""

    calls: list[_Call] = field(default_factory=list)
    said: dict[tuple[str, int], dict[str, Json]] = field(default_factory=dict)

    async def answers(self, key: str) -> Sequence[Mapping[str, Json]]:
        return [self.said[at] for at in sorted(self.said) if at[0] == key]

    async def sending(self, key: str, attempt: int, call: Mapping[str, Json]) -> tuple[int, bool]:
        before = [each for each in self.calls if (each.key, each.attempt) == (key, attempt)]
        lost = sum(each.how is None for each in before) - sum(each.repeated for each in before)
        self.calls.append(_Call(key, attempt, lost > 0, dict(call)))
        return len(self.calls), lost > 0

    async def heard(self, number: int, how: Mapping[str, Json], answer: Mapping[str, Json] | None = None) -> None:
        call = self.calls[number - 1]
        call.how = dict(how)
        if answer is not None:
            self.said[call.key, call.attempt] = dict(answer)

    def ledger(self) -> Iterator[Mapping[str, Json]]:
        for number, each in enumerate(self.calls, 1):
            yield _entry(number, each.key, each.attempt, each.repeated, each.call, each.how)

    async def aclose(self) -> None:
        """Nothing is held."""
