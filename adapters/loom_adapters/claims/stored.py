"""`ClaimStore` over two kinds of transaction, which each store has in its own way."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from itertools import islice
from typing import TypeVar

from loom.core.claims.stored import LEASE, Ask, Commit, Lease, Notes, Step, no_step
from loom.core.claims.view import ClaimView
from loom.core.errors import Unreachable, Unwritable
from loom_adapters.claims import bookkeeping
from loom_adapters.claims.recall import Recall
from loom_adapters.claims.session import Session
from loom_adapters.claims.transfer import exported, restored
from loom_adapters.claims.view import StoredView
from loom_adapters.claims.written import Writing

T = TypeVar("T")

READERS = 8
LINES = 500


class StoredClaims:
    """The methods of `ClaimStore` over two of its own. Everything that waits does so in a thread; writes wait for one another.

    `step` is told of every step of a commit: between two of them a process may end, and nothing of the commit is there."""

    def __init__(self, step: Step = no_step) -> None:
        self._step = step
        self._recall = Recall()
        self._reading = ThreadPoolExecutor(READERS, thread_name_prefix="claims-read")
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="claims-write")

    def _transaction(self) -> AbstractContextManager[Session]:
        """A transaction that is alone among writers, and on the disk when it ends; nothing of it where it ends with an error."""
        raise NotImplementedError

    def _snapshot(self) -> AbstractContextManager[Session]:
        """One state of everything, that nothing changes while it is looked at."""
        raise NotImplementedError

    def _closed(self) -> None:
        """Give back what is held."""

    async def lease(self, holder: str, *, now: float, seconds: float) -> Lease:
        return await self._write(lambda session: bookkeeping.taken(session, holder, now, seconds))

    async def renew(self, lease: Lease, *, now: float, seconds: float) -> Lease:
        return await self._write(lambda session: bookkeeping.renewed(session, lease, now, seconds))

    async def release(self, lease: Lease) -> None:
        await self._write(lambda session: bookkeeping.released(session, lease))

    async def commit(self, lease: Lease, commit: Commit) -> int:
        def work(session: Session) -> int:
            bookkeeping.held(session, lease)
            version = max(0, session.largest("versions", "version"))
            if version != commit.after:
                raise Unwritable(
                    f"The claims are at version {version}, but this was decided on version {commit.after}; open the network again.",
                    param=LEASE,
                )
            self._step("begin")
            Writing(session, version + 1, self._step).take(commit)
            return version + 1

        version = await self._write(work)
        self._step("committed")
        return version

    async def look(self, work: Callable[[ClaimView], T], *, at_least: int = 0) -> T:
        def within() -> T:
            with self._snapshot() as session:
                view = StoredView(session, self._recall)
                if view.version < at_least:
                    raise Unreachable(
                        f"The claims are at version {view.version}, but version {at_least} was read before; this store is older than "
                        "the one that was read, so wait until it has caught up.",
                        param="at_least",
                    )
                return work(view)

        return await asyncio.get_running_loop().run_in_executor(self._reading, within)

    async def enqueue(self, asks: Sequence[Ask]) -> Sequence[int]:
        return await self._write(lambda session: bookkeeping.enqueued(session, asks))

    async def note(self, notes: Notes) -> None:
        await self._write(lambda session: bookkeeping.noted(session, notes))

    async def export(self) -> AsyncIterator[bytes]:
        loop = asyncio.get_running_loop()
        snapshot = self._snapshot()
        session = await loop.run_in_executor(self._reading, snapshot.__enter__)
        try:
            lines = exported(session)
            while some := await loop.run_in_executor(self._reading, _next, lines):
                for line in some:
                    yield line
        finally:
            await loop.run_in_executor(self._reading, snapshot.__exit__, None, None, None)

    async def restore(self, lines: Iterable[bytes]) -> int:
        return await self._write(lambda session: restored(session, lines))

    async def aclose(self) -> None:
        self._recall.close()
        self._reading.shutdown()
        self._writing.shutdown()
        self._closed()

    async def _write(self, work: Callable[[Session], T]) -> T:
        def within() -> T:
            with self._transaction() as session:
                return work(session)

        return await asyncio.get_running_loop().run_in_executor(self._writing, within)


def _next(lines: "Iterable[bytes]") -> list[bytes]:
    return list(islice(lines, LINES))
