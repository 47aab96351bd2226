"""What tests of the arms share: the example corpus with vectors of a hashed bag of words, and a set of questions about it."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from support.kitchen import kitchen
from support.semantics import made

from loom import compose
from loom.answer.plan import Pin
from loom.answer.semantics import OpenSemantics
from loom.cli.lab.planning import ground
from loom.core.concepts import Concepts
from loom.lab.arms import Planned, plan_arms
from loom.lab.arms.graph import Rows
from loom.lab.ground import Ground
from loom.lab.question import LabQuestion
from loom.lab.questions import generate
from loom.lab.showing import Showing
from loom_adapters.fake_embedder import FakeEmbedder
from loom_adapters.vector_exact import ExactVectors


@dataclass(frozen=True)
class Kitchen:
    ground: Ground
    rows: Rows
    questions: tuple[LabQuestion, ...]

    def plan(self, questions: Sequence[LabQuestion], arms: Sequence[str] | str, seed: int = 42, **changes: Any) -> Planned:
        return asyncio.run(plan_arms(replace(self.ground, **changes), questions, arms, seed=seed, graph=self.rows))

    @property
    def concepts(self) -> Concepts:
        return self.ground.concepts


@contextmanager
def opened() -> Iterator[Kitchen]:
    with kitchen() as (node, bare):
        attached = made(bare.generation)
        semantics = OpenSemantics(attached.contract, FakeEmbedder(), ExactVectors(attached.files["vectors.npy"]))
        pin = Pin(bare.generation, semantics=semantics)
        rows = compose.rows(pin.generation)
        assert rows is not None
        using = ground(node, pin)
        yield Kitchen(using, rows, generate(using.concepts, seed=42).questions)


def by_arm(planned: Planned) -> dict[str, list[Showing]]:
    """The showings of each arm, in the order of the questions."""
    return {arm: [showing for showing in planned.showings if showing.arm == arm] for arm in planned.arms}
