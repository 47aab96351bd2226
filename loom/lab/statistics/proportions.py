"""Shares and how sure they are: Wilson's interval, and McNemar's exact test of two shares on the same items."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.statistics.checks import count, share, together, truths
from loom.lab.statistics.distributions import scipy_stats


def wilson(successes: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a share. Raises BadInput."""
    count(n, "n", least=1)
    count(successes, "successes")
    share(confidence, "confidence")
    if successes > n:
        raise BadInput(f"Expected at most n = {n} successes, but got {successes}.", param="successes")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle = (successes + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * sqrt(successes * (n - successes) / n + z * z / 4)
    return (0.0 if successes == 0 else middle - half), (1.0 if successes == n else middle + half)


@dataclass(frozen=True, slots=True)
class McNemar:
    """Discordant pairs: `only_a` where the first succeeded alone, `only_b` the second; `p` is exact and two-sided."""

    only_a: int
    only_b: int
    p: float

    def as_json(self) -> dict[str, Json]:
        return {"only_a": self.only_a, "only_b": self.only_b, "discordant": self.only_a + self.only_b, "p_exact": self.p}


def mcnemar(only_a: int, only_b: int) -> McNemar:
    """The exact test that a discordant pair falls either way with the same chance. Raises BadInput."""
    count(only_a, "only_a", most=10_000_000)
    count(only_b, "only_b", most=10_000_000)
    if only_a + only_b == 0:
        return McNemar(0, 0, 1.0)
    below = float(scipy_stats().binom.cdf(min(only_a, only_b), only_a + only_b, 0.5))
    return McNemar(only_a, only_b, min(1.0, 2 * below))


def mcnemar_of(a: Iterable[Any], b: Iterable[Any]) -> McNemar:
    """The same from outcomes (0 or 1) paired by position. Raises BadInput."""
    first, second = truths(a, "a"), truths(b, "b")
    together("a", len(first), "b", len(second))
    return mcnemar(int((first & ~second).sum()), int((second & ~first).sum()))
