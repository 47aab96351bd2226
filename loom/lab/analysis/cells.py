"""The figures of every model and arm, by template and domain too, and exposure against recovery."""

from collections.abc import Mapping

import numpy as np

from loom.core.exposure.ceiling import Counts, share
from loom.core.values import Json
from loom.lab.analysis.material import Material, Rows
from loom.lab.scoring import of_counts
from loom.lab.scoring.attribution import Attribution
from loom.lab.scoring.estimating import Estimator
from loom.lab.scoring.figures import LOWER
from loom.lab.scoring.measures import Measures, measures
from loom.lab.scoring.scores import EXPOSED, RECOVERED, TRUNCATED

FINE = 20
"""Steps of a share in the aggregate of exposure against recovery."""


def cells(material: Material, cluster: str, seed: int, resamples: int) -> list[dict[str, Json]]:
    """A cell for each model and arm that answered something with gold, and the same under the matcher counted beside."""
    scores, question = material.scores, material.scores.column("question")
    labels = None if cluster == "none" else scores.column(cluster)[question]
    estimate = Estimator(labels, seed, resamples)
    other = measures(scores, beside=True) if scores.beside else None
    cites = dict(scores.attributions())
    found = []
    for model in material.models:
        for arm in material.arms:
            rows = material.there(arm, model)
            if len(rows) and (material.gold & (material.answered | material.empty))[rows].any():
                found.append({"model": model, "arm": arm, **_cell(material, rows, estimate, other, cites)})
    return found


def _cell(
    material: Material, rows: Rows, estimate: Estimator, other: Measures | None, cites: Mapping[int, Attribution]
) -> dict[str, Json]:
    scores, of = material.scores, material.of
    told = rows[(material.gold & material.answered)[rows]]
    served = rows[(material.gold & (material.answered | material.empty))[rows]]
    marks = scores.column("marks")[rows]
    heard = int((material.answered | material.empty)[rows].sum())
    names, right = scores.names_told(told)
    return {
        "n": len(told),
        **_scored(of, told, estimate),
        "names_per_answer": _mean(names),
        "precision": share(int(right.sum()), int(names.sum())),
        "answer_chars": _mean(scores.column("chars")[told]),
        "attribution": _attribution(cites, told),
        "effectiveness": _mean(of.recall[served]),
        "service": {"n": len(served), **_scored(of, served, estimate)},
        "lower_confidence": bool((marks & TRUNCATED > 0).sum() > LOWER * heard),
        "under": {} if other is None else {str(scores.beside): _scored(other, told, estimate)},
    }


def _attribution(cites: Mapping[int, Attribution], rows: Rows) -> Json:
    """How the answers that cite units do so; None where none does."""
    found = [cites[row] for row in rows.tolist() if row in cites]
    return sum(found, Attribution()).as_json() if found else None


def _scored(of: Measures, rows: Rows, estimate: Estimator) -> dict[str, Json]:
    counts = Counts(*(int(column[rows].sum()) for column in (of.n11, of.n10, of.n01, of.n00)))
    micro = of_counts(counts, int(of.compliant[rows].sum())).as_json()
    recall = _mean(of.recall[rows])
    symmetric, reference = _mean(of.symmetric[rows]), _mean(of.reference[rows])
    return {
        "counts": micro["counts"],
        "utilisation": micro["utilisation"],
        "unexposed_recovery": micro["unexposed_recovery"],
        "omission": micro["omission"],
        "ceiling": {"macro": reference, "symmetric": symmetric, "reference": reference, "micro": counts.ceiling},
        "recall": {"macro": recall, "symmetric": recall, "reference": recall, "micro": counts.recall},
        "gain": {
            "symmetric": estimate(of.recall - of.symmetric, rows).as_json(),
            "reference": estimate(of.recall - of.reference, rows).as_json(),
        },
    }


def groups(material: Material, member: str) -> list[dict[str, Json]]:
    """Means by template or domain for every model and arm, given an answer (symmetric scorer)."""
    scores, of = material.scores, material.of
    number = scores.column(member)[scores.column("question")]
    words = (scores.templates if member == "template" else scores.domains).words
    found = []
    for model in material.models:
        for arm in material.arms:
            rows = material.there(arm, model)
            rows = rows[(material.gold & material.answered)[rows]]
            for at in sorted(set(number[rows].tolist()), key=words.__getitem__):
                some = rows[number[rows] == at]
                recall, ceiling = float(of.recall[some].mean()), float(of.symmetric[some].mean())
                counts = {name: int(getattr(of, name)[some].sum()) for name in ("n11", "n10", "n01", "n00")}
                found.append(
                    {
                        "model": model,
                        "arm": arm,
                        "group": words[at],
                        "n": len(some),
                        "ceiling": ceiling,
                        "recall": recall,
                        "gain": recall - ceiling,
                        "counts": counts,
                    }
                )
    return found


def exposure(material: Material) -> list[dict[str, Json]]:
    """Questions by share shown (symmetric) and share said: `[shown, said, how many]`, to the nearest twentieth."""
    found = []
    for model in material.models:
        for arm in material.arms:
            rows = material.there(arm, model)
            rows = rows[(material.gold & material.answered)[rows]]
            if len(rows):
                pairs = np.rint(np.stack([material.of.symmetric[rows], material.of.recall[rows]], axis=1) * FINE).astype(int)
                kinds, counts = np.unique(pairs, axis=0, return_counts=True)
                points = [[x / FINE, y / FINE, n] for (x, y), n in zip(kinds.tolist(), counts.tolist(), strict=True)]
                found.append({"model": model, "arm": arm, "points": points})
    return found


def omitted(material: Material, bare: str | None, grounded: str | None) -> list[dict[str, Json]]:
    """Names that the grounded arm does not show, on questions that both arms answered: how many of them either answer says."""
    if bare is None or grounded is None:
        return []
    found: list[dict[str, Json]] = []
    for model in material.models:
        hits: dict[str, int] = {"names": 0, bare: 0, grounded: 0}
        for one, other in zip(material.rows(bare, model).tolist(), material.rows(grounded, model).tolist(), strict=True):
            if one < 0 or other < 0 or not (material.answered[one] and material.answered[other]):
                continue
            without, within = _bits(material, one), _bits(material, other)
            hidden = within & EXPOSED == 0
            hits["names"] += int(hidden.sum())
            hits[bare] += int((hidden & (without & RECOVERED > 0)).sum())
            hits[grounded] += int((hidden & (within & RECOVERED > 0)).sum())
        if hits["names"]:
            found.append({"model": model, **hits, **_rates(hits, bare, grounded)})
    return found


def _bits(material: Material, row: int) -> np.ndarray:
    start = material.scores.start
    return np.frombuffer(material.scores.cells, dtype=np.uint8, count=start[row + 1] - start[row], offset=start[row])


def _rates(hits: Mapping[str, int], bare: str, grounded: str) -> dict[str, Json]:
    return {f"{arm}, share": hits[arm] / hits["names"] for arm in (bare, grounded)}


def _mean(values: np.ndarray) -> float | None:
    return float(values.mean()) if len(values) else None
