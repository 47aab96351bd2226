"""The figures of an arm: the two halves apart, and how well its confidence tells them apart."""

import numpy as np

from loom.core.memory.finding import Floats, Truths
from loom.core.values import Json
from loom.lab.locomo.bench import Bench, Outcome
from loom.lab.locomo.scorer import CATEGORIES
from loom.lab.statistics import auc


def figures(bench: Bench, outcome: Outcome) -> dict[str, Json]:
    """Means by half and by category. `auc` is how often an answerable question is surer than an adversarial one; `overall` is the mean
    over all, which a memory without any content passes by being silent: printed to be discounted (seed 004 §3)."""
    yes, no = bench.answerable, ~bench.answerable
    category = np.array([question.category for question in bench.data.questions])
    return {
        "answerable": mean(outcome.score, yes),
        "adversarial": mean(outcome.score, no),
        "auc": auc(outcome.confidence, yes) if yes.any() and no.any() else None,
        "silence": _halves(outcome.silent.astype(float), yes),
        "reach": _halves(outcome.reach, yes),
        "categories": {
            name: {
                "n": int((category == number).sum()),
                "score": mean(outcome.score, category == number),
                "reach": mean(outcome.reach, category == number),
                "silence": mean(outcome.silent.astype(float), category == number),
            }
            for number, name in CATEGORIES.items()
        },
        "overall": mean(outcome.score, yes | no),
    }


def _halves(values: Floats, yes: Truths) -> dict[str, Json]:
    return {"answerable": mean(values, yes), "adversarial": mean(values, ~yes), "all": mean(values, yes | ~yes)}


def mean(values: Floats, which: Truths) -> float | None:
    """The mean of those; None where there is none."""
    return float(values[which].mean()) if which.any() else None
