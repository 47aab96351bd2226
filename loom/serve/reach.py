"""What is known of the model behind the node, from a cache: a probe never waits for the model."""

import asyncio
from dataclasses import dataclass

from loom.core.errors import LoomError, UpstreamFailure
from loom.core.values import ModelCard
from loom.ports import Clock, ModelBackend

FRESH = 10.0
"""Seconds for which a list of models is served without asking again."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The last look at the model: its list, or why there is none. `at` is monotonic seconds."""

    models: tuple[ModelCard, ...]
    failure: UpstreamFailure | None
    at: float


class Reach:
    """The models of a backend, refreshed by whoever looks when the last look is old; one look at a time."""

    def __init__(self, backend: ModelBackend, clock: Clock, patience: float) -> None:
        self._backend = backend
        self._clock = clock
        self._patience = patience
        self._seen: Seen | None = None
        self._looking: asyncio.Task[Seen] | None = None

    def glance(self) -> Seen | None:
        """What is known now, without waiting; an old look is repeated in the background."""
        if not self._fresh():
            self._look()
        return self._seen

    async def models(self) -> tuple[ModelCard, ...]:
        """The models; raises UpstreamFailure when the last look failed and no list is known."""
        seen = self._seen if self._fresh() else await asyncio.shield(self._look())
        assert seen is not None
        if seen.failure is not None and not seen.models:
            raise seen.failure
        return seen.models

    def _fresh(self) -> bool:
        return self._seen is not None and self._clock.monotonic() - self._seen.at < FRESH

    def _look(self) -> "asyncio.Task[Seen]":
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._ask())
        return self._looking

    async def _ask(self) -> Seen:
        known = self._seen.models if self._seen else ()
        failure = None
        try:
            async with asyncio.timeout(self._patience):
                known = tuple(await self._backend.models())
        except TimeoutError:
            failure = UpstreamFailure(f"The model did not list its models within {self._patience:g} seconds.", status=504)
        except UpstreamFailure as error:
            failure = error
        except (LoomError, OSError, ValueError) as error:
            failure = UpstreamFailure(f"The model did not list its models: {error}.")
        self._seen = Seen(known, failure, self._clock.monotonic())
        return self._seen

    async def close(self) -> None:
        if self._looking and not self._looking.done():
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
