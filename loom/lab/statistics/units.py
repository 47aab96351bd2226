"""What a bootstrap resamples: rows, or clusters of rows, each reduced to its weighted sum and its weight."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from loom.core.errors import BadInput
from loom.lab.statistics.checks import Floats, labels, numbers, together


@dataclass(frozen=True, slots=True)
class Units:
    """A mean over resampled units is sum(totals) / sum(weights), so that a cluster counts by its size (the pooled mean)."""

    totals: Floats
    weights: Floats

    def __len__(self) -> int:
        return len(self.totals)

    @property
    def level(self) -> bool:
        """Whether all units weigh the same."""
        return bool((self.weights == self.weights[0]).all())

    @property
    def mean(self) -> float:
        return float(self.totals.sum() / self.weights.sum())


def units(values: Iterable[float], clusters: Iterable[Any] | None = None, weights: Iterable[float] | None = None) -> Units:
    """Units of a list of values: one a row, or one a cluster label. Raises BadInput; weights are above 0."""
    found = numbers(values, "values")
    weight = np.ones(len(found)) if weights is None else numbers(weights, "weights")
    together("values", len(found), "weights", len(weight))
    if (weight <= 0).any():
        raise BadInput(f"Expected every weight to be above 0, but got {weight.min():g}.", param="weights")
    if clusters is None:
        return Units(found * weight, weight)
    names, places = labels(clusters, "clusters")
    together("values", len(found), "clusters", len(places))
    return Units(
        np.bincount(places, weights=found * weight, minlength=len(names)).astype(np.float64),
        np.bincount(places, weights=weight, minlength=len(names)).astype(np.float64),
    )
