"""What came back of one call: an answer, or why there is none and whether asking again may help."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from loom.answer.wording import choices_of, payload_of, stated_error
from loom.core.completion import Transcript
from loom.core.errors import BadInput, UpstreamFailure
from loom.core.frames import Frame
from loom.core.values import Json, Usage
from loom.lab.asking import Attempt, usage_json
from loom.lab.running.request import Request
from loom.ports import ModelBackend

AGAIN_ON = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
FOR_ALL = frozenset({401, 402, 404})
"""What an upstream says that it would say to every request: the key, the bill, the model's name."""
EMPTY = frozenset({"budget_exhausted", "reasoning_only", "empty_stop"})


@dataclass(frozen=True, slots=True)
class Heard:
    """An answer, maybe an empty one."""

    text: str
    completion: str
    finish_reason: str | None
    model_reported: str | None
    usage: Usage

    @property
    def empty(self) -> bool:
        """Whether it is empty in a way that a larger allowance, or another try, may mend."""
        return self.completion in EMPTY

    def attempt(self, allowance: int) -> Attempt:
        return Attempt(allowance, self.completion, self.finish_reason, self.usage)

    def as_json(self) -> dict[str, Json]:
        return {
            "text": self.text,
            "completion": self.completion,
            "finish_reason": self.finish_reason,
            "model_reported": self.model_reported,
            "usage": usage_json(self.usage),
        }


def heard_of(stated: Mapping[str, Json]) -> Heard:
    """An answer as it was kept. Raises BadInput where it is none."""
    try:
        usage = Usage(**stated["usage"])
        found = Heard(stated["text"], stated["completion"], stated["finish_reason"], stated["model_reported"], usage)
        sound = isinstance(found.text, str) and isinstance(found.completion, str)
    except (KeyError, TypeError):
        sound = False
    if not sound:
        raise BadInput(
            f"Expected a kept answer with text, completion, finish_reason, model_reported and usage, but got {str(stated)[:60]!r}; "
            "move answers.sqlite away: its answers are then asked for again.",
            param="answers",
        )
    return found


@dataclass(frozen=True, slots=True)
class Failed:
    """No answer. `wait` is how many seconds the upstream asks for; `again` whether asking again may help; `for_all` whether
        every other request to this model would end so; `reached` whether anything was there; `stray` whether what was there spoke no
    such API: a wrong address, or, where answers came from it before, something in between that will pass."""

    message: str
    status: int
    wait: float | None = None
    again: bool = False
    for_all: bool = False
    reached: bool = True
    stray: bool = False


async def call(backend: ModelBackend, request: Request, allowance: int, now: datetime) -> Heard | Failed:
    """Ask once. Never raises for what an upstream does."""
    try:
        async with backend.chat(request.prompt, allowance=allowance, insist=True) as upstream:
            data = b"".join([frame.data async for frame in upstream.frames()])
            if upstream.status != 200:
                return _refused(upstream.status, data, upstream.headers, now)
            return _said(data)
    except UpstreamFailure as failure:
        return _failure(failure)
    except BadInput as error:
        return Failed(error.message, 400)


def _said(data: bytes) -> Heard | Failed:
    payload = payload_of(Frame(data, data))
    if payload is not None and (failure := stated_error(payload)):
        return _failure(failure)
    if payload is None or not choices_of(payload):
        got = data[:80].decode("utf-8", "replace")
        return Failed(f"Expected a chat completion from the model, but got {got!r}.", 502, again=True)
    said = Transcript(ended=True)
    said.add(payload)
    said.close()
    return Heard(said.text, said.completion(), next(iter(said.finishes), None), said.model, said.usage)


def _failure(failure: UpstreamFailure) -> Failed:
    wrong = failure.code in ("upstream_not_openai", "upstream_redirect")
    return Failed(
        failure.message,
        failure.status,
        again=failure.status in AGAIN_ON and not wrong,
        for_all=failure.status in FOR_ALL or wrong,
        reached=failure.code != "upstream_unreachable",
        stray=wrong,
    )


def _refused(status: int, data: bytes, headers: Mapping[str, str], now: datetime) -> Failed:
    payload = payload_of(Frame(data, data)) or {}
    error = payload.get("error")
    reason = error.get("message") if isinstance(error, Mapping) else None
    again = status in AGAIN_ON and headers.get("x-should-retry") != "false"
    message = f"The model answered with status {status}: {reason or 'no reason given'}"
    return Failed(message, status, wait=wait_of(headers, now), again=again, for_all=status in FOR_ALL)


def wait_of(headers: Mapping[str, str], now: datetime) -> float | None:
    """The seconds that an upstream asks for: `retry-after-ms`, or `retry-after` in seconds or as a date (RFC 9110, §10.2.3)."""
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        stated = headers.get(name)
        if stated is None:
            continue
        try:
            seconds = float(stated) / scale
        except ValueError:
            try:
                until = parsedate_to_datetime(stated)
            except ValueError:
                continue
            seconds = ((until if until.tzinfo else until.replace(tzinfo=UTC)) - now).total_seconds()
        if seconds == seconds and seconds < 1e9:
            return max(0.0, seconds)
    return None
