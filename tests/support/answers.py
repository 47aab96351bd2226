"""Answers to plans over a few concepts held in memory, and what a client makes of their frames."""

import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from support.asking import POLICIES, TESTER, pinned
from support.prompts import ask
from support.worked import CLASSES

from loom.answer.answering import Reply, answering
from loom.answer.finders.ontology import OntologyFinder
from loom.answer.pipeline import prepare
from loom.answer.plan import Plan
from loom.answer.shape import shape_of
from loom.answer.watches.exposure import ExposureWatch
from loom.core.errors import UpstreamFailure
from loom.core.frames import Frame, Splitter
from loom.core.values import ModelCard, Options, Prompt, Question
from loom.ports import ModelBackend

TEXT = "What is a Tide Kiln?"


async def planned(body: Mapping[str, Any] | None = None, *, text: str = TEXT, **options: Any) -> Plan:
    """The plan of a chat request over the worked example's classes."""
    body = ask(text=text) if body is None else body
    question = Question(text, TESTER, body, shape_of(body, text), Options(**options))
    return await prepare(question, pinned(*CLASSES), (OntologyFinder(),), POLICIES)


class Canned:
    """A model that sends these frames, whatever it is asked; an UpstreamFailure among them is raised in its place."""

    served_as = "delegated"

    def __init__(self, *answers: Iterable[Frame | UpstreamFailure], streamed: bool = True, status: int = 200) -> None:
        self._answers = [list(answer) for answer in answers]
        self._streamed = streamed
        self._status = status
        self.asked: list[tuple[int | None, bool]] = []

    @asynccontextmanager
    async def chat(
        self,
        prompt: Prompt,
        *,
        allowance: int | None = None,
        insist: bool = False,
        headers: Mapping[str, str] | None = None,
    ) -> AsyncIterator["CannedAnswer"]:
        self.asked.append((allowance, insist))
        yield CannedAnswer(self._answers.pop(0), self._streamed, self._status)

    @asynccontextmanager
    async def forward(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> AsyncIterator["CannedAnswer"]:
        yield CannedAnswer(self._answers.pop(0), self._streamed, self._status)

    async def models(self) -> Sequence[ModelCard]:
        return ()

    async def aclose(self) -> None:
        return None


@dataclass(slots=True)
class CannedAnswer:
    given: Sequence[Frame | UpstreamFailure]
    streamed: bool
    status: int
    sent: str = "canned"

    @property
    def headers(self) -> Mapping[str, str]:
        return {}

    async def frames(self) -> AsyncIterator[Frame]:
        for frame in self.given:
            if isinstance(frame, UpstreamFailure):
                raise frame
            yield frame


def frames_of(raw: bytes) -> list[Frame]:
    """The frames of a recorded stream."""
    splitter = Splitter()
    return [*splitter.feed(raw), *splitter.close()]


@dataclass(slots=True)
class Got:
    """What a client has after an answer: the bytes, the decoded chunks (or the body), and the node's account."""

    reply: Reply
    raw: bytes
    chunks: list[dict[str, Any]]

    @property
    def loom(self) -> dict[str, Any]:
        found: dict[str, Any] = self.chunks[-1]["loom"]
        return found

    @property
    def text(self) -> str:
        return "".join(
            choice[key].get("content") or ""
            for chunk in self.chunks
            for choice in chunk.get("choices", ())
            for key in ("delta", "message")
            if key in choice
        )


async def answered(
    backend: ModelBackend, body: Mapping[str, Any] | None = None, *, plan: Plan | None = None, **more: Any
) -> Got:
    """Answer a request; checks what holds of every stream: it ends with its marker, and one frame alone has the account."""
    plan = plan or await planned(body)
    async with answering(plan, backend, [ExposureWatch(plan)], request_id="req_1", **more) as reply:
        frames = [frame async for frame in reply.frames()]
    data = [frame.data for frame in frames if frame.data]
    if reply.streamed and reply.status == 200:
        assert data.pop() == b"[DONE]"
    got = Got(reply, b"".join(frame.raw for frame in frames), [json.loads(each) for each in data])
    if reply.status == 200:
        assert ["loom" in chunk for chunk in got.chunks] == [False] * (len(got.chunks) - 1) + [True]
    return got
