"""The judge of contradictions that needs no model, on pairs whose truth is known: one table by kind of contradiction, with distractors."""

from collections import Counter
from dataclasses import dataclass
from random import Random

from loom.core.claims.judging.asked import Pair, Stated
from loom.core.claims.judging.verdicts import verdict
from loom.core.values import Json
from loom.lab.claims.worlds.words import entity

KINDS = ("negation", "number", "opposite", "reworded")
PAIRS = 100
"""Pairs of each kind, each with a distractor."""
_STATES = (("open", "closed"), ("full", "empty"), ("safe", "unsafe"), ("legal", "illegal"))
_REWORDED = (
    ("The {name} exceeds its budget.", "At {name} there is money left over."),
    ("The {name} is short of staff.", "Nobody is missing on the rota of {name}."),
    ("The {name} delivers late.", "Whatever comes from {name} arrives on the agreed day."),
)
_THINGS = ("turbine", "crane", "boiler", "press", "furnace", "ferry")


@dataclass(frozen=True, slots=True)
class Ruled:
    """`recall` by kind: contradictions that are seen; `alarms` by kind: distractors that are called one; `precision` over all."""

    pairs: int
    recall: dict[str, float]
    alarms: dict[str, float]
    precision: float | None

    def as_json(self) -> dict[str, Json]:
        return {"pairs": self.pairs, "recall": self.recall, "false_alarms": self.alarms, "precision": self.precision}


def ruled(seed: int, pairs: int = PAIRS) -> Ruled:
    """The rules on pairs that are drawn from a seed."""
    random = Random(f"{seed}:ruled")
    seen: Counter[str] = Counter()
    false: Counter[str] = Counter()
    for kind in KINDS:
        for _ in range(pairs):
            target, against, beside = _pair(kind, random)
            seen[kind] += verdict(Pair(Stated(against), Stated(target))).verdict == "contradicts"
            false[kind] += verdict(Pair(Stated(beside), Stated(target))).verdict == "contradicts"
    called = sum(seen.values()) + sum(false.values())
    return Ruled(
        pairs * len(KINDS),
        {kind: seen[kind] / pairs for kind in KINDS},
        {kind: false[kind] / pairs for kind in KINDS},
        sum(seen.values()) / called if called else None,
    )


def _pair(kind: str, random: Random) -> tuple[str, str, str]:
    """A claim, what contradicts it, and what is said beside it of the same entity."""
    name, thing = entity(random.randrange(10)), random.choice(_THINGS)
    one, other = random.sample(range(12, 90), 2)
    beside = f"The {thing} of {name} was painted in {random.choice(('March', 'April', 'June'))}."
    match kind:
        case "negation":
            target = f"{name} operates the {thing}."
            return target, f"{name} no longer operates the {thing}.", beside
        case "number":
            return f"{name} employs {one} people.", f"{name} employs {other} people.", f"{name} owns {other} lorries."
        case "opposite":
            state, opposite = random.choice(_STATES)
            return f"The {thing} of {name} is {state}.", f"The {thing} of {name} is {opposite}.", beside
        case _:
            target, against = random.choice(_REWORDED)
            return target.format(name=name), against.format(name=name), beside
