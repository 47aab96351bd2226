"""How late the event loop is while something goes on beside it, measured only then."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

EVERY = 0.001
"""Seconds between two looks: nothing at this pace is felt, and a stall of twice that is seen."""

AFTER = 0.1
"""Seconds for which the watch goes on afterwards, while what was replaced is taken down."""


class Lateness:
    """Wakes up every millisecond until told and a little longer, then reports the longest delay in seconds."""

    def __init__(self, report: Callable[[float], None]) -> None:
        self._report = report
        self._loop = asyncio.get_running_loop()
        self._longest = 0.0
        self._until: float | None = None
        self._due = self._loop.time() + EVERY
        self._loop.call_at(self._due, self._look)

    def _look(self) -> None:
        now = self._loop.time()
        self._longest = max(self._longest, now - self._due)
        if self._until is not None and now >= self._until:
            self._report(self._longest)
            return
        self._due = now + EVERY
        self._loop.call_at(self._due, self._look)

    def over(self) -> None:
        self._until = self._loop.time() + AFTER


@asynccontextmanager
async def watched(report: Callable[[float], None]) -> AsyncIterator[None]:
    """Report the longest delay of the event loop during the block and shortly after."""
    lateness = Lateness(report)
    try:
        yield
    finally:
        lateness.over()
