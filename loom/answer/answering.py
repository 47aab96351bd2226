"""Answering: a plan's prompt goes to a model, and its answer comes back frame by frame, accounted for."""

import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from loom.answer.accounting import loom_object
from loom.answer.allowance import Allowances
from loom.answer.last_word import body_instead, body_with, frames_instead, frames_with
from loom.answer.plan import Guard, Plan, Watch
from loom.answer.relay import Relay, asks_usage
from loom.answer.verbatim import VerbatimModel, fits
from loom.answer.wording import as_stream, choices_of, cited, error_frame, payload_of, stated_error, with_loom
from loom.core.allowance import limit_of, states_limit
from loom.core.completion import Transcript
from loom.core.errors import UpstreamFailure
from loom.core.frames import DONE, Frame, event
from loom.core.values import Json, Outcome
from loom.ports import ModelBackend, Upstream

log = logging.getLogger(__name__)

REFUSALS = frozenset({400, 413, 422})
"""What an upstream says to a request that it cannot take; with a raised limit it may be that limit which it cannot."""


class Reply:
    """One answer on its way to a client.

    `status`, `headers` and `streamed` are known at once. `frames` gives a whole body as one frame, or the events of a stream up
    to and with its end marker; it may be called once, and raises UpstreamFailure only while it has given nothing. `outcome`
    and `account` (the `loom` object) are there after the last frame; both stay None where the upstream refused the request.
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
    ) -> None:
        self.plan = plan
        self.outcome: Outcome | None = None
        self.account: dict[str, Json] | None = None
        self._backend = backend
        self._watches = watches
        self._guard = next((watch for watch in watches if isinstance(watch, Guard) and watch.holds), None)
        self._stack = stack
        self._request_id = request_id
        self._allowances = allowances
        self._client_headers = headers
        self._monotonic = monotonic
        self._began = monotonic()
        self._first_token: float | None = None
        self._body = plan.question.body
        self._model = str(self._body.get("model") or "")
        self._failed = False
        self._floor = allowances.floor(self._model)
        self._allowance: int | None = None
        self._attempts = 1
        self._upstream: Upstream
        self._frames: AsyncGenerator[Frame, None] | None = None

    async def begin(self) -> None:
        """Call the model. Raises UpstreamFailure when no answer begins.

        A request that is refused with a raised limit, but not as the client sent it, goes as the client sent it from then on.
        """
        limit = limit_of(self._body)
        if self._floor is not None and limit is not None and limit < self._floor:
            self._allowance = self._floor
        self._upstream = await self._call(self._floor, insist=False)
        if self._allowance is not None and self._upstream.status in REFUSALS:
            self._upstream = await self._call(None, insist=False)
            if self._upstream.status == 200:
                self._allowances.too_much(self._model)
                self._floor = self._allowance = None

    async def _call(self, least: int | None, *, insist: bool) -> Upstream:
        call = self._backend.chat(self.plan.prompt, allowance=least, insist=insist, headers=self._client_headers)
        return await self._stack.enter_async_context(call)

    @property
    def status(self) -> int:
        return self._upstream.status

    @property
    def headers(self) -> Mapping[str, str]:
        return self._upstream.headers

    @property
    def streamed(self) -> bool:
        return self._upstream.streamed or (self._body.get("stream") is True and self.status == 200)

    def frames(self) -> AsyncIterator[Frame]:
        if self.status != 200:
            self._frames = self._refused()
        elif self._upstream.streamed:
            self._frames = self._streamed()
        elif self.streamed:
            self._frames = self._unrolled()
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
            for watch in self._watches:
                try:
                    await watch.after(self.outcome)
                except Exception:
                    log.exception("The watch %r failed after the answer.", watch.key)

    async def _refused(self) -> AsyncGenerator[Frame, None]:
        async for frame in self._upstream.frames():
            yield frame

    async def _whole(self) -> AsyncGenerator[Frame, None]:
        data, account = self._judged(*await self._body_of_either())
        answer = with_loom(cited(data, self.plan.block), account)
        yield Frame(answer, answer)

    async def _unrolled(self) -> AsyncGenerator[Frame, None]:
        """A stream for a client that asked for one, from an upstream that sent a whole body."""
        data, account = self._judged(*await self._body_of_either())
        *frames, last = as_stream(data, usage=asks_usage(self._body))
        for frame in frames:
            yield frame
        yield event(with_loom(last.data, account))
        yield DONE

    def _judged(self, data: bytes, said: Transcript) -> tuple[bytes, dict[str, Json]]:
        """A whole body after the guard's word on it, and the account."""
        instead, addition = self._last_word(said)
        if instead is not None:
            data = body_instead(data, instead)
        elif addition:
            data = body_with(data, addition)
        return data, self._settle(said, instead)

    async def _body_of_either(self) -> tuple[bytes, Transcript]:
        """The body of the first try, or of the second where the first came back empty and the second comes back at all."""
        data, said = await _read(self._upstream)
        second = await self._second(said)
        if second is not None and not second.streamed:
            try:
                data, said = await _read(second)
            except UpstreamFailure as failure:
                log.warning("The second try for an empty answer failed: %s", failure.message)
        self._hear(said.text)
        return data, said

    async def _streamed(self) -> AsyncGenerator[Frame, None]:
        relay = self._relay()
        held: list[Frame] = []
        async for frame in self._pass(self._upstream, relay):
            if self._withholds and frame.data:
                held.append(frame)
            else:
                yield frame
        second = await self._second(relay.said) if relay.failure is None else None
        if second is not None and second.streamed:
            further = self._relay(after=relay)
            passed = False
            async for frame in self._pass(second, further):
                passed = True
                if self._withholds and frame.data:
                    held.append(frame)
                else:
                    yield frame
            if passed or further.failure is None:
                relay = further
        left = relay.left()
        instead, addition = self._last_word(relay.said)
        if instead is not None:
            held, left = [], [] if relay.failure else frames_instead(left, relay.head, instead)
        elif addition and relay.failure is None:
            left = frames_with(left, relay.head, addition)
        account = self._settle(relay.said, instead)
        if relay.failure is not None:
            ending = error_frame(relay.failure, account)
        else:
            ending = event(with_loom(left.pop().data, account))
        for frame in (*held, *left):
            yield frame
        yield ending
        yield DONE

    def _relay(self, after: Relay | None = None) -> Relay:
        return Relay(
            usage_asked=asks_usage(self._body),
            hear=self._hear,
            may_retry=lambda said: self._waits(said, again=after is None),
            head=after.head if after else None,
        )

    def _waits(self, said: Transcript, *, again: bool) -> bool:
        """Whether last frames wait for the end: an answer may be tried again, or a guard may have a word before it finishes."""
        retried = again and self._retry_at(said) is not None
        return retried or (self._guard is not None and bool(said.finishes))

    async def _pass(self, upstream: Upstream, relay: Relay) -> AsyncGenerator[Frame, None]:
        """The frames of one upstream stream that may pass, until it ends in whatever way."""
        frames = upstream.frames()
        failure = None
        try:
            async for frame in frames:
                for free in relay.take(frame):
                    yield free
                if self._first_token is None and (relay.said.answering or relay.said.reasoned):
                    self._first_token = self._monotonic() - self._began
                if relay.over:
                    break
        except UpstreamFailure as raised:
            failure = raised
        finally:
            if isinstance(frames, AsyncGenerator):
                await frames.aclose()
        relay.end(failure)

    def _hear(self, text: str) -> None:
        """Feed the answer's text to the watches; to the guard alone while the answer may still be withheld."""
        self._feed([self._guard] if self._guard and self._withholds else self._watches, text)

    def _feed(self, watches: Sequence[Watch], text: str) -> None:
        """Feed watches; one that fails hears no more of this answer, reports nothing on it and has no word in it."""
        for watch in watches:
            try:
                watch.feed(text)
            except Exception:
                log.exception("The watch %r failed in the middle of an answer.", watch.key)
                self._watches = [other for other in self._watches if other is not watch]
                self._failed = self._failed or watch is self._guard

    @property
    def _withholds(self) -> bool:
        """Whether the answer goes out only once the guard has had its word."""
        return self._guard is not None and self._guard.holds == "all"

    def _last_word(self, said: Transcript) -> tuple[str | None, str]:
        """What is answered instead, and what is said at the end. A guard that fails lets the answer out as it came."""
        if self._guard is None:
            return None, ""
        instead, addition = None, ""
        try:
            if not self._failed and self._withholds:
                instead = self._guard.instead()
            elif not self._failed:
                addition = self._guard.addition()
        except Exception:
            log.exception("The watch %r had no word on an answer.", self._guard.key)
        if self._withholds:
            others = [watch for watch in self._watches if watch is not self._guard]
            self._feed(others, said.text if instead is None else instead)
        return instead, addition

    def _retry_at(self, said: Transcript) -> int | None:
        """The allowance of a second try for what was said, None for none. Learns from it whether the model thinks."""
        self._allowances.learn(self._model, self._body, said)
        return self._allowances.second(self._model, self._body, said, self._floor)

    async def _second(self, said: Transcript) -> Upstream | None:
        """A second answer with more allowance, where the first came back empty for want of it; None where there is none."""
        least = self._retry_at(said)
        if least is None:
            return None
        self._attempts += 1
        try:
            second = await self._call(least, insist=not states_limit(self._body))
        except UpstreamFailure as failure:
            log.warning("The second try for an empty answer failed: %s", failure.message)
            return None
        if second.status != 200:
            return None
        self._allowance = least
        return second

    def _settle(self, said: Transcript, instead: str | None = None) -> dict[str, Json]:
        """The account of a finished answer, or of what was answered instead; sets `outcome` and `account`."""
        self.outcome = Outcome(
            completion=said.completion(),
            text=said.text if instead is None else instead,
            reasoning=said.reasoning,
            finish=next(iter(said.finishes), None),
            model_reported=said.model,
            usage=said.usage,
            attempts=self._attempts,
            seconds=self._monotonic() - self._began,
            first_token_seconds=self._first_token,
        )
        self.account = loom_object(
            self.plan,
            self.outcome,
            self._watches,
            request_id=self._request_id,
            backend=self._backend.served_as,
            sent=self._upstream.sent,
            allowance=self._allowance,
        )
        return self.account


async def _read(upstream: Upstream) -> tuple[bytes, Transcript]:
    """A whole body and what it says. Raises UpstreamFailure where it is no completion."""
    data = b"".join([frame.data async for frame in upstream.frames()])
    payload = payload_of(Frame(data, data))
    if payload is not None and (failure := stated_error(payload)):
        raise failure
    if payload is None or not choices_of(payload):
        message = f"Expected a chat completion from the model, but got {data[:80].decode('utf-8', 'replace')!r}."
        raise UpstreamFailure(message, code="upstream_not_openai")
    said = Transcript(ended=True)
    said.add(payload)
    said.close()
    return data, said


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
) -> AsyncIterator[Reply]:
    """Answer a plan. Leaving early cancels the call upstream.

    `allowances` is the process's own, since it learns; `headers` are the client's, of which a backend passes on what its
    settings name; `verbatim` is the node's setting, which a request's option overrides. Raises UpstreamFailure when no answer
    begins.
    """
    if fits(plan, verbatim):
        backend = VerbatimModel(plan)
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
        )
        await reply.begin()
        try:
            yield reply
        finally:
            await reply.close()
    await reply.after()
