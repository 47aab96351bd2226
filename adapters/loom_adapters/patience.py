"""Deadlines for many short waits in a row."""

import asyncio
from types import TracebackType


class Patience:
    """What `asyncio.timeout` does, for one wait after another, at the cost of one timer for all of them.

    `with patience.of(seconds): await …` raises TimeoutError when the wait takes longer. Waits do not overlap, and each is begun
    and ended by one task. `close` when no wait will follow; until then a timer may be pending.
    """

    __slots__ = ("_asked", "_loop", "_struck", "_task", "_timer", "_until")

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._until: float | None = None
        self._task: asyncio.Task[object] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._struck = False
        self._asked = 0

    def of(self, seconds: float) -> "Patience":
        """Set the length of the wait that the block is about to begin."""
        self._until = until = self._loop.time() + seconds
        if self._timer is not None and self._timer.when() > until:
            self._timer.cancel()
            self._timer = None
        if self._timer is None:
            self._timer = self._loop.call_at(until, self._look)
        return self

    def __enter__(self) -> None:
        self._task = asyncio.current_task()
        self._asked = self._task.cancelling() if self._task else 0

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        task, self._task, self._until = self._task, None, None
        if self._struck:
            self._struck = False
            if task is not None and task.uncancel() <= self._asked and kind is asyncio.CancelledError:
                raise TimeoutError from error

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        self._timer = None
        if self._until is None or self._task is None:
            return
        if self._loop.time() < self._until:
            self._timer = self._loop.call_at(self._until, self._look)
        else:
            self._struck = True
            self._task.cancel()
