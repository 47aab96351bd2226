"""How far a ranking is to be trusted: the probability that what would be served is what the question is about.

A model is logistic over few features, and its scores are scaled to probabilities by what was right among questions that it was not
fitted to (Platt's scaling). Both are made when a generation is built (`loom.build.calibrating`), from questions that the generation itself gives rise
to and from general ones, and kept in the part `calibration`; the model that reads vectors too is kept beside the vectors.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from loom.core.generation import PartFiles
from loom.core.retrieval.fit import sigmoid
from loom.core.retrieval.look import LEXICAL
from loom.core.values import Json

FULL = 0.5
"""A question more likely than not about what is found is shown it in full."""


@dataclass(frozen=True, slots=True)
class Model:
    """`names` are the features in order; `weights` has the intercept first; `scale` is the intercept and slope that turn its scores
    into log odds.

    `part` is the probability from which something is shown, `everyday` that for a question in which an everyday word is also a
    name (the feature of that name is above 0): most often it is not meant. Below, the node is silent.
    """

    names: tuple[str, ...]
    weights: tuple[float, ...]
    scale: tuple[float, float]
    part: float
    everyday: float

    def bands(self, features: Sequence[float]) -> tuple[float, float]:
        """The probabilities from which a question with these features is shown something, and everything."""
        part = self.everyday if features[self.names.index("everyday")] > 0 else self.part
        return part, max(FULL, part)

    def score(self, features: Sequence[float]) -> float:
        return self.weights[0] + sum(weight * value for weight, value in zip(self.weights[1:], features, strict=True))

    def probability(self, features: Sequence[float]) -> float:
        shift, slope = self.scale
        return round(sigmoid(shift + slope * self.score(features)), 6)

    @classmethod
    def read(cls, stated: Mapping[str, Json], features: tuple[str, ...]) -> Self | None:
        """From its form in JSON; None where it was learned from other features than these, by an earlier or later version.
        Raises KeyError, TypeError or ValueError for anything else."""
        if tuple(stated["features"]) != features:
            return None
        shift, slope = map(float, stated["scale"])
        names, weights = tuple(map(str, stated["features"])), tuple(map(float, stated["weights"]))
        if len(weights) != len(names) + 1:
            raise ValueError(f"Expected a weight for each of {len(names)} features and an intercept, but got {len(weights)}.")
        return cls(names, weights, (shift, slope), float(stated["part"]), float(stated["everyday"]))


class Calibration:
    """The part `calibration`: the model that needs no vectors, and what was measured of it."""

    KIND: ClassVar[str] = "calibration"

    def __init__(self, stated: Mapping[str, Json]) -> None:
        self.stated = stated
        self.lexical = Model.read(stated["lexical"], LEXICAL)

    @classmethod
    def open(cls, files: PartFiles) -> Self:
        return cls(json.loads(bytes(files.blob("calibration.json"))))
