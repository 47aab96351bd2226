"""How fast one model may be asked: so many at once, so many requests and tokens a minute, and pauses that it asks for itself."""

import asyncio
from collections.abc import Awaitable, Callable

Sleep = Callable[[float], Awaitable[None]]
Monotonic = Callable[[], float]

BURST = 12.0
"""A twelfth of a minute's worth may go at once."""


class Bucket:
    """A token bucket. Over any minute no more is let through than `per_minute`, where each amount fits into a burst; one that is
    larger goes when the bucket is full, and what follows waits for it. 0 is no limit."""

    def __init__(self, per_minute: float, monotonic: Monotonic) -> None:
        self._monotonic = monotonic
        self._burst = max(1.0, per_minute / BURST)
        self._rate = (per_minute - self._burst + 1.0) / 60.0 if per_minute >= 1.0 else per_minute / 60.0
        self._level = self._burst
        self._at = monotonic()
        self._unlimited = per_minute <= 0

    def wait(self, amount: float) -> float:
        """Seconds until so much may go; 0 takes it."""
        if self._unlimited:
            return 0.0
        now = self._monotonic()
        self._level = min(self._burst, self._level + (now - self._at) * self._rate)
        self._at = now
        missing = min(amount, self._burst) - self._level
        if missing > 1e-9:
            return missing / self._rate
        self._level -= amount
        return 0.0

    def give_back(self, amount: float) -> None:
        """Correct an amount that was taken, once it is known; a negative one takes more."""
        self._level = min(self._burst, self._level + amount)


class Pace:
    """The pace of one model. `turn` waits until a request of so many tokens may go; those who wait go in the order they came."""

    def __init__(
        self, concurrency: int, requests: float, tokens: float, *, monotonic: Monotonic, sleep: Sleep = asyncio.sleep
    ) -> None:
        self.slots = asyncio.Semaphore(concurrency)
        self._requests = Bucket(requests, monotonic)
        self._tokens = Bucket(tokens, monotonic)
        self._monotonic = monotonic
        self._sleep = sleep
        self._queue = asyncio.Lock()
        self._not_before = 0.0

    async def turn(self, tokens: float) -> None:
        async with self._queue:
            while (pause := self._not_before - self._monotonic()) > 0:
                await self._sleep(pause)
            while (pause := self._tokens.wait(tokens)) > 0:
                await self._sleep(pause)
            while (pause := self._requests.wait(1.0)) > 0:
                await self._sleep(pause)

    def pause(self, seconds: float) -> None:
        """Let nothing go for so long."""
        self._not_before = max(self._not_before, self._monotonic() + seconds)

    def correct(self, estimated: float, spent: float | None) -> None:
        """Tell what a request of so many estimated tokens came to."""
        if spent is not None:
            self._tokens.give_back(estimated - spent)
