"""Controls of the reranker (seed §10.1): is the gain of the positions, or of fitting more numbers; and can the fit win at all?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from loom.core.claims.dimensions.distance import Axes
from loom.core.claims.dimensions.fit import fit
from loom.core.claims.dimensions.gain import gains, mean
from loom.core.claims.dimensions.judged import TOP_GRADE, Judged, Seen
from loom.core.claims.dimensions.positions import Positions
from loom.core.claims.dimensions.rules import DEFAULT, Rules
from loom.core.errors import BadInput


@dataclass(frozen=True, slots=True)
class Permutation:
    """nDCG@10 on held-out queries with the penalty alone, with the axes, and with axes whose positions were shuffled among the claims
    of the domain (mean over shuffles). `met`: there is a gain, and shuffling keeps at most half of it."""

    alone: float
    full: float
    shuffled: float

    @property
    def gain(self) -> float:
        return self.full - self.alone

    @property
    def kept(self) -> float:
        return self.shuffled - self.alone

    @property
    def met(self) -> bool:
        return self.gain > 0 and self.kept <= self.gain / 2


def permutation(
    axes: Axes,
    claims: Positions,
    train: Sequence[Seen],
    held: Sequence[Seen],
    rules: Rules = DEFAULT,
    *,
    seeds: Sequence[int] = (42,),
) -> Permutation:
    """Each claim's positions go to another claim of the domain, whole, before the weights are fitted again; the penalty stays.

    Raises BadInput where there are too few queries to fit, or no seed."""
    if len(train) < rules.queries or not seeds:
        raise BadInput(f"Expected at least {rules.queries} queries to fit, but got {len(train)}.", param="train")

    def reached(positions: Positions, *, with_axes: bool = True) -> float:
        made = fit([each.judged(axes, positions, rules) for each in train], rules, axes=with_axes)
        return mean(gains([each.judged(axes, positions, rules) for each in held], made.weights, made.penalty))

    shuffled = [reached(claims.of(np.random.default_rng(seed).permutation(len(claims)))) for seed in seeds]
    return Permutation(reached(claims, with_axes=False), reached(claims), float(np.mean(shuffled)))


def with_oracle(judged: Sequence[Judged]) -> list[Judged]:
    """The queries with one more axis that knows the labels: it must win, or fitting and scoring are broken."""
    return [
        Judged(each.query, each.base, np.column_stack((each.features, each.labels / TOP_GRADE)), each.unsettled, each.labels)
        for each in judged
    ]


def oracle_gain(train: Sequence[Judged], held: Sequence[Judged], rules: Rules = DEFAULT) -> float:
    """By how much nDCG@10 on held-out queries is above that of the penalty alone once an axis knows the labels.

    Raises BadInput where there are too few queries to fit."""
    if len(train) < rules.queries:
        raise BadInput(f"Expected at least {rules.queries} queries to fit, but got {len(train)}.", param="train")
    alone, knowing = fit(train, rules, axes=False), fit(with_oracle(train), rules)
    reached = mean(gains(with_oracle(held), knowing.weights, knowing.penalty))
    return reached - mean(gains(held, alone.weights, alone.penalty))
