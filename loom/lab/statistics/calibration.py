"""Expected calibration error: how far stated confidence is from how often it is right, over bins of confidence."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.statistics.checks import count, numbers, together, truths

KINDS = ("width", "mass")


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers with a confidence above `above` up to `upto`: how many, their mean confidence, the share that is right."""

    above: float
    upto: float
    n: int
    confidence: float
    accuracy: float

    def as_json(self) -> dict[str, Json]:
        return {
            "above": self.above,
            "upto": self.upto,
            "n": self.n,
            "confidence": self.confidence,
            "accuracy": self.accuracy,
        }


@dataclass(frozen=True, slots=True)
class Calibration:
    """`error` weights each bin's gap by its size; `greatest` is the largest gap. Empty bins are left out."""

    error: float
    greatest: float
    bins: tuple[Bin, ...]

    def as_json(self) -> dict[str, Json]:
        return {"ece": self.error, "mce": self.greatest, "bins": [each.as_json() for each in self.bins]}


def ece(confidences: Iterable[Any], correct: Iterable[Any], *, bins: int = 10, kind: str = "width") -> Calibration:
    """Calibration over bins of equal width, or of equal mass (equal confidences always share a bin).

    Bins are open below and closed above; a confidence of 0 is in the first. Raises BadInput.
    """
    stated, right = numbers(confidences, "confidences"), truths(correct, "correct")
    together("confidences", len(stated), "correct", len(right))
    count(bins, "bins", least=1, most=1_000_000)
    if kind not in KINDS:
        raise BadInput(f"Expected bins of equal {' or '.join(KINDS)}, but got {kind!r}.", param="kind")
    if stated.min() < 0 or stated.max() > 1:
        raise BadInput("Expected every confidence to be between 0 and 1.", param="confidences")
    if kind == "width":
        edges = np.arange(1, bins + 1) / bins
    else:
        ends = np.ceil(np.arange(1, bins + 1) * len(stated) / bins).astype(int)
        edges = np.unique(np.sort(stated)[np.maximum(ends, 1) - 1])
    places = np.minimum(np.searchsorted(edges, stated, side="left"), len(edges) - 1)
    made = []
    for place, upto in enumerate(edges):
        inside = places == place
        if inside.any():
            made.append(
                Bin(
                    float(edges[place - 1]) if place else 0.0,
                    float(upto),
                    int(inside.sum()),
                    float(stated[inside].mean()),
                    float(right[inside].mean()),
                )
            )
    gaps = [abs(each.confidence - each.accuracy) for each in made]
    return Calibration(sum(each.n * gap for each, gap in zip(made, gaps, strict=True)) / len(stated), max(gaps), tuple(made))
