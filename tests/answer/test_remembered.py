"""A question that is asked again of the same generation is given what it was given, and nothing else is."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from support.asking import POLICIES, TESTER, pinned
from support.worked import CLASSES

from loom.answer.finders.ontology import OntologyFinder
from loom.answer.pipeline import LONGEST_REMEMBERED, prepare
from loom.answer.plan import Pin
from loom.core.policy.policy import Policy
from loom.core.values import Finding, Options, Question

ASKED = "How does a tide kiln work?"


class Counted(OntologyFinder):
    """Counts how often it was asked."""

    def __init__(self, *, waits: bool = False, fails: bool = False) -> None:
        super().__init__()
        self.waits = waits
        self._fails = fails
        self.asked = 0

    async def find(self, question: Question, pin: Pin, policy: Policy) -> Finding:
        self.asked += 1
        if self._fails:
            raise RuntimeError("not now")
        return await super().find(question, pin, policy)


def ask(finder: Counted, pin: Pin, *questions: tuple[str, dict[str, Any]]) -> Sequence[str]:
    async def all_of_them() -> list[str]:
        plans = [
            await prepare(Question(text, TESTER, {}, options=Options(**options)), pin, (finder,), POLICIES)
            for text, options in questions
        ]
        return [plan.block.text for plan in plans]

    return asyncio.run(all_of_them())


def test_the_same_question_is_looked_up_once() -> None:
    finder, pin = Counted(), pinned(*CLASSES)
    first, again = ask(finder, pin, (ASKED, {}), (ASKED, {"wrapper": "bare"}))
    assert first and first == again and finder.asked == 1
    assert ask(finder, pinned(*CLASSES[1:]), (ASKED, {})) != [first] and finder.asked == 2


@pytest.mark.parametrize(
    "options",
    [
        {"budget": 60},
        {"policy": "reference"},
        {"max_units": 1},
        {"hops": 0},
        {"prose": True},
        {"context": "hydrate"},
        {"readout": "off"},
        {"off": True},
    ],
)
def test_other_options_are_another_question(options: dict[str, Any]) -> None:
    finder, pin = Counted(), pinned(*CLASSES)
    _, second = ask(finder, pin, (ASKED, {}), (ASKED, options))
    assert [second] == list(ask(Counted(), pinned(*CLASSES), (ASKED, options)))
    assert finder.asked == (1 if "off" in options else 2)


@pytest.mark.parametrize("finder", [Counted(waits=True), Counted(fails=True)], ids=["waits", "fails"])
def test_what_waits_or_failed_is_looked_up_again(finder: Counted) -> None:
    ask(finder, pinned(*CLASSES), (ASKED, {}), (ASKED, {}))
    assert finder.asked == 2


def test_long_texts_are_not_kept() -> None:
    finder, pin = Counted(), pinned(*CLASSES)
    text = ASKED + " kiln" * (LONGEST_REMEMBERED // 5)
    ask(finder, pin, (text, {}), (text, {}))
    assert finder.asked == 2 and not pin.grounded
