"""Names that the grounded arm was not shown, and who recovers them: the bare model or the grounded one (seed 000, §10.4).

This needs no copy baseline: exactly the n01 and n00 items of the grounded arm are looked for in the answers of both arms. The
matcher is a surface proxy on both sides, so that the bare arm's hits are put to the relational audit before anybody believes them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from loom.core.errors import BadInput
from loom.core.exposure.ceiling import share
from loom.core.values import Json
from loom.lab.judging.units import Unit, unit_of
from loom.lab.judging.verdicts import OMITTED
from loom.lab.row import ANSWERED, EMPTY, read_rows
from loom.lab.scoring.scores import EXPOSED, RECOVERED, Scores

Place = tuple[int, int]
"""A question and a model, by their numbers."""


@dataclass(frozen=True, slots=True)
class Recoveries:
    """How many of `items` unexposed names each arm's answers name. `questions` are those that have such names."""

    items: int = 0
    bare: int = 0
    grounded: int = 0
    questions: int = 0

    def __add__(self, other: "Recoveries") -> "Recoveries":
        return Recoveries(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    def as_json(self) -> dict[str, Json]:
        return {
            **{name: getattr(self, name) for name in self.__slots__},
            "bare_share": share(self.bare, self.items),
            "grounded_share": share(self.grounded, self.items),
        }


@dataclass(slots=True)
class Omission:
    """Recoveries by model. `answered` counts pairs of which both arms answered, `service` also those where an answer is empty and
    names nothing; `unpaired` is how many unexposed names have no row of the other arm. `hits` are the bare arm's, item by item."""

    bare: str
    grounded: str
    matcher: str
    answered: dict[str, Recoveries] = field(default_factory=dict)
    service: dict[str, Recoveries] = field(default_factory=dict)
    unpaired: int = 0
    hits: dict[Place, tuple[int, ...]] = field(default_factory=dict)

    def pooled(self, service: bool = False) -> Recoveries:
        return sum((self.service if service else self.answered).values(), Recoveries())

    def as_json(self) -> dict[str, Json]:
        return {
            "bare": self.bare,
            "grounded": self.grounded,
            "matcher": self.matcher,
            "pooled": self.pooled().as_json(),
            "models": {model: found.as_json() for model, found in self.answered.items()},
            "service": {
                "pooled": self.pooled(True).as_json(),
                "models": {model: found.as_json() for model, found in self.service.items()},
            },
            "unpaired": self.unpaired,
        }


def omission(scores: Scores, bare: str = "raw", grounded: str = "scaffold") -> Omission:
    """Who recovers what the grounded arm was not shown. Raises BadInput for an arm that the rows do not have."""
    for name, arm in (("bare", bare), ("grounded", grounded)):
        if arm not in scores.arms.numbers:
            known = ", ".join(scores.arms.words)
            raise BadInput(f"Expected the {name} arm to be one of the rows' arms ({known}), but got {arm!r}.", param=name)
    cells, start = np.frombuffer(bytes(scores.cells), dtype=np.uint8), scores.start
    shown, said = (cells & EXPOSED) > 0, (cells & RECOVERED) > 0
    there = scores.having(ANSWERED, EMPTY)
    filled = scores.having(ANSWERED)
    question, model = scores.question, scores.model
    base = {
        (question[row], model[row]): row
        for row in np.flatnonzero((scores.column("arm") == scores.arms.numbers[bare]) & there).tolist()
    }
    made = Omission(bare, grounded, scores.matcher)
    for row in np.flatnonzero((scores.column("arm") == scores.arms.numbers[grounded]) & there).tolist():
        hidden = ~shown[start[row] : start[row + 1]]
        items = int(hidden.sum())
        if not items:
            continue
        place = (question[row], model[row])
        other = base.get(place)
        if other is None:
            made.unpaired += items
            continue
        alone = hidden & said[start[other] : start[other + 1]]
        found = Recoveries(items, int(alone.sum()), int((hidden & said[start[row] : start[row + 1]]).sum()), 1)
        name = scores.models.words[model[row]]
        made.service[name] = made.service.get(name, Recoveries()) + found
        if filled[row] and filled[other]:
            made.answered[name] = made.answered.get(name, Recoveries()) + found
        if found.bare:
            made.hits[place] = tuple(np.flatnonzero(alone).tolist())
    return made


def bare_hits(rows: Path, scores: Scores, made: Omission) -> Iterator[Unit]:
    """The bare arm's hits with question and answer, in the order of the rows: what the relational audit is given."""
    for row in read_rows(rows):
        if row.arm != made.bare:
            continue
        question = scores.numbers[scores.sets.numbers[row.question.set]][row.question.id]
        for item in made.hits.get((question, scores.models.numbers[row.model]), ()):
            yield unit_of(row, item, OMITTED)
