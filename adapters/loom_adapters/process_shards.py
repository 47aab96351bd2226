"""Pieces of work in processes of this machine."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Piece = TypeVar("Piece")
Done = TypeVar("Done")

AHEAD = 2
"""Pieces that are handed out for each worker: one that it does and one that waits, so that results do not heap up."""


class ProcessShards:
    """A pool of processes, each started anew, so that no lock or thread of this one is copied into it."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))

    def map(self, work: Callable[[Piece], Done], pieces: Sequence[Piece]) -> Iterator[Done]:
        """The results in the order of the pieces."""
        waiting: deque[Future[Done]] = deque()
        try:
            for piece in pieces:
                waiting.append(self._pool.submit(work, piece))
                if len(waiting) >= AHEAD * self._workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)


class FakeShards:
    """The fake of every pool: the pieces are done here, one after the other."""

    def map(self, work: Callable[[Piece], Done], pieces: Sequence[Piece]) -> Iterator[Done]:
        return map(work, pieces)

    def close(self) -> None:
        """There is nothing to let go of."""
