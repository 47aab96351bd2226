"""Answering: a plan's prompt goes to a model, and its answer comes back frame by frame, accounted for."""

import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager

from loom.answer.accounting import loom_object
from loom.answer.allowance import Allowances
from loom.answer.calls import Calls
from loom.answer.hearing import Hearing
from loom.answer.last_word import body_instead, frames_instead
from loom.answer.plan import Plan, Watch
from loom.answer.reading import said_of
from loom.answer.relay import asks_usage
from loom.answer.round import Round
from loom.answer.second_round import Again, Hold, Hydration, Second, single
from loom.answer.verbatim import VerbatimModel, fits
from loom.answer.wording import cited, error_frame, with_loom, with_usage
from loom.core.completion import usage_of
from loom.core.errors import UpstreamFailure
from loom.core.frames import DONE, Frame, event
from loom.core.values import Json, Outcome
from loom.ports import ModelBackend

log = logging.getLogger(__name__)


class Reply:
    """One answer on its way to a client.

    `status`, `headers` and `streamed` are known at once. `frames` gives a whole body as one frame, or the events of a stream up
    to and with its end marker; it may be called once, and raises UpstreamFailure only while it has given nothing. `outcome`
    and `account` (the `loom` object) are there after the last frame; both stay None where the upstream refused the request.
    `plan` is the one that is answered from: a second round has a plan of its own.
    """

    def __init__(
        self,
        plan: Plan,
        backend: ModelBackend,
        watches: Sequence[Watch],
        stack: AsyncExitStack,
        *,
        request_id: str,
        allowances: Allowances,
        headers: Mapping[str, str] | None,
        monotonic: Callable[[], float],
        again: Again | None,
    ) -> None:
        self.outcome: Outcome | None = None
        self.account: dict[str, Json] | None = None
        self._backend = backend
        self._stack = stack
        self._request_id = request_id
        self._allowances = allowances
        self._client_headers = headers
        self._monotonic = monotonic
        self._began = monotonic()
        self._first_token: float | None = None
        self._again = again
        self._attempts = 0
        contract = plan.contract if again is not None and single(plan.question) else None
        self._hydration = Hydration(contract) if contract else None
        self._prefix = contract.prefix if contract else None
        self._round = Round(plan, self._calls(plan), Hearing(watches), Hold(self._prefix), begins=self._begins)
        self._opener = self._round.calls
        self._frames: AsyncGenerator[Frame, None] | None = None

    def _calls(self, plan: Plan, sent: str = "") -> Calls:
        calls = Calls(plan.prompt, self._backend, self._allowances, self._client_headers, sent)
        self._stack.push_async_exit(calls.stack)
        return calls

    def _begins(self) -> None:
        if self._first_token is None and self._round.calls.upstream.streamed:
            self._first_token = self._monotonic() - self._began

    async def begin(self) -> None:
        """Call the model. Raises UpstreamFailure when no answer begins."""
        await self._opener.begin()

    @property
    def plan(self) -> Plan:
        return self._round.plan

    @property
    def status(self) -> int:
        return self._opener.upstream.status

    @property
    def headers(self) -> Mapping[str, str]:
        return self._opener.upstream.headers

    @property
    def streamed(self) -> bool:
        return self._opener.upstream.streamed or (self.plan.question.body.get("stream") is True and self.status == 200)

    def frames(self) -> AsyncIterator[Frame]:
        if self.status != 200:
            self._frames = self._refused()
        elif self.streamed:
            self._frames = self._streamed()
        else:
            self._frames = self._whole()
        return self._frames

    async def close(self) -> None:
        """Stop reading, wherever the reading stands."""
        if self._frames is not None:
            await self._frames.aclose()

    async def after(self) -> None:
        """Let the watches write, once the last byte is out. What one of them does wrong is logged; the answer stands."""
        if self.outcome is not None:
            await self._round.hearing.after(self.outcome)

    async def _refused(self) -> AsyncGenerator[Frame, None]:
        async for frame in self._opener.upstream.frames():
            yield frame

    async def _whole(self) -> AsyncGenerator[Frame, None]:
        first = self._round
        await first.whole()
        if first.speechless and await self._next(first):
            try:
                await self._round.whole()
            except Exception as error:
                self._round.breaks(_failure(error))
        if not self._round.speechless:
            data, instead = self._round.body()
        else:
            data, instead = body_instead(first.data, self._degraded()), None
            data = data if self._round.usage is None else with_usage(data, self._round.usage)
        account = self._settle(instead)
        answer = with_loom(cited(data, self.plan.block), account)
        yield Frame(answer, answer)

    async def _streamed(self) -> AsyncGenerator[Frame, None]:
        first = self._round
        async with aclosing(first.stream()) as frames:
            async for frame in frames:
                yield frame
        missing = dict(first.lacking) if first.speechless else {}
        if first.speechless and await self._next(first):
            held = [*first.withheld, *([first.head.delta(missing)] if missing else ())]
            missing = {}
            if self._round.hearing.withholds:
                self._round.withheld = held
            else:
                for frame in held:
                    yield frame
            try:
                async with aclosing(self._round.stream()) as frames:
                    async for frame in frames:
                        yield frame
            except Exception as error:
                self._round.breaks(_failure(error))
        last = self._round
        broken = None if last.speechless else last.failure
        if not last.speechless:
            left, instead = last.ending()
        else:
            role = "role" in missing or first.hearing.withholds
            told = asks_usage(last.plan.question.body) and last.usage
            usage = [first.head.chunk([], usage=last.usage)] if told else []
            left, instead = frames_instead(usage, first.head, self._degraded(), role=role), None
        account = self._settle(instead)
        ending = error_frame(broken, account) if broken else event(with_loom(left.pop().data, account))
        for frame in left:
            yield frame
        yield ending
        yield DONE

    async def _next(self, first: Round) -> bool:
        """Begin a second round, for a first that came to directives; False where there is none. Never raises."""
        hydration = self._hydration
        if hydration is None or self._again is None or not first.asks:
            return False
        hydration.ask(first.hold.text)
        try:
            await first.calls.stack.aclose()
            second = await self._again(first.hold.text)
            if second is None or not second.plan.block.served or second.plan.block == first.plan.block:
                return False
            hydration.fetched(first.plan, second.plan)
            self._round = self._after(first, second)
            hydration.rounds = 2
            await self._round.calls.begin()
        except Exception as error:
            if self._round is not first:
                self._round.breaks(_failure(error))
            log.warning("There is no second round: %s", error, exc_info=not isinstance(error, UpstreamFailure))
            return False
        if self._round.calls.upstream.status != 200:
            self._round.breaks(UpstreamFailure("The model refused the second round.", code="upstream_refused"))
            return False
        return True

    def _after(self, first: Round, second: Second) -> Round:
        self._attempts = first.calls.attempts - 1
        calls = self._calls(second.plan, first.calls.sent)
        hold = Hold(self._prefix)
        head = first.head if self.streamed else None
        hearing, begins = Hearing(second.watches), self._begins
        return Round(second.plan, calls, hearing, hold, begins=begins, further=True, head=head, spent=first.usage)

    def _degraded(self) -> str:
        """What the reader says over the facts, in the place of a model that came to no answer."""
        assert self._hydration is not None, "only where a second round could have been"
        self._hydration.outcome = "degraded"
        text = said_of(self.plan)
        self._round.tells(text)
        return text

    def _settle(self, instead: str | None = None) -> dict[str, Json]:
        """The account of a finished answer, or of what was answered instead; sets `outcome` and `account`."""
        last = self._round
        said, watches = last.said, list(last.hearing.watches)
        if self._hydration is not None:
            if last.further and self._hydration.outcome == "answered":
                self._hydration.outcome = "hydrated"
            self._hydration.usage = last.usage
            watches.append(self._hydration)
        self.outcome = Outcome(
            completion=said.completion(),
            text=said.text if instead is None else instead,
            reasoning=said.reasoning,
            finish=next(iter(said.finishes), None),
            model_reported=said.model,
            usage=usage_of(last.usage) if last.further else said.usage,
            attempts=self._attempts + last.calls.attempts,
            seconds=self._monotonic() - self._began,
            first_token_seconds=self._first_token,
            instead=instead is not None or (self._hydration is not None and self._hydration.outcome == "degraded"),
        )
        self.account = loom_object(
            last.plan,
            self.outcome,
            watches,
            request_id=self._request_id,
            backend=self._backend.served_as,
            sent=last.calls.sent,
            allowance=last.calls.allowance,
        )
        return self.account


def _failure(error: Exception) -> UpstreamFailure:
    """What broke a second round, as a failure of the upstream."""
    if isinstance(error, UpstreamFailure):
        return error
    log.error("The second round broke.", exc_info=error)
    return UpstreamFailure("The model's answer could not be read.", code="upstream_interrupted")


@asynccontextmanager
async def answering(
    plan: Plan,
    backend: ModelBackend,
    watches: Sequence[Watch] = (),
    *,
    request_id: str,
    allowances: Allowances | None = None,
    headers: Mapping[str, str] | None = None,
    verbatim: bool = False,
    monotonic: Callable[[], float] = time.monotonic,
    again: Again | None = None,
) -> AsyncIterator[Reply]:
    """Answer a plan. Leaving early cancels the call upstream.

    `allowances` is the process's own, since it learns; `headers` are the client's, of which a backend passes on what its
    settings name; `verbatim` is the node's setting, which a request's option overrides. `again` gives what a second round is
    answered from, for a model that answers with directives alone. Raises UpstreamFailure when no answer begins.
    """
    if fits(plan, verbatim):
        backend, again = VerbatimModel(plan), None
    async with AsyncExitStack() as stack:
        reply = Reply(
            plan,
            backend,
            watches,
            stack,
            request_id=request_id,
            allowances=allowances or Allowances("off"),
            headers=headers,
            monotonic=monotonic,
            again=again,
        )
        await reply.begin()
        try:
            yield reply
        finally:
            await reply.close()
    await reply.after()
