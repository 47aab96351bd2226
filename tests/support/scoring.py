"""Made rows for scoring: names that occur nowhere else, so that what is shown and said is known without a matcher."""

from collections.abc import Iterator, Sequence
from typing import Any

from loom.lab.question import LabQuestion, Target
from loom.lab.row import Row
from loom.lab.showing import user


def name(question: int, item: int) -> str:
    """The name of an item: one word that no other name is part of."""
    return f"Zq{question:04}x{item:02}"


def made(
    id: str,
    gold: Sequence[str],
    shown: Sequence[str],
    said: Sequence[str] | str,
    *,
    kind: str = "all",
    arm: str = "scaffold",
    model: str = "m",
    status: str = "answered",
    template: str = "T-REL",
    domain: str = "kitchen",
    prompt: str = "What is it?",
    **more: Any,
) -> Row:
    """One row: a block that shows names, and an answer that says some."""
    answer = said if isinstance(said, str) else ", ".join(said)
    block = " · ".join(shown)
    return Row(
        LabQuestion(id, prompt, tuple(map(Target, gold)), kind, template=template, domain=domain),
        arm,
        model,
        status,
        {"messages": [{"role": "system", "content": block}, *user(prompt)], "block": block, "names": list(shown)},
        {"answer": answer, "finish_reason": "stop", "attempts": [{}], **more},
    )


def published() -> Iterator[Row]:
    """510 questions and ten models with the counts of a published sweep: n11 9,865, n10 735, n01 3, n00 757.

    1,136 names, 1,060 of them shown (macro .9645). 45 questions take any of their names, 17 of those have two, and 52 of the
    omissions are of one whose other was said. Three models say one name that was not shown.
    """
    asked = list(_asked())
    for model in range(10):
        compliant = 6 if model < 2 else 5
        omitted = (74 if model < 5 else 73) - compliant
        beyond = int(model in (2, 5, 8))
        for at, (kind, gold, shown) in enumerate(asked):
            said = shown
            if len(shown) == len(gold) == 2 and kind == "any" and compliant:
                said, compliant = shown[1:], compliant - 1
            elif len(shown) == len(gold) == 2 and kind == "all" and omitted:
                said, omitted = shown[1:], omitted - 1
            elif len(shown) < len(gold) and beyond:
                said, beyond = gold, 0
            yield made(f"q{at:03}", gold, shown, said, kind=kind, model=f"model-{model}", domain=f"d{at % 15:02}")
        assert (compliant, omitted, beyond) == (0, 0, 0)


def _asked() -> Iterator[tuple[str, list[str], list[str]]]:
    """Whether all or any is asked for, the names, and those that are shown."""
    sizes = [("any", 1, 0)] * 28 + [("any", 2, 0)] * 17 + [("all", 4, 1)] * 58 + [("all", 5, 1)] * 18
    sizes += [("all", 2, 0)] * 363 + [("all", 1, 0)] * 26
    for at, (kind, names, hidden) in enumerate(sizes):
        gold = [name(at, item) for item in range(names)]
        yield kind, gold, gold[hidden:]
