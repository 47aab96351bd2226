"""Arms at other settings: hits, reader, floors, and both arms at one silence (seed 004 §2.3, §5)."""

from collections.abc import Sequence

import numpy as np

from loom.core.values import Json
from loom.lab.locomo.arms import Arm
from loom.lab.locomo.bench import Bench, Outcome
from loom.lab.locomo.figures import mean
from loom.lab.statistics import auc

HITS = (1, 2, 3, 5, 8, 10, 20, 50)
SPANS = (1, 2, 3, 4, 5, 6, 8)
BANDS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
PARTS = (1, 2, 3, 4, 5)
LIST = {"k": 20, "parts": 4, "band": 0.5}
"""Settings that let an answer be a list."""
SILENCES = (0.12, 0.32, 0.48, 0.62)
CROSSING = 0.08
"""The silence below which the published arms no longer differ."""


def swept(bench: Bench, arm: Arm, name: str, values: Sequence[float]) -> list[dict[str, Json]]:
    """An arm at each value of one setting."""
    return [{name: value, **row(bench, bench.outcome(arm, **{name: value}))} for value in values]


def row(bench: Bench, outcome: Outcome) -> dict[str, Json]:
    yes = bench.answerable
    every = yes | ~yes
    return {
        "answerable": mean(outcome.score, yes),
        "adversarial": mean(outcome.score, ~yes),
        "overall": mean(outcome.score, every),
        "silence": mean(outcome.silent.astype(float), every),
        "reach": {"answerable": mean(outcome.reach, yes), "adversarial": mean(outcome.reach, ~yes)},
    }


def lists(bench: Bench, arm: Arm) -> dict[str, Json]:
    """Questions of several turns where answers may be lists."""
    multi = np.array([question.category == 1 for question in bench.data.questions])
    outcome = bench.outcome(arm, **LIST)
    return {"score": mean(outcome.score, multi), "reach": mean(outcome.reach, multi)}


def realised(bench: Bench, outcome: Outcome) -> float | None:
    """How well the decision to answer, without its confidence, tells the halves apart (seed 004 §5.1)."""
    yes = bench.answerable
    return auc((~outcome.silent).astype(float), yes) if yes.any() and not yes.all() else None


def matched(bench: Bench, frank: Outcome, silence: float) -> dict[str, Json]:
    """An outcome without a floor, at the floor that makes it as silent as told, or as near as its confidences allow."""
    values = np.unique(np.concatenate([[0.0], frank.confidence, [np.inf]]))
    # Silence grows with the floor: the two floors around the wanted silence are found by halving.
    low, high = 0, len(values) - 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _silence(frank, float(values[middle])) <= silence else (low, middle)
    floor = min((float(values[low]), float(values[high])), key=lambda each: abs(_silence(frank, each) - silence))
    return {"floor": floor if np.isfinite(floor) else None, **row(bench, frank.at(floor, bench.declined))}


def _silence(outcome: Outcome, floor: float) -> float:
    return float((outcome.silent | (outcome.confidence < floor)).mean())


def matched_table(bench: Bench, arms: Sequence[Arm], silences: Sequence[float] = SILENCES) -> list[dict[str, Json]]:
    """All arms at each silence."""
    frank = {arm.name: bench.outcome(arm, floor=0.0) for arm in arms}
    return [
        {"silence": silence, "arms": {name: matched(bench, outcome, silence) for name, outcome in frank.items()}}
        for silence in silences
    ]
