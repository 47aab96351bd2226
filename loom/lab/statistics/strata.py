"""A rate over a frame of which each stratum was sampled: the strata's rates, weighted by what they stand for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.statistics.bootstrapping import RESAMPLES, SEED, means
from loom.lab.statistics.checks import drawing, truths
from loom.lab.statistics.percentiles import drawn
from loom.lab.statistics.units import units


@dataclass(frozen=True, slots=True)
class Stratum:
    """A sample of one stratum: `size` units in the frame (N_s), of the sampled ones the outcomes (0 or 1) and, where they are
    not independent, the cluster of each (its question, or its model)."""

    size: int
    outcomes: Sequence[Any]
    clusters: Sequence[Any] | None = None


@dataclass(frozen=True, slots=True)
class WeightedRate:
    """R, its bootstrap interval, and of each stratum its size, sampled units, successes and number of clusters."""

    rate: float
    ci: tuple[float, float]
    confidence: float
    strata: tuple[tuple[int, int, int, int], ...]
    seed: int
    resamples: int

    def as_json(self) -> dict[str, Json]:
        names = ("size", "sampled", "successes", "clusters")
        return {
            "rate": self.rate,
            "ci": None if self.ci[0] != self.ci[0] else list(self.ci),
            "confidence": self.confidence,
            "strata": [dict(zip(names, each, strict=True)) for each in self.strata],
        }


def weighted_rate(
    strata: Iterable[Stratum], *, seed: int = SEED, resamples: int = RESAMPLES, confidence: float = 0.95
) -> WeightedRate:
    """R = Σ N_s p_s / Σ N_s with a stratified cluster bootstrap (seed 000 §10.2).

    Each draw resamples clusters within each stratum, as many as it has, recomputes each stratum's pooled rate p_s and combines
    them by the same N_s. Strata are drawn independently and in the order given; a stratum without `clusters` resamples its
    units, one with a single cluster leaves the interval undefined (NaN). For the audit give the credited stratum (n11) and the
    omitted one (n10), first with the questions as clusters, then with the models:

        weighted_rate([Stratum(9865, verdicts11, questions11), Stratum(735, verdicts10, questions10)])

    Raises BadInput for an empty stratum, an outcome other than 0 and 1, or a size below 1.
    """
    drawing(seed, resamples, confidence)
    given = list(strata)
    if not given:
        raise BadInput("Expected at least one stratum.", param="strata")
    random = np.random.default_rng(seed)
    rate, draws, whole = 0.0, np.zeros(resamples), sum(stratum.size for stratum in given)
    told = []
    for stratum in given:
        if stratum.size < 1:
            raise BadInput(f"Expected the size of a stratum to be at least 1, but got {stratum.size}.", param="strata")
        outcomes = truths(stratum.outcomes, "outcomes")
        found = units(outcomes, stratum.clusters)
        rate += stratum.size * found.mean
        if stratum.clusters is not None and len(found) < 2:
            draws += np.nan
        else:
            draws += stratum.size * means(found, random, resamples)
        told.append((stratum.size, len(outcomes), int(outcomes.sum()), len(found)))
    return WeightedRate(rate / whole, drawn(draws / whole, confidence), confidence, tuple(told), seed, resamples)
