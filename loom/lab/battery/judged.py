"""What an answer of a real model is worth, by rules alone: values to the letter, refusals in words, numbers without support."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from loom.core.values import Json
from loom.lab.battery.answering import Given
from loom.lab.battery.groups import COMPARATIVE, QUANTITATIVE, STATED, TRAPS
from loom.lab.battery.question import BatteryQuestion
from loom.lab.battery.scoring import answered, holds

VALUED = frozenset((*QUANTITATIVE, *COMPARATIVE, *STATED))
"""Ids whose answers are values, which have to be read out."""
_DENIES = re.compile(
    r"\b(?:no|not|none|nothing|neither|never|cannot|unable|unknown|unavailable|missing|absent|lacks?|without|\w+n['’]t|"
    r"non|nessun\w*|niente|nulla|manca\w*|assent[ei]|sconosciut\w*|impossibile)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Judged:
    """`right`: all that is asked for is said and nothing that must not be; of a trap, that it was refused. `exact`: the values are
    there (None where none are asked for). `refused` and `repeated`: a trap was refused without a number that is not shown, and in the
    words of the note that was shown (None where it is no trap)."""

    right: bool
    exact: bool | None = None
    refused: bool | None = None
    repeated: bool | None = None

    def as_json(self) -> dict[str, Json]:
        return {"right": self.right, "exact": self.exact, "refused": self.refused, "repeated": self.repeated}


def judged(question: BatteryQuestion, said: Given) -> Judged:
    """The verdict on an answer; an error is no right one."""
    score = answered(said.text, question)
    there = not said.error and not said.escaped
    if question.battery in TRAPS:
        repeated = there and repeats(said.text, said.notes)
        refused = there and score.clean and not said.unsupported and (repeated or bool(_DENIES.search(said.text)))
        return Judged(refused, refused=refused, repeated=repeated)
    exact = there and score.needle if question.battery in VALUED else None
    return Judged(there and score.passed, exact)


def repeats(text: str, notes: Sequence[str]) -> bool:
    """Whether an answer holds a note that its context showed, to the letter but for white space."""
    return any(holds(text, note.strip().rstrip(".")) for note in notes)
