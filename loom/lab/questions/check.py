"""Whether the live path grounds a question set: how many questions are engaged, and how much gold their blocks show."""

from collections.abc import Sequence
from dataclasses import dataclass

from loom.core.exposure import READERS
from loom.core.values import Json
from loom.lab.ground import Ground
from loom.lab.question import LabQuestion


@dataclass(frozen=True, slots=True)
class Checked:
    """`engaged` questions of `asked` were given a block; `exposed` is the mean share of gold in the block over all that have
    gold; `bare` are the ids that were given none, `unexposed` those whose block shows no gold at all."""

    asked: int
    engaged: int
    exposed: float | None
    bare: tuple[str, ...]
    unexposed: tuple[str, ...]

    def as_json(self) -> dict[str, Json]:
        return {
            "asked": self.asked,
            "engaged": self.engaged,
            "exposed": self.exposed,
            "bare": list(self.bare),
            "unexposed": list(self.unexposed),
        }


async def checked(ground: Ground, questions: Sequence[LabQuestion]) -> Checked:
    """Ask the live path each question. `any` questions count as wholly exposed where any target is."""
    shares: list[float] = []
    bare: list[str] = []
    unexposed: list[str] = []
    for question in questions:
        block = (await ground.plan(question.prompt)).block
        if not block.served:
            bare.append(question.id)
        if not question.gold:
            continue
        shown = READERS[ground.matcher](block.text)
        hits = [shown.names(title) for title in question.titles]
        shares.append(float(any(hits)) if question.gold_type == "any" else sum(hits) / len(hits))
        if block.served and not any(hits):
            unexposed.append(question.id)
    exposed = sum(shares) / len(shares) if shares else None
    return Checked(len(questions), len(questions) - len(bare), exposed, tuple(bare), tuple(unexposed))
