"""Whether a proposed block is name-complete for questions, and whether its names stand in something that says anything (paper §14).

A block that drives the copy ceiling of its questions towards 1 is name-complete under the matcher: the names are present in it. That
is weaker than complete answers, and names without sentences drive the ceiling just as well; so what stands beside it is how the
names stand there. The signs are of form alone, and a false statement has the form of a true one: other gates must read it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from loom.core.exposure import READERS
from loom.core.values import Json
from loom.lab.completing.about import about
from loom.lab.completing.labels import folded
from loom.lab.completing.segments import segments
from loom.lab.completing.stuffing import Sign, Standing, standing
from loom.lab.question import LabQuestion

PASS, INCOMPLETE, FLAGGED = "pass", "incomplete", "flagged"
ENOUGH = 0.9
"""The mean copy ceiling from which a block is name-complete. A unit leaves out a name here and there for want of room."""


@dataclass(frozen=True, slots=True)
class Held:
    """One question and how much of its gold the block names; `ceiling` is the exposed share, whatever the gold type."""

    id: str
    ceiling: float
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Completeness:
    """`verdict` is pass, incomplete or flagged; `signs` why it is flagged; `warnings` what a reader should look at and no more.

    `macro` is the mean ceiling over questions, `micro` over gold items; `left_aside` counts questions about something else.
    """

    verdict: str
    macro: float
    micro: float
    held: tuple[Held, ...]
    left_aside: int
    signs: tuple[Sign, ...]
    warnings: tuple[str, ...]
    standing: Standing
    matcher: str

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for each in self.held for name in each.missing))

    def as_json(self) -> dict[str, Json]:
        return {
            "verdict": self.verdict,
            "reasons": [sign.as_json() for sign in self.signs],
            "warnings": list(self.warnings),
            "ceiling": {"macro": self.macro, "micro": self.micro},
            "questions": len(self.held),
            "left_aside": self.left_aside,
            "missing": list(self.missing),
            "names": self.standing.as_json(),
            "matcher": self.matcher,
            "by_question": [{"id": each.id, "ceiling": each.ceiling, "missing": list(each.missing)} for each in self.held],
        }


def complete(
    block: str,
    questions: Sequence[LabQuestion],
    *,
    matcher: str = "default",
    enough: float = ENOUGH,
    every: bool = False,
    titles: Sequence[str] = (),
    relations: Sequence[str] = (),
) -> Completeness:
    """Judge a block by the questions that it is about (all of them with `every`).

    `titles` are further names of the corpus, for the density; `relations` the names of its relations beside the usual ones. Gold of
    all questions counts among the names, also of those that are about something else: a block may be stuffed for them.
    """
    pieces = segments(block, frozenset(map(folded, relations)))
    asked = [question for question in questions if question.gold]
    chosen = asked if every else about(pieces, asked)
    text = READERS[matcher](block)
    held = [_held(question, text.lacks(question.titles)) for question in chosen]
    items = sum(len(question.gold) for question in chosen)
    absent = sum(len(each.missing) for each in held)
    macro = sum(each.ceiling for each in held) / len(held) if held else 0.0
    gold = tuple(dict.fromkeys(title for question in asked for title in question.titles))
    found = standing(pieces, gold, titles)
    signs = found.signs()
    verdict = FLAGGED if signs else PASS if held and macro >= enough else INCOMPLETE
    return Completeness(
        verdict,
        macro,
        (items - absent) / items if items else 0.0,
        tuple(held),
        len(asked) - len(chosen),
        signs,
        found.warnings(),
        found,
        matcher,
    )


def _held(question: LabQuestion, missing: Sequence[str]) -> Held:
    return Held(question.id, 1 - len(missing) / len(question.gold), tuple(missing))
