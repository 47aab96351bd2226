"""One run over all sets: the node, the single retrievers beside it, each component off in turn."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from loom import compose
from loom.answer.finders.switches import COMPONENTS
from loom.answer.plan import Pin
from loom.bench.retrieval import calibration
from loom.bench.retrieval.beside import alone, retrievers
from loom.bench.retrieval.calibration import HeldOut, Reliability, held_out, reliability
from loom.bench.retrieval.cost import cost
from loom.bench.retrieval.counting import share
from loom.bench.retrieval.nodes import Answered, ask, gate_open, without
from loom.bench.retrieval.scores import Score, rephrased, scored
from loom.bench.retrieval.sets import Sets
from loom.bench.retrieval.trade import Bargain, kinds, trade
from loom.core.concepts import Concepts
from loom.core.values import Json, Options

Rows = Mapping[str, Sequence[Answered]]
HEADLINES = (
    "in-title.ceiling",
    "in-title.tokens",
    "rephrased.ceiling",
    "rephrased.served",
    "rephrased.first",
    "rephrased.tokens",
    "gate.off-domain",
    "gate.in-domain",
    "gate.auc",
    "gate.everyday",
    "gate.adjacent",
    "surface.first",
    "follow-ups.served",
    "follow-ups.dragged",
    "calibration.ece",
)
"""The figures that are shown for every component that is off."""

REFERENCE = "reference matcher"
Say = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Result:
    """All that was measured. `beside` holds the figures of single retrievers on the rephrased questions, None for those that this
    generation was not built for; `off` those of the node without a component; `reference` those of the policy of that name;
    `held_out` what was measured of confidence when the generation was built."""

    generation: str
    concepts: int
    counts: Mapping[str, int]
    scores: Sequence[Score]
    reliability: Sequence[Reliability]
    beside: Mapping[str, Sequence[Score] | None] = field(default_factory=dict)
    off: Mapping[str, Sequence[Score]] = field(default_factory=dict)
    trade: Sequence[Bargain] = ()
    reference: Sequence[Score] = ()
    held_out: Sequence[HeldOut] = ()

    def value(self, key: str) -> float | None:
        return next((score.value for score in self.scores if score.key == key), None)

    def as_json(self) -> dict[str, Json]:
        return {
            "generation": self.generation,
            "concepts": self.concepts,
            "questions": dict(self.counts),
            "scores": [score.as_json() for score in self.scores],
            "reliability": [each.as_json() for each in self.reliability],
            "beside": {
                name: None if scores is None else [each.as_json() for each in scores] for name, scores in self.beside.items()
            },
            "held_out": [each.as_json() for each in self.held_out],
            "reference": [each.as_json() for each in self.reference],
            "trade": [each.as_json() for each in self.trade],
            "without": {name: [each.as_json() for each in scores] for name, scores in self.off.items()},
        }


def run(
    node: compose.Node, pin: Pin, sets: Sets, *, ablations: bool = True, say: Say = lambda what: None
) -> tuple[Result, Rows]:
    """Measure, and give every row as well; `say` is told what is being measured."""
    concepts = pin.generation.part(Concepts)
    say("the node")
    rows = asked_of(node, pin, sets)
    scores, reliable = figures(node, pin, sets, rows)
    scores += unmoved(node, pin, sets, rows)
    say("its cost")
    scores += cost(node, pin, rows)
    say("the reference policy")
    plain = {name: ask(node, pin, sets[name], Options(policy="reference")) for name in sets}
    say("single retrievers")
    beside = single(node, pin, sets, plain["rephrased"]) if sets["rephrased"] else {}
    say("what exposure costs")
    with kinds(node, pin) as at_hand:
        bargains = trade(node, pin, sets, at_hand)
    off: dict[str, Sequence[Score]] = {}
    for component in COMPONENTS if ablations else ():
        say(f"the node without {component}")
        reduced = without(node, component)
        off[component] = figures(reduced, pin, sets, asked_of(reduced, pin, sets))[0]
    counts = {name: len(sets[name]) for name in sets if sets[name]}
    many = concepts.count if concepts else 0
    return Result(pin.generation.id, many, counts, scores, reliable, beside, off, bargains, scored(plain), held_out(pin)), rows


def asked_of(node: compose.Node, pin: Pin, sets: Sets) -> Rows:
    """What the node gives for every question of every set."""
    return {name: ask(node, pin, sets[name]) for name in sets}


def figures(node: compose.Node, pin: Pin, sets: Sets, rows: Rows) -> tuple[list[Score], list[Reliability]]:
    """Figures and reliability of one node over rows that it gave."""
    opened = gate_open(node)
    reliable = reliability({name: ask(opened, pin, sets[name]) for name in calibration.SETS})
    return [*scored(rows), *calibration.scores(reliable)], reliable


SELF_CONTAINED = ("in-title", "surface")


def unmoved(node: compose.Node, pin: Pin, sets: Sets, rows: Rows) -> list[Score]:
    """Questions that stand by themselves, asked again after the beginning of somebody's conversation: the same block?"""
    talks = [talk for each in sets["follow-ups"] if len(talk := each.messages[:-1])]
    alone = [each for name in SELF_CONTAINED for each in rows.get(name, ())]
    if not talks or not alone:
        return []
    after = [replace(each.asked, messages=(*talks[at % len(talks)], *each.asked.messages)) for at, each in enumerate(alone)]
    same = share(now.given.block == was.given.block for now, was in zip(ask(node, pin, after), alone, strict=True))
    return [
        Score("follow-ups.unmoved", "question that stands by itself: same block after another talk", same.value, share=same)
    ]


def single(node: compose.Node, pin: Pin, sets: Sets, plain: Sequence[Answered]) -> dict[str, Sequence[Score] | None]:
    """The rephrased questions, by the reference policy, which gave `plain`, and by each retriever alone."""
    asked = sets["rephrased"]
    found: dict[str, Sequence[Score] | None] = {REFERENCE: rephrased(plain, "beside")}
    for name, ranked in retrievers(pin).items():
        found[name] = rephrased(ask(alone(node, ranked), pin, asked), "beside") if ranked else None
    return found
