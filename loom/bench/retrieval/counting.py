"""What is counted: shares with Wilson intervals, areas under curves, reliability."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` of `total`, with the Wilson score interval that holds the true share in 95 % of samples."""

    hits: int
    total: int

    @property
    def value(self) -> float:
        return self.hits / self.total if self.total else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        if not self.total:
            return 0.0, 1.0
        share, spread = self.hits / self.total, Z * Z / self.total
        middle = (share + spread / 2) / (1 + spread)
        half = Z * math.sqrt(share * (1 - share) / self.total + spread / (4 * self.total)) / (1 + spread)
        return max(0.0, middle - half), min(1.0, middle + half)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.hits} of {self.total} ({low:.1%} to {high:.1%})"


def share(outcomes: Iterable[bool]) -> Share:
    found = list(outcomes)
    return Share(sum(found), len(found))


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def auc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """The chance that one of the positive is above one of the negative, ties counting half; nan where one of them is empty."""
    if not positive or not negative:
        return math.nan
    above = sum((p > n) + 0.5 * (p == n) for p in positive for n in negative)
    return above / (len(positive) * len(negative))


@dataclass(frozen=True, slots=True)
class Bin:
    """Predictions that lie together: how many, what they say on average, how many of them came true."""

    count: int
    said: float
    right: int

    @property
    def true(self) -> float:
        return self.right / self.count


Predictions = Sequence[tuple[float, bool]]


def equal_mass(predictions: Predictions, bins: int = 10) -> list[Bin]:
    """Bins of about as many predictions each, in their order. Predictions of one value stay together."""
    ordered = sorted(predictions)
    edges = [0]
    for at in range(1, bins + 1):
        edge = max(edges[-1], round(at * len(ordered) / bins))
        while edge > edges[-1] and edge < len(ordered) and ordered[edge][0] == ordered[edge - 1][0]:
            edge += 1
        edges.append(edge)
    return [_bin(ordered[low:high]) for low, high in pairwise(edges) if high > low]


def equal_width(predictions: Predictions, bins: int = 10) -> list[Bin]:
    """Bins of the same width from 0 to 1; empty ones are left out."""
    held: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for said, true in predictions:
        held[min(bins - 1, int(said * bins))].append((said, true))
    return [_bin(each) for each in held if each]


def ece(predictions: Predictions, binned: Callable[[Predictions], list[Bin]] = equal_width) -> float:
    """Expected calibration error: how far what is said lies from what is true, bin by bin, weighed by their sizes."""
    total = len(predictions)
    return math.fsum(each.count * abs(each.said - each.true) for each in binned(predictions)) / total if total else math.nan


def _bin(predictions: Predictions) -> Bin:
    return Bin(len(predictions), mean([said for said, _ in predictions]), sum(true for _, true in predictions))
