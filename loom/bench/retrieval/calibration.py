"""Whether a confidence means what it says: predictions against what turned out right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from loom.answer.plan import Pin
from loom.bench.retrieval.counting import Bin, ece, equal_mass, equal_width
from loom.bench.retrieval.nodes import Answered
from loom.bench.retrieval.scores import Score, right
from loom.core.retrieval.confidence import Calibration
from loom.core.values import Json


@dataclass(frozen=True, slots=True)
class HeldOut:
    """What was measured of a model of confidence when it was made, on questions made from the generation that no fit had seen.

    `dots` are (said, true, share) of bins of one weight; `spoke` is the share of each kind of question that would be spoken to.
    """

    name: str
    tested: int
    ece: float
    dots: Sequence[tuple[float, float, float]]
    spoke: Mapping[str, float]

    def as_json(self) -> dict[str, Json]:
        return {
            "name": self.name,
            "tested": self.tested,
            "ece": self.ece,
            "bins": [list(dot) for dot in self.dots],
            "spoke": dict(self.spoke),
        }


def held_out(pin: Pin) -> list[HeldOut]:
    """Of the model that is part of the generation, and of the one beside its vectors; neither where nothing was calibrated."""
    part = pin.generation.part(Calibration)
    stated = [
        ("without vectors", part.stated.get("lexical") if part else None),
        ("with vectors", pin.semantics.calibration.get("semantic") if pin.semantics else None),
    ]
    found = []
    for name, model in stated:
        measured = (model or {}).get("measured")
        if measured:
            dots = [(said, true, share) for share, said, true in measured["reliability"]]
            found.append(HeldOut(name, measured["tested"], measured["ece"], dots, measured.get("spoke", {})))
    return found


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
