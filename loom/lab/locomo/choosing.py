"""Floor and constants of our arm, chosen for each conversation on all others, so that no label of its own is used (specs §9).

The constants are those by which confidence tells the halves apart best (AUC); the floor is the one whose silence is nearest to
`SILENCE`. Only what comes of that counts; the choice on all conversations is given beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from loom.core.memory.finding import Floats, Truths
from loom.core.values import Json
from loom.lab.locomo.arms import Arm
from loom.lab.locomo.bench import Bench, Outcome
from loom.lab.statistics import auc

SILENCE = 0.315
"""The share of questions on which the arms that are compared are silent: the published graph's (seed 004, Table 2)."""
FLOORS = tuple(round(step / 100, 2) for step in range(101))
CONSTANTS = tuple(product(((0.9, 0.4), (1.2, 0.75)), (0.0, 0.5, 1.0)))
"""((k1, b), contrast): what specs/memory.md §7 tried."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Constants and floor, and on which conversations they were chosen (`without` is the number of the one left out, -1 for none)."""

    without: int
    k1: float
    b: float
    contrast: float
    floor: float

    def as_json(self) -> dict[str, Json]:
        return {"without": self.without, "k1": self.k1, "b": self.b, "contrast": self.contrast, "floor": self.floor}


def chosen(
    bench: Bench, arm: Arm, *, constants: Sequence[tuple[tuple[float, float], float]] = CONSTANTS
) -> tuple[list[Chosen], Outcome, Outcome]:
    """The choice for each conversation and, last, for all; the outcome of the first, and of the last."""
    frank = {each: bench.outcome(arm, k1=each[0][0], b=each[0][1], contrast=each[1], floor=0.0) for each in constants}
    numbers = sorted(set(bench.talk.tolist()))
    choices = [_choice(bench, frank, bench.talk != number, number) for number in numbers] if len(numbers) > 1 else []
    choices.append(_choice(bench, frank, np.ones(len(bench.talk), dtype=bool), -1))
    parts = [
        (frank[(each.k1, each.b), each.contrast].at(each.floor, bench.declined), bench.talk == each.without)
        for each in choices[:-1]
    ]
    last = choices[-1]
    whole = frank[(last.k1, last.b), last.contrast].at(last.floor, bench.declined)
    return choices, joined(parts, whole), whole


def _choice(bench: Bench, frank: dict[tuple[tuple[float, float], float], Outcome], on: Truths, without: int) -> Chosen:
    best = max(frank, key=lambda each: (_area(bench, frank[each], on), -list(frank).index(each)))
    return Chosen(without, best[0][0], best[0][1], best[1], floor_for(frank[best], on, SILENCE))


def _area(bench: Bench, outcome: Outcome, on: Truths) -> float:
    yes = bench.answerable[on]
    return auc(outcome.confidence[on], yes) if yes.any() and not yes.all() else 0.5


def floor_for(outcome: Outcome, on: Truths, silence: float) -> float:
    """The floor at which silence is nearest, the lowest of equals."""
    shares = [abs(silence_at(outcome, floor, on) - silence) for floor in FLOORS]
    return FLOORS[int(np.argmin(shares))]


def silence_at(outcome: Outcome, floor: float, on: Truths) -> float:
    """The share of questions on which an outcome without a floor is silent at one."""
    return float((outcome.silent | (outcome.confidence < floor))[on].mean())


def joined(parts: Sequence[tuple[Outcome, Truths]], whole: Outcome) -> Outcome:
    """One outcome of several, each where it is told to stand; `whole` elsewhere."""
    if not parts:
        return whole
    score, reach, confidence = whole.score.copy(), whole.reach.copy(), whole.confidence.copy()
    silent, replies = whole.silent.copy(), list(whole.replies)
    columns: list[tuple[str, Floats | Truths]] = [
        ("score", score),
        ("reach", reach),
        ("confidence", confidence),
        ("silent", silent),
    ]
    for part, here in parts:
        for name, column in columns:
            column[here] = getattr(part, name)[here]
        for at in np.flatnonzero(here).tolist():
            replies[at] = part.replies[at]
    return replace(whole, score=score, reach=reach, confidence=confidence, silent=silent, replies=tuple(replies))
