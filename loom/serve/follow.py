"""Following the pointer to the current generation: opened in a thread, served by one assignment, acknowledged in a file.

A generation that cannot be opened is refused: the one before serves on, and the reason is logged, counted and acknowledged. Its
embeddings are opened beside it; where those are refused it serves without them, until others are attached or they hold.
"""

import asyncio
import gc
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

from loom.answer.attached import Standing
from loom.core.errors import BadInput, BrokenGeneration, LoomError
from loom.core.sound import sound
from loom.core.values import Json
from loom.ports import Clock, Generation, GenerationKeeper, Part
from loom.serve.acks import Acks
from loom.serve.errors import Conflict
from loom.serve.holder import ABSENT, Holder, Refusal
from loom.serve.metrics import Metrics
from loom.serve.stalls import watched

EVERY = 0.5
"""Seconds between two looks at the pointer."""

AGAIN = 10.0
"""Seconds after which a refused generation is tried again, in case its files have been repaired."""


Opened = tuple[Generation, Mapping[str, Json], Standing]
Semantics = Callable[[Generation], Standing]


class Follower:
    """Keeps a holder on the current generation of a store. `trouble` is why the last look at the store failed."""

    def __init__(
        self,
        store: GenerationKeeper,
        holder: Holder,
        acks: Acks,
        metrics: Metrics,
        log: Any,
        clock: Clock,
        parts: Sequence[type[Part]] = (),
        semantics: Semantics = lambda generation: ABSENT,
        warm: Callable[[Generation], None] = lambda generation: None,
    ) -> None:
        self._store = store
        self._holder = holder
        self._acks = acks
        self._metrics = metrics
        self._log = log
        self._clock = clock
        self._parts = parts
        self._semantics = semantics
        self._warm = warm
        self._attached: tuple[str | None, float] = (None, 0.0)
        self._turn = asyncio.Lock()
        self._stamp: tuple[int, int] | None = (0, 0)
        self.trouble: str | None = None
        self._said: dict[str, Any] | None = None

    async def run(self) -> None:
        """Look, for ever; a look that fails is logged when its reason is new, and the next one comes."""
        while True:
            await self.try_look()
            await asyncio.sleep(EVERY)

    async def try_look(self) -> None:
        """Look; a store that cannot be read now is no reason to stop serving, or not to start."""
        try:
            await self.look()
            self.trouble = None
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            if reason != self.trouble:
                self._log.error("follow_failed", reason=reason, exc_info=not isinstance(error, LoomError | OSError))
            self.trouble = reason

    async def look(self) -> None:
        """Compare the pointer with what is served, and swap when they differ. What was refused is remembered until the pointer
        moves to what is served, or something else is served."""
        async with self._turn:
            stamp = await asyncio.to_thread(self._store.stamp)
            if stamp == self._stamp and self._holder.refusal is None:
                await self._look_beside()
                return
            current = await asyncio.to_thread(self._store.current)
            moved, self._stamp = stamp != self._stamp, stamp
            if current is not None and current != self._holder.id and not self._refused_lately(current):
                async with self._watched():
                    try:
                        self._serve(await self._opened(current))
                    except Exception as error:
                        self._refuse(current, error)
            elif moved and current == self._holder.id:
                self._holder.refusal = None
            await self._acknowledge()

    async def _look_beside(self) -> None:
        """Whether other embeddings serve beside what is served, or those that were refused hold now."""
        pin, (named, at) = self._holder.pin, self._attached
        if pin is None:
            return
        now = await asyncio.to_thread(self._store.attachment_stamp, pin.generation.id)
        refused = self._holder.standing.state["state"] == "refused"
        if now == named and not (refused and self._clock.monotonic() - at >= AGAIN):
            return
        self._attached = now, self._clock.monotonic()
        standing = await asyncio.to_thread(self._semantics, pin.generation)
        if now != named or standing.state != self._holder.standing.state:
            async with self._watched():
                self._serve(await self._opened(pin.generation.id, standing))

    def _watched(self) -> AbstractAsyncContextManager[None]:
        return watched(lambda seconds: self._metrics.observe("loom_swap_stall_seconds", seconds))

    async def _opened(self, id: str, standing: Standing | None = None) -> Opened:
        """Open a generation in a thread. The collector of cycles rests meanwhile and passes over what was made: one look at all of
        it would hold up the event loop for as long as it takes."""
        gc.disable()
        try:
            return await asyncio.to_thread(self._open, id, standing)
        finally:
            gc.freeze()
            gc.enable()

    def _open(self, id: str, standing: Standing | None) -> Opened:
        """Open a generation, its parts and its embeddings (unless they are) here, in a thread, so that no request has to."""
        generation = self._store.open(id)
        try:
            sound(generation, self._parts)
            self._warm(generation)
            if standing is None:
                self._attached = self._store.attachment_stamp(id), self._clock.monotonic()
                standing = self._semantics(generation)
            return generation, self._store.about(id), standing
        except BaseException:
            generation.close()
            raise

    def _refused_lately(self, id: str) -> bool:
        refusal = self._holder.refusal
        return refusal is not None and refusal.id == id and self._clock.monotonic() - refusal.at < AGAIN

    def _serve(self, opened: Opened) -> None:
        generation, about, standing = opened
        before = self._holder.id
        self._holder.assign(generation, about, standing)
        if before:
            self._metrics.set("loom_generation_info", 0, before)
        self._metrics.set("loom_generation_info", 1, generation.id)
        self._metrics.count("loom_swaps_total", "served")
        self._log.info("generation_served", generation=generation.id, before=before, semantic=standing.state["state"])
        if standing.state["state"] == "refused":
            self._log.warning("embeddings_refused", generation=generation.id, reason=standing.state["reason"])

    def _refuse(self, id: str, error: Exception) -> None:
        reason = error.message if isinstance(error, LoomError) else f"{type(error).__name__}: {error}"
        self._holder.refusal = Refusal(id, reason, self._clock.monotonic())
        self._metrics.count("loom_swaps_total", "refused")
        self._log.error("generation_refused", generation=id, serving=self._holder.id, reason=reason)

    async def _acknowledge(self) -> None:
        refusal = self._holder.refusal
        state = {"generation": self._holder.id, "refused": {"id": refusal.id, "reason": refusal.reason} if refusal else None}
        if state == self._said:
            return
        self._said = state
        try:
            await asyncio.to_thread(self._acks.write, state)
        except OSError as error:
            self._log.warning("acknowledgement_failed", reason=str(error))

    async def move(self, id: str) -> None:
        """Open and verify a generation, then point the store at it and serve it here.

        Raises NotFound or BrokenGeneration, and leaves everything as it was, when it cannot be served.
        """
        async with self._turn, self._watched():
            try:
                opened = await self._opened(id)
            except BrokenGeneration as error:
                self._refuse(id, error)
                await self._acknowledge()
                raise
            try:
                await asyncio.to_thread(self._store.point, id)
            except BaseException:
                await asyncio.to_thread(_let_go, opened)
                raise
            if opened[0].id == self._holder.id:
                await asyncio.to_thread(_let_go, opened)
                self._holder.refusal = None
            else:
                self._serve(opened)
            await self._acknowledge()

    async def target_of(self, id: str | None, rollback: bool) -> str:
        """The id that an administrative request means; raises BadInput, NotFound or Conflict."""
        if bool(id) == rollback:
            raise BadInput("Expected either an id, or rollback: true.", param="id")
        if id:
            return await asyncio.to_thread(self._store.resolve, id)
        previous = await asyncio.to_thread(self._store.previous)
        if previous is None:
            raise Conflict("There is no previous generation to roll back to.")
        return previous

    async def all_on(self, id: str, workers: int, seconds: float) -> list[dict[str, Any]] | None:
        """Wait until every worker says that it serves `id`. None when they do; else what they say now."""
        until = self._clock.monotonic() + seconds
        while True:
            said = await asyncio.to_thread(self._acks.read)
            if sum(state["generation"] == id for state in said) >= workers:
                return None
            if self._clock.monotonic() >= until:
                return said
            await asyncio.sleep(0.05)

    async def workers(self) -> list[dict[str, Any]]:
        """What each living worker of this node says it serves."""
        return await asyncio.to_thread(self._acks.read)


def _let_go(opened: Opened) -> None:
    generation, _, standing = opened
    if standing.semantics is not None:
        standing.semantics.close()
    generation.close()
