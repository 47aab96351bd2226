"""A model that answers each call as the script says, and plans for a second round."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from support.answers import CannedAnswer
from support.asking import POLICIES, TESTER, pinned
from support.prompts import ask
from support.ratings import RatingsFinder
from support.worked import CLASSES

from loom.answer.answering import Reply, answering
from loom.answer.pipeline import prepare
from loom.answer.plan import Plan, Watch
from loom.answer.second_round import Second
from loom.answer.watches.exposure import ExposureWatch
from loom.answer.watches.numbers import Enforce, NumbersWatch
from loom.core.frames import DONE, Frame, event
from loom.core.values import Contract, ModelCard, Prompt, Question

PREFIX = "HYDRATE:"
DIRECTIVE = "HYDRATE: ratings/tide.csv@120-150"
ASKED = "When did it peak?"
USAGE = {"prompt_tokens": 10, "completion_tokens": 3, "total_tokens": 13, "prompt_tokens_details": {"cached_tokens": 4}}


def chunk(delta: Mapping[str, Any], finish: str | None = None, id: str = "c1", **more: Any) -> Frame:
    head = {"id": id, "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return event(json.dumps({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more}).encode())


def spoken(*pieces: str, id: str = "c1", usage: bool = False, finish: str = "stop") -> list[Frame]:
    """A stream that says these pieces."""
    told = [event(json.dumps({"id": id, "created": 1, "model": "m", "choices": [], "usage": USAGE}).encode())] if usage else []
    said = [chunk({"content": piece}, id=id) for piece in pieces]
    return [chunk({"role": "assistant", "content": ""}, id=id), *said, chunk({}, finish, id=id), *told, DONE]


def body(text: str | None, id: str = "c1", finish: str = "stop") -> list[Frame]:
    """A whole completion."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    data = json.dumps({"id": id, "created": 1, "model": "m", "choices": [choice], "usage": USAGE}).encode()
    return [Frame(data, data)]


@dataclass
class Rounds:
    """Answers its calls one after another: with frames, an exception that is raised, or a status. `prompts` is what it was given;
    `left` counts answers that were not read to their end."""

    steps: list[Sequence[Frame | Exception] | Exception | int]
    served_as: str = "delegated"
    prompts: list[Prompt] = field(default_factory=list)
    left: int = 0

    @asynccontextmanager
    async def chat(
        self,
        prompt: Prompt,
        *,
        allowance: int | None = None,
        insist: bool = False,
        headers: Mapping[str, str] | None = None,
    ) -> AsyncIterator[Any]:
        self.prompts.append(prompt)
        step = self.steps.pop(0)
        if isinstance(step, Exception):
            raise step
        if isinstance(step, int):
            error = Frame(b'{"error":{"message":"No."}}', b'{"error":{"message":"No."}}')
            yield CannedAnswer([error], False, step)
            return
        first = next((one for one in step if isinstance(one, Frame)), None)
        answer = Counted(step, not first or first.raw != first.data, 200)
        try:
            yield answer
        finally:
            self.left += not answer.over

    @asynccontextmanager
    async def forward(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> AsyncIterator[Any]:
        raise NotImplementedError
        yield

    async def models(self) -> Sequence[ModelCard]:
        return ()

    async def aclose(self) -> None:
        return None


@dataclass(slots=True)
class Counted(CannedAnswer):
    over: bool = False

    async def frames(self) -> AsyncIterator[Frame]:
        for number, frame in enumerate(self.given):
            if isinstance(frame, Exception):
                self.over = True
                raise frame
            self.over = number == len(self.given) - 1
            yield frame


async def planned(contract: Contract | None = None, text: str = ASKED, fetch: str = "", **more: Any) -> Plan:
    """A plan over one series of ratings; with `fetch`, what a model asked for, that of a second round."""
    question = Question(text, TESTER, ask(text=text, **more), fetch=fetch)
    return replace(await prepare(question, pinned(*CLASSES), (RatingsFinder(),), POLICIES), contract=contract)


def watches(plan: Plan, enforce: Enforce = "flag") -> list[Watch]:
    return [ExposureWatch(plan), NumbersWatch(plan, enforce)]


@dataclass
class Answered:
    reply: Reply
    frames: list[Frame]

    @property
    def raw(self) -> bytes:
        return b"".join(frame.raw for frame in self.frames)

    @property
    def chunks(self) -> list[dict[str, Any]]:
        return [json.loads(frame.data) for frame in self.frames if frame.data and not frame.done]

    @property
    def loom(self) -> dict[str, Any]:
        found: dict[str, Any] = self.chunks[-1]["loom"]
        return found

    @property
    def hydration(self) -> dict[str, Any] | None:
        found: dict[str, Any] | None = (self.loom.get("facts") or {}).get("hydration")
        return found

    @property
    def deltas(self) -> list[dict[str, Any]]:
        return [choice["delta"] for each in self.chunks for choice in each.get("choices", ()) if choice.get("delta")]

    @property
    def text(self) -> str:
        if self.reply.streamed:
            return "".join(delta.get("content") or "" for delta in self.deltas)
        whole: str = self.chunks[0]["choices"][0]["message"]["content"]
        return whole


OFFERED = Contract("facts", PREFIX, True)


async def told(
    model: Rounds,
    contract: Contract | None = OFFERED,
    *,
    enforce: Enforce = "flag",
    second: Plan | Exception | None = None,
    asked: list[str] | None = None,
    **more: Any,
) -> Answered:
    """What a client is told. `second` is the plan of a second round; None gives the first with a passage beside it."""
    plan = await planned(contract, **more)

    async def again(reply: str) -> Second | None:
        if asked is not None:
            asked.append(reply)
        if isinstance(second, Exception):
            raise second
        made = second or await planned(contract, fetch=reply, **more)
        return Second(made, watches(made, enforce))

    async with answering(plan, model, watches(plan, enforce), request_id="r", again=again) as reply:
        frames = [frame async for frame in reply.frames()]
    return Answered(reply, frames)
