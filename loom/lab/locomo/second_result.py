"""What arms come to on the second set: how well their confidence tells each kind from its twins."""

from collections.abc import Sequence

import numpy as np

from loom.core.values import Json
from loom.lab.locomo.arms import ARMS, Arm
from loom.lab.locomo.bench import Bench, Outcome
from loom.lab.locomo.figures import mean
from loom.lab.locomo.intervals import difference
from loom.lab.locomo.second import KINDS, Second, second, shared
from loom.lab.statistics import auc_interval

RESAMPLES = 1000
BARS = {"never mentioned": 0.85, "wrong person": 0.75}
"""The least AUC that a kind should have; for the others the interval's low end is to lie above a half."""


def second_set(arms: Sequence[Arm], made: Second | None = None) -> dict[str, Json]:
    """The arms on the second set, with the inversion of the oracle: handed the trap, it answers."""
    made = made or second()
    bench = Bench(made.data)
    kinds = np.array(made.kinds)
    outcomes = {arm.name: bench.outcome(arm) for arm in arms if arm.name != "constant"}
    result: dict[str, Json] = {
        "sha256": made.data.sha256,
        "seed": made.seed,
        "questions": {kind: int((kinds == kind).sum()) // 2 for kind in KINDS},
        "shared": min(shared(a.text, b.text) for a, b in zip(made.data.questions[::2], made.data.questions[1::2], strict=True)),
        "arms": {name: _figures(bench, outcome, kinds, made.seed) for name, outcome in outcomes.items()},
    }
    if {"oracle", "ours"} <= outcomes.keys():
        result["inversion"] = difference(bench, outcomes["ours"], outcomes["oracle"])
    return result


def _figures(bench: Bench, outcome: Outcome, kinds: np.ndarray, seed: int) -> dict[str, Json]:
    rows: dict[str, Json] = {}
    for kind in KINDS:
        on = kinds == kind
        found = auc_interval(
            outcome.confidence[on],
            bench.answerable[on],
            clusters=bench.talk[on].tolist(),
            seed=seed,
            resamples=RESAMPLES,
        )
        silent = outcome.silent.astype(float)
        rows[kind] = {
            "auc": found.auc,
            "ci": list(found.ci),
            "silence": mean(silent, on & ~bench.answerable),
            "over-abstention": mean(silent, on & bench.answerable),
        }
    return {
        "kinds": rows,
        "answerable": mean(outcome.score, bench.answerable),
        "adversarial": mean(outcome.score, ~bench.answerable),
    }


def second_arms(names: Sequence[str]) -> list[Arm]:
    """The arms of a run that the second set is measured with."""
    return [ARMS[name] for name in ("vector", "graph", "speaker", "oracle", "ours") if name in names]
