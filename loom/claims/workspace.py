"""Claims as the rest of the node uses them: one store a process, read at once, and written by asks that the slow path does."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from loom.claims.asks import Derive, Wish, ask_of
from loom.claims.drafting import row
from loom.claims.fast import WEAK, FastPath, Hit, Reading, Wants
from loom.claims.judges import Judges
from loom.claims.noting import Notebook
from loom.claims.slow import HOLD, Flushed, SlowPath
from loom.core.claims.applying import LIFTED
from loom.core.claims.dimensions.rules import DEFAULT, Rules
from loom.core.claims.intake.ids import content_id
from loom.core.claims.judging.asked import Brief, Cited, Request
from loom.core.claims.judging.calls import Call, Judged, T, Unjudged
from loom.core.claims.judging.given import Artifact, Way
from loom.core.claims.judging.routing import by_words, slower
from loom.core.claims.parts import Parts
from loom.core.claims.reach import GENERAL
from loom.core.claims.stored import LEASE, Notes, Queued
from loom.core.claims.view import ClaimView
from loom.core.errors import BadInput, LoomError, NotFound, UnfitStore, Unwritable
from loom.core.values import Json
from loom.ports import ClaimStore

log = logging.getLogger(__name__)

BEAT = HOLD / 4
"""Seconds between two renewals of the lease while a batch runs."""

POLL = 0.1
"""Seconds between two looks at an ask that is waited for."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request: the way it took; what was found; for `reason` the ask that derives, or the batch that did so at once; for
    `author` the artifact."""

    way: Way
    reading: Reading | None = None
    asked: Queued | None = None
    artifact: Artifact | None = None
    flushed: Flushed | None = None


class Claims:
    """A workspace. Its store is opened when it is first needed.

    Below the confidence `weak` a read may suppose a passage; a way that a model is less sure of than `unsure` gives way to the next
    slower one; what was routed to `retrieve` and is found with less confidence than `thin` is reasoned about.
    """

    def __init__(
        self,
        opener: Callable[[], ClaimStore],
        judges: Judges,
        now: Callable[[], datetime],
        *,
        holder: str,
        parts: Parts | None = None,
        rules: Rules = DEFAULT,
        penalty: float,
        weak: float = WEAK,
        unsure: float = 0.0,
        thin: float = 0.0,
    ) -> None:
        self._opener = opener
        self.judges = judges
        self._now = now
        self._holder = holder
        self.parts = parts or Parts()
        self._rules = rules
        self._penalty = penalty
        self._weak, self._unsure, self._thin = weak, unsure, thin
        self._store: ClaimStore | None = None
        self._notebook: Notebook | None = None
        self._opening = asyncio.Lock()
        self._slow: SlowPath | None = None

    async def store(self) -> ClaimStore:
        """Raises UnfitStore, Unwritable or Unreachable where it cannot be opened."""
        async with self._opening:
            if self._store is None:
                try:
                    self._store = await asyncio.to_thread(self._opener)
                except BadInput as error:
                    raise UnfitStore(error.message, param=error.param) from error
                self._notebook = Notebook(self._store)
            return self._store

    async def note(self, notes: Notes) -> None:
        """Writes down what a read came to; a store that does not take it stops no read."""
        await self.store()
        assert self._notebook is not None
        await self._notebook.note(notes)

    async def fast(self) -> FastPath:
        store = await self.store()
        return FastPath(
            store,
            self.judges,
            parts=self.parts,
            rules=self._rules,
            penalty=self._penalty,
            weak=self._weak,
            notebook=self._notebook,
        )

    async def slow(self) -> SlowPath:
        """The writer of this process; it takes the lease with its first batch."""
        if self._slow is None:
            store = await self.store()
            self._slow = SlowPath(store, self.judges, self._holder, parts=self.parts, rules=self._rules)
        return self._slow

    async def aclose(self) -> None:
        if self._slow is not None:
            await self._slow.aclose()
        if self._store is not None:
            await self._store.aclose()
        self._store = self._slow = self._notebook = None

    @property
    def rules(self) -> Rules:
        return self._rules

    @property
    def penalty(self) -> float:
        """λ where a domain has no fit."""
        return self._penalty

    def at(self) -> str:
        return self._now().isoformat(timespec="milliseconds")

    async def ask(self, wishes: Sequence[Wish], *, once: str = "", seconds: float = 0.0) -> list[str]:
        """Puts wishes into the queue and gives their keys; they are on the disk then. `seconds` is how long a person took for all of
        them. Raises BadInput."""
        at, each_took = self.at(), seconds / max(1, len(wishes))
        asks = [
            ask_of(each, at, once=f"{once}#{place}" if once else "", seconds=each_took) for place, each in enumerate(wishes)
        ]
        await (await self.store()).enqueue(asks)
        return [each.key for each in asks]

    async def flush(self, *, only: Sequence[str] = (), spare: int = 0) -> Flushed:
        """One batch by this process. Raises Unjudged and Unwritable; then everything still waits."""
        slow = await self.slow()
        beating = asyncio.create_task(self._beat(slow))
        try:
            return await slow.flush(self._now(), only=only, spare=spare)
        finally:
            beating.cancel()

    async def _flushed(self) -> Flushed | None:
        """One batch by this process; None where another holds the lease."""
        try:
            return await self.flush()
        except Unwritable as error:
            if error.param != LEASE:
                raise
            return None

    async def _beat(self, slow: SlowPath) -> None:
        """Renews the lease of a batch that takes long. Where that is not possible, the commit says so."""
        try:
            while True:
                await asyncio.sleep(BEAT)
                await slow.renew(self._now())
        except LoomError as error:
            log.warning("The lease could not be renewed: %s", error.message)

    async def outcome(self, key: str, wait: float = 0.0) -> Queued:
        """What became of an ask, waited for up to so many seconds. Raises NotFound."""
        return (await self.asked([key], wait))[0]

    async def asked(self, keys: Sequence[str], wait: float = 0.0) -> list[Queued]:
        """What became of asks, waited for together for up to so many seconds. Raises NotFound."""
        store = await self.store()
        left = wait
        while True:
            found = await store.look(lambda view: view.asked(keys))
            if missing := [key for key in keys if key not in found]:
                raise NotFound(f"There is no ask {missing[0][:200]}; give the key that the ask was answered with.", param="key")
            if left <= 0 or all(found[key].version for key in keys):
                return [found[key] for key in keys]
            await asyncio.sleep(min(POLL, left))
            left -= POLL

    async def side(self, claim: str, other: str) -> str:
        """The claim on the other side of a conflict of a claim; of a signal, what was lifted of it. Raises NotFound where there is none."""

        def read(view: ClaimView) -> dict[str, str]:
            if claim not in view.claims([claim]):
                raise NotFound(f"There is no claim {claim:.200}; list the claims for their ids.", param="id")
            return {each.partner.removeprefix(LIFTED): each.partner for each in view.conflicts(claim)}

        sides = await (await self.store()).look(read)
        if other not in sides:
            raise NotFound(f"{other:.200} does not dispute {claim}; look at the claim, which names what does.", param="resolve")
        return sides[other]

    async def way(self, request: Request, way: str = "") -> Way:
        """How a request is to be served: as it says, or as the router judges it."""
        if way:
            return Way(way, ((way, 1.0),))
        if self.parts.router == "user":
            return Way("retrieve", (("retrieve", 1.0),))
        if self.parts.router == "rules":
            return by_words(request)
        return await self._sure(request, (await self._logged(self.judges.routing.route([request]), "read"))[0])

    async def _sure(self, request: Request, way: Way) -> Way:
        """A judged way, or the next slower one where it is unsure, of which the log is told. One that was learned from labels has its own
        threshold, since its probabilities were measured."""
        taken = slower(way, self._unsure) if self.parts.router == "model" else way
        if taken.escalated:
            await self._escalated("router", request, taken.way, dict(taken.probabilities))
        return taken

    async def _escalated(self, what: str, request: Request, to: str, more: Json) -> None:
        """Tells the log of escalations that a request was passed on to a slower path, and of its text no more than the digest."""
        told: Json = {"escalation": what, "question": content_id("question", request.text), "to": to, "of": more}
        await self.note(Notes(self.at(), escalated=[told]))

    async def _decided(
        self, request: Request, way: str = "", domains: tuple[str, ...] | None = None
    ) -> tuple[Way, tuple[str, ...] | None]:
        """How a request is to be served and in which domains; None for these where the read is to file it. Where one judge says both, it
        is asked once (specs/claims.md §8)."""
        deciding = self.judges.deciding
        if way or domains is not None or deciding is None or self.parts.router != "model" or not self.parts.scope:
            return await self.way(request, way), domains
        known = await (await self.store()).look(lambda view: [each for each in view.domains() if each.id != GENERAL])
        both = (await self._logged(deciding.decide([request], known), "read"))[0]
        return await self._sure(request, both.way), both.filed.domains

    async def _reconsidered(self, request: Request, way: Way, reading: Reading) -> Way:
        """The way of a request that was routed, once it is known what a read finds: `reason` where that is too thin to retrieve."""
        if self.parts.router == "user" or reading.confidence >= self._thin:
            return way
        await self._escalated("thin", request, "reason", round(reading.confidence, 4))
        return replace(way, way="reason", escalated=True)

    async def read(self, wants: Wants) -> Reading:
        """A read; what it shows is written down, and what it cost."""
        fast, at = await self.fast(), self.at()
        reading = await fast.read(wants, at)
        await fast.shown(reading, at)
        return reading

    async def _logged(self, judging: Awaitable[Judged[T]], line: str) -> T:
        """The value of a judgement; its calls go into the log, those of one that failed too."""
        at = self.at()
        try:
            judged = await judging
        except Unjudged as failure:
            await self._paid(failure.calls, "failed", at)
            raise
        await self._paid(judged.calls, line, at)
        return judged.value

    async def _paid(self, calls: Sequence[Call], line: str, at: str) -> None:
        if calls:
            await self.note(Notes(at, calls=[row(each, line, "read", at) for each in calls]))

    async def answer(
        self,
        request: Request,
        *,
        way: str = "",
        audience: str = "",
        register: str = "report",
        domains: tuple[str, ...] | None = None,
        k: int = 10,
        wait: float = 0.0,
        once: str = "",
        at_once: bool = False,
    ) -> Answer:
        """Serves a request by the way that it takes. `reason` is put into the queue, and waited for up to `wait` seconds; with `at_once`
        this process does what waits, as `flush`, unless another is the one that writes."""
        if not request.text.strip():
            raise BadInput("Expected a question or a task as text, but it is empty.", param="text")
        taken, scope = await self._decided(request, way, domains)
        wants = Wants(request.text, k, scope)
        asked: Queued | None = None
        flushed: Flushed | None = None
        reading: Reading | None = None
        if taken.way == "retrieve":
            fast, at = await self.fast(), self.at()
            reading = await fast.read(wants, at)
            taken = taken if way else await self._reconsidered(request, taken, reading)
            await fast.shown(reading, at, claims=() if taken.escalated else None)
        if taken.way == "reason":
            (key,) = await self.ask([Derive(request.text, domains=domains or ())], once=once)
            flushed = await self._flushed() if at_once else None
            asked = await self.outcome(key, wait) if flushed is None else None
            reading = None
        if reading is None:
            reading = await self.read(wants)
        if taken.way != "author":
            return Answer(taken, reading, asked, flushed=flushed)
        brief = Brief(request.text, audience, tuple(cited(each) for each in reading.hits), register)
        artifact = await self._logged(self.judges.rendering.render(brief), "read")
        return Answer(taken, reading, None, artifact)


def cited(hit: Hit) -> Cited:
    """What was found as an artifact may cite it."""
    conflicts = tuple((each.id, each.text) for each in hit.opposed)
    return Cited(hit.id, hit.text, hit.standing.word if hit.claim else "", hit.preconditions, conflicts)
