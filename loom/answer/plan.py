"""What a request holds from its first byte to its last: a pin on one generation, and the plan made from it."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from loom.core.policy.policy import Policy
from loom.core.values import Block, Candidate, Contract, Decision, Evidence, Finding, Json, Outcome, Prompt, Question
from loom.ports import Generation, Semantics

Grounded = tuple[Decision, Block, Contract | None]


@dataclass(frozen=True, slots=True)
class Pin:
    """One loaded generation, held by a request until its last byte, however often the node swaps meanwhile.

    `grounded` remembers what was shown for questions asked before: an agent sends its question again with every tool result,
    and a person who wants another answer sends it again as it was. `semantics` is the attachment that serves, where there is one.
    """

    generation: Generation
    semantics: Semantics | None = field(default=None, repr=False, compare=False)
    grounded: dict[Hashable, Grounded] = field(default_factory=dict, repr=False, compare=False)

    def as_json(self) -> dict[str, Json]:
        vectors: dict[str, Json] = {"vectors": self.semantics.id} if self.semantics and self.semantics.id else {}
        return {"generation": self.generation.id, **vectors}


@dataclass(frozen=True, slots=True)
class Plan:
    """A prepared question: what was decided, what is shown, and the prompt that a model backend may be given."""

    question: Question
    pin: Pin
    policy: Policy
    decision: Decision
    block: Block
    prompt: Prompt
    wrapper: str
    contract: Contract | None = None


class Finder(Protocol):
    """One per kind of evidence. `find` proposes addresses; `mint` reads what was admitted and calls the core's mint functions.

    `waits` says whether finding may wait for anything outside: those that may run side by side under the question's deadline,
    the others inline, since a task costs more than a match. One that does not wait reads nothing but the generation and the
    question's text, shape and options, whether it is `single`, and what `core.retrieval.follow.query` takes of the turns before it,
    so that what it finds may be remembered. A failing or late finder counts as an empty, labelled finding. A finder may have a method
    `concerns(question)`; where that gives False, the question is asked as if there were no such finder.
    """

    name: str
    waits: bool

    async def find(self, question: Question, pin: Pin, policy: Policy) -> Finding: ...
    async def mint(self, question: Question, pin: Pin, policy: Policy, admitted: Sequence[Candidate]) -> Sequence[Evidence]: ...


def concerned(finder: Finder, question: Question) -> bool:
    """Whether a finder takes part in a question: one without a method `concerns` does in every one."""
    concerns: Callable[[Question], bool] | None = getattr(finder, "concerns", None)
    return concerns is None or concerns(question)


@runtime_checkable
class Warming(Protocol):
    """A finder that keeps what follows from a generation: it is made before the generation serves, so that no question waits for it."""

    def warm(self, pin: Pin) -> None: ...


@runtime_checkable
class Forgetful(Protocol):
    """What remembers texts of questions, and can forget them."""

    def forget(self) -> None: ...


class Watch(Protocol):
    """One per thing that is counted. It is fed the answer's text as it passes and holds no frame back.

    `key` names its place in the `loom` object ("" merges into the top level); `report` is called once, when the last frame is
    due; `after` runs after the last byte and may write.
    """

    key: str

    def feed(self, text: str) -> None: ...
    def report(self, outcome: Outcome) -> Mapping[str, Json] | None: ...
    async def after(self, outcome: Outcome) -> None: ...


@runtime_checkable
class Guard(Watch, Protocol):
    """A watch that may have the last word on an answer, once it has been fed all of it.

    `holds` is what waits for that word: "" nothing, "end" an answer's last frames, "all" the whole answer. Then `addition` is what
    is said at its end, "" for nothing; or `instead` is what is answered in its place, None where it may go out as it came.
    """

    holds: str

    def addition(self) -> str: ...
    def instead(self) -> str | None: ...
