"""Scores made probabilities (Platt's scaling), and whether they may be trusted: the gate of the expected calibration error (§8)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from loom.core.retrieval.fit import expected_error, logistic, sigmoid

BAR = 0.10
"""The expected calibration error over ten bins from which a threshold on probabilities is not used."""
FOLDS, PLACES = 5, 6


@dataclass(frozen=True, slots=True)
class Platt:
    """A score's probability is the sigmoid of `shift + slope * score`. `error` is the expected calibration error, measured on
    examples that neither model nor scaling was fitted to; `usable` says whether it is under the bar."""

    shift: float
    slope: float
    error: float

    @property
    def usable(self) -> bool:
        return self.error < BAR

    def of(self, score: float) -> float:
        return sigmoid(self.shift + self.slope * score)


def scaled(scores: Sequence[float], right: Sequence[bool]) -> Platt:
    """The scaling of some scores that a model gave for examples it was not fitted to; its error is measured across folds."""
    shift, slope = _fitted(scores, right)
    told = np.zeros(len(scores))
    for fold in range(FOLDS):
        kept = [at for at in range(len(scores)) if at % FOLDS != fold]
        out = [at for at in range(len(scores)) if at % FOLDS == fold]
        if not kept or not out:
            continue
        own = _fitted([scores[at] for at in kept], [right[at] for at in kept])
        for at in out:
            told[at] = sigmoid(own[0] + own[1] * scores[at])
    error = expected_error(told.tolist(), right, [1.0] * len(scores)) if len(scores) >= FOLDS else 1.0
    return Platt(shift, slope, round(error, PLACES))


def _fitted(scores: Sequence[float], right: Sequence[bool]) -> tuple[float, float]:
    shift, slope = logistic([(score,) for score in scores], right, [1.0] * len(scores))
    return round(shift, PLACES), round(slope, PLACES)


def out_of_fold(learn: Callable[[np.ndarray], Callable[[np.ndarray], np.ndarray]], count: int) -> np.ndarray:
    """The scores of each of `count` examples by what was learned from the others: `learn` is given rows to learn from, and gives what
    scores rows. Folds are taken by place, so that the same examples make the same folds."""
    at = np.arange(count)
    parts = [(at[at % FOLDS != fold], at[at % FOLDS == fold]) for fold in range(min(FOLDS, count))]
    found = [(out, learn(kept)(out)) for kept, out in parts if len(kept) and len(out)]
    rows = np.concatenate([out for out, _ in found])
    scores: np.ndarray = np.concatenate([made for _, made in found])[np.argsort(rows, kind="stable")]
    return scores
