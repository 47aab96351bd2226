"""What a matcher finds: rows with scores, in an order that nothing but the corpus and the text decides."""

from dataclasses import dataclass

import numpy as np

from loom.core.values import Row

# Above this many rows, sums are kept for the rows touched only.
DENSE = 200_000

# Up to this many rows are sorted as they are.
FEW = 48


@dataclass(frozen=True, slots=True)
class Match:
    """One row that a text is about; `named` when the text uses one of its names, `share` the part of its title matched."""

    row: Row
    score: float
    named: bool
    share: float = 1.0


def totals(rows: np.ndarray, worth: np.ndarray, count: int, floor: float) -> tuple[np.ndarray, np.ndarray]:
    """Rows whose contributions, added in the order given, reach the floor; and those sums. Both in row order."""
    if count > DENSE:
        distinct, rows = np.unique(rows, return_inverse=True)
        sums = np.bincount(rows, weights=worth, minlength=len(distinct))
        kept = (sums >= floor).nonzero()[0]
        return distinct[kept], sums[kept]
    sums = np.bincount(rows, weights=worth, minlength=count)
    kept = (sums >= floor).nonzero()[0]
    return kept, sums[kept]


def best(rows: np.ndarray, scores: np.ndarray, quality: np.ndarray, limit: int) -> list[tuple[Row, float]]:
    """The `limit` best of distinct rows with their scores: by score, then quality (0 where none is stated), then row."""
    if limit < 1:
        return []
    if len(rows) > max(limit, FEW):
        bound = np.partition(scores, len(rows) - limit)[len(rows) - limit]
        kept = (scores >= bound).nonzero()[0]
        rows, scores = rows[kept], scores[kept]
    order = sorted(zip((-scores).tolist(), (-quality[rows]).tolist(), rows.tolist(), strict=True))
    return [(row, -score) for score, _, row in order[:limit]]
