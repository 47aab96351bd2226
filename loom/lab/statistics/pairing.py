"""Two arms paired: the mean difference with its interval, the exact signed-rank test, and the rank-biserial effect size."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import fsum, isnan
from typing import Any

import numpy as np

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.statistics.bootstrapping import RESAMPLES, SEED
from loom.lab.statistics.checks import Floats, drawing, numbers, together
from loom.lab.statistics.intervals import Interval, interval
from loom.lab.statistics.signs import NOTHING, signed_rank

Bounds = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Paired:
    """a - b over n pairs.

    `ci95` is the 95 % percentile bootstrap interval of the mean, `ci` the same at `confidence`, `ci_clustered` that over whole
    clusters (None where none were given, NaN where there is one); `ci_method` says whether it is the exact bootstrap
    distribution or drawn. `rank_biserial` is None where every pair is tied. `dropped` counts pairs left out because a side has
    no score. `p_holm` is filled in by whoever has the family.
    """

    n: int
    nonzero: int
    mean: float
    ci95: Bounds
    p_exact: float
    rank_biserial: float | None
    wins: int
    losses: int
    ties: int
    w_plus: float
    ci: Bounds
    confidence: float
    ci_method: str
    p_method: str
    ci_clustered: Bounds | None = None
    clusters: int | None = None
    dropped: int = 0
    p_holm: float | None = None

    def holm(self, p: float | None) -> "Paired":
        return replace(self, p_holm=p)

    def as_json(self) -> dict[str, Json]:
        stated: dict[str, Json] = {
            "n": self.n,
            "nonzero": self.nonzero,
            "mean": self.mean,
            "ci95": bounds_json(self.ci95),
            "p_exact": self.p_exact,
            "rank_biserial": self.rank_biserial,
            "p_holm": self.p_holm,
            "wins": self.wins,
            "losses": self.losses,
            "ties": self.ties,
            "w_plus": self.w_plus,
            "ci_method": self.ci_method,
            "p_method": self.p_method,
        }
        if self.confidence != 0.95:
            stated |= {"ci": bounds_json(self.ci), "confidence": self.confidence}
        if self.ci_clustered is not None:
            stated |= {"ci_clustered": bounds_json(self.ci_clustered), "clusters": self.clusters}
        return stated


def bounds_json(bounds: Bounds) -> Json:
    """An interval as [low, high], null where it is not defined."""
    return None if isnan(bounds[0]) else list(bounds)


def differences(a: Iterable[Any], b: Iterable[Any]) -> Floats:
    """a - b by position. What is left of two equal scores by rounding is zero. Raises BadInput."""
    first, second = numbers(a, "a", least=0), numbers(b, "b", least=0)
    together("a", len(first), "b", len(second))
    with np.errstate(over="ignore"):
        apart: Floats = first - second
    if not np.isfinite(apart).all():
        raise BadInput("Expected scores whose difference is a number, but two are too far apart.", param="a")
    apart[np.abs(apart) <= NOTHING * np.maximum(np.abs(first), np.abs(second))] = 0.0
    return apart


def paired(
    a: Iterable[Any] | Mapping[Any, Any],
    b: Iterable[Any] | Mapping[Any, Any],
    *,
    clusters: Iterable[Any] | Mapping[Any, Any] | None = None,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
    exact: bool = True,
) -> Paired:
    """Compare two lists paired by position, or two mappings id → score paired by id (in the order of the first).

    A score of None (in a pandas series also NaN), or an id that only one mapping has, leaves its pair out. `clusters` is a label a pair (a list, or a
    mapping by id). With `exact` the interval is that of the whole bootstrap distribution where it can be had, and `seed`
    and `resamples` serve the rest; without it every interval is drawn. Raises BadInput.
    """
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        ids = [id for id in a if id in b]
        if clusters is not None:
            if not isinstance(clusters, Mapping):
                raise BadInput("Expected clusters to be a mapping by id, as the scores are.", param="clusters")
            lost = next((id for id in ids if id not in clusters), None)
            if lost is not None:
                raise BadInput(f"Expected a cluster for every id, but {lost!r} has none.", param="clusters")
            clusters = [clusters[id] for id in ids]
        missed = len(a) + len(b) - 2 * len(ids)
        first, second = [a[id] for id in ids], [b[id] for id in ids]
    elif isinstance(a, Mapping) or isinstance(b, Mapping):
        raise BadInput("Expected two lists or two mappings, but got one of each; give both in the same form.", param="b")
    else:
        _alike(a, b)
        first, second, missed = _listed(a, "a"), _listed(b, "b"), 0
        together("a", len(first), "b", len(second))
    labelled = None if clusters is None else _listed(clusters, "clusters")
    if labelled is not None:
        together("pairs", len(first), "clusters", len(labelled))
    kept = [place for place, pair in enumerate(zip(first, second, strict=True)) if None not in (_told(pair[0]), _told(pair[1]))]
    if not kept:
        raise BadInput("Expected at least one pair with a score on both sides, but there is none.", param="pairs")
    return compared(
        differences([first[place] for place in kept], [second[place] for place in kept]),
        clusters=None if labelled is None else [labelled[place] for place in kept],
        seed=seed,
        resamples=resamples,
        confidence=confidence,
        exact=exact,
        dropped=missed + len(first) - len(kept),
    )


def compared(
    found: Floats,
    *,
    clusters: Iterable[Any] | None = None,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
    exact: bool = True,
    dropped: int = 0,
) -> Paired:
    """The same from differences. Raises BadInput where there are none."""
    drawing(seed, resamples, confidence)

    def bounds(level: float, by: Iterable[Any] | None = None) -> Interval:
        return interval(found, clusters=by, seed=seed, resamples=resamples, confidence=level, exact=exact)

    test, narrow = signed_rank(found), bounds(0.95)
    labelled = None if clusters is None else list(clusters)
    largest = float(np.abs(found).max())
    wins, losses = int((found > NOTHING * largest).sum()), int((found < -NOTHING * largest).sum())
    return Paired(
        n=len(found),
        nonzero=test.nonzero,
        mean=fsum(found) / len(found),
        ci95=narrow.bounds,
        p_exact=test.p,
        rank_biserial=test.rank_biserial,
        wins=wins,
        losses=losses,
        ties=len(found) - wins - losses,
        w_plus=test.w_plus,
        ci=narrow.bounds if confidence == 0.95 else bounds(confidence).bounds,
        confidence=confidence,
        ci_method=narrow.method,
        p_method="exact" if test.exact else "normal",
        ci_clustered=None if labelled is None else bounds(confidence, labelled).bounds,
        clusters=None if labelled is None else len({str(label) for label in labelled}),
        dropped=dropped,
    )


def _told(score: Any) -> Any:
    """A score, None where it is None or a data frame's mark of a missing value."""
    return None if score is None or type(score).__name__ in ("NAType", "NaTType") else score


def _listed(values: Any, name: str) -> list[Any]:
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise BadInput(f"Expected {name} to be a list, but got {type(values).__name__}.", param=name)
    if (dimensions := getattr(values, "ndim", 1)) != 1:
        raise BadInput(f"Expected {name} to be one list of numbers, but got a table of {dimensions} dimensions.", param=name)
    if hasattr(values, "isna"):
        return [None if missing else value for value, missing in zip(values, values.isna(), strict=True)]
    return list(values)


def _alike(a: Any, b: Any) -> None:
    """Raises BadInput where two pandas series have the same labels in another order: by position they would be paired wrongly."""
    if hasattr(a, "isna") and hasattr(b, "isna") and hasattr(a, "index") and hasattr(b, "index"):
        first, second = list(a.index), list(b.index)
        if first != second and len(set(first)) == len(first) and set(first) == set(second) and len(first) == len(second):
            raise BadInput(
                "Expected both series in the same order, but the second has the labels of the first in another; pair by label with "
                "a.to_dict() and b.to_dict().",
                param="b",
            )
