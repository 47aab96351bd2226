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
    """One row that a text is about.

    `named` when the text uses one of its names, in whatever shape; `share` is the part of its title that is matched. `how` says in
    which shape: "name" as it is written, "spelling" as a plural or in another spelling, "joined" together or apart, "abbreviation",
    "typo" with one letter wrong; "words" where it shares words only. Of a name, `name_words` is how many words it has, and `start`
    and `covered` which words of the text it takes up. `cased` is 1 where a name with inner capitals or all in capitals stands so
    in the text, -1 where it does not, 0 for other names. `shared` is how many rows the abbreviation or slip may mean.
    """

    row: Row
    score: float
    named: bool
    share: float = 1.0
    how: str = "words"
    name_words: int = 0
    start: int = 0
    covered: int = 0
    cased: int = 0
    shared: int = 1

    @property
    def shouted(self) -> bool:
        """Whether the text writes the name in the capitals in which the corpus writes it."""
        return self.cased > 0


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
