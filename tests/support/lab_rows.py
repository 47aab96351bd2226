"""Rows of made-up studies whose truth is known by construction: questions about parts, and answerers that copy, drop or add."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from loom.lab.question import LabQuestion, Target
from loom.lab.row import Row

PARTS = (
    "anchor",
    "basket",
    "candle",
    "dragon",
    "engine",
    "funnel",
    "garlic",
    "hammer",
    "island",
    "jacket",
    "kettle",
    "lantern",
)

Answer = Callable[[random.Random, Sequence[str], Sequence[str]], str]
"""(draws, the names that were shown, the names asked for) to an answer."""


def copies(draw: random.Random, shown: Sequence[str], gold: Sequence[str]) -> str:
    return ", ".join(shown) or "unknown"


def drops(draw: random.Random, shown: Sequence[str], gold: Sequence[str]) -> str:
    return ", ".join(name for name in shown if draw.random() < 0.8) or "unknown"


def empties(draw: random.Random, shown: Sequence[str], gold: Sequence[str]) -> str:
    return "" if draw.random() < 0.25 else ", ".join(shown) or "unknown"


def recalls(draw: random.Random, shown: Sequence[str], gold: Sequence[str]) -> str:
    """Also says what was asked for and not shown, one time in three."""
    return ", ".join([*shown, *(name for name in gold if name not in shown and draw.random() < 1 / 3)]) or "unknown"


ANSWERS: dict[str, Answer] = {"copier": copies, "dropper": drops, "silent": empties, "recaller": recalls}
EXPOSED = {"raw": 0.0, "scaffold": 0.9, "true": 0.9, "irrelevant": 0.1, "flat-fused": 0.7, "graph-query": 0.85}
"""The share of names that an arm shows."""


def questions(count: int, domains: int = 5, any_share: float = 0.2, seed: int = 1) -> list[LabQuestion]:
    draw, found = random.Random(seed), []
    for number in range(count):
        names = [f"{draw.choice(PARTS)} {number}x{at}q" for at in range(draw.randrange(1, 6))]
        found.append(
            LabQuestion(
                id=f"q{number:04}",
                prompt=f"What does thing number {number} need?",
                gold=tuple(Target(name) for name in names),
                gold_type="any" if draw.random() < any_share else "all",
                set="made",
                template=("T-REL", "T-TAX", "T-COMMON")[number % 3],
                domain=f"domain {number % domains}",
                reference=", ".join(names),
            )
        )
    return found


def rows(
    asked: Sequence[LabQuestion],
    models: Sequence[str] = ("copier", "dropper"),
    arms: Sequence[str] = tuple(EXPOSED),
    seed: int = 42,
    padding: int = 0,
) -> Iterator[Row]:
    """Question by question, arm by arm, model by model, as a study writes them. `padding` makes blocks longer."""
    for question in asked:
        for arm in arms:
            draw = random.Random(f"{seed}:{arm}:{question.id}")
            shown = [name for name in question.titles if draw.random() < EXPOSED.get(arm, 0.5)]
            donor = "no_donor" if arm == "irrelevant" and int(question.id[1:]) % 10 == 0 else None
            for model in models:
                answer = ANSWERS.get(model, drops)(random.Random(f"{seed}:{arm}:{model}:{question.id}"), shown, question.titles)
                yield row(question, arm, model, shown, answer, status=donor, padding=padding)


def row(
    question: LabQuestion,
    arm: str,
    model: str,
    shown: Sequence[str],
    answer: str,
    *,
    status: str | None = None,
    finish: str = "stop",
    padding: int = 0,
    **study: Any,
) -> Row:
    block = "" if arm == "raw" else "; ".join(shown) + " filler words of a block" * padding
    messages = [{"role": "system", "content": block}] if block else []
    messages.append({"role": "user", "content": question.prompt})
    asked = status is None
    return Row(
        question,
        arm,
        model,
        status or ("answered" if answer.strip() else "empty"),
        {
            "messages": messages if asked else [],
            "block": block,
            "block_tokens": (len(block) + 3) // 4,
            "units": [],
            "names": list(shown),
            "engaged": int(question.id[1:]) % 7 != 0,
        },
        {"answer": answer, "finish_reason": finish, "attempts": [{}] if answer.strip() else [{}, {}]} if asked else {},
        {"name": "made", "generation": "sha256:" + "0" * 64, "policy": "default", "seeds": {"study": 42}, **study},
    )
