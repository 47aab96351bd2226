"""One round of an answer: a call to the model, once more where it came back empty, and what may be shown of it while it comes."""

import logging
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence

from loom.answer.calls import Calls
from loom.answer.hearing import Hearing
from loom.answer.last_word import body_instead, body_with, frames_instead, frames_with
from loom.answer.plan import Plan
from loom.answer.relay import Relay, asks_usage
from loom.answer.second_round import Hold
from loom.answer.wording import Head, as_stream, choices_of, payload_of, stated_error, summed, with_usage
from loom.core.completion import Choice, Transcript
from loom.core.errors import UpstreamFailure
from loom.core.frames import DONE, Frame
from loom.core.values import Json
from loom.ports import Upstream

log = logging.getLogger(__name__)


class Round:
    """`stream` or `whole` is read to its end; then `said` and `failure` tell what came, and `ending` or `body` gives the rest.

    `further` says whether an earlier round went before it, of which `spent` is the usage and `head` that of the stream which this one
    goes on with.
    """

    def __init__(
        self,
        plan: Plan,
        calls: Calls,
        hearing: Hearing,
        hold: Hold,
        *,
        begins: Callable[[], None],
        further: bool = False,
        head: Head | None = None,
        spent: Json = None,
    ) -> None:
        self.plan = plan
        self.calls = calls
        self.hearing = hearing
        self.hold = hold
        self.withheld: list[Frame] = []
        self.data = b""
        self._begins = begins
        self.further = further
        self._head = head
        self._spent = spent
        self._transcript: Transcript | None = None
        self._relay = self._new(head)

    @property
    def said(self) -> Transcript:
        return self._transcript or self._relay.said

    @property
    def failure(self) -> UpstreamFailure | None:
        return self._relay.failure

    @property
    def head(self) -> Head:
        return self._relay.head

    @property
    def usage(self) -> Json:
        """What the upstream billed, that of an earlier round included."""
        return self._relay.usage

    @property
    def asks(self) -> bool:
        """Whether directives alone came, or the beginning of them, as far as there was an allowance for it."""
        return self.hold.directives or ("length" in self.said.finishes and self.hold.begun)

    @property
    def lacking(self) -> Mapping[str, Json]:
        """The delta that a client lacks where what was held never comes."""
        return self.hold.dropped(self._relay.left())

    @property
    def speechless(self) -> bool:
        """Whether nothing was shown, nor may be: directives alone, or what broke off before it was known to be an answer.

        A first round that breaks off without a word is the failure that it is without a contract, too.
        """
        if not self.hold.closed:
            return False
        return self.asks or (self.failure is not None and (self.further or bool(self.hold.text.strip())))

    async def stream(self) -> AsyncGenerator[Frame, None]:
        """The frames that may pass, until the last answer ends in whatever way. Raises UpstreamFailure only for a whole body that is
        no completion, before anything has passed."""
        upstream, relay, first = self.calls.upstream, self._relay, None
        frames = upstream.frames() if upstream.streamed else _unrolled((await self._either())[0])
        hold, withholds = self.hold, self.hearing.withholds
        while True:
            said, failure, begun, passed = relay.said, None, False, False
            try:
                async for frame in frames:
                    free: Sequence[Frame] = relay.take(frame)
                    if free:
                        passed = True
                        if hold.closed and (said.tools or said.refused):
                            self._open()
                        for each in hold.free(free) if hold.busy else free:
                            if withholds and each.data:
                                self.withheld.append(each)
                            else:
                                yield each
                    if not begun and (said.answering or said.reasoned):
                        begun = True
                        self._begins()
                    if relay.over or (hold.closed and hold.full):
                        break
            except UpstreamFailure as raised:
                failure = raised
            finally:
                if isinstance(frames, AsyncGenerator):
                    await frames.aclose()
            relay.end(failure)
            if first is not None:
                self._relay = relay if passed or relay.failure is None else first
                break
            retry = await self.calls.again(said) if relay.failure is None and upstream.streamed else None
            if retry is None or not retry.streamed:
                break
            first, frames = relay, retry.frames()
            relay = self._relay = self._new(relay.head, again=False)
        if not self.speechless:
            for each in self._opened():
                yield each

    def _new(self, head: Head | None, *, again: bool = True) -> Relay:
        def waits(said: Transcript) -> bool:
            return (again and self.calls.retry_at(said) is not None) or self.hearing.waits(said)

        usage = asks_usage(self.plan.question.body)
        return Relay(usage_asked=usage, hear=self._hear, may_retry=waits, head=head, spent=self._spent)

    def _hear(self, text: str) -> None:
        heard = self.hold.hear(text) if self.hold.closed else text
        if heard:
            self.hearing.feed(heard)

    def _open(self) -> None:
        if self.hold.closed and (text := self.hold.open()):
            self.hearing.feed(text)

    def _opened(self) -> list[Frame]:
        """What was held of an answer that turned out to be one."""
        self._open()
        frames = list(self.hold.free(()))
        if self.hearing.withholds:
            self.withheld += frames
            return []
        return frames

    def ending(self) -> tuple[list[Frame], str | None]:
        """The last frames of a stream after the guard's word on it, and what is answered instead."""
        held, left = self.withheld, self._relay.left()
        instead, addition = self.hearing.last_word(self.said)
        if instead is not None:
            held, left = [], [] if self.failure else frames_instead(left, self.head, instead)
        elif addition and self.failure is None:
            left = frames_with(left, self.head, addition)
        return [*held, *left], instead

    async def whole(self) -> None:
        """Read a body. Raises UpstreamFailure where it is no completion."""
        data, said = await self._either()
        payload = payload_of(Frame(data, data)) or {}
        if self._spent is not None:
            data = with_usage(data, summed(self._spent, payload.get("usage")))
        self.data, self._transcript = data, said
        self._relay.usage = summed(self._spent, payload.get("usage"))
        if said.tools or said.refused:
            self._open()
        self._hear(said.text)
        if not self.speechless:
            self._open()

    def body(self) -> tuple[bytes, str | None]:
        """A whole body after the guard's word on it, and what is answered instead."""
        instead, addition = self.hearing.last_word(self.said)
        if instead is not None:
            return body_instead(self.data, instead), instead
        return body_with(self.data, addition) if addition else self.data, None

    async def _either(self) -> tuple[bytes, Transcript]:
        """The body of the first try, or of the second where the first came back empty and the second comes back at all."""
        data, said = await _read(self.calls.upstream)
        second = await self.calls.again(said)
        if second is not None and not second.streamed:
            try:
                return await _read(second)
            except UpstreamFailure as failure:
                log.warning("The second try for an empty answer failed: %s", failure.message)
        return data, said

    def breaks(self, failure: UpstreamFailure) -> None:
        """This round came to nothing for a reason outside the answer."""
        self._relay.end(failure)

    def tells(self, text: str) -> None:
        """Take this for the whole answer, in the place of what came."""
        model, usage = self.said.model, self.said.usage
        self._transcript = Transcript({0: Choice(text=[text], finish="stop")}, usage=usage, model=model, ended=True)
        self.withheld = []
        self.hearing.told(text)


async def _unrolled(data: bytes) -> AsyncGenerator[Frame, None]:
    """A whole body as the frames of a stream."""
    for frame in as_stream(data, usage=True):
        yield frame
    yield DONE


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
