"""The area under the ROC curve: how often a positive scores above a negative, ties counting half; and what two of them differ by."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.statistics.bootstrapping import CHUNK, RESAMPLES, SEED
from loom.lab.statistics.checks import Floats, Truths, drawing, labels, numbers, together, truths
from loom.lab.statistics.percentiles import drawn


@dataclass(frozen=True, slots=True)
class Auc:
    """The area, its bootstrap interval, and how many positives and negatives it rests on. `skipped` counts resamples of
    clusters in which one of the two classes did not come up."""

    auc: float
    ci: tuple[float, float]
    confidence: float
    positives: int
    negatives: int
    skipped: int = 0

    def as_json(self) -> dict[str, Json]:
        return {
            "auc": self.auc,
            "ci": list(self.ci),
            "confidence": self.confidence,
            "positives": self.positives,
            "negatives": self.negatives,
            "skipped": self.skipped,
        }


@dataclass(frozen=True, slots=True)
class AucDifference:
    """What the area of one score is more than that of another over the same cases, with its interval from resamples drawn for both at
    once; `skipped` as in `Auc`."""

    difference: float
    ci: tuple[float, float]
    confidence: float
    skipped: int = 0


def auc(scores: Iterable[Any], positive: Iterable[Any]) -> float:
    """The area from mid-ranks (Mann-Whitney). `positive` is 0 or 1 a score. Raises BadInput where a class is missing."""
    found, truth = _given(scores, positive)
    return float(_areas(found, truth, np.ones((1, len(found))))[0])


def auc_interval(
    scores: Iterable[Any],
    positive: Iterable[Any],
    *,
    clusters: Iterable[Any] | None = None,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
) -> Auc:
    """The same with its interval: positives and negatives resampled apart, or whole clusters (conversations). Raises BadInput."""
    drawing(seed, resamples, confidence)
    found, truth = _given(scores, positive)
    areas = np.concatenate([_areas(found, truth, counts) for counts in _resampled(truth, clusters, seed, resamples)])
    kept = _both(areas)
    whole = float(_areas(found, truth, np.ones((1, len(found))))[0])
    skipped = len(areas) - len(kept)
    return Auc(whole, drawn(kept, confidence), confidence, int(truth.sum()), int((~truth).sum()), skipped)


def auc_difference(
    one: Iterable[Any],
    other: Iterable[Any],
    positive: Iterable[Any],
    *,
    clusters: Iterable[Any] | None = None,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
) -> AucDifference:
    """How much better `one` tells positives from negatives than `other`; resampled as in `auc_interval`. Raises BadInput."""
    drawing(seed, resamples, confidence)
    found, truth = _given(one, positive)
    against = numbers(other, "other")
    together("one", len(found), "other", len(against))

    def gap(counts: Floats) -> Floats:
        return _areas(found, truth, counts) - _areas(against, truth, counts)

    gaps = np.concatenate([gap(counts) for counts in _resampled(truth, clusters, seed, resamples)])
    kept = _both(gaps)
    return AucDifference(float(gap(np.ones((1, len(found))))[0]), drawn(kept, confidence), confidence, len(gaps) - len(kept))


def _resampled(truth: Truths, clusters: Iterable[Any] | None, seed: int, resamples: int) -> Iterator[Floats]:
    """How often each case is in each resample, some resamples (rows) at a time."""
    random, many = np.random.default_rng(seed), len(truth)
    if clusters is None:
        parts = [np.flatnonzero(truth), np.flatnonzero(~truth)]
        places = np.arange(many)
    else:
        names, places = labels(clusters, "clusters")
        together("scores", many, "clusters", len(places))
        if len(names) < 2:
            raise BadInput("Expected at least two clusters to resample, but there is one.", param="clusters")
        parts = [np.arange(len(names))]
    at_once = max(1, CHUNK // many)
    for start in range(0, resamples, at_once):
        rows = min(at_once, resamples - start)
        counts = np.zeros((rows, int(places.max()) + 1))
        for part in parts:
            picked = part[random.integers(0, len(part), size=(rows, len(part)))]
            np.add.at(counts, (np.arange(rows)[:, None], picked), 1.0)
        yield counts[:, places]


def _both(found: Floats) -> Floats:
    """What came of the resamples that have both classes."""
    kept = found[~np.isnan(found)]
    if not len(kept):
        raise BadInput("No resample has both classes; give more clusters.", param="clusters")
    return kept


def _given(scores: Iterable[Any], positive: Iterable[Any]) -> tuple[Floats, Truths]:
    found, truth = numbers(scores, "scores"), truths(positive, "positive")
    together("scores", len(found), "positive", len(truth))
    if truth.all() or not truth.any():
        raise BadInput("Expected both positives and negatives, but all are of one kind.", param="positive")
    return found, truth


def _areas(scores: Floats, truth: Truths, counts: Floats) -> Floats:
    """The area for each row of counts (how often each score is in a resample); NaN where a class is missing."""
    order = np.argsort(scores, kind="stable")
    first = np.flatnonzero(np.r_[True, np.diff(scores[order]) != 0])
    ordered = counts[:, order]
    positive = np.add.reduceat(ordered * truth[order], first, axis=1)
    negative = np.add.reduceat(ordered * ~truth[order], first, axis=1)
    below = np.cumsum(negative, axis=1) - negative / 2
    pairs = positive.sum(axis=1) * negative.sum(axis=1)
    with np.errstate(invalid="ignore"):
        areas: Floats = (positive * below).sum(axis=1) / np.where(pairs > 0, pairs, np.nan)
    return areas
