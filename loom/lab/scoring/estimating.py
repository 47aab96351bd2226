"""Means with their intervals, for many groups of the same rows: equal columns are computed once."""

from dataclasses import dataclass, field

import numpy as np

from loom.lab.scoring.figures import Estimate, Interval

MANY = 20_000
"""Rows above which resampled means are drawn by how often each distinct value is picked, which is the same distribution."""


@dataclass(slots=True)
class Estimator:
    """`clusters` is a number for each row (what is resampled together), or None. `resamples` 0 gives means alone."""

    clusters: np.ndarray | None = None
    seed: int = 42
    resamples: int = 10_000
    confidence: float = 0.95
    _known: dict[tuple[bytes, bytes], Estimate] = field(default_factory=dict)

    def __call__(self, values: np.ndarray, rows: np.ndarray) -> Estimate:
        """The mean of `values` at `rows` (i64)."""
        found = np.ascontiguousarray(values[rows], dtype=np.float64)
        if not len(found):
            return Estimate(None)
        if not self.resamples:
            return Estimate(float(found.mean()))
        key = (found.tobytes(), rows.tobytes()) if len(found) <= MANY else (b"", b"")
        if key[0] and (known := self._known.get(key)):
            return known
        made = Estimate(float(found.mean()), self._rows(found), self._clustered(found, rows))
        if key[0]:
            self._known[key] = made
        return made

    def _rows(self, values: np.ndarray) -> Interval | None:
        from loom.lab.statistics import interval
        from loom.lab.statistics.percentiles import drawn

        if len(values) < 2:
            return None
        if len(values) <= MANY:
            made = interval(values, seed=self.seed, resamples=self.resamples, confidence=self.confidence)
            return made.bounds
        distinct, counts = np.unique(values, return_counts=True)
        random = np.random.default_rng(self.seed)
        picked = random.multinomial(len(values), counts / len(values), size=self.resamples)
        return drawn(picked @ distinct / len(values), self.confidence)

    def _clustered(self, values: np.ndarray, rows: np.ndarray) -> Interval | None:
        """Whole clusters are drawn, and the mean is the pooled one: a cluster is its mean, weighted by its rows."""
        from loom.lab.statistics import interval

        if self.clusters is None:
            return None
        _, places = np.unique(self.clusters[rows], return_inverse=True)
        sizes = np.bincount(places).astype(np.float64)
        if len(sizes) < 2:
            return None
        means = np.bincount(places, weights=values) / sizes
        made = interval(means, weights=sizes, seed=self.seed, resamples=self.resamples, confidence=self.confidence)
        return made.bounds
