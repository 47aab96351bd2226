"""The relay of one stream: which frames pass at once, which wait, and what is left to say when it ends.

Frames pass as they came. One waits only if it finishes a choice or tells usage, until the next arrives, because the last of
those is to carry the `loom` object. Where the answer may yet be tried again, they wait until that is settled.
"""

from collections.abc import Callable, Mapping

from loom.answer.wording import ENDS, Head, closed, finishes, is_usage, payload_of, stated_error, summed
from loom.core.completion import Transcript
from loom.core.errors import UpstreamFailure
from loom.core.frames import Frame
from loom.core.values import Json

ENDED_EARLY = "The model's answer ended before it was finished."


def asks_usage(body: Mapping[str, Json]) -> bool:
    """Whether the client asked for the usage of a stream."""
    options = body.get("stream_options")
    return isinstance(options, Mapping) and options.get("include_usage") is True


class Relay:
    """Takes a stream's frames one by one; gives those that may pass.

    `hear` gets the answer's text as it comes, `may_retry` says whether what was said so far could be tried again. With `head`
    the stream goes on where an earlier one stopped, under that one's id; `spent` is the usage of what came before it, and is told
    with its own.
    """

    def __init__(
        self,
        *,
        usage_asked: bool,
        hear: Callable[[str], None],
        may_retry: Callable[[Transcript], bool],
        head: Head | None = None,
        spent: Json = None,
    ) -> None:
        self.said = Transcript()
        self.failure: UpstreamFailure | None = None
        self.over = False
        self._head = head
        self._continues = head is not None
        self._usage_asked = usage_asked
        self._hear = hear
        self._may_retry = may_retry
        self._waiting: list[Frame] = []
        self._kept = False
        self.usage: Json = spent
        self._spent = spent
        self._told_usage = False

    @property
    def head(self) -> Head:
        return self._head or Head(None, None, None)

    def take(self, frame: Frame) -> list[Frame]:
        """The frames that may pass now that this one has come; `over` is set where no more should be read."""
        if frame.done:
            self.over = True
            return []
        if not frame.data:
            return [frame]
        payload = payload_of(frame)
        if payload is None:
            return [frame] if frame.raw.endswith(ENDS) else []
        self.failure = stated_error(payload)
        if self.failure is not None:
            self.over = True
            return []
        if text := self.said.add(payload):
            self._hear(text)
        if self._spent is not None and payload.get("usage"):
            payload["usage"] = summed(self._spent, payload["usage"])
        self.usage = payload.get("usage") or self.usage
        telling = is_usage(payload)
        if telling and not self._usage_asked:
            return []
        self._told_usage = self._told_usage or telling
        passing = self._own(frame, payload)
        if passing is None:
            return []
        return self._sorted(passing, waits=telling or payload.get("choices") == [] or finishes(payload))

    def _own(self, frame: Frame, payload: dict[str, Json]) -> Frame | None:
        """The frame as one of this stream; None where it says nothing new."""
        if self._head is None:
            self._head = Head.of(payload)
        return self._head.continued(payload) if self._continues else closed(frame)

    def _sorted(self, frame: Frame, *, waits: bool) -> list[Frame]:
        free: list[Frame] = []
        if not self._kept:
            free, self._waiting = self._waiting, []
        if waits or self._kept:
            self._waiting.append(frame)
            self._kept = self._may_retry(self.said)
            return free
        return [*free, frame]

    def end(self, failure: UpstreamFailure | None = None) -> None:
        """The stream has ended, or broke with `failure`. An answer whose choices had all finished is whole all the same."""
        if text := self.said.close():
            self._hear(text)
        choices = self.said.choices
        finished = bool(choices) and all(choice.finish for choice in choices.values())
        broken = self.failure or failure
        self.said.ended = finished or (self.over and broken is None and bool(choices))
        self.failure = None if self.said.ended else broken or UpstreamFailure(ENDED_EARLY, code="upstream_interrupted")
        for index in sorted(choices):
            if index:
                self._hear("\n\n" + "".join(choices[index].text))

    def left(self) -> list[Frame]:
        """The frames that still wait, of an answer that has ended; the last is the one for the `loom` object.

        What the contract asks for and the upstream left out is made good here: the finish of a choice, and the usage frame
        where the client asked for one and the counts came on another frame.
        """
        frames = list(self._waiting)
        if self.failure is not None:
            return frames
        if unfinished := [index for index, choice in sorted(self.said.choices.items()) if not choice.finish]:
            reason = "tool_calls" if self.said.tools else "stop"
            ends: list[Json] = [{"index": index, "delta": {}, "finish_reason": reason} for index in unfinished]
            frames.append(self.head.chunk(ends))
        if self._usage_asked and self.usage and not self._told_usage:
            frames.append(self.head.chunk([], usage=self.usage))
        return frames
