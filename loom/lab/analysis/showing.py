"""What arms showed, before any answer is looked at: their ceilings, how they spread, what became of every planned question."""

from collections.abc import Mapping

import numpy as np

from loom.core.values import Json
from loom.lab.analysis.material import Floats, Material, Rows, asked
from loom.lab.row import ANSWERED, EMPTY, ERROR, STATUSES
from loom.lab.scoring.scores import RETRIED, TRUNCATED

STEPS = 10
"""Steps of the histogram between nothing and all, which have bins of their own."""


def ceilings(material: Material, unavailable: Mapping[str, str]) -> list[dict[str, Json]]:
    """The copy ceiling of every arm, over each question once: it is a property of what was shown, whoever answered."""
    return [_ceiling(material, arm, unavailable.get(arm)) for arm in material.arms]


def _ceiling(material: Material, arm: str, why: str | None) -> dict[str, Json]:
    rows = _shown(material, arm)
    if not len(rows):
        return {
            "arm": arm,
            "questions": 0,
            "available": False,
            "note": why or "no question has a block in this arm",
            "bins": [],
        }
    of, tokens = material.of, np.asarray(material.beside.tokens)[rows]
    symmetric, reference = of.symmetric[rows], of.reference[rows]
    exposed = int((of.n11[rows] + of.n10[rows]).sum())
    items = exposed + int((of.n01[rows] + of.n00[rows]).sum())
    known = tokens[tokens >= 0]
    return {
        "arm": arm,
        "questions": len(rows),
        "available": True,
        "note": why,
        "symmetric": float(symmetric.mean()),
        "reference": float(reference.mean()),
        "micro": exposed / items,
        "unexposed": int((reference == 0).sum()),
        "bins": bins(reference),
        "tokens": {"mean": float(known.mean()), "median": float(np.median(known)), "max": int(known.max())}
        if len(known)
        else None,
    }


def _shown(material: Material, arm: str) -> Rows:
    """One row a question: that of the first model that was asked it with gold to compare."""
    kept = asked(material.scores) & material.gold
    found = np.full(len(material.scores.ids), -1, dtype=np.int64)
    for model in material.models:
        rows = material.rows(arm, model)
        found = np.where((found < 0) & (rows >= 0) & kept[rows], rows, found)
    return found[found >= 0]


def bins(shares: Floats) -> list[int]:
    """How many shares are 0, in each tenth above it and below 1, and 1."""
    between = shares[(shares > 0) & (shares < 1)]
    inner = np.bincount(np.minimum((between * STEPS + 1e-9).astype(int), STEPS - 1), minlength=STEPS)
    return [int((shares == 0).sum()), *(int(n) for n in inner), int((shares == 1).sum())]


def flows(
    material: Material, unavailable: Mapping[str, str], graded: Mapping[tuple[str, str], int] | None
) -> list[dict[str, Json]]:
    """Planned, attempted, answered … of every arm and model. Graded are answers with a judge's score where there were judges, else
    answers with gold to be scored by."""
    scores = material.scores
    status = {name: scores.having(name) for name in STATUSES}
    marks = scores.column("marks")
    found = []
    for arm in material.arms:
        for model in material.models:
            rows = material.there(arm, model)
            counts = {name: int(is_so[rows].sum()) for name, is_so in status.items()}
            cut, again = int((marks[rows] & TRUNCATED > 0).sum()), int((marks[rows] & RETRIED > 0).sum())
            lexically = int((status[ANSWERED] & material.gold)[rows].sum())
            heard = counts[ANSWERED] + counts[EMPTY]
            found.append(
                {
                    "arm": arm,
                    "model": model,
                    "note": unavailable.get(arm) if not len(rows) else None,
                    "flow": {
                        "planned": len(rows),
                        "attempted": heard + counts[ERROR],
                        "answered": counts[ANSWERED],
                        "empty": counts[EMPTY],
                        "retried": again,
                        "truncated": cut,
                        "errors": counts[ERROR],
                        "no_donor": counts["no_donor"],
                        "no_block": counts["no_block"],
                        "graded": lexically if graded is None else graded.get((arm, model), 0),
                    },
                    "missing": counts[EMPTY] / heard if heard else None,
                    "truncated_share": cut / heard if heard else None,
                }
            )
    return found
