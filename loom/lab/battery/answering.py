"""An answer over a context, by the path that answers clients: from a plan through the model, a second round, and the verifier."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace

import orjson

from loom.answer.answering import Reply, answering
from loom.answer.plan import Plan, Watch
from loom.answer.second_round import Second
from loom.core.errors import LoomError
from loom.core.facts.assembling import NOTES
from loom.core.facts.sealed import held_of
from loom.core.facts.verifying import verify
from loom.core.facts.vouching import vouched
from loom.core.values import Json, ModelCard, Prompt
from loom.lab.battery.contexts import Contexts, asked_of
from loom.lab.battery.question import BatteryQuestion
from loom.ports import ModelBackend, Upstream

Watches = Callable[[Plan], Sequence[Watch]]


@dataclass(frozen=True, slots=True)
class Given:
    """One answer as its client gets it.

    `notes` are what its context says not to be there. `unsupported` are numbers of it that have no support in what was shown, of
    `numbers` that were looked up; `verified` says whether the node itself looked them up. `calls` are those that reached the model,
    `rounds` those of the answer, `outcome` what became of a directive, "" where none came or was offered. `error` is what the client
    was told in place of an answer; `escaped` an exception that nobody is meant to see.
    """

    text: str = ""
    notes: tuple[str, ...] = ()
    numbers: int = 0
    unsupported: tuple[str, ...] = ()
    verified: bool = False
    calls: int = 0
    rounds: int = 1
    outcome: str = ""
    offered: bool = False
    spontaneous: bool = False
    completion: str = ""
    error: str = ""
    escaped: str = ""
    seconds: float = 0.0
    first_token: float | None = None

    @property
    def triggered(self) -> bool:
        """Whether the first reply was nothing but directives."""
        return self.outcome not in ("", "answered")


class Counting:
    """A model, and how often it was called."""

    def __init__(self, behind: ModelBackend) -> None:
        self.served_as = behind.served_as
        self.calls = 0
        self._behind = behind

    @asynccontextmanager
    async def chat(
        self, prompt: Prompt, *, allowance: int | None = None, insist: bool = False, headers: Mapping[str, str] | None = None
    ) -> AsyncIterator[Upstream]:
        self.calls += 1
        async with self._behind.chat(prompt, allowance=allowance, insist=insist, headers=headers) as upstream:
            yield upstream

    def forward(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> AbstractAsyncContextManager[Upstream]:
        return self._behind.forward(method, path, body, headers)

    async def models(self) -> Sequence[ModelCard]:
        return await self._behind.models()

    async def aclose(self) -> None:
        """The model behind is closed by whoever opened it."""


async def given(
    contexts: Contexts, question: BatteryQuestion, backend: ModelBackend, watches: Watches, request: Mapping[str, Json]
) -> Given:
    """Ask a model a question over its context; `request` is what else its body holds. Never raises for what a model does."""
    model = Counting(backend)
    began = contexts.bench.monotonic()
    try:
        plan = await contexts.planned(asked_of(question, more=request))

        async def again(reply: str) -> Second:
            second = await contexts.planned(replace(plan.question, fetch=reply))
            return Second(second, watches(second))

        asked = answering(
            plan,
            model,
            watches(plan),
            request_id="battery",
            monotonic=contexts.bench.monotonic,
            again=again if plan.contract else None,
        )
        async with asked as reply:
            raw = b"".join([frame.raw async for frame in reply.frames()])
        offered = plan.contract is not None and plan.contract.offered
        found = replace(_read(reply, raw, question), offered=offered)
    except LoomError as error:
        found = Given(error=f"{error.code}: {error.message}")
    except Exception as error:
        found = Given(escaped=f"{type(error).__name__}: {error}")
    return replace(found, calls=model.calls, seconds=contexts.bench.monotonic() - began)


def _read(reply: Reply, raw: bytes, question: BatteryQuestion) -> Given:
    if reply.outcome is None or reply.account is None:
        return Given(error=f"refused: status {reply.status}")
    text = said_in(raw, streamed=reply.streamed)
    facts = reply.account.get("facts") or {}
    hydration = facts.get("hydration") or {}
    numbers = facts.get("numbers")
    if numbers is not None:
        count, unsupported = numbers["checked"], tuple(str(each["text"]) for each in numbers["unsupported"])
    else:
        count, unsupported = _verified(reply.plan, text, question)
    return Given(
        text,
        tuple(line for each in reply.plan.block.served if each.evidence.iri == NOTES for line in each.lines),
        count,
        unsupported,
        verified=numbers is not None,
        rounds=int(hydration.get("rounds") or 1),
        outcome=str(hydration.get("outcome") or ""),
        spontaneous=bool(hydration.get("spontaneous")),
        completion=reply.outcome.completion,
        first_token=reply.outcome.first_token_seconds,
    )


def _verified(plan: Plan, text: str, question: BatteryQuestion) -> tuple[int, tuple[str, ...]]:
    """What the verifier says over a context that holds no computed evidence: chunks are shown too."""
    told = vouched(held_of(plan.pin.generation), plan.block.served)
    asked = [message["content"] for message in question.messages]
    found = verify(text, plan.block.text, asked, attributes=told.attributes, derived=told.derived)
    return len(found.numbers), tuple(each.text for each in found.unsupported)


def said_in(raw: bytes, *, streamed: bool) -> str:
    """The answer's text in what a client receives: a body, or the events of a stream."""
    if not streamed:
        return "".join(
            str((choice.get("message") or {}).get("content") or "") for choice in orjson.loads(raw).get("choices") or ()
        )
    pieces = []
    for line in raw.split(b"\n"):
        data = line.removeprefix(b"data:").strip()
        if line.startswith(b"data:") and data != b"[DONE]":
            choices = orjson.loads(data).get("choices") or ()
            pieces += [str((choice.get("delta") or {}).get("content") or "") for choice in choices]
    return "".join(pieces)
