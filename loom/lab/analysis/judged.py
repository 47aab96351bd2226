"""What judges said: their scores as an outcome of rows, how far they agree, and the relational audit."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.analysis.contrasts import JUDGED, Outcome
from loom.lab.analysis.material import Material
from loom.lab.judging.agreeing import agreement
from loom.lab.judging.audit_result import result_of
from loom.lab.judging.verdicts import read_verdicts
from loom.lab.lines import lines

SCALE = tuple(range(6))

Grades = dict[str, dict[int, int]]
"""Scores by judge, then row."""


def grades(path: Path, material: Material) -> Grades:
    """The scores of a file of quality verdicts, the judge that judged most first. Unresolved verdicts are left out; so are those of
    rows that are not there. Raises BadInput."""
    scores = material.scores
    sets, arms, models = scores.sets.numbers, scores.arms.numbers, scores.models.numbers
    found: Grades = {}
    for number, verdict in lines(path, "judged"):
        if verdict.get("kind", "quality") != "quality":
            raise BadInput(f"Expected verdicts on quality, but line {number} of {path} is {verdict['kind']!r}.", param="judged")
        score = verdict.get("score")
        if score is None:
            continue
        if isinstance(score, bool) or score not in SCALE:
            raise BadInput(f"Expected a score from 0 to 5 in line {number} of {path}, but got {score!r}.", param="judged")
        of = sets.get(str(verdict.get("set") or ""))
        question = None if of is None else scores.numbers[of].get(str(verdict.get("id") or ""))
        arm, model = arms.get(str(verdict.get("arm"))), models.get(str(verdict.get("model")))
        if question is None or arm is None or model is None:
            continue
        row = int(material.place[question, arm, model])
        if row >= 0 and material.answered[row]:
            found.setdefault(str(verdict.get("judge") or "judge"), {})[row] = int(score)
    return dict(sorted(found.items(), key=lambda each: -len(each[1])))


def outcome(found: Grades, material: Material) -> Outcome | None:
    """The first judge's scores as an outcome; an empty answer scores 0 as a service."""
    if not found:
        return None
    given = np.full(len(material.scores), np.nan)
    for row, score in next(iter(found.values())).items():
        given[row] = score
    return Outcome(JUDGED, given, np.where(material.empty, 0.0, given))


def graded(found: Grades, material: Material) -> dict[tuple[str, str], int]:
    """How many answers of each arm and model the first judge scored."""
    arm, model = material.scores.column("arm"), material.scores.column("model")
    counts: dict[tuple[str, str], int] = {}
    for row in next(iter(found.values()), {}):
        key = material.scores.arms.words[arm[row]], material.scores.models.words[model[row]]
        counts[key] = counts.get(key, 0) + 1
    return counts


def reliability(found: Grades, seed: int, resamples: int) -> list[dict[str, Json]]:
    """Agreement of every two judges on the answers that both scored."""
    names, made = list(found), []
    for at, a in enumerate(names):
        for b in names[at + 1 :]:
            rows = sorted(found[a].keys() & found[b].keys())
            if not rows:
                continue
            first, second = [found[a][row] for row in rows], [found[b][row] for row in rows]
            told = agreement(first, second, ordered=SCALE, seed=seed, resamples=resamples)
            made.append(
                {
                    "a": a,
                    "b": b,
                    **{name: told[name] for name in ("n", "agreement", "within_one", "kappa", "kappa_ci95")},
                    "kappa_weighted": told["kappa_quadratic"],
                    "means": {"a": sum(first) / len(rows), "b": sum(second) / len(rows)},
                }
            )
    return made


def audit(path: Path, judge: str | None, seed: int, resamples: int) -> Mapping[str, Json]:
    """What a file of audit verdicts says, those of one judge: the one that is named, else the one that read most. Raises
    BadInput."""
    by: dict[str, int] = {}
    for _, verdict in lines(path, "audited"):
        if "label" in verdict:
            by[str(verdict.get("judge") or "")] = by.get(str(verdict.get("judge") or ""), 0) + 1
    if not by:
        return {}
    chosen = judge or max(by, key=lambda name: by[name])
    saved = read_verdicts(path, chosen or None)
    return {"judge": chosen or None, **result_of(saved.verdicts, saved.frame, seed=seed, resamples=resamples)}
