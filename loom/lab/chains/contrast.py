"""Δ = both − b-only, per model, read against the headroom 1 − b-only (paper, Appendix C)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from loom.core.values import Json
from loom.lab.chains.arms import ARMS
from loom.lab.chains.scoring import ENOUGH, ChainScore
from loom.lab.statistics import Paired, holm, paired

BOTH, B_ONLY = "chain/both", "chain/b-only"
LITTLE = 0.2
"""Headroom at which a flat Δ says nothing: most of what could be answered was answered from one premise."""
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Rate:
    """One model in one arm: `answered` of `n` chains; means over the answered (None where there are none), and recall where an
    empty answer counts 0. `old` is how much of the answer from before the manipulation is still given."""

    n: int
    answered: int
    recall: float | None
    precision: float | None
    bounded: float | None
    names: float | None
    old: float | None
    service: float

    def as_json(self) -> dict[str, Json]:
        return {
            "n": self.n,
            "answered": self.answered,
            "recall": self.recall,
            "precision": self.precision,
            "bounded": self.bounded,
            "names_per_answer": self.names,
            "old": self.old,
            "service": self.service,
        }


@dataclass(frozen=True, slots=True)
class Delta:
    """Δ of one model over the chains answered in both arms (None where there are none). `service` is the mean difference where an
    empty answer counts 0. `verdict` is positive, negative, flat, uninformative or none; `enumerates` that answers with both
    premises name more wrong than right."""

    model: str
    paired: Paired | None
    b_only: float | None
    service: float | None
    enumerates: bool
    verdict: str = "none"

    @property
    def headroom(self) -> float | None:
        return None if self.b_only is None else 1 - self.b_only

    @property
    def share(self) -> float | None:
        """Δ as a share of its headroom; None where there is none."""
        return self.paired.mean / self.headroom if self.paired and self.headroom else None

    def as_json(self) -> dict[str, Json]:
        return {
            "model": self.model,
            "verdict": self.verdict,
            "b_only": self.b_only,
            "headroom": self.headroom,
            "share_of_headroom": self.share,
            "service": self.service,
            "enumerates": self.enumerates,
            "ci95_adjusted": False,
            **(self.paired.as_json() if self.paired else {"n": 0}),
        }


@dataclass(frozen=True, slots=True)
class Result:
    """Rates by model and arm, and Δ by model, both in the order in which models come."""

    rates: Mapping[str, Mapping[str, Rate]]
    deltas: tuple[Delta, ...]

    def as_json(self) -> dict[str, Json]:
        return {
            "deltas": [delta.as_json() for delta in self.deltas],
            "rates": {model: {arm: rate.as_json() for arm, rate in arms.items()} for model, arms in self.rates.items()},
        }


def contrasted(scores: Iterable[ChainScore], *, seed: int = 42, resamples: int = 10_000) -> Result:
    """Rates and Δ of scored rows. All scores are held, since chains are paired: a few numbers a row.

    Holm's correction is over the models; intervals are not adjusted for them. Clusters are the domains of A.
    """
    cells: dict[str, dict[str, dict[str, ChainScore]]] = {}
    for each in scores:
        cells.setdefault(each.model, {}).setdefault(each.arm, {})[each.chain] = each
    rates = {
        model: {arm: _rate(list(by_arm[arm].values())) for arm in ARMS if arm in by_arm} for model, by_arm in cells.items()
    }
    deltas = [_delta(model, by_arm.get(BOTH, {}), by_arm.get(B_ONLY, {}), seed, resamples) for model, by_arm in cells.items()]
    stated = [delta.paired for delta in deltas if delta.paired is not None]
    adjusted = iter(holm([each.p_exact for each in stated]) if stated else ())
    return Result(rates, tuple(_judged(delta, next(adjusted)) if delta.paired else delta for delta in deltas))


def _rate(scores: Sequence[ChainScore]) -> Rate:
    given = [each for each in scores if each.answered]
    return Rate(
        len(scores),
        len(given),
        _mean([each.recall for each in given]),
        _mean([each.precision for each in given if each.precision is not None]),
        _mean([each.bounded for each in given]),
        _mean([float(each.named) for each in given]),
        _mean([each.old for each in given if each.old is not None]),
        sum(each.recall for each in given) / len(scores),
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _delta(model: str, both: Mapping[str, ChainScore], alone: Mapping[str, ChainScore], seed: int, resamples: int) -> Delta:
    shared = [chain for chain in both if chain in alone]
    given = [chain for chain in shared if both[chain].answered and alone[chain].answered]
    precision = _mean([value for chain in given if (value := both[chain].precision) is not None])
    if not given:
        return Delta(model, None, None, None, False)
    return Delta(
        model,
        paired(
            [both[chain].recall for chain in given],
            [alone[chain].recall for chain in given],
            clusters=[both[chain].domain for chain in given],
            seed=seed,
            resamples=resamples,
        ),
        _mean([alone[chain].recall for chain in given]),
        _mean([_counted(both[chain]) - _counted(alone[chain]) for chain in shared]),
        precision is not None and precision < ENOUGH,
    )


def _counted(score: ChainScore) -> float:
    return score.recall if score.answered else 0.0


def _judged(delta: Delta, p: float) -> Delta:
    """What Δ says: nothing where it is flat and there was little room for it."""
    assert delta.paired is not None
    assert delta.headroom is not None
    if p < LEVEL:
        verdict = "positive" if delta.paired.mean > 0 else "negative"
    else:
        verdict = "uninformative" if delta.headroom <= LITTLE else "flat"
    return replace(delta, paired=delta.paired.holm(p), verdict=verdict)
