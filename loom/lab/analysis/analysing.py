"""The analysis of a study: from its rows to results.json. No model is asked, and the same rows give the same bytes.

Memory: a row costs some eighty bytes here (its texts are read and left); judges' scores and audit verdicts are held whole.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.analysis import cells as cell
from loom.lab.analysis import judged as judging
from loom.lab.analysis.contrasts import Comparing, checked, contrasts, families_of, intention_to_treat, recall_of, regression
from loom.lab.analysis.material import Material, Track, read, untracked
from loom.lab.analysis.showing import ceilings, flows
from loom.lab.analysis.warnings import warnings
from loom.lab.files import sha256_of
from loom.lab.scoring import Scorer
from loom.lab.scoring.scored import Titles
from loom.lab.study.study import CLUSTERS, Family

BARE, GROUNDED = "raw", "scaffold"
OTHER = {"default": "reference", "reference": "default"}


def analyse(
    rows_path: Path,
    *,
    matcher: str = "default",
    seed: int = 42,
    resamples: int = 10_000,
    cluster: str = "domain",
    families: Sequence[Family] = (),
    margin: float = 0.25,
    judged: Path | None = None,
    audited: Path | None = None,
    auditor: str | None = None,
    arms: Sequence[str] = (),
    models: Sequence[str] = (),
    unavailable: Mapping[str, str] | None = None,
    template_seeds: Sequence[Json] = (),
    titles: Titles | None = None,
    study: Mapping[str, Json] | None = None,
    more: Mapping[str, Json] | None = None,
    command: str = "",
    track: Track = untracked,
) -> dict[str, Json]:
    """results.json of a study.

    `arms` and `models` are the study's order, `unavailable` says why an arm that was asked for is not there; `titles` finds corpus
    titles in answers, for precision (without it the names that blocks show are counted); `study` are facts that rows do not hold,
    `more` members of other instruments (`chains`, `wrappers`); `auditor` chooses among several judges of an audit; `track` sees
    the rows as they are read. The other matcher is counted beside and stands under `under` in each cell. Raises BadInput.
    """
    if cluster not in CLUSTERS:
        raise BadInput(f"Expected cluster to be one of {', '.join(CLUSTERS)}, but got {cluster!r}.", param="cluster")
    if resamples < 1:
        raise BadInput(f"Expected resamples to be 1 or more, but got {resamples}.", param="resamples")
    checked(families)
    material = read(
        rows_path,
        Scorer(matcher, beside=OTHER.get(matcher), titles=titles),
        [*arms, *(unavailable or {})] if arms else (),
        models,
    )
    stated = dict(unavailable or {})
    missing = {arm: stated.get(arm, "it has no rows") for arm in (*arms, *stated) if arm not in material.scores.arms.numbers}
    bare, grounded = _leads(material)
    grades = judging.grades(judged, material) if judged else {}
    shown = ceilings(material, missing)
    flow = flows(material, missing, judging.graded(grades, material) if judged else None)
    each = cell.cells(material, cluster, seed, resamples)
    lower = {(made["arm"], made["model"]): made["lower_confidence"] for made in each}
    for made in flow:
        made["lower_confidence"] = lower.get((made["arm"], made["model"]), False)
    comparing = Comparing(material, cluster, seed, resamples)
    score = judging.outcome(grades, material)
    outcomes = [recall_of(material), *([score] if score is not None else [])]
    wanted = families_of(families, material.arms)
    there = [made["arm"] for made in shown if made["available"]]
    common = {(kind.name, model): comparing.common(kind, there, model) for kind in outcomes for model in material.models}
    among = {model: int(common["recall", model].sum()) for model in material.models}
    found = contrasts(comparing, wanted, outcomes, lower)
    files = {"rows.jsonl": rows_path, "judged.jsonl": judged, "audited.jsonl": audited}
    return {
        "study": _study(
            material, study, matcher, seed, resamples, cluster, margin, wanted, bare, grounded, command, titles is not None
        ),
        "files": {name: sha256_of(path) for name, path in files.items() if path is not None},
        "warnings": warnings(material, flow, found, missing, cluster, among),
        "ceilings": shown,
        "arms": flow,
        "cells": each,
        "contrasts": found,
        "common": {
            "arms": there,
            "questions": among,
            "contrasts": contrasts(comparing, wanted, outcomes, lower, common),
        },
        "non_regression": regression(comparing, outcomes[-1], bare, grounded, margin),
        "intention_to_treat": intention_to_treat(comparing, outcomes, bare, grounded),
        "omitted": cell.omitted(material, bare, grounded),
        "exposure": cell.exposure(material),
        "templates": cell.groups(material, "template"),
        "domains": cell.groups(material, "domain"),
        "judges": judging.reliability(grades, seed, resamples),
        "audit": dict(judging.audit(audited, auditor, seed, resamples)) if audited else {},
        "template_seeds": list(template_seeds),
        **(more or {}),
    }


def _leads(material: Material) -> tuple[str | None, str | None]:
    """The arm without grounding and the one that the first screen is about."""
    there = [arm for arm in material.arms if arm in material.scores.arms.numbers]
    bare = BARE if BARE in there else None
    others = [arm for arm in there if arm != bare]
    return bare, GROUNDED if GROUNDED in others else next(iter(others), None)


def _study(
    material: Material,
    stated: Mapping[str, Json] | None,
    matcher: str,
    seed: int,
    resamples: int,
    cluster: str,
    margin: float,
    families: Sequence[Family],
    bare: str | None,
    grounded: str | None,
    command: str,
    corpus: bool,
) -> dict[str, Json]:
    told = {name: material.beside.one(name) for name in ("name", "generation", "node", "policy", "wrapper", "budget")}
    seeds = material.beside.one("seeds")
    return {
        **told,
        **{name: value for name, value in (stated or {}).items() if name not in ("arms", "models", "questions")},
        "matcher": matcher,
        "matcher_beside": material.scores.beside,
        "names": "titles of the generation" if corpus else "names shown or asked for",
        "seeds": {**(seeds if isinstance(seeds, Mapping) else {}), "statistics": seed},
        "questions": len(material.scores.ids),
        "rows": len(material.scores),
        "models": list(material.models),
        "arms": list(material.arms),
        "bare": bare,
        "grounded": grounded,
        "resamples": resamples,
        "cluster": cluster,
        "margin": margin,
        "families": [{"name": each.name, "contrasts": [str(contrast) for contrast in each.contrasts]} for each in families],
        "command": command,
    }
