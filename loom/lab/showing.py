"""What one arm of a study shows for one question, before any model is asked."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from loom.answer.shape import content_text
from loom.core.exposure import shown_names
from loom.core.policy.merge import merge
from loom.core.policy.packing import NOTHING
from loom.core.values import Block, Json, Question, Scope
from loom.lab.question import LabQuestion

PLANNED, NO_DONOR, NO_BLOCK = "planned", "no_donor", "no_block"
CALLER = Scope("lab")


def user(prompt: str) -> tuple[dict[str, Json], ...]:
    """A question as the messages of a chat request."""
    return ({"role": "user", "content": prompt},)


@dataclass(frozen=True, slots=True)
class Asking:
    """A request that a model may be asked: the client's messages and what is put into them, merged as the serving path merges."""

    text: str
    messages: tuple[Mapping[str, Json], ...]
    block: Block = NOTHING
    wrapper: str = "bare"

    def question(self, more: Mapping[str, Json] | None = None) -> Question:
        """As a question of the node, its body with `more` (model, temperature, limits …)."""
        return Question(self.text, CALLER, {**(more or {}), "messages": [dict(message) for message in self.messages]})

    @property
    def sent(self) -> list[dict[str, Json]]:
        """The exact messages that go to the model."""
        sent: list[dict[str, Json]] = merge(self.question(), self.block, self.wrapper).body["messages"]
        return sent


def plain(*messages: Mapping[str, Json]) -> Asking:
    """A request without a block: what judges and writers are asked. Give messages, the last of them the user's."""
    return Asking(str(messages[-1].get("content") or ""), tuple(messages))


@dataclass(frozen=True, slots=True)
class Showing:
    """One arm's input for one question.

    `status` is planned (a model may be asked), no_donor (no other question's block would do) or no_block (there is nothing to
    perturb). `donor` is the id of the question whose block is shown, `seed` what the arm drew with, `engaged` and `decision`
    what the gate said of the question itself; `notes` is what else the arm measured while it was made.
    """

    question: LabQuestion
    arm: str
    block: Block = NOTHING
    wrapper: str = "bare"
    status: str = PLANNED
    donor: str | None = None
    seed: int | None = None
    engaged: bool | None = None
    decision: Mapping[str, Json] = field(default_factory=dict)
    notes: Mapping[str, Json] = field(default_factory=dict)

    @property
    def asking(self) -> Asking:
        return Asking(self.question.prompt, user(self.question.prompt), self.block, self.wrapper)

    def as_json(self) -> dict[str, Json]:
        """What a row stores of it; `messages` are the exact ones, [] where nothing is asked."""
        return {
            "status": self.status,
            "messages": self.asking.sent if self.status == PLANNED else [],
            "block": self.block.text,
            "block_tokens": self.block.tokens,
            "wrapper": self.wrapper,
            "units": [
                {"iri": served.evidence.iri, "title": served.evidence.title, "cut": served.cut} for served in self.block.served
            ],
            "names": list(shown_names(self.block)),
            "donor": self.donor,
            "seed": self.seed,
            "engaged": self.engaged,
            "decision": dict(self.decision),
            "notes": dict(self.notes),
        }

    def as_line(self) -> dict[str, Json]:
        """A line of a plan: a row before any model."""
        return {
            "set": self.question.set,
            "id": self.question.id,
            "arm": self.arm,
            "status": self.status,
            "question": self.question.as_json(),
            "showing": self.as_json(),
        }


def visible(messages: list[dict[str, Json]]) -> str:
    """The concatenated visible input: every message's text, joined by a space (reference §9.3); of parts, those that are text."""
    return " ".join(content_text(message.get("content")) for message in messages)
