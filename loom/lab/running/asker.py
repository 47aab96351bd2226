"""The asker of a study: keeps every answer, sends what is not kept, waits where a model asks for it, and writes all of it down."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from weakref import WeakValueDictionary

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.asking import Attempt, Said, usage_json
from loom.lab.running.heard import Failed, Heard, call, heard_of
from loom.lab.running.pace import Pace, Sleep
from loom.lab.running.request import Request, request_of
from loom.lab.running.tally import Tally
from loom.lab.showing import Asking
from loom.lab.study.member import Member
from loom.ports import AnswerBook, Clock, ModelBackend

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
STRANGER = 20.0
"""Seconds for which a model is tried that has never been reached: its address is more likely wrong than its server down."""


class _Model:
    """A member as it is asked: its backend, its pace, and how it has been."""

    def __init__(self, member: Member, backend: ModelBackend, pace: Pace) -> None:
        self.member = member
        self.backend = backend
        self.pace = pace
        self.known = False
        self.answered = False
        self.tired = False
        self.closed: Failed | None = None


class BookAsker:
    """An `Asker` over model backends and a book of kept answers.

    Each call is in the book before it goes out and again when something is heard of it, so that after a kill no more calls are
    sent twice than were under way: at most `concurrency`. An empty answer is asked for once more, with twice the allowance; both
    answers are kept. What fails for a reason that may pass is tried again for `patience` seconds, then it is an error until the
    next run.
    """

    def __init__(
        self,
        members: Sequence[Member],
        backends: Mapping[str, ModelBackend],
        book: AnswerBook,
        clock: Clock,
        *,
        concurrency: int = 4,
        patience: float = 300.0,
        sleep: Sleep = asyncio.sleep,
        tally: Tally | None = None,
    ) -> None:
        self._models = {
            member.name: _Model(
                member,
                backends[member.name],
                Pace(
                    min(member.concurrency or concurrency, concurrency),
                    member.requests_per_minute,
                    member.tokens_per_minute,
                    monotonic=clock.monotonic,
                    sleep=sleep,
                ),
            )
            for member in members
        }
        self._book = book
        self._clock = clock
        self._all = asyncio.Semaphore(concurrency)
        self._patience = patience
        self._sleep = sleep
        self.tally = tally or Tally()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._errors: dict[str, Said] = {}

    async def ask(
        self, model: str, asking: Asking, *, purpose: str, more: Mapping[str, Json] | None = None, salt: str = ""
    ) -> Said:
        found = self._models.get(model)
        if found is None:
            raise BadInput(f"Expected a model among {', '.join(self._models)}, but got {model!r}.", param="model")
        request = request_of(found.member, asking, more, salt)
        lock = self._locks.setdefault(request.key, asyncio.Lock())
        async with lock:
            said = self._errors.get(request.key) or await self._said(found, request, purpose)
            if said.error is not None:
                self._errors[request.key] = said
        self.tally.asked += 1
        self.tally.errors += said.error is not None
        return said

    async def _said(self, model: _Model, request: Request, purpose: str) -> Said:
        kept = [heard_of(answer) for answer in await self._book.answers(request.key)]
        heard: list[Heard] = []
        attempts: list[Attempt] = []
        new = False
        for number, allowance in enumerate(request.allowances):
            if number < len(kept):
                answer: Heard | Failed = kept[number]
            else:
                new = True
                answer = await self._asked(model, request, number, purpose)
            if isinstance(answer, Failed):
                if heard and not answer.again and not answer.for_all:
                    break
                return Said("", "interrupted", None, attempts=tuple(attempts), key=request.key, error=answer.message)
            heard.append(answer)
            attempts.append(answer.attempt(allowance))
            if not answer.empty:
                break
        self.tally.kept += not new
        last = heard[-1]
        return Said(
            last.text,
            last.completion,
            last.finish_reason,
            last.model_reported,
            last.usage,
            tuple(attempts),
            request.key,
        )

    async def _asked(self, model: _Model, request: Request, attempt: int, purpose: str) -> Heard | Failed:
        """An answer, however often it takes within the patience."""
        began = self._clock.monotonic()
        tokens = request.size + request.allowances[attempt]
        tries = 0
        async with model.pace.slots:
            while True:
                if model.closed is not None:
                    return model.closed
                await model.pace.turn(tokens)
                async with self._all:
                    answer = await self._sent(model, request, attempt, purpose)
                if isinstance(answer, Heard):
                    spent = (answer.usage.prompt or 0) + (answer.usage.completion or 0)
                    model.pace.correct(tokens, spent or None)
                    model.known, model.answered, model.tired = True, True, False
                    self.tally.trouble.pop(request.member.name, None)
                    return answer
                model.pace.correct(tokens, 0.0)
                if answer.stray and model.answered:
                    answer = replace(answer, again=True, for_all=False)
                if answer.for_all:
                    model.closed = answer
                if not answer.again:
                    return answer
                pause = self._pause(model, answer, request, tries, began)
                if pause is None:
                    return answer
                self.tally.trouble[request.member.name] = answer.message
                if answer.status in (429, 503) or answer.wait is not None:
                    model.pace.pause(pause)
                else:
                    await self._sleep(pause)
                tries += 1

    def _pause(self, model: _Model, failed: Failed, request: Request, tries: int, began: float) -> float | None:
        """Seconds until the next try; None where patience is at its end. A model on which patience
        ended gets one try of each further request, until it answers again."""
        model.known = model.known or failed.reached
        patience = self._patience if model.known else min(self._patience, STRANGER)
        part = int(sha256(f"{request.key}:{tries}".encode()).hexdigest()[:4], 16) / 0xFFFF
        own = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0**tries) * (0.75 + 0.5 * part)
        pause = own if failed.wait is None else failed.wait
        if model.tired or self._clock.monotonic() + pause - began > patience:
            model.tired = True
            return None
        return pause

    async def _sent(self, model: _Model, request: Request, attempt: int, purpose: str) -> Heard | Failed:
        """One call, in the book before and after."""
        now = self._clock.now()
        allowance = request.allowances[attempt]
        stated = {
            "purpose": purpose,
            "model": request.member.name,
            "allowance": allowance,
            "started": now.isoformat(timespec="milliseconds"),
        }
        number, repeated = await self._book.sending(request.key, attempt, stated)
        self.tally.sent += 1
        self.tally.repeated += repeated
        began = self._clock.monotonic()
        answer = await call(model.backend, request, allowance, now)
        how: dict[str, Json] = {"seconds": round(self._clock.monotonic() - began, 4)}
        if isinstance(answer, Failed):
            self.tally.failed += 1
            await self._book.heard(number, {**how, "status": answer.status, "error": answer.message})
            return answer
        usage, price = answer.usage, request.member.price
        cost = None if price is None else price.of(usage.prompt, usage.completion)
        self.tally.spent(usage.prompt, usage.completion, cost)
        how |= {"status": 200, "completion": answer.completion, "tokens": usage_json(usage), "price": cost}
        await self._book.heard(number, how, answer.as_json())
        return answer
