"""A second round: a model that answers with directives alone is given what it asked for, and asked once more.

Such a reply is never shown. Only the beginning of an answer is held, until it is known not to become one (seed 003 §8; R25 to R29).
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from loom.answer.plan import Plan, Watch
from loom.answer.wording import choices_of, payload_of
from loom.core.directives import LONGEST, alone, asked, begun, pending
from loom.core.frames import Frame
from loom.core.values import Contract, Json, Outcome, Question

LISTED, WIDEST = 4, 200
"""Names that a report lists of what a model asked for, and code points of each."""
SHAPES = frozenset({"plain", "lookup"})
"""Shapes of a question whose answer may be asked for twice; the others are read by their form."""


@dataclass(frozen=True, slots=True)
class Second:
    """What a second round is answered from: its plan, and the watches of its answer."""

    plan: Plan
    watches: Sequence[Watch]


Again = Callable[[str], Awaitable[Second | None]]
"""Gives the second plan for a reply of directives; None where there is none."""


def single(question: Question) -> bool:
    """Whether one answer of free form is asked for, so that there may be a second round."""
    return question.shape in SHAPES and (question.body.get("n") or 1) == 1


class Hold:
    """Holds the beginning of an answer while it may still become directives alone. Without a prefix it holds nothing.

    `text` is what was held back from those who hear the answer, `full` whether so many directives have come that no more need be read.
    What comes before the answer's first character passes: roles, reasoning, comments.
    """

    def __init__(self, prefix: str | None = None) -> None:
        self.text = ""
        self.full = False
        self._prefix = prefix
        self._frames: list[Frame] = []
        self._lead = ""
        self._role = False

    @property
    def closed(self) -> bool:
        """Whether it holds what comes, until more of it is known."""
        return self._prefix is not None

    @property
    def busy(self) -> bool:
        """Whether frames pass only through it."""
        return self._prefix is not None or bool(self._frames)

    @property
    def directives(self) -> bool:
        """Whether what came is directives alone, now that no more comes."""
        return self._prefix is not None and (self.full or alone(self.text, self._prefix))

    @property
    def begun(self) -> bool:
        """Whether what came is the beginning of directives alone, where it was cut off."""
        return self._prefix is not None and begun(self.text, self._prefix)

    def hear(self, text: str) -> str:
        """The answer's text that may be heard now that this has come."""
        if self._prefix is None:
            return text
        known = self.text.rfind("\n") + 1
        self.text += text
        if len(self.text) <= LONGEST:
            held = pending(self.text[known:], self._prefix)
        else:
            begun = self.text[:LONGEST]
            held = self.full = alone(begun[: begun.rfind("\n") + 1], self._prefix)
            self.text = begun if held else self.text
        return "" if held else self.open()

    def open(self) -> str:
        """Hold nothing any more; gives the text that was held."""
        self._prefix = None
        return self.text

    def free(self, frames: Sequence[Frame]) -> Sequence[Frame]:
        """The frames that may pass now that these have come."""
        if self._prefix is not None:
            if not self.text:
                self._role = self._role or any(delta.get("role") for delta in _deltas(frames))
                return frames
            if not self._frames:
                self._lead = next((lead for frame in frames if (lead := _before(frame, self.text))), "")
            self._frames += [frame for frame in frames if frame.data]
            return [frame for frame in frames if not frame.data]
        if self._frames:
            frames, self._frames = [*self._frames, *frames], []
        return frames

    def dropped(self, last: Sequence[Frame] = ()) -> dict[str, Json]:
        """The delta that a client lacks where what is held never comes, nor these last frames: the role, unless it was told, and the
        end of what was thought aloud."""
        roles = [] if self._role else [role for delta in _deltas([*self._frames, *last]) if (role := delta.get("role"))]
        lead = {"content": self._lead} if self._lead else {}
        return {"role": roles[0], "content": "", **lead} if roles else lead


def _deltas(frames: Sequence[Frame]) -> list[Mapping[str, Json]]:
    deltas = [choice.get("delta") for frame in frames for choice in choices_of(payload_of(frame) or {})]
    return [delta for delta in deltas if isinstance(delta, dict)]


def _before(frame: Frame, text: str) -> str:
    """What the content of a frame holds before the answer begins in it."""
    for choice in choices_of(payload_of(frame) or {}):
        delta = choice.get("delta")
        content = delta.get("content") if isinstance(delta, dict) else None
        if isinstance(content, str) and content.endswith(text):
            return content[: -len(text)]
    return ""


class Hydration:
    """What is said of rounds in the `loom` object: a watch that hears nothing. Reports where a contract was shown, or a directive came.

    `outcome` is answered (in one round), hydrated (in the second) or degraded (by the reader).
    """

    def __init__(self, contract: Contract) -> None:
        self.key = contract.source
        self.rounds = 1
        self.outcome = "answered"
        self.usage: Json = None
        self._contract = contract
        self._asked: tuple[str, ...] | None = None
        self._fetched: list[str] = []

    def ask(self, reply: str) -> None:
        """A reply that is never shown."""
        self._asked = tuple(name.strip() for name in asked(reply, self._contract.prefix))

    def fetched(self, first: Plan, second: Plan) -> None:
        """The plan that was made for it: what it is answered from beside the first."""
        had = {(each.iri, each.why) for each in first.decision.of(self.key)}
        self._fetched = [each.iri for each in second.decision.of(self.key) if (each.iri, each.why) not in had]

    def feed(self, text: str) -> None:
        """Nothing is counted in the answer."""

    def report(self, outcome: Outcome) -> Mapping[str, Json] | None:
        if self._asked is None and not self._contract.offered:
            return None
        told: dict[str, Json] = {
            "asked": [name[:WIDEST] for name in (self._asked or ())[:LISTED]],
            "fetched": self._fetched,
            "rounds": self.rounds,
            "spontaneous": self._asked is not None and not self._contract.offered,
            "outcome": self.outcome,
        }
        if self._asked is not None and self.usage is not None:
            told["usage"] = self.usage
        return {"hydration": told}

    async def after(self, outcome: Outcome) -> None:
        """Nothing to write."""
