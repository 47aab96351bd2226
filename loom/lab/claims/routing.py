"""The router and the classifier of domains (seed 001 §10.6), against the majority and against what vectors alone can learn. It is looked
at before anything that rests on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from loom.core.claims.judging import filing, routing
from loom.core.claims.judging.asked import WAYS, Request
from loom.core.values import Json
from loom.lab.claims.pooling import VALIDATION
from loom.lab.claims.tested import ALPHA, Gain, Share, share
from loom.lab.claims.workspace import Workspace
from loom.lab.claims.worlds.planted import Labelled, World
from loom.lab.statistics import ece, mcnemar
from loom.lab.statistics.bootstrapping import SEED

RESAMPLES = 2000
MACRO = 0.80
"""What macro-F1 has to be above (the paper's number is lost)."""
CALIBRATED = 0.10


@dataclass(frozen=True, slots=True)
class Router:
    """`p`: of McNemar against the regression over vectors. `interpretable`: that one beats the majority, so that labels are no noise. `slowed`
    is the share of reads that are sent to the slow path, `shortened` that of slow-path requests which are served with a read."""

    accuracy: Share
    baseline: Share
    majority: float
    p: float
    shallow: Share
    slow: float
    error: float
    interpretable: bool
    slowed: float = 0.0
    shortened: float = 0.0

    @property
    def kept(self) -> bool:
        return self.accuracy.met and self.p <= ALPHA and self.shallow.met

    def as_json(self) -> dict[str, Json]:
        return {
            "accuracy": self.accuracy.as_json(),
            "baseline": self.baseline.as_json(),
            "majority": self.majority,
            "against_baseline_p": self.p,
            "shallow_misroutes": self.shallow.as_json(),
            "slow_misroutes": self.slow,
            "reads_sent_to_the_slow_path": self.slowed,
            "requests_served_with_a_read": self.shortened,
            "ece": self.error,
            "threshold_may_be_used": self.error <= CALIBRATED,
            "interpretable": self.interpretable,
        }


@dataclass(frozen=True, slots=True)
class Classifier:
    """Macro-F1, its lower bound over resampled entries, and the gain on the stronger baseline."""

    macro: float
    low: float
    baselines: Mapping[str, float]
    majority: float
    gain: Gain
    recalls: Mapping[str, float]

    @property
    def kept(self) -> bool:
        return self.low > MACRO and self.gain.significant

    def as_json(self) -> dict[str, Json]:
        return {
            "macro_f1": self.macro,
            "low": self.low,
            "bound": MACRO,
            "baselines": dict(self.baselines),
            "majority": self.majority,
            "gain": self.gain.as_json(),
            "recall": dict(self.recalls),
        }


async def router(workspace: Workspace, world: World, seed: int) -> Router:
    """On the held-out requests; the regression learns from the others."""
    first, held = _split(world.requests, seed)
    judges = workspace.judges
    said = (await judges.routing.route([Request(each.text) for each in held])).value
    told = [each.way for each in said]
    vectors = await judges.vectors([each.text for each in (*first, *held)])
    learned = routing.learned(vectors[: len(first)], [each.label for each in first], 0.0)
    other = [each.way for each in learned.route(vectors[len(first) :])]
    labels = [each.label for each in held]
    top = max(WAYS, key=[each.label for each in first].count)
    right = [a == b for a, b in zip(told, labels, strict=True)]
    base = [a == b for a, b in zip(other, labels, strict=True)]
    majority = sum(label == top for label in labels) / len(labels)
    more = sum(a and not b for a, b in zip(right, base, strict=True))
    fewer = sum(b and not a for a, b in zip(right, base, strict=True))
    places = [(WAYS.index(a), WAYS.index(b)) for a, b in zip(told, labels, strict=True)]
    sure = [dict(each.probabilities)[each.way] for each in said]
    return Router(
        share(sum(right), len(held), 0.85, 0.90),
        share(sum(base), len(held), 0.85, 0.90),
        majority,
        mcnemar(more, fewer).p if more > fewer else 1.0,
        share(sum(a < b for a, b in places), len(held), 0.10, 0.05),
        sum(a > b for a, b in places) / len(held),
        ece(sure, right).error,
        sum(base) / len(held) > majority,
        _share([a > 0 for a, b in places if b == 0]),
        _share([a == 0 for a, b in places if b > 0]),
    )


async def classifier(workspace: Workspace, world: World, seed: int) -> Classifier:
    """On the held-out signals, split and resampled by entry."""
    first, held = _split(world.filings, seed)
    judges = workspace.judges
    domains = [each for each in world.domains if any(one.label == each.id for one in world.filings)]
    ids = [each.id for each in domains]
    texts, labels = [each.text for each in held], [each.label for each in held]
    said = [_first(each.domains, ids) for each in (await judges.filing.file(texts, world.domains)).value]
    vectors = await judges.vectors([each.text for each in (*first, *held)])
    wanted = [frozenset((each.label,)) for each in first]
    learned = filing.learned(vectors[: len(first)], wanted, ids)
    found = {
        "nearest description": [_first(each.domains, ids) for each in filing.by_description(texts, domains)],
        "regression": [_first(each.domains, ids) for each in learned.file(vectors[len(first) :])],
    }
    scores = {name: _macro(each, labels, ids) for name, each in found.items()}
    stronger = max(scores, key=lambda name: scores[name])
    top = max(ids, key=[each.label for each in first].count)
    groups = [each.group for each in held]
    mine, theirs = _resampled(said, found[stronger], labels, groups, ids)
    apart = mine - theirs
    macro = _macro(said, labels, ids)
    return Classifier(
        macro,
        float(np.quantile(mine, ALPHA)),
        scores,
        _macro([top] * len(labels), labels, ids),
        Gain(len(set(groups)), macro - scores[stronger], float(np.quantile(apart, ALPHA)), float((apart <= 0).mean())),
        {id: _share([a == id for a, b in zip(said, labels, strict=True) if b == id]) for id in ids},
    )


def _split(items: Sequence[Labelled], seed: int) -> tuple[list[Labelled], list[Labelled]]:
    groups = sorted({each.group for each in items})
    Random(f"{seed}:labels").shuffle(groups)
    first = set(groups[: round(len(groups) * VALIDATION)])
    return [each for each in items if each.group in first], [each for each in items if each.group not in first]


def _first(domains: Sequence[str], known: Sequence[str]) -> str:
    return next((each for each in domains if each in known), "")


def _share(found: Sequence[bool]) -> float:
    return sum(found) / len(found) if found else 0.0


def _counts(said: Sequence[str], labels: Sequence[str], ids: Sequence[str]) -> np.ndarray:
    """f64 (items, domains, 3): true and false positives and false negatives of each item."""
    made = np.zeros((len(labels), len(ids), 3))
    for row, (one, label) in enumerate(zip(said, labels, strict=True)):
        for column, id in enumerate(ids):
            made[row, column] = one == id == label, one == id != label, label == id != one
    return made


def _f1(counts: np.ndarray) -> np.ndarray:
    both, wrong, missed = counts[..., 0], counts[..., 1], counts[..., 2]
    return np.asarray((2 * both / np.maximum(1.0, 2 * both + wrong + missed)).mean(axis=-1))


def _macro(said: Sequence[str], labels: Sequence[str], ids: Sequence[str]) -> float:
    return float(_f1(_counts(said, labels, ids).sum(axis=0)))


def _resampled(
    said: Sequence[str], other: Sequence[str], labels: Sequence[str], groups: Sequence[str], ids: Sequence[str]
) -> tuple[np.ndarray, np.ndarray]:
    """Macro-F1 of both over resampled groups, so that what belongs to one entry moves together."""
    names = sorted(set(groups))
    rows = np.array([names.index(each) for each in groups])
    tables = []
    for each in (said, other):
        counts = np.zeros((len(names), len(ids), 3))
        np.add.at(counts, rows, _counts(each, labels, ids))
        tables.append(counts)
    draws = np.random.default_rng(SEED).integers(len(names), size=(RESAMPLES, len(names)))
    one, two = (_f1(np.stack([table[draw].sum(axis=0) for draw in draws])) for table in tables)
    return one, two
