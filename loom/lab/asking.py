"""Asking models: what an instrument may ask of one, and what comes back. Who pays, remembers and waits is behind it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from loom.core.values import Json, Usage
from loom.lab.showing import Asking

UNTOLD = Usage()
"""The usage of a call of which nobody told."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call upstream: the allowance that it had, how it ended, what it cost in tokens."""

    allowance: int | None
    completion: str
    finish_reason: str | None = None
    usage: Usage = UNTOLD

    def as_json(self) -> dict[str, Json]:
        return {
            "allowance": self.allowance,
            "completion": self.completion,
            "finish_reason": self.finish_reason,
            "usage": usage_json(self.usage),
        }


@dataclass(frozen=True, slots=True)
class Said:
    """What a model said to one request, after the study's retry policy.

    `completion` is a class of `core.completion`; `key` the digest of the request, under which the answer is kept; `error` why
    there is no answer, None where there is one (an empty one is one).
    """

    text: str
    completion: str = "answered"
    finish_reason: str | None = "stop"
    model_reported: str | None = None
    usage: Usage = UNTOLD
    attempts: tuple[Attempt, ...] = ()
    key: str = ""
    error: str | None = None

    @property
    def empty(self) -> bool:
        return self.error is None and not self.text.strip()

    @property
    def truncated(self) -> bool:
        return self.finish_reason == "length"

    def as_json(self) -> dict[str, Json]:
        return {
            "answer": self.text,
            "completion": self.completion,
            "finish_reason": self.finish_reason,
            "model_reported": self.model_reported,
            "usage": usage_json(self.usage),
            "attempts": [attempt.as_json() for attempt in self.attempts],
            "call": self.key,
            "error": self.error,
        }


def usage_json(usage: Usage) -> dict[str, Json]:
    """The counts that are known."""
    stated = (
        ("prompt", usage.prompt),
        ("completion", usage.completion),
        ("reasoning", usage.reasoning),
        ("cached", usage.cached),
    )
    return {name: value for name, value in stated if value is not None}


class Asker(Protocol):
    """Whoever asks the models of a study by their names in it. Each distinct request is paid for once: the same model, request,
    parameters and `salt` give the kept answer.

    `purpose` names the instrument in the ledger (answer, judge, audit, paraphrase …); `more` are further parameters of the
    request (temperature, max_tokens, response_format …) that win over the model's own in the study; `salt` asks again where the same request shall
    be answered anew. Never raises for what an upstream does: that is `Said.error`. Raises BadInput for an unknown model.
    """

    async def ask(
        self, model: str, asking: Asking, *, purpose: str, more: Mapping[str, Json] | None = None, salt: str = ""
    ) -> Said: ...


@dataclass(slots=True)
class FakeAsker:
    """The in-memory Asker: answers by a function of model and exact messages, and records what was asked."""

    answer: Callable[[str, Sequence[Mapping[str, Json]]], str | Said]
    asked: list[tuple[str, list[dict[str, Json]]]] = field(default_factory=list)

    async def ask(
        self, model: str, asking: Asking, *, purpose: str, more: Mapping[str, Json] | None = None, salt: str = ""
    ) -> Said:
        messages = asking.sent
        self.asked.append((model, messages))
        said = self.answer(model, messages)
        if isinstance(said, Said):
            return said
        return Said(said, completion="answered" if said.strip() else "empty_stop", key=f"{len(self.asked)}")
