"""How long finding takes, told apart by the path that a question took."""

import asyncio
import gc
from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any, cast

import numpy as np

from loom import compose
from loom.answer.plan import Pin
from loom.answer.replay import question
from loom.bench.figures import median, quantile
from loom.bench.retrieval.nodes import Answered
from loom.bench.retrieval.scores import Score
from loom.core.values import Question
from loom.ports import Semantics

ROUNDS = 5
SPACES = 40
LEXICAL = "lexical"


def cost(node: compose.Node, pin: Pin, rows: Mapping[str, Sequence[Answered]]) -> list[Score]:
    """Milliseconds of `find` over every question that finders are asked: p50 and p95 of the medians of the questions, for those that
    names alone decided and for those that an embedding was made for; and of the whole way to the block."""
    asked = [each for name in rows for each in rows[name] if each.given.reason != "side_call"]
    finding, preparing = times(node, pin, asked)
    groups: dict[str, list[float]] = {}
    for each, took in zip(asked, finding, strict=True):
        groups.setdefault(kind_of(each.given.path), []).append(took)
    scores = [
        Score(f"cost.{kind}.{key}", f"find, {kind} path ({len(groups[kind])} questions), {key}", value, "ms")
        for kind in (LEXICAL, "text", "semantic")
        if kind in groups
        for key, value in (("p50", median(groups[kind])), ("p95", quantile(groups[kind], 0.95)))
    ]
    return [*scores, Score("cost.prepare.p50", "question to block, p50", median(preparing), "ms")] if preparing else scores


def kind_of(path: str | None) -> str:
    """lexical, text or semantic: the dearest retriever that a path asks."""
    return {None: LEXICAL, "fused": "semantic"}.get(path, path or LEXICAL)


def times(node: compose.Node, pin: Pin, rows: Sequence[Answered]) -> tuple[list[float], list[float]]:
    """Milliseconds of `find`, and of the whole way to the block, a median over rounds for each row."""
    return asyncio.run(_timed(node, pin, [question(each.asked) for each in rows]))


class Forgetful:
    """Semantics that embed a text each time that they are asked for its vector: with spaces after it, the vector is the same and the
    text another one. It has all that `Semantics` has."""

    def __init__(self, inner: Semantics) -> None:
        self._inner = inner
        self._asked = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def vector(self, text: str) -> np.ndarray:
        self._asked += 1
        return await self._inner.vector(
            f"{text.rstrip()}{' ' * (self._asked % SPACES)}\n{' ' * (self._asked // SPACES % SPACES)}"
        )


async def _timed(node: compose.Node, pin: Pin, questions: Sequence[Question]) -> tuple[list[float], list[float]]:
    """For each question the median over rounds; spaces at its end keep what was remembered of a round from serving the next."""
    if pin.semantics is not None:
        pin = replace(pin, semantics=cast(Semantics, Forgetful(pin.semantics)))
    policy = node.policies[node.settings.retrieval.policy]
    finding: list[list[float]] = [[] for _ in questions]
    preparing: list[list[float]] = [[] for _ in questions]
    gc.collect()
    for number in range(ROUNDS + 1):
        for at, each in enumerate(questions):
            asked = replace(each, text=each.text + " " * (2 * number))
            began = perf_counter()
            for finder in node.finders:
                await finder.find(asked, pin, policy)
            found = perf_counter()
            await node.prepare(replace(each, text=each.text + " " * (2 * number + 1)), replace(pin, grounded={}))
            if number:
                finding[at].append((found - began) * 1000)
                preparing[at].append((perf_counter() - found) * 1000)
    return [median(each) for each in finding], [median(each) for each in preparing]
