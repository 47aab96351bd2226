"""How well the confidence of each arm tells a question without an answer from its answerable twin, by kind."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from loom.core.memory.finding import Truths
from loom.core.values import Json
from loom.lab.locomo.arms import ARMS, Arm
from loom.lab.locomo.bench import Bench, Outcome
from loom.lab.locomo.figures import mean
from loom.lab.statistics import auc, auc_difference, auc_interval
from loom.lab.unanswerable.questions import KINDS, PERSON, SHARED, TOPIC
from loom.lab.unanswerable.sets import Made

ARMS_HERE = {
    "ours": ARMS["ours"],
    "graph": ARMS["graph"],
    "flat": ARMS["vector"],
    "speaker": ARMS["speaker"],
    "oracle": ARMS["oracle"],
}
"""`flat` finds whole turns of anybody."""
BARS = {TOPIC: 0.85, PERSON: 0.75}
"""The least AUC of ours; of the other kinds the lower bound is above one half."""
LEAST = 200
"""Pairs of each kind at least."""
RESAMPLES = 2000
FLOORS = (0.0, 0.1, 0.2, 0.25, 0.3, 0.35, 0.37, 0.4, 0.5)
Watch = Callable[[Sequence[str]], Iterable[str]]


def measured(made: Made, *, resamples: int = RESAMPLES, watch: Watch = iter) -> dict[str, Json]:
    """All arms on all pairs, the bars, and what being handed the evidence is worth."""
    bench, seed = Bench(made.data), made.seed
    outcomes = {name: bench.outcome(ARMS_HERE[name]) for name in watch(list(ARMS_HERE))}
    which = {kind: np.array([pair.kind == kind for pair in made.pairs for _ in range(2)]) for kind in KINDS}
    arms = {
        name: {kind: _figures(bench, outcome, ARMS_HERE[name], which[kind], seed, resamples) for kind in KINDS}
        for name, outcome in outcomes.items()
    }
    return {
        "seed": seed,
        "set": _set(made),
        "arms": arms,
        "over flat": {kind: _over_flat(bench, outcomes, which[kind], seed, resamples) for kind in KINDS},
        "bars": _bars(made, arms),
        "floors": _floors(bench, which),
        "inversion": _inversion(bench, outcomes),
    }


def _set(made: Made) -> dict[str, Json]:
    return {
        "sha256": made.data.sha256,
        "conversations": len(made.data.talks),
        "turns": sum(len(talk.turns) for talk in made.data.talks),
        "pairs": {kind: sum(pair.kind == kind for pair in made.pairs) for kind in KINDS},
        "least shared": min(pair.shared for pair in made.pairs),
    }


def _figures(bench: Bench, outcome: Outcome, arm: Arm, here: Truths, seed: int, resamples: int) -> dict[str, Json]:
    """`declined` is silence where there is no answer, `over-abstention` silence on the twins, both at the floor of the arm. The
    interval resamples conversations."""
    yes = bench.answerable[here]
    area = auc_interval(outcome.confidence[here], yes, clusters=bench.talk[here].tolist(), seed=seed, resamples=resamples)
    silent = outcome.silent.astype(float)
    return {
        "auc": area.auc,
        "ci": list(area.ci),
        "floor": arm.policy.recalls.floor,
        "declined": mean(silent, here & ~bench.answerable),
        "over-abstention": mean(silent, here & bench.answerable),
        "silence": mean(silent, here),
        "reach": mean(outcome.reach, here & bench.answerable),
    }


def _over_flat(bench: Bench, outcomes: Mapping[str, Outcome], here: Truths, seed: int, resamples: int) -> dict[str, Json]:
    """What the AUC of ours is more than that of `flat`; the interval resamples conversations, the same ones for both."""
    ours, flat = (outcomes[name].confidence[here] for name in ("ours", "flat"))
    clusters = bench.talk[here].tolist()
    found = auc_difference(ours, flat, bench.answerable[here], clusters=clusters, seed=seed, resamples=resamples)
    return {"difference": found.difference, "ci": list(found.ci)}


def _bars(made: Made, arms: Mapping[str, Mapping[str, Json]]) -> list[dict[str, Json]]:
    """What has to hold, what came, and whether it holds."""
    found = [_bar(f"{kind}: pairs", sum(pair.kind == kind for pair in made.pairs), ">=", LEAST) for kind in KINDS]
    found.append(_bar("content stems shared with the twin, least", min(pair.shared for pair in made.pairs), ">=", SHARED))
    for kind in KINDS:
        ours, flat = arms["ours"][kind], arms["flat"][kind]
        if kind in BARS:
            found.append(_bar(f"{kind}: AUC of ours", ours["auc"], ">=", BARS[kind]))
        else:
            found.append(_bar(f"{kind}: lower bound of ours", ours["ci"][0], ">", 0.5))
        found.append(_bar(f"{kind}: AUC of ours over flat", ours["auc"], ">", flat["auc"]))
    return found


def _bar(name: str, came: float, sign: str, bar: float) -> dict[str, Json]:
    return {"bar": name, "came": came, "sign": sign, "least": bar, "holds": came >= bar if sign == ">=" else came > bar}


def _floors(bench: Bench, which: Mapping[str, Truths]) -> list[dict[str, Json]]:
    """Ours at other floors: what each declines of what has no answer, and of the twins."""
    frank = bench.outcome(ARMS_HERE["ours"], floor=0.0)
    found = []
    for floor in FLOORS:
        silent = frank.at(floor, bench.declined).silent.astype(float)
        declined: dict[str, Json] = {kind: mean(silent, here & ~bench.answerable) for kind, here in which.items()}
        found.append({"floor": floor, "declined": declined, "over-abstention": mean(silent, bench.answerable)})
    return found


def _inversion(bench: Bench, outcomes: Mapping[str, Outcome]) -> dict[str, Json]:
    """Arms over all pairs beside the one that is handed the evidence: whether finding more leaves less to be silent by (seed 004,
    the oracle inversion). Here the evidence of a question without an answer is what its twin's answer stands in."""
    rows: dict[str, Json] = {
        name: {
            "reach": mean(outcome.reach, bench.answerable),
            "answerable": mean(outcome.score, bench.answerable),
            "declined": mean(outcome.score, ~bench.answerable),
            "auc": auc(outcome.confidence, bench.answerable),
        }
        for name, outcome in outcomes.items()
    }
    below = sorted(name for name, row in rows.items() if name != "oracle" and row["auc"] > rows["oracle"]["auc"])
    inverted = any(row["declined"] > rows["oracle"]["declined"] for name, row in rows.items() if name != "oracle")
    return {"arms": rows, "tell better than the oracle": below, "inverted": inverted}
