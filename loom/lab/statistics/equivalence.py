"""Whether nothing got worse: interval inclusion, two one-sided tests, and the worst subgroup.

Seed 000 §8 and §10.8: non-regression is declared only where the whole 95 % bootstrap interval lies inside the margin, which is
stricter than the 90 % interval of TOST; both are printed. Subgroups are named beforehand; the worst is never left out.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.statistics.bootstrapping import RESAMPLES, SEED
from loom.lab.statistics.checks import numbers
from loom.lab.statistics.distributions import scipy_stats
from loom.lab.statistics.intervals import Interval, interval
from loom.lab.statistics.pairing import bounds_json

MARGIN = 0.25


@dataclass(frozen=True, slots=True)
class Tost:
    """Two one-sided paired t tests against ± margin: `p` is the larger of the two, `ci90` the t interval that belongs to it."""

    margin: float
    p: float
    ci90: tuple[float, float]

    @property
    def equivalent(self) -> bool:
        return self.p < 0.05

    def as_json(self) -> dict[str, Json]:
        return {"margin": self.margin, "p": self.p, "ci90": bounds_json(self.ci90), "equivalent": self.equivalent}


def tost(differences: Iterable[Any], margin: float = MARGIN) -> Tost:
    """Schuirmann's test on paired differences. Raises BadInput for fewer than two, or a margin of 0 or less."""
    found = numbers(differences, "differences", least=2)
    _checked(margin)
    mean, error = float(found.mean()), float(found.std(ddof=1) / np.sqrt(len(found)))
    if error == 0:
        return Tost(margin, 0.0 if -margin < mean < margin else 1.0, (mean, mean))
    t = scipy_stats().t
    free = len(found) - 1
    above, below = float(t.sf((mean + margin) / error, free)), float(t.cdf((mean - margin) / error, free))
    half = float(t.ppf(0.95, free)) * error
    return Tost(margin, max(above, below), (mean - half, mean + half))


@dataclass(frozen=True, slots=True)
class NonRegression:
    """`shown` where the 95 % interval lies inside ± margin, `shown90` where the 90 % one does; `detected` where the 95 %
    interval lies wholly below 0, a regression."""

    n: int
    mean: float
    margin: float
    ci95: Interval
    ci90: Interval
    tost: Tost | None

    @property
    def shown(self) -> bool:
        return self.ci95.within(self.margin)

    @property
    def shown90(self) -> bool:
        return self.ci90.within(self.margin)

    @property
    def detected(self) -> bool:
        return self.ci95.high < 0

    def as_json(self) -> dict[str, Json]:
        return {
            "n": self.n,
            "mean": self.mean,
            "margin": self.margin,
            "ci95": bounds_json(self.ci95.bounds),
            "non_regression": self.shown,
            "ci90": bounds_json(self.ci90.bounds),
            "within_90": self.shown90,
            "regression_detected": self.detected,
            "tost": self.tost and self.tost.as_json(),
        }


def non_regression(
    differences: Iterable[Any],
    margin: float = MARGIN,
    *,
    clusters: Iterable[Any] | None = None,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    exact: bool = True,
) -> NonRegression:
    """Whether differences (new - old) stay inside ± margin. Raises BadInput."""
    found = numbers(differences, "differences")
    _checked(margin)
    labelled = None if clusters is None else list(clusters)

    def bounds(confidence: float) -> Interval:
        return interval(found, clusters=labelled, seed=seed, resamples=resamples, confidence=confidence, exact=exact)

    return NonRegression(
        len(found),
        float(found.mean()),
        margin,
        bounds(0.95),
        bounds(0.90),
        tost(found, margin) if len(found) > 1 else None,
    )


def worst(subgroups: Mapping[str, NonRegression]) -> str:
    """The name of the subgroup whose 95 % interval reaches furthest down (the first of equals). Raises BadInput without any."""
    if not subgroups:
        raise BadInput("Expected at least one subgroup.", param="subgroups")
    return min(subgroups, key=lambda name: subgroups[name].ci95.low)


def _checked(margin: float) -> None:
    if not 0 < margin < float("inf"):
        raise BadInput(f"Expected the margin to be above 0, but got {margin}.", param="margin")
