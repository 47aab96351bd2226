"""Verbatim serving: the block itself as the answer, without a model."""

import time
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from loom.answer.plan import Plan
from loom.answer.shape import subjects_of
from loom.core.allowance import limit_of
from loom.core.concepts import Concepts
from loom.core.errors import NotFound
from loom.core.frames import Frame
from loom.core.names import Names, fold_name
from loom.core.policy.packing import FOOTER, HEADER
from loom.core.replies import limited, stopped, streamed, usage_of, whole
from loom.core.values import ModelCard, Prompt, tokens_of

NAME = "loom-verbatim"


def fits(plan: Plan, on: bool) -> bool:
    """Whether this plan may be answered verbatim: asked for, grounded, one question for things that the block shows, any form
    of answer.

    `on` is the node's setting; the request's own option wins over it. The shape leaves out tools, forms and images.
    """
    asked = plan.question.options.verbatim
    wanted = on if asked is None else asked
    single = (plan.question.body.get("n") or 1) == 1
    return wanted and plan.decision.engaged and plan.question.shape == "lookup" and single and _shown(plan)


def _shown(plan: Plan) -> bool:
    """Whether everything that the lookup asks for is, to the word, a name of something that the block shows."""
    generation = plan.pin.generation
    names, concepts = generation.part(Names), generation.part(Concepts)
    shown = {served.evidence.iri for served in plan.block.served}
    titles = {fold_name(served.evidence.title) for served in plan.block.served}

    def known(name: str) -> bool:
        if name in titles:
            return True
        return names is not None and concepts is not None and any(concepts.iri(row) in shown for _, row in names.exactly(name))

    return all(any(map(known, _forms(fold_name(subject)))) for subject in subjects_of(plan.question.text))


def _forms(name: str) -> tuple[str, ...]:
    """A folded name, and what it may be the plural of."""
    if not name.endswith("s"):
        return (name,) if name else ()
    more = (name[:-3] + "y",) if name.endswith("ies") else ()
    return (name, name[:-1], *((name[:-2],) if name.endswith("es") else ()), *more)


def text_of(plan: Plan) -> str:
    """The block without its marks, under one line that says what it is."""
    lines = [line for line in plan.block.text.split("\n") if line not in (HEADER, FOOTER)]
    return f"*From the corpus, {plan.pin.generation.id[:19]}, as recorded; no model was asked.*\n\n" + "\n".join(lines).strip()


@dataclass(frozen=True, slots=True)
class VerbatimAnswer:
    """An answer that is already whole."""

    kept: Sequence[Frame]
    streamed: bool
    sent: str = NAME
    status: int = 200

    @property
    def headers(self) -> Mapping[str, str]:
        return {"content-type": "text/event-stream" if self.streamed else "application/json"}

    async def frames(self) -> AsyncIterator[Frame]:
        for frame in self.kept:
            yield frame


class VerbatimModel:
    """A `ModelBackend` that answers one plan with its own block."""

    served_as = "verbatim"

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    @asynccontextmanager
    async def chat(
        self,
        prompt: Prompt,
        *,
        allowance: int | None = None,
        insist: bool = False,
        headers: Mapping[str, str] | None = None,
    ) -> AsyncIterator[VerbatimAnswer]:
        body = prompt.body
        text, finish = limited(stopped(text_of(self._plan), body.get("stop")), limit_of(body))
        head = {"id": f"chatcmpl-{uuid.uuid4().hex}", "created": int(time.time()), "model": NAME}
        usage = usage_of(tokens_of(self._plan.question.text), tokens_of(text))
        if body.get("stream") is True:
            options = body.get("stream_options")
            asked = isinstance(options, Mapping) and options.get("include_usage") is True
            yield VerbatimAnswer(list(streamed(head, text, usage=usage if asked else None, finish=finish)), True)
        else:
            yield VerbatimAnswer([whole(head, text, usage=usage, finish=finish)], False)

    def forward(
        self, method: str, path: str, body: bytes, headers: Mapping[str, str]
    ) -> AbstractAsyncContextManager[VerbatimAnswer]:
        """There is nothing to forward to."""
        raise NotFound(f"{path} cannot be answered verbatim.")

    async def models(self) -> Sequence[ModelCard]:
        return (ModelCard(NAME, "loom"),)

    async def aclose(self) -> None:
        """Nothing is held."""
