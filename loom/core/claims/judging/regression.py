"""Logistic regression over vectors: one of several classes (softmax), or each class by itself (sigmoids).

Accelerated gradient descent, restarted where it overshoots, from zero on a strictly convex loss: one optimum, whichever the order of the examples. Weights are
rounded, so that sums in another order give the same bytes.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from loom.core.errors import BadInput

RIDGE = 1e-3
"""The penalty on squared weights, beside the mean loss of an example."""
STEPS, SETTLED, PLACES = 5000, 1e-6, 5

Link = Literal["softmax", "sigmoid"]


@dataclass(frozen=True, slots=True)
class Linear:
    """Weights f64 (classes, width + 1), the intercept last. `scores` are before the link, f64 (rows, classes)."""

    weights: np.ndarray
    link: Link

    def scores(self, vectors: np.ndarray) -> np.ndarray:
        found: np.ndarray = _table(vectors) @ self.weights.T
        return found

    def probabilities(self, vectors: np.ndarray) -> np.ndarray:
        return linked(self.scores(vectors), self.link)


def linked(scores: np.ndarray, link: Link) -> np.ndarray:
    """Scores (rows, classes) as probabilities: of each row together, or of each class by itself."""
    made: np.ndarray
    if link == "sigmoid":
        made = 0.5 * (1.0 + np.tanh(0.5 * scores))
        return made
    grown = np.exp(scores - scores.max(axis=1, keepdims=True))
    made = grown / grown.sum(axis=1, keepdims=True)
    return made


def fit(vectors: np.ndarray, wanted: np.ndarray, link: Link, ridge: float = RIDGE) -> Linear:
    """Weights that make the mean loss with `ridge` on their squares least. `wanted` is f64 (rows, classes), 1 where a row is of a class.

    Raises BadInput where there is nothing to learn from, or something is no number.
    """
    if vectors.ndim != 2 or wanted.shape[:1] != vectors.shape[:1] or not len(vectors):
        raise BadInput(f"Expected a vector for each example, but got {vectors.shape} for {wanted.shape}.", param="vectors")
    table = _table(vectors)
    if not np.all(np.isfinite(table)):
        raise BadInput("Expected vectors of finite numbers, but one is none.", param="vectors")
    bound = (0.5 if link == "softmax" else 0.25) * float(np.max(np.einsum("ij,ij->i", table, table))) + ridge
    weights = np.zeros((wanted.shape[1], table.shape[1]))
    ahead, momentum = weights, 1.0
    for _ in range(STEPS):
        slope = (linked(table @ ahead.T, link) - wanted).T @ table / len(table) + ridge * ahead
        moved = ahead - slope / bound
        if np.max(np.abs(slope)) < SETTLED:
            weights = moved
            break
        if np.sum(slope * (moved - weights)) > 0:
            momentum = 1.0
        following = (1.0 + np.sqrt(1.0 + 4.0 * momentum**2)) / 2.0
        ahead = moved + (momentum - 1.0) / following * (moved - weights)
        weights, momentum = moved, following
    return Linear(np.round(weights, PLACES), link)


def _table(vectors: np.ndarray) -> np.ndarray:
    return np.concatenate([vectors.astype(np.float64), np.ones((len(vectors), 1))], axis=1)
