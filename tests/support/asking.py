"""Questions asked of concepts held in memory, along the one path that every surface takes."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from loom.answer.finders.ontology import OntologyFinder
from loom.answer.pipeline import prepare
from loom.answer.plan import Finder, Pin, Plan
from loom.bench.matching import MATCHERS
from loom.build import seal
from loom.build.checks import KINDS
from loom.build.seal import PressedFiles
from loom.core.concepts import Concepts
from loom.core.matching.match import Match
from loom.core.policy.policy import Policy, default, reference
from loom.core.report import Report
from loom.core.values import Concept, Options, Question, Scope

POLICIES: Mapping[str, Policy] = {"default": default(), "reference": reference()}
TESTER = Scope("tester")


class Pressed:
    """A generation in memory with the parts that sealing would write, and no folder behind it."""

    def __init__(
        self, concepts: Sequence[Concept], extra: Mapping[str, Mapping[str, bytes | np.ndarray]] | None = None
    ) -> None:
        self.id = "sha256:" + "0" * 64
        self.manifest: Mapping[str, Any] = {"id": self.id, "format": 1, "parts": {}, "notes": {}}
        self._files = {name: files for name, files in seal.parts(concepts, Report(KINDS))} | dict(extra or {})
        self._open: dict[str, Any] = {}

    def part(self, kind: Any) -> Any:
        if kind.KIND not in self._open:
            files = self._files.get(kind.KIND)
            self._open[kind.KIND] = None if files is None else kind.open(PressedFiles(files))
        return self._open[kind.KIND]

    def close(self) -> None:
        return None


def pinned(*concepts: Concept) -> Pin:
    return Pin(Pressed(concepts))


def matches(pin: Pin, text: str, limit: int, matcher: str) -> list[Match]:
    kind, search = MATCHERS[matcher]
    lexicon, concepts = pin.generation.part(kind), pin.generation.part(Concepts)
    assert lexicon is not None and concepts is not None
    return search(lexicon, concepts.quality, text, limit)


def plan(
    pin: Pin,
    text: str,
    policy: str = "default",
    *,
    budget: int = 1500,
    finders: Sequence[Finder] = (OntologyFinder(),),
    body: Mapping[str, Any] | None = None,
    shape: str = "plain",
    **options: Any,
) -> Plan:
    """The plan of one question, by finders that never wait: such a plan is made in one step, inside a loop or out of one."""
    question = Question(text, TESTER, body or {}, shape, Options(**options))
    steps = prepare(question, pin, finders, POLICIES, policy=policy, budget=budget)
    try:
        steps.send(None)
    except StopIteration as made:
        found: Plan = made.value
        return found
    raise AssertionError("a finder waited")
