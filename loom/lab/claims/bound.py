"""How sure a measured break-even is: its one-sided upper bound by bootstrap (seed 001 §10.4).

Slow-path requests, reads and timed actions of people are drawn anew together. A draw in which a read saves nothing counts as one
without any break-even, which is worse than every number.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from loom.core.errors import BadInput
from loom.lab.claims.ledger import breakeven
from loom.lab.statistics.bootstrapping import RESAMPLES, SEED
from loom.lab.statistics.checks import drawing, numbers

NUMBERS = 1_000_000
"""Of a resampling that are held at once."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured, in dollars but for `minutes`.

    `requests`: what each slow-path request cost more than its alternative, people's work left out. `reads`, `rereads`: one read
    each, here and there, of the same requests. `actions`: how many of each kind of action a slow-path request leaves to people;
    `minutes`: timings of each kind. `wage`: an hour. Raises BadInput.
    """

    requests: Sequence[float]
    reads: Sequence[float]
    rereads: Sequence[float]
    actions: Mapping[str, float]
    minutes: Mapping[str, Sequence[float]]
    wage: float

    def __post_init__(self) -> None:
        numbers(self.requests, "the slow-path requests")
        if len(numbers(self.reads, "the reads")) != len(numbers(self.rereads, "the reads of the alternative")):
            raise BadInput(
                f"Expected as many reads as reads of the alternative, but got {len(self.reads)} and {len(self.rereads)}; "
                "give both for each read.",
                param="rereads",
            )
        missing = [kind for kind, many in self.actions.items() if many and not self.minutes.get(kind)]
        if missing:
            raise BadInput(
                f"Expected timings of {', '.join(sorted(missing))}, but got none; time each kind of action that people do.",
                param="minutes",
            )


@dataclass(frozen=True, slots=True)
class Bound:
    """`reads`: the break-even of the sample; `upper`: its bound, None where more draws than are allowed have no break-even;
    `none`: the share of such draws."""

    reads: float | None
    upper: float | None
    none: float

    def within(self, observed: float) -> bool:
        """Whether the layer pays within the reads that a workspace performs a slow-path request."""
        return self.upper is not None and self.upper <= observed


def bound(found: Measured, *, confidence: float = 0.95, seed: int = SEED, resamples: int = RESAMPLES) -> Bound:
    """The break-even with people's minutes at their median, and its upper bound. Raises BadInput."""
    drawing(seed, resamples, confidence)
    random = np.random.default_rng(seed)
    requests = np.asarray(found.requests, dtype=np.float64)
    saved = np.asarray(found.rereads, dtype=np.float64) - np.asarray(found.reads, dtype=np.float64)
    kinds = sorted(kind for kind, many in found.actions.items() if many)
    timed = [np.asarray(found.minutes[kind], dtype=np.float64) for kind in kinds]
    many = [found.actions[kind] / 60 * found.wage for kind in kinds]

    def mean(values: np.ndarray) -> np.ndarray:
        return np.concatenate([values[rows].mean(axis=1) for rows in _drawn(random, len(values), resamples)])

    def median(values: np.ndarray) -> np.ndarray:
        return np.concatenate([np.median(values[rows], axis=1) for rows in _drawn(random, len(values), resamples)])

    ahead, less = mean(requests), mean(saved)
    for cost, each in zip(many, timed, strict=True):
        ahead = ahead + cost * median(each)
    reads = [breakeven(one, other) for one, other in zip(ahead.tolist(), less.tolist(), strict=True)]
    draws = np.array([math.inf if each is None else each for each in reads])
    people = math.fsum(cost * float(np.median(each)) for cost, each in zip(many, timed, strict=True))
    upper = float(np.quantile(draws, confidence, method="higher"))
    return Bound(
        breakeven(float(requests.mean()) + people, float(saved.mean())),
        upper if math.isfinite(upper) else None,
        float(np.isinf(draws).mean()),
    )


def _drawn(random: np.random.Generator, size: int, resamples: int) -> Iterator[np.ndarray]:
    """The rows of each resample, i64 (some resamples, size), some numbers at a time."""
    at_once = max(1, NUMBERS // size)
    for start in range(0, resamples, at_once):
        yield random.integers(size, size=(min(at_once, resamples - start), size))
