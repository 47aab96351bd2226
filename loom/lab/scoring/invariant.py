"""The invariant of the copy ceiling: everything shown, scored as an answer, scores the ceiling.

Under the symmetric scorer it must hold for every question. Under the reference scorer it must hold where all names are asked for;
where any is enough and only a part of them is shown, the answer collapses and the ceiling does not: those are counted and listed
(seed 000, §5.1).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from loom.core.exposure import READERS, CopyCeiling
from loom.core.exposure.ceiling import ANY, collapsed, found_in
from loom.core.values import Json

LISTED = 20


@dataclass(slots=True)
class Invariant:
    """In how many cases it was checked, and in which it does not hold. `partial` are any-questions of which only a part is shown.
    The cases are named by the question, and the arm where there is one; the dictionaries keep their order."""

    checked: int = 0
    broken_symmetric: dict[str, None] = field(default_factory=dict)
    broken_reference: dict[str, None] = field(default_factory=dict)
    partial: dict[str, None] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        return not self.broken_symmetric and not self.broken_reference

    def check(self, item: CopyCeiling, shown: str, matcher: str) -> None:
        """Score the text that was shown as if a model had answered it, and compare with the ceiling."""
        self.checked += 1
        copied = collapsed(found_in(item.gold, READERS[matcher](shown)), item.kind)
        self.compare(item.id, item.kind, item.ceiling, item.symmetric, copied)

    def compare(self, case: str, kind: str, ceiling: float, symmetric: float, copied: float) -> None:
        """Keep a case in which a ceiling is not what the copy scores."""
        if copied != symmetric:
            self.broken_symmetric[case] = None
        if copied != ceiling:
            (self.partial if kind == ANY and 0 < ceiling < 1 else self.broken_reference)[case] = None

    def extend(self, other: "Invariant") -> None:
        """The cases of another, too; `checked` is left to whoever knows which were counted twice."""
        self.broken_symmetric |= other.broken_symmetric
        self.broken_reference |= other.broken_reference
        self.partial |= other.partial

    def as_json(self) -> dict[str, Json]:
        return {
            "holds": self.holds,
            "checked": self.checked,
            "symmetric": {"broken": len(self.broken_symmetric), "cases": list(self.broken_symmetric)},
            "reference": {
                "broken": len(self.broken_reference),
                "cases": list(self.broken_reference),
                "partly_exposed_any": len(self.partial),
                "partly_exposed_any_cases": list(self.partial),
            },
        }

    def __str__(self) -> str:
        if self.holds:
            said = f"invariant holds: everything shown, scored as an answer, scores the ceiling ({self.checked:,} cases)"
        else:
            said = f"invariant BROKEN for {_listed([*self.broken_symmetric, *self.broken_reference])}"
        if self.partial:
            said += f"; partly exposed any-questions, where only the symmetric scorer can: {len(self.partial)} ({_listed(self.partial)})"
        return said


def _listed(cases: Iterable[str]) -> str:
    found = list(dict.fromkeys(cases))
    return ", ".join(found if len(found) <= LISTED else [*found[:LISTED], f"and {len(found) - LISTED} more"])
