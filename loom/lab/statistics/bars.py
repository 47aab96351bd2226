"""Exact binomial bars: how many successes reject a bound, with what true size and power, and how many trials that takes."""

from dataclasses import dataclass

import numpy as np

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.statistics.checks import count, share
from loom.lab.statistics.distributions import scipy_stats

MOST_TRIALS = 100_000


@dataclass(frozen=True, slots=True)
class Bar:
    """An exact one-sided test of p0 against p1 in n trials.

    For p1 above p0 it rejects at `successes` or more, for p1 below at `successes` or fewer; None where no count rejects.
    `size` is the chance to reject under p0 (at most alpha), `power` under p1.
    """

    p0: float
    p1: float
    n: int
    alpha: float
    successes: int | None
    size: float
    power: float

    def as_json(self) -> dict[str, Json]:
        return {
            "p0": self.p0,
            "p1": self.p1,
            "n": self.n,
            "alpha": self.alpha,
            "rejects": None if self.successes is None else ("at least" if self.p1 > self.p0 else "at most"),
            "successes": self.successes,
            "size": self.size,
            "power": self.power,
        }


def bar(p0: float, p1: float, n: int, alpha: float = 0.05) -> Bar:
    """The bar for n trials. Raises BadInput."""
    _checked(p0, p1, alpha)
    count(n, "n", least=1, most=MOST_TRIALS)
    binom = scipy_stats().binom
    counts = np.arange(n + 1)
    if p1 > p0:
        fits = np.flatnonzero(binom.sf(counts - 1, n, p0) <= alpha)
        if not len(fits):
            return Bar(p0, p1, n, alpha, None, 0.0, 0.0)
        least = int(fits[0])
        return Bar(p0, p1, n, alpha, least, float(binom.sf(least - 1, n, p0)), float(binom.sf(least - 1, n, p1)))
    fits = np.flatnonzero(binom.cdf(counts, n, p0) <= alpha)
    if not len(fits):
        return Bar(p0, p1, n, alpha, None, 0.0, 0.0)
    most = int(fits[-1])
    return Bar(p0, p1, n, alpha, most, float(binom.cdf(most, n, p0)), float(binom.cdf(most, n, p1)))


def trials(p0: float, p1: float, power: float = 0.8, alpha: float = 0.05, *, lasting: bool = False) -> Bar:
    """The bar with the fewest trials that has the power; with `lasting` the fewest from which on it is never lost again (power
    falls a little each time the bar rises by one). Raises BadInput where MOST_TRIALS are not enough."""
    _checked(p0, p1, alpha)
    share(power, "power")
    binom = scipy_stats().binom
    up = p1 > p0
    end = 64
    while True:
        n = np.arange(1, end + 1)
        # The least count with at most alpha above it is one past the quantile; mirrored for a bar from above.
        low, high = (p0, p1) if up else (1 - p0, 1 - p1)
        reaches = binom.sf(binom.isf(alpha, n, low), n, high) >= power
        if reaches.any() and reaches[end // 2 :].all():
            place = (
                int(np.argmax(reaches)) if not lasting else int(np.flatnonzero(~reaches)[-1]) + 1 if not reaches.all() else 0
            )
            return bar(p0, p1, int(n[place]), alpha)
        if end >= MOST_TRIALS:
            raise BadInput(
                f"{MOST_TRIALS:,} trials do not tell {p1} from {p0} with power {power}; choose rates further apart.", param="p1"
            )
        end = min(MOST_TRIALS, end * 2)


def _checked(p0: float, p1: float, alpha: float) -> None:
    share(p0, "p0")
    share(p1, "p1", ends=True)
    share(alpha, "alpha")
    if p0 == p1:
        raise BadInput(f"Expected p0 and p1 to differ, but both are {p0}.", param="p1")
