"""From start to end of one serving process: open the generation, follow it, watch the keys, and leave tidily."""

import asyncio
import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from loom.claims.figures import Counted
from loom.core.errors import LoomError
from loom.serve.acks import Acks
from loom.serve.buckets import Buckets
from loom.serve.keys import KeyRing
from loom.serve.metrics import gauge_claims
from loom.serve.serving import Serving

KEYS_EVERY = 1.0
PARENT_EVERY = 1.0
FORGET_EVERY = 1.0
FIGURES_EVERY = 5.0
SWITCH_SECONDS = 0.001
"""How long a thread that opens a generation may hold the interpreter before the event loop gets its turn."""

COLLECT_EVERY = 20_000
"""Objects made between two collections. A request makes thousands and leaves no cycles; Python's 700 would collect in each."""


class Life:
    def __init__(self, serving: Serving, acks: Acks, ring: KeyRing | None, buckets: Buckets) -> None:
        self._serving = serving
        self._acks = acks
        self._ring = ring
        self._buckets = buckets

    @asynccontextmanager
    async def span(self, _: object = None) -> AsyncIterator[None]:
        serving = self._serving
        sys.setswitchinterval(SWITCH_SECONDS)
        await serving.follower.try_look()
        serving.reach.glance()
        gc.collect()
        gc.freeze()
        gc.set_threshold(COLLECT_EVERY, 10, 10)
        tasks = [
            asyncio.create_task(work)
            for work in (
                *(serving.follower.run(), self._watch_keys(), self._watch_parent()),
                *(self._watch_forgotten(), self._watch_claims(), self._keep_claims()),
            )
        ]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await serving.reach.close()
            await serving.node.backend.aclose()
            if serving.node.memory is not None:
                await serving.node.memory.aclose()
            if serving.node.claims is not None:
                await serving.node.claims.aclose()
            if serving.node.triples is not None:
                await serving.node.triples.aclose()
            serving.holder.close()
            await asyncio.to_thread(self._acks.remove)
            self._buckets.close()

    async def _watch_keys(self) -> None:
        """Added and revoked keys hold within a second or two, without a restart."""
        ring, log = self._ring, self._serving.log
        while ring is not None:
            await asyncio.sleep(KEYS_EVERY)
            try:
                if await asyncio.to_thread(ring.refresh):
                    log.info("keys_changed")
            except LoomError as error:
                log.error("keys_unreadable", reason=error.message)

    async def _watch_forgotten(self) -> None:
        """What any worker deletes, all of them forget within a second or two."""
        marked, seen = self._serving.forgotten, 0
        while marked is not None and self._serving.node.memory is not None:
            now = marked.stat().st_mtime_ns if marked.exists() else 0
            if now != seen:
                self._serving.drop()
            seen = now
            await asyncio.sleep(FORGET_EVERY)

    async def _watch_claims(self) -> None:
        """The figures of the claims, for the metrics; every worker has the same."""
        claims, metrics, log = self._serving.node.claims, self._serving.metrics, self._serving.log
        counted, failed = Counted(), ""
        while claims is not None:
            try:
                gauge_claims(metrics, await counted.look(await claims.store()))
                failed = ""
            except LoomError as error:
                if error.message != failed:
                    log.error("claims_unreadable", reason=error.message)
                failed = error.message
            await asyncio.sleep(FIGURES_EVERY)

    async def _keep_claims(self) -> None:
        """What is searched for a question is read before one comes, and brought up while none does."""
        claims = self._serving.node.claims
        while claims is not None:
            with suppress(LoomError):  # the figures say it
                await (await claims.store()).look(lambda view: view.words("claim", "", 1))
            await asyncio.sleep(FIGURES_EVERY)

    async def _watch_parent(self) -> None:
        """A worker whose supervisor was killed stops as if it had been asked to, and gives the port back."""
        parent = multiprocessing.parent_process()
        while parent is not None:
            await asyncio.sleep(PARENT_EVERY)
            if not parent.is_alive():
                self._serving.log.error("supervisor_gone")
                os.kill(os.getpid(), signal.SIGTERM)
                return
