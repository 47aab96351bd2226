"""What weights are fitted to: candidates of queries with graded labels, and the pairs that they make (seed §6)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from loom.core.claims.dimensions.distance import Axes
from loom.core.claims.dimensions.positions import Positions
from loom.core.claims.dimensions.registry import Floats
from loom.core.claims.dimensions.rerank import phi
from loom.core.claims.dimensions.rules import DEFAULT, Rules
from loom.core.errors import BadInput

TOP_GRADE = 3


@dataclass(frozen=True, slots=True)
class Judged:
    """One query whose scope has the domain: s₀ f64 (n,), φ f64 (n, axes), u f64 (n,), labels f64 (n,) from 0 to 3.

    Raises BadInput where lengths differ, something is no number, or a label is out of its grades."""

    query: str
    base: Floats
    features: Floats
    unsettled: Floats
    labels: Floats

    def __post_init__(self) -> None:
        count = len(self.labels)
        shapes = {self.base.shape, self.unsettled.shape, self.labels.shape, self.features.shape[:1]}
        if shapes != {(count,)} or self.features.ndim != 2:
            raise BadInput(f"Expected a score, features, u and a label for each candidate of {self.query}.", param="judged")
        if not all(np.isfinite(each).all() for each in (self.base, self.features, self.unsettled, self.labels)):
            raise BadInput(f"Expected numbers only, but {self.query} has one that is none.", param="judged")
        if count and not (self.labels.min() >= 0 and self.labels.max() <= TOP_GRADE):
            raise BadInput(f"Expected labels from 0 to {TOP_GRADE}, but {self.query} has another.", param="labels")


@dataclass(frozen=True, slots=True)
class Seen:
    """One query before its features are made: which claims came (rows of a domain's positions), and where the query is."""

    query: str
    rows: NDArray[np.int64]
    position: Positions
    base: Floats
    unsettled: Floats
    labels: Floats

    def judged(self, axes: Axes, claims: Positions, rules: Rules = DEFAULT) -> Judged:
        features = phi(axes, self.position, claims.of(self.rows), rules)
        return Judged(self.query, self.base, features, self.unsettled, self.labels)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of one query's candidates of which the first has the higher label: what it has more of each feature and of settledness,
    f64 (pairs, axes + 1), how far it is ahead in s₀, the gap of their labels as a share of all gaps, and the query's number."""

    features: Floats
    ahead: Floats
    mass: Floats
    query: NDArray[np.int64]

    @property
    def axes(self) -> int:
        return int(self.features.shape[1]) - 1

    def of(self, queries: np.ndarray) -> "Pairs":
        """The pairs of the queries that are marked, bool (queries,)."""
        rows = queries[self.query]
        mass = self.mass[rows]
        return Pairs(self.features[rows], self.ahead[rows], mass / (mass.sum() or 1.0), self.query[rows])

    def over(self, columns: Sequence[int]) -> "Pairs":
        """The same pairs with these axes alone."""
        return Pairs(self.features[:, [*columns, self.axes]], self.ahead, self.mass, self.query)


def pairs(judged: Sequence[Judged]) -> Pairs:
    """Every pair of different labels within a query. Raises BadInput where queries have different axes, or there is none."""
    widths = {each.features.shape[1] for each in judged}
    if len(widths) != 1:
        raise BadInput(f"Expected queries over the same axes, but got {sorted(widths) or 'no query'}.", param="judged")
    features, ahead, gaps, owner = [], [], [], []
    for number, each in enumerate(judged):
        higher, lower = np.nonzero(each.labels[:, None] > each.labels[None, :])
        table = np.column_stack((each.features, -each.unsettled))
        features.append(table[higher] - table[lower])
        ahead.append(each.base[higher] - each.base[lower])
        gaps.append(each.labels[higher] - each.labels[lower])
        owner.append(np.full(len(higher), number, np.int64))
    gap = np.concatenate(gaps)
    return Pairs(np.concatenate(features), np.concatenate(ahead), gap / (gap.sum() or 1.0), np.concatenate(owner))
