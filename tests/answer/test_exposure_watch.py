"""The watch that counts what an answer delivers of what its block showed."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from support.asking import pinned, plan
from support.worked import CLASSES

from loom.answer.watches.exposure import ExposureWatch
from loom.core.values import Concept, Outcome

PIN = pinned(*CLASSES, Concept("urn:c:crucible", "Crucible"), Concept("urn:c:glass-furnace", "Glass Furnace"))
ASKED = "How does a tide kiln work?"
SHOWN = ["Tide Kiln", "Kiln", "heat-source", "artefact", "Tide Table", "Salt Glaze", "missing-thing", "Harbour Rule"]
DONE = Outcome("answered", "")


def counted(
    answer: str, text: str = ASKED, policy: str = "default", body: Mapping[str, Any] | None = None, **options: Any
) -> Any:
    watch = ExposureWatch(plan(PIN, text, policy, body=body, **options))
    for at in range(0, len(answer), 5):
        watch.feed(answer[at : at + 5])
    report = watch.report(DONE)
    asyncio.run(watch.after(DONE))
    assert (watch.counted is None) == (report is None)
    return report


@pytest.mark.parametrize("policy", ["default", "reference"])
def test_targets_are_the_names_shown(policy: str) -> None:
    found = counted("A tide kiln is a kiln that needs a tide table and salt glazes.", policy=policy)
    assert found["targets"] == len(SHOWN)
    expected = SHOWN[2:4] + SHOWN[6:]
    assert found["dropped"] == expected
    assert found["delivered"] == len(SHOWN) - len(expected) == found["counts"]["n11"]
    assert found["counts"] == {"n11": found["delivered"], "n10": len(expected), "n01": 0, "n00": None}


def test_names_of_the_corpus_that_nothing_had_named_are_beyond() -> None:
    assert counted("It differs from a glass furnace and crucibles.")["beyond"] == ["Crucible", "Glass Furnace"]
    assert counted("A crucible.", text=f"{ASKED} Like a crucible?")["beyond"] == []
    told = {
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "I own a crucible."}]},
            {"role": "user", "content": ASKED},
        ]
    }
    found = counted("A crucible in a glass furnace.", body=told)
    assert (found["beyond"], found["counts"]["n01"]) == (["Glass Furnace"], 1)


def test_with_gold_all_four_counts_are_numbers() -> None:
    found = counted("A kiln, a crucible.", gold=("Kiln", "Tide Table", "Crucible", "Glass Furnace"))
    assert found["counts"] == {"n11": 1, "n10": 1, "n01": 1, "n00": 1}
    assert (found["targets"], found["delivered"], found["dropped"], found["beyond"]) == (4, 2, ["Tide Table"], ["Crucible"])


def test_with_gold_an_ungrounded_answer_is_counted_too() -> None:
    found = counted("A crucible.", text="How do I bake bread?", gold=("Kiln", "Crucible"))
    assert found["counts"] == {"n11": 0, "n10": 0, "n01": 1, "n00": 1}


@pytest.mark.parametrize("answer", ["", " \n"])
def test_an_answer_without_text_is_not_counted(answer: str) -> None:
    """A tool call delivers no names, and dropped none either."""
    assert counted(answer) is None
    assert counted(answer, gold=("Kiln",)) is None


def test_an_ungrounded_answer_is_not_counted() -> None:
    assert counted("A kiln.", text="How do I bake bread?") is None
    assert counted("A kiln.", off=True) is None
