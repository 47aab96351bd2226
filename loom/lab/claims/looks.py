"""Two looks at a primary comparison (seed 001 §10, success rules and variance re-estimation).

The deviation of differences is estimated anew from the first 50, blind to their mean, and with it the size of a look, from what was planned to
twice that. A positive result that is not significant is looked at once more with as many again; each look is at Pocock's nominal level, which
keeps the whole at 5 %. A result at or below zero fails at once.

RECONSTRUCTED: 275 queries find 0.03 nDCG@10 at a deviation of 0.20 with a power of 80 %, which is the paper's "about 270"; its "about 250 at
the strictest Holm level" is 0.04 at the same deviation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from random import Random
from statistics import NormalDist
from typing import Literal

import numpy as np

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.claims.tested import ALPHA, Gain, gain

NOMINAL = 0.0304
"""Pocock's one-sided level of each of two looks."""
EFFECT = 0.03
POWER = 0.80
PILOT = 50
PLANNED = 275
CAP = 2
"""Most that a re-estimation may raise the planned size by, as a factor."""

Outcome = Literal["passed", "failed"]


@dataclass(frozen=True, slots=True)
class Plan:
    """`size` is that of a look, as the pilot's deviation has it; `detects` the difference that the items at hand find with the same power:
    the effect, or more where they are too few (the shortfall rule). Known before anything is tested."""

    planned: int
    deviation: float
    size: int
    available: int
    detects: float

    def as_json(self) -> dict[str, Json]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class Looks:
    """One look, or two; the last decides."""

    plan: Plan
    looks: tuple[Gain, ...]

    @property
    def outcome(self) -> Outcome:
        last = self.looks[-1]
        return "passed" if last.mean > 0 and last.p <= NOMINAL else "failed"

    @property
    def passed(self) -> bool:
        return self.outcome == "passed"

    def as_json(self) -> dict[str, Json]:
        return {
            "plan": self.plan.as_json(),
            "looks": [each.as_json() for each in self.looks],
            "nominal": NOMINAL,
            "outcome": self.outcome,
        }


def planned(differences: Sequence[float], *, planned: int = PLANNED, effect: float = EFFECT) -> Plan:
    """From the first of them, which are an internal pilot. Raises BadInput where there are fewer than two."""
    pilot = np.asarray(differences[:PILOT], np.float64)
    if len(pilot) < 2 or planned < 1 or effect <= 0:
        raise BadInput(f"Expected two differences and more, a size and an effect above 0, but got {len(pilot)}.", param="looks")
    deviation = float(pilot.std(ddof=1))
    reach = NormalDist().inv_cdf(1 - ALPHA) + NormalDist().inv_cdf(POWER)
    size = min(CAP * planned, max(planned, ceil((reach * deviation / effect) ** 2)))
    available = len(differences)
    return Plan(planned, deviation, size, available, max(effect, reach * deviation / sqrt(min(available, CAP * size))))


def looked(a: Sequence[float], b: Sequence[float], seed: int, *, size: int = PLANNED, effect: float = EFFECT) -> Looks:
    """Of `a` over `b`, paired by position and looked at in an order that is drawn once. Raises BadInput."""
    order = list(range(len(a)))
    Random(f"{seed}:looks").shuffle(order)
    one, two = [a[at] for at in order], [b[at] for at in order]
    plan = planned([x - y for x, y in zip(one, two, strict=True)], planned=size, effect=effect)
    first = gain(one[: plan.size], two[: plan.size], seed=seed)
    made = [first]
    if first.mean > 0 and first.p > NOMINAL and plan.available > plan.size:
        made.append(gain(one[: 2 * plan.size], two[: 2 * plan.size], seed=seed))
    return Looks(plan, tuple(made))
