"""The tests that the experiments share (seed 001 §10, shared protocol): a one-sided paired bootstrap, an exact bar on a proportion, and
one proportion against another. Ties are never success."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from loom.core.values import Json
from loom.lab.statistics.bars import bar
from loom.lab.statistics.bootstrapping import RESAMPLES, SEED
from loom.lab.statistics.checks import numbers

ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Gain:
    """The mean of paired differences; `low` bounds it from below with 95 %; `p` is the share of resampled means at or below zero."""

    n: int
    mean: float
    low: float
    p: float

    @property
    def significant(self) -> bool:
        return self.mean > 0 and self.p <= ALPHA

    def as_json(self) -> dict[str, Json]:
        return {"n": self.n, "mean": self.mean, "low": self.low, "p": self.p}


def gain(a: Sequence[float], b: Sequence[float], *, seed: int = SEED, resamples: int = RESAMPLES) -> Gain:
    """Of `a` over `b`, paired by position. Raises BadInput."""
    apart = numbers(a, "the scores") - numbers(b, "the scores of the other arm")
    random = np.random.default_rng(seed)
    means = np.sort(apart[random.integers(len(apart), size=(resamples, len(apart)))].mean(axis=1))
    return Gain(len(apart), float(apart.mean()), float(means[int(resamples * ALPHA)]), float((means <= 0).mean()))


@dataclass(frozen=True, slots=True)
class Share:
    """A proportion held against an exact bar: `met` where a test rejects `bound` in favour of the side where `design` lies."""

    hits: int
    n: int
    bound: float
    design: float
    met: bool
    enough: bool = True
    """Whether there are so many that the best of all counts would meet the bar."""

    @property
    def share(self) -> float:
        return self.hits / self.n if self.n else math.nan

    def as_json(self) -> dict[str, Json]:
        share = None if not self.n else self.share
        return {"hits": self.hits, "n": self.n, "share": share, "bound": self.bound, "design": self.design, "met": self.met}


def share(hits: int, n: int, bound: float, design: float) -> Share:
    """One look at the size of 5 %; nothing is met by no item at all."""
    if not n:
        return Share(0, 0, bound, design, False, False)
    found = bar(bound, design, n, ALPHA)
    met = found.successes is not None and (hits >= found.successes if design > bound else hits <= found.successes)
    return Share(hits, n, bound, design, met, found.successes is not None)


def above(hits: int, n: int, other: int, of: int) -> float:
    """The one-sided p of the first proportion being the larger one (normal, pooled variance); 1 where nothing can be told."""
    if not n or not of:
        return 1.0
    pooled = (hits + other) / (n + of)
    spread = math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / of))
    if spread == 0:
        return 1.0
    return 0.5 * math.erfc((hits / n - other / of) / spread / math.sqrt(2))
