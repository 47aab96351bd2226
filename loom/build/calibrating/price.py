"""What recall is worth: how many paraphrased questions still find their subject when an index misses some of the nearest."""

from collections.abc import Sequence

import numpy as np

from loom.build.calibrating.questions import Example
from loom.core.retrieval.look import NEAREST, Look, Views, look, near_of, standings
from loom.core.retrieval.nearest import UnitVectors
from loom.core.retrieval.recall import AT, Ranking, curve, lost_per_point
from loom.core.values import Json

PARAPHRASES = 150
SERVED = 8


def price(views: Views, exact: UnitVectors, asked: Sequence[tuple[Example, np.ndarray]]) -> dict[str, Json]:
    """The share of paraphrases whose subject is among the first `SERVED` of the joint ranking (`paraphrases`), how many there were,
    and [recall, that share] pairs for indexes that find less (`curve`), with what a hundredth of recall costs. Empty without any."""
    some = [(example, vector) for example, vector in asked if example.kind == "described"][:PARAPHRASES]
    if not some:
        return {}
    seen = [look(views, example.text) for example, _ in some]
    rankings = [exact.search(vector, 2 * NEAREST)[0].tolist() for _, vector in some]

    def kept(given: Sequence[Ranking]) -> float:
        found = 0
        for (example, vector), shown, rows in zip(some, seen, given, strict=True):
            found += bool(example.gold.intersection(_order(shown, exact, vector, rows)))
        return found / len(some)

    pairs = curve(rankings, kept)
    return {
        "paraphrases": pairs[0][1],
        "asked": len(some),
        "served": SERVED,
        "curve": pairs,
        "lost_per_point": round(lost_per_point(pairs), 6),
        "curve_at": AT,
    }


def _order(shown: Look, exact: UnitVectors, vector: np.ndarray, rows: Ranking) -> list[int]:
    near = np.array(rows[:NEAREST], dtype=np.int64)
    nearest = list(zip(near.tolist(), exact.cosines(vector, near).tolist(), strict=True))
    return list(standings(shown, near_of(shown, nearest, lambda others: exact.cosines(vector, others))))[:SERVED]
