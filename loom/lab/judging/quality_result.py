"""What the verdicts of quality say: means by judge, model and arm, how far judges agree, and the paired contrasts of each judge."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.judging.agreeing import agreement
from loom.lab.judging.quality import HIGH, KIND, LOW
from loom.lab.lines import lines
from loom.lab.statistics import holm, paired

Item = tuple[str, str, str, str]
"""Set, id, arm and model of an answer."""

Scores = dict[tuple[str, str], int | None]
"""Scores of one judge, model and arm, by set and id."""

SCALE = tuple(range(LOW, HIGH + 1))


class Marks:
    """Scores of each judge, in the order of the file; None where a verdict stayed unresolved."""

    def __init__(self) -> None:
        self.by_judge: dict[str, dict[Item, int | None]] = {}
        self.about: dict[str, dict[str, set[str]]] = {}
        self.same_family = 0

    @property
    def arms(self) -> list[str]:
        return list(dict.fromkeys(item[2] for marks in self.by_judge.values() for item in marks))

    @property
    def models(self) -> list[str]:
        return list(dict.fromkeys(item[3] for marks in self.by_judge.values() for item in marks))


def read_marks(path: Path) -> Marks:
    """The verdicts of a file. Raises BadInput where a line is none."""
    found = Marks()
    for number, row in lines(path, "judged"):
        where = f"line {number} of {path}"
        score = row.get("score")
        if row.get("kind") != KIND or not isinstance(row.get("judge"), str):
            raise BadInput(f"Expected a verdict of quality in {where}; is this a file of `loom lab judge`?", param="judged")
        if score is not None and (isinstance(score, bool) or not isinstance(score, int) or not LOW <= score <= HIGH):
            raise BadInput(
                f"Expected score to be a whole number from {LOW} to {HIGH} in {where}, but got {score!r}.", param="judged"
            )
        item = (str(row.get("set") or ""), str(row.get("id")), str(row.get("arm")), str(row.get("model")))
        marks = found.by_judge.setdefault(row["judge"], {})
        if item in marks:
            raise BadInput(f"Expected one verdict a judge, but {' / '.join(item)} has two in {path}.", param="judged")
        marks[item] = score
        about = found.about.setdefault(row["judge"], {"requested": set(), "reported": set(), "family": set(), "rubric": set()})
        for name in about:
            if value := row.get(name if name == "rubric" else f"judge_{name}"):
                about[name].add(str(value))
        found.same_family += row.get("kinship") == "same"
    if not found.by_judge:
        raise BadInput(f"Expected verdicts in {path}, but there are none.", param="judged")
    return found


def contrasts_of(stated: Iterable[str], arms: Sequence[str]) -> list[tuple[str, str]]:
    """Contrasts as "a - b". Without any, every arm less raw, where raw is there. Raises BadInput for an arm that is not."""
    found = []
    for text in stated:
        a, dash, b = (part.strip() for part in text.partition(" - "))
        if not dash or a not in arms or b not in arms or a == b:
            raise BadInput(
                f'Expected a contrast of two of the arms {", ".join(arms)}, as "scaffold - raw", but got {text!r}.',
                param="contrast",
            )
        found.append((a, b))
    return found or [(arm, "raw") for arm in arms if arm != "raw" and "raw" in arms]


def result_of(
    marks: Marks, contrasts: Sequence[tuple[str, str]], *, seed: int = 42, resamples: int = 10_000
) -> dict[str, Json]:
    """Means, reliability and contrasts; contrasts pair answers of one model to one question that the judge scored in both arms."""
    names = list(marks.by_judge)
    return {
        "judges": {name: _judge(marks, name) for name in names},
        "cells": [cell for name in names for cell in _cells(marks, name)],
        "reliability": [_reliability(marks, names[0], other) for other in names[1:]],
        "contrasts": [
            told
            for name in names
            for model, by_arm in _by_arm(marks, name).items()
            for a, b in contrasts
            if (told := _contrast(by_arm, name, model, a, b, seed, resamples))
        ],
    }


def _judge(marks: Marks, name: str) -> dict[str, Json]:
    scores = list(marks.by_judge[name].values())
    return {
        **{member: sorted(values) for member, values in marks.about[name].items()},
        **_mean([score for score in scores if score is not None]),
        "unresolved": scores.count(None),
        "distribution": {str(step): scores.count(step) for step in SCALE},
    }


def _mean(scores: Sequence[float]) -> dict[str, Json]:
    return {"n": len(scores), "mean": fsum(scores) / len(scores) if scores else None}


def _by_arm(marks: Marks, judge: str) -> dict[str, dict[str, Scores]]:
    """A judge's scores by model and arm, both in the order of the marks."""
    arms = marks.arms
    found: dict[str, dict[str, Scores]] = {model: {arm: {} for arm in arms} for model in marks.models}
    for (set, id, arm, model), score in marks.by_judge[judge].items():
        found[model][arm][set, id] = score
    return found


def _cells(marks: Marks, judge: str) -> Iterator[dict[str, Json]]:
    for model, by_arm in _by_arm(marks, judge).items():
        for arm, own in by_arm.items():
            if own:
                scored = [score for score in own.values() if score is not None]
                yield {"judge": judge, "model": model, "arm": arm, **_mean(scored), "unresolved": len(own) - len(scored)}


def _reliability(marks: Marks, first: str, second: str) -> dict[str, Json]:
    one, two = marks.by_judge[first], marks.by_judge[second]
    both = [item for item in one if one[item] is not None and two.get(item) is not None]
    told = agreement([one[item] for item in both], [two[item] for item in both], ordered=SCALE)
    return {"first": first, "second": second, **told}


def _contrast(
    by_arm: Mapping[str, Scores], judge: str, model: str, a: str, b: str, seed: int, resamples: int
) -> dict[str, Json] | None:
    left, right = by_arm[a], by_arm[b]
    pairs = [key for key in left if left[key] is not None and right.get(key) is not None]
    if not pairs:
        return None

    def over(keys: Sequence[tuple[str, str]]) -> dict[str, Json]:
        told: dict[str, Json] = paired(
            [left[key] for key in keys], [right[key] for key in keys], seed=seed, resamples=resamples
        ).as_json()
        return told

    sets = {name: over([key for key in pairs if key[0] == name]) for name in dict.fromkeys(key[0] for key in pairs)}
    for told, p in zip(sets.values(), holm([told["p_exact"] for told in sets.values()]), strict=True):
        told["p_holm"] = p
    lost = sum(1 for key in left if key in right) - len(pairs)
    return {"judge": judge, "model": model, "a": a, "b": b, "unresolved": lost, "pooled": over(pairs), "sets": sets}


def score_rows(marks: Marks, judge: str) -> list[tuple[str, str, str, str]]:
    """set, id, arm and score of one judge's verdicts, as `loom lab stats paired` reads them; the id begins with the model where
    there are several."""
    several = len(marks.models) > 1
    return [
        (item[0], f"{item[3]}/{item[1]}" if several else item[1], item[2], "" if score is None else str(score))
        for item, score in marks.by_judge[judge].items()
    ]
