"""When to decline: the threshold under which the best option is not picked, tuned to its true optimum.

A grid may step over the optimum and flatter whatever is compared with it (§15). Between two neighbouring scores nothing changes, so
every distinct score, and one above all, are all the thresholds that there are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from random import Random

import numpy as np

from loom.core.errors import BadInput
from loom.core.values import Json


@dataclass(frozen=True, slots=True)
class Tuned:
    """The best rule: pick where score ≥ `threshold`, else decline; infinite where declining always is best.

    `above` is the next lower score: every threshold above it and up to `threshold` decides alike. Of equally good rules this is
    the one that declines least; `ties` counts them, itself included.
    """

    threshold: float
    above: float
    right: int
    n: int
    ties: int

    @property
    def cut(self) -> float:
        """Where to part items that it was not tuned on: halfway between the scores that it stands between."""
        if self.above == -inf or self.threshold == inf:
            return self.threshold if self.above > -inf else -inf
        return (self.threshold + self.above) / 2

    @property
    def accuracy(self) -> float:
        return self.right / self.n

    def as_json(self) -> dict[str, Json]:
        return {
            "threshold": None if self.threshold == inf else self.threshold,
            "declines_always": self.threshold == inf,
            "same_above": None if self.above == -inf else self.above,
            "right": self.right,
            "n": self.n,
            "accuracy": self.accuracy,
            "ties": self.ties,
        }


def tune(scores: Sequence[float], picked_right: Sequence[bool], declining_right: Sequence[bool]) -> Tuned:
    """The threshold at which most items are right. `picked_right` says of each item whether its best option is the answer,
    `declining_right` whether declining is. Raises BadInput."""
    if not len(scores) == len(picked_right) == len(declining_right):
        raise BadInput("Expected as many scores as outcomes, one each an item.", param="scores")
    if not len(scores):
        raise BadInput("Expected at least one item to tune on, but there is none.", param="scores")
    values = np.asarray(scores, dtype=np.float64)
    if np.isnan(values).any():
        raise BadInput("Expected every score to be a number, but one is NaN.", param="scores")
    order = np.argsort(values, kind="stable")
    values = values[order]
    picked, declined = (np.asarray(each, dtype=np.int64)[order] for each in (picked_right, declining_right))
    below = np.concatenate([[0], np.cumsum(declined)])
    above = np.concatenate([[0], np.cumsum(picked[::-1])])[::-1]
    first = np.concatenate([np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]])), [len(values)]])
    right = (below + above)[first]
    best = int(right.max())
    at = int(np.argmax(right))
    thresholds = [*values[first[:-1]].tolist(), inf]
    return Tuned(thresholds[at], thresholds[at - 1] if at else -inf, best, len(values), int((right == best).sum()))


def right_at(
    threshold: float, scores: Sequence[float], picked_right: Sequence[bool], declining_right: Sequence[bool]
) -> list[bool]:
    """Whether each item is right under a threshold."""
    return [
        bool(picked if score >= threshold else declined)
        for score, picked, declined in zip(scores, picked_right, declining_right, strict=True)
    ]


def on_grid(steps: int, scores: Sequence[float], picked_right: Sequence[bool], declining_right: Sequence[bool]) -> float:
    """The accuracy that a grid of equal steps from the least to the greatest score finds: never more than `tune`'s."""
    grid = np.linspace(min(scores), max(scores), steps).tolist()
    return max(sum(right_at(each, scores, picked_right, declining_right)) for each in grid) / len(scores)


def held_out(
    ids: Sequence[str],
    scores: Sequence[float],
    picked_right: Sequence[bool],
    declining_right: Sequence[bool],
    *,
    folds: int = 10,
    seed: int = 42,
) -> list[bool]:
    """Whether each item is right under the threshold tuned on the other folds; every item its own fold where there are too few."""
    if len(ids) < 2:
        raise BadInput("Expected at least two items to hold some out, but there is one.", param="tasks")
    order = list(range(len(ids)))
    Random(f"{seed}:choice:folds").shuffle(order)
    fold = {item: at % min(folds, len(ids)) for at, item in enumerate(order)}
    found = [False] * len(ids)
    for each in range(min(folds, len(ids))):
        train = [at for at in range(len(ids)) if fold[at] != each]
        rule = tune([scores[at] for at in train], [picked_right[at] for at in train], [declining_right[at] for at in train])
        for at in range(len(ids)):
            if fold[at] == each:
                found[at] = bool(picked_right[at] if scores[at] >= rule.cut else declining_right[at])
    return found
