"""Contrasts: two arms over the same questions and model, family by family, under both estimands and on the common questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.analysis.material import ENGAGED, NOT_ENGAGED, Floats, Material
from loom.lab.statistics import Paired, holm_of, non_regression, worst
from loom.lab.statistics.pairing import compared
from loom.lab.study.study import Contrast, Family

GIVEN, SERVICE = "given an answer", "service"
RECALL, JUDGED = "recall", "judged"

PRIMARY = Family("primary", (Contrast("scaffold", "flat-fused"), Contrast("scaffold", "graph-query")))
"""What the study is for, whether or not it names families (lab.md, Arms)."""

CONTROLS = (
    ("scaffold", "raw"),
    ("true", "raw"),
    ("true", "shuffled"),
    ("true", "masked"),
    ("true", "irrelevant"),
    ("true", "fluent-noise"),
    ("true", "answer-disjoint"),
    ("scaffold", "flat-bm25"),
    ("scaffold", "flat-dense"),
    ("scaffold", "always-inject"),
    ("scaffold", "entity-only"),
)


def families_of(stated: Sequence[Family], arms: Sequence[str]) -> tuple[Family, ...]:
    """The families of a study; the primary one always, and where none is stated the controls that its arms allow."""
    found = list(stated)
    if not any(family.name == PRIMARY.name for family in found):
        found.insert(0, PRIMARY)
    if not stated:
        found.append(Family("controls", tuple(Contrast(a, b) for a, b in CONTROLS if a in arms and b in arms)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One outcome as columns over rows: `given` NaN where a row has no answer with a score, `service` 0 where it is empty."""

    name: str
    given: Floats
    service: Floats

    def column(self, estimand: str) -> Floats:
        return self.given if estimand == GIVEN else self.service


def recall_of(material: Material) -> Outcome:
    of, gold = material.of, material.gold
    given = np.where(gold & material.answered, of.recall, np.nan)
    return Outcome(RECALL, given, np.where(gold & material.empty, 0.0, given))


@dataclass(slots=True)
class Comparing:
    """Compares arms of a material; equal differences are weighed once."""

    material: Material
    cluster: str
    seed: int
    resamples: int
    labels: list[str] | None = None
    _known: dict[tuple[bytes, bytes], Paired] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.labels = self.material.labels(self.cluster)

    def differences(self, outcome: Outcome, estimand: str, a: str, b: str, model: str) -> Floats:
        """a - b by question, NaN where either is missing."""
        column = outcome.column(estimand)
        everywhere = np.ones(len(column), dtype=bool)
        first, second = (self.material.values(column, everywhere, arm, model) for arm in (a, b))
        apart: Floats = first - second
        apart[np.abs(apart) <= 1e-12 * np.maximum(np.abs(first), np.abs(second))] = 0.0
        return apart

    def paired(self, apart: Floats, among: np.ndarray | None = None) -> Paired | None:
        """The comparison of what is paired, of the questions `among` alone where stated; None where nothing is."""
        kept = ~np.isnan(apart) if among is None else ~np.isnan(apart) & among
        if not kept.any():
            return None
        key = apart[kept].tobytes(), kept.tobytes()
        if key not in self._known:
            labels = None if self.labels is None else [self.labels[at] for at in np.flatnonzero(kept)]
            self._known[key] = compared(apart[kept], clusters=labels, seed=self.seed, resamples=self.resamples)
        return self._known[key]

    def common(self, outcome: Outcome, arms: Sequence[str], model: str) -> np.ndarray:
        """The questions that have an answer with a score in each of the arms."""
        found = np.ones(len(self.material.scores.ids), dtype=bool)
        everywhere = np.ones(len(outcome.given), dtype=bool)
        for arm in arms:
            found &= ~np.isnan(self.material.values(outcome.given, everywhere, arm, model))
        return found


def contrasts(
    comparing: Comparing,
    families: Sequence[Family],
    outcomes: Sequence[Outcome],
    lower: Mapping[tuple[str, str], bool],
    common: Mapping[tuple[str, str], np.ndarray] | None = None,
) -> list[dict[str, Json]]:
    """Every contrast, model, outcome and estimand; Holm within family, outcome and estimand, over contrasts and models.

    `common` gives the questions by outcome and model to which all are held; there only answers count. Contrasts without a pair
    are left out: the warnings name them.
    """
    found: list[dict[str, Json]] = []
    for family in families:
        for outcome in outcomes:
            for estimand in (GIVEN,) if common is not None else (GIVEN, SERVICE):
                tests: dict[tuple[str, str, str], Paired] = {}
                for contrast in family.contrasts:
                    for model in comparing.material.models:
                        apart = comparing.differences(outcome, estimand, contrast.a, contrast.b, model)
                        made = comparing.paired(apart, None if common is None else common[outcome.name, model])
                        if made is not None:
                            tests[contrast.a, contrast.b, model] = made
                adjusted = holm_of({name: made.p_exact for name, made in tests.items()})
                for (a, b, model), made in tests.items():
                    found.append(
                        {
                            "family": family.name,
                            "a": a,
                            "b": b,
                            "model": model,
                            "outcome": outcome.name,
                            "estimand": estimand,
                            "ci_clustered": None,
                            **made.holm(adjusted[a, b, model]).as_json(),
                            "lower_confidence": lower.get((a, model), False) or lower.get((b, model), False),
                        }
                    )
    return found


def intention_to_treat(
    comparing: Comparing, outcomes: Sequence[Outcome], bare: str | None, grounded: str | None
) -> list[dict[str, Json]]:
    """Grounded less bare over all questions, and over those alone for which the gate engaged."""
    if bare is None or grounded is None:
        return []
    found: list[dict[str, Json]] = []
    for outcome in outcomes:
        for model in comparing.material.models:
            apart = comparing.differences(outcome, GIVEN, grounded, bare, model)
            rows = comparing.material.rows(grounded, model)
            engaged = (rows >= 0) & (np.asarray(comparing.material.beside.engaged)[rows] == 1)
            whole, part = comparing.paired(apart), comparing.paired(apart, engaged)
            if whole is not None:
                found.append(
                    {
                        "model": model,
                        "outcome": outcome.name,
                        "all": whole.as_json(),
                        "engaged": part.as_json() if part else None,
                    }
                )
    return found


def regression(
    comparing: Comparing, outcome: Outcome, bare: str | None, grounded: str | None, margin: float
) -> list[dict[str, Json]]:
    """Whether grounding made anything worse than the margin: per model over all questions and per subgroup, a set by whether the
    gate engaged; the worst of them is named. Raises BadInput for a margin of 0 or less."""
    if bare is None or grounded is None:
        return []
    material, found = comparing.material, []
    sets = np.asarray(material.scores.set_of)
    for model in material.models:
        apart = comparing.differences(outcome, GIVEN, grounded, bare, model)
        paired = ~np.isnan(apart)
        if not paired.any():
            continue
        rows = material.rows(grounded, model)
        engaged = np.where(rows >= 0, np.asarray(material.beside.engaged)[rows], -1)
        subgroups = {}
        for at, name in enumerate(material.scores.sets.words):
            for state, told in ((ENGAGED, "engaged"), (NOT_ENGAGED, "not engaged")):
                kept = paired & (sets == at) & (engaged == state)
                if kept.any():
                    subgroups[f"{name or 'all'}, {told}"] = non_regression(
                        apart[kept], margin, seed=comparing.seed, resamples=comparing.resamples
                    )
        whole = non_regression(apart[paired], margin, seed=comparing.seed, resamples=comparing.resamples)
        found.append(
            {
                "model": model,
                "outcome": outcome.name,
                "a": grounded,
                "b": bare,
                "all": whole.as_json(),
                "subgroups": {name: each.as_json() for name, each in subgroups.items()},
                "worst": worst(subgroups) if subgroups else None,
            }
        )
    return found


def checked(families: Sequence[Family]) -> None:
    """Raises BadInput where two families have one name."""
    names = [family.name for family in families]
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise BadInput(f"Expected every family to have its own name, but {twice!r} comes twice.", param="family")
