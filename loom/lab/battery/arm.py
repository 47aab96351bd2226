"""The arms of the battery: in which ways the same question is given a context."""

from collections.abc import Sequence
from dataclasses import dataclass

from loom.core.errors import BadInput

BUDGET, OUTLINE = 1500, 1600
"""Tokens of a context, and characters of all its outlines, where an arm states no others."""
WORDS, MEANING = "words", "meaning"
"""How the chunks of a flat arm are ranked."""
PROSE = frozenset({"S5", "R5q", "U3", "T1", "P1", "K1", "V1"})
"""Ids of the battery with questions that only prose answers: what is said, what happens, what a note states."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One way to give a question a context.

    `context` is full, skeleton or hydrate, `readout` full, core-only or off; `uniform` cuts the outlines uniformly. `asks` says that a
    directive for the sources of the question follows where the context offers it, and that the second context is looked at.
    `chunks` is how those of a flat arm are ranked, "" for all others. `held` says that every needle has to be there, but for ids of
    `spared`.
    """

    name: str
    says: str
    context: str = "full"
    readout: str = "full"
    uniform: bool = False
    addressing: bool = True
    budget: int | None = None
    asks: bool = False
    chunks: str = ""
    held: bool = True
    spared: frozenset[str] = frozenset()

    def must(self, battery: str) -> bool:
        """Whether questions of this id have to pass."""
        return self.held and battery not in self.spared


FLAT, FLAT_DENSE = "flat", "flat-dense"
FULL, SKELETON, HYDRATE, ASKED, UNADDRESSED = "full", "skeleton", "hydrate", "hydrate-asked", "addressing-off"
CORE_ONLY, READOUT_OFF, UNIFORM = "core-only", "readout-off", "uniform"
BUDGETS = (600, 900, 3000)

ARMS: dict[str, Arm] = {
    one.name: one
    for one in (
        Arm(FULL, "computed facts, addressed passages, outlines and what is searched for"),
        Arm(SKELETON, "computed facts, outlines and coordinates; no prose", context="skeleton", spared=PROSE),
        Arm(HYDRATE, "the skeleton, and passages that the question itself leads to", context="hydrate"),
        Arm(ASKED, "the same after a directive for the right files, where one is offered", context="hydrate", asks=True),
        Arm(CORE_ONLY, "of what is searched for only what is near the best", readout="core-only"),
        Arm(READOUT_OFF, "nothing that is searched for", readout="off"),
        Arm(UNIFORM, "outlines cut uniformly, not by score", uniform=True),
        *(Arm(f"budget-{size}", f"full in {size} tokens", budget=size) for size in BUDGETS),
        Arm(UNADDRESSED, "no name, position or fact counts", addressing=False, held=False),
        Arm(FLAT, "chunks of the files of the same route by BM25, in as many tokens as full", chunks=WORDS, held=False),
        Arm(FLAT_DENSE, "the same chunks by their vectors", chunks=MEANING, held=False),
    )
}
"""Every arm, in the order in which they are reported."""


def arms_of(names: Sequence[str]) -> tuple[Arm, ...]:
    """The arms of these names, `all` for every one, in the order of ARMS. Raises BadInput for a name that none has."""
    for name in names:
        if name not in ARMS and name != "all":
            raise BadInput(f"Expected arms among all, {', '.join(ARMS)}, but got {name!r}.", param="arms")
    return tuple(arm for name, arm in ARMS.items() if "all" in names or name in names)
