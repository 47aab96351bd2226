"""Whether a confidence means what it says: predictions against what turned out right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from loom.bench.retrieval.counting import Bin, ece, equal_mass, equal_width
from loom.bench.retrieval.nodes import Answered
from loom.bench.retrieval.scores import Score, right
from loom.core.values import Json

SETS = ("in-title", "rephrased", "gate")


@dataclass(frozen=True, slots=True)
class Reliability:
    """Confidences of one group of questions in bins, and how far they are from the truth."""

    name: str
    count: int
    width: float
    mass: float
    bins: Sequence[Bin]

    def as_json(self) -> dict[str, Json]:
        bins = [{"count": each.count, "said": round(each.said, 6), "true": round(each.true, 6)} for each in self.bins]
        return {
            "name": self.name,
            "count": self.count,
            "ece": round(self.width, 6),
            "ece_equal_mass": round(self.mass, 6),
            "bins": bins,
        }


def reliability(rows: Mapping[str, Sequence[Answered]]) -> list[Reliability]:
    """Of all sets together and of each, on what was found with the gate open; rows without a confidence say nothing."""
    predictions = {
        name: [(each.given.confidence, right(name, each)) for each in rows.get(name, ()) if each.given.confidence is not None]
        for name in SETS
    }
    groups = {"all together": [each for name in SETS for each in predictions[name]], **predictions}
    return [
        Reliability(name, len(each), ece(each, equal_width), ece(each, equal_mass), equal_width(each))
        for name, each in groups.items()
        if each
    ]


def scores(found: Sequence[Reliability]) -> list[Score]:
    """The figures of all sets together."""
    return [
        score
        for each in found[:1]
        for score in (
            Score("calibration.ece", f"ECE over {each.count} questions, ten bins of one width", each.width),
            Score("calibration.ece-mass", f"ECE over {each.count} questions, ten bins of one size", each.mass),
        )
    ]
