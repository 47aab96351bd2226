"""What a reader must know before any figure: answers that are missing or cut off, arms and contrasts that are not there."""

from collections.abc import Mapping, Sequence

from loom.core.values import Json
from loom.lab.analysis.contrasts import PRIMARY
from loom.lab.analysis.material import Material
from loom.lab.scoring.figures import LOWER

MISSING = 0.05
"""The share of empty answers from which an arm is named."""


def warnings(
    material: Material,
    flows: Sequence[Mapping[str, Json]],
    contrasts: Sequence[Mapping[str, Json]],
    unavailable: Mapping[str, str],
    cluster: str,
    common: Mapping[str, int],
) -> list[dict[str, Json]]:
    """One object a warning: its kind, and a sentence."""
    found = [_told("arm", f"The arm {arm} is not available: {why}.") for arm, why in unavailable.items()]
    found += _arms(material)
    found += _primary(contrasts)
    found += _shares(flows, "truncated_share", LOWER, "truncated", "cut off at the allowance: lower confidence (†)")
    found += _shares(flows, "missing", MISSING, "missing", "empty, so that what is left is not all that was asked")
    found += _errors(flows)
    if cluster != "none":
        labels = set(material.labels(cluster) or ())
        if len(labels) < 2:
            found.append(_told("clusters", f"All questions are of one {cluster}: there is no interval over clusters."))
    if len(material.arms) > 1:
        lost = [model for model, n in common.items() if not n]
        if lost:
            found.append(_told("common", f"No question was answered in every arm by {', '.join(lost)}: nothing is common."))
    for member in ("generation", "node", "policy", "matcher", "wrapper"):
        values = material.beside.facts.get(member) or []
        if len(values) > 1:
            found.append(
                _told("mixed", f"The rows are of several values of {member}: {', '.join(str(each) for each in values[:5])}.")
            )
    return found


def _arms(material: Material) -> list[dict[str, Json]]:
    found = []
    if "raw" not in material.scores.arms.numbers:
        found.append(_told("bare", "There is no raw arm: what grounding adds cannot be told."))
    if not material.gold.any():
        found.append(_told("gold", "No question states what it asks for: there is no recall and no ceiling."))
    return found


def _primary(contrasts: Sequence[Mapping[str, Json]]) -> list[dict[str, Json]]:
    there = {(each["a"], each["b"]) for each in contrasts}
    lost = [str(contrast) for contrast in PRIMARY.contrasts if (contrast.a, contrast.b) not in there]
    return [_told("primary", f"Not measured here: {', '.join(lost)}, the contrast that a graph has to win.")] if lost else []


def _shares(flows: Sequence[Mapping[str, Json]], member: str, most: float, kind: str, what: str) -> list[dict[str, Json]]:
    """One warning a model, with the arms that are above the bound, the worst first."""
    by_model: dict[str, list[tuple[float, str]]] = {}
    for each in flows:
        value = each.get(member)
        if value is not None and value > most:
            by_model.setdefault(str(each["model"]), []).append((value, str(each["arm"])))
    found = []
    for model, arms in by_model.items():
        worst = sorted(arms, key=lambda each: -each[0])
        told = [f"{value:.1%} in {arm}".replace("%", " %") for value, arm in worst]
        shown, left = ", ".join(told[:4]), len(told) - 4
        rest = "" if left < 1 else " and 1 more arm" if left == 1 else f" and {left} more arms"
        found.append(_told(kind, f"Answers of {model} are {what}: {shown}{rest}."))
    return found


def _errors(flows: Sequence[Mapping[str, Json]]) -> list[dict[str, Json]]:
    by_model: dict[str, int] = {}
    for each in flows:
        by_model[str(each["model"])] = by_model.get(str(each["model"]), 0) + int(each["flow"]["errors"])
    return [
        _told("errors", f"{count} calls of {model} failed and have no answer; `loom lab run` again asks them.")
        for model, count in by_model.items()
        if count
    ]


def _told(kind: str, text: str) -> dict[str, Json]:
    return {"kind": kind, "text": text}
