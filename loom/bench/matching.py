"""How long it takes to find what a question is about, and to make the block for it; in this process, without HTTP."""

import asyncio
import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter

import numpy as np

from loom import compose
from loom.answer.plan import Pin
from loom.bench.figures import Bar, Figure, median, quantile
from loom.bench.prompts import LENGTH, long_prompts
from loom.bench.setup import Setup
from loom.core.concepts import Concepts
from loom.core.errors import NoGeneration
from loom.core.matching import default, reference
from loom.core.matching.default import DefaultLexicon
from loom.core.matching.lexicon import Lexicon
from loom.core.matching.match import Match
from loom.core.matching.reference import ReferenceLexicon
from loom.core.policy.policy import POLICIES
from loom.core.values import Options, Question, Scope
from loom.settings import Settings
from loom.settings_groups import NodeSettings

MATCHES = 4
Timed = Callable[[str], object]


@contextmanager
def opened(setup: Setup) -> Iterator[tuple[compose.Node, Pin]]:
    """A node with default settings over the current generation."""
    node = compose.node(Settings(node=NodeSettings(generations=setup.generations)))
    id = node.store.current()
    if id is None:
        raise NoGeneration(
            f"There is no current generation in {setup.generations}; build one with `loom build SOURCE --out {setup.generations}`."
        )
    generation = node.store.open(id)
    try:
        yield node, Pin(generation)
    finally:
        generation.close()


def match(setup: Setup) -> list[Figure]:
    """Matching alone, for each policy: over the questions, and on long prompts."""
    with opened(setup) as (_, pin):
        concepts = pin.generation.part(Concepts)
        assert concepts is not None
        ways = {policy: _matcher(pin, concepts, policy) for policy in POLICIES}
        figures = _spread("match", ways, setup, p50=0.1, p95=0.25)
        for policy, way in ways.items():
            took = {
                kind: median([_milliseconds(way, text) for _ in range(max(3, setup.rounds))])
                for kind, text in long_prompts(concepts, setup.questions).items()
            }
            worst = max(took, key=lambda kind: took[kind])
            figures.append(
                Figure("match", f"{policy}, {LENGTH:,} characters, worst kind ({worst})", took[worst], "ms", Bar(5.0))
            )
        return figures


def scaffold(setup: Setup) -> list[Figure]:
    """The whole way from a question to its block: find, decide, mint, pack, merge."""
    with opened(setup) as (node, pin):
        ways = {policy: _preparer(node, pin, policy) for policy in POLICIES}
        figures = _spread("scaffold", ways, setup, p50=0.4)
        for policy in POLICIES:
            plans = [asyncio.run(node.prepare(_question(text, policy), pin)) for text in setup.questions]
            engaged = [plan for plan in plans if plan.decision.engaged]
            figures.append(Figure("scaffold", f"{policy}, questions that get a block", len(engaged) / len(plans) * 100, "%"))
            if engaged:
                figures.append(
                    Figure("scaffold", f"{policy}, block p50", median([plan.block.tokens for plan in engaged]), "tokens")
                )
        return figures


def engaging(setup: Setup) -> list[str]:
    """The questions that get a block under the default policy; raises NoGeneration where none does."""
    with opened(setup) as (node, pin):
        found = [
            text for text in setup.questions if asyncio.run(node.prepare(_question(text, "default"), pin)).decision.engaged
        ]
    if not found:
        raise NoGeneration("None of the questions is about anything in the current generation; give others with --questions.")
    return found


MATCHERS: dict[str, tuple[type[Lexicon], Callable[[Lexicon, np.ndarray, str, int], list[Match]]]] = {
    "reference": (ReferenceLexicon, reference.search),
    "default": (DefaultLexicon, default.search),
}


def _matcher(pin: Pin, concepts: Concepts, policy: str) -> Timed:
    kind, search = MATCHERS[policy]
    lexicon = pin.generation.part(kind)
    if lexicon is None:
        raise NoGeneration(f"The current generation has no part for policy {policy}; build it again.")
    return lambda text: search(lexicon, concepts.quality, text, MATCHES)


def _question(text: str, policy: str) -> Question:
    body = {"model": "bench", "messages": [{"role": "user", "content": text}]}
    return Question(text, Scope("bench"), body, options=Options(policy=policy))


def _preparer(node: compose.Node, pin: Pin, policy: str) -> Timed:
    """Runs `prepare` to its end without a loop: no finder of the default node waits. Each call has a pin of its own, which
    remembers no question."""

    def way(text: str) -> object:
        steps = node.prepare(_question(text, policy), Pin(pin.generation))
        try:
            steps.send(None)
        except StopIteration as end:
            return end.value
        steps.close()
        raise RuntimeError("a finder waited for something outside; this measurement needs finders that do not")

    return way


def _milliseconds(way: Timed, text: str) -> float:
    started = perf_counter()
    way(text)
    return (perf_counter() - started) * 1000


def _spread(name: str, ways: dict[str, Timed], setup: Setup, p50: float, p95: float | None = None) -> list[Figure]:
    """Rounds over all questions, the ways taking turns; the first round is told apart, since it fills what is remembered."""
    rounds: dict[str, list[Sequence[float]]] = {policy: [] for policy in ways}
    gc.collect()
    for _ in range(setup.rounds + 1):
        for policy, way in ways.items():
            rounds[policy].append([_milliseconds(way, text) for text in setup.questions])
    figures = []
    for policy, (first, *later) in rounds.items():
        figures.append(Figure(name, f"{policy} p50", median([median(each) for each in later]), "ms", Bar(p50)))
        worst = median([quantile(each, 0.95) for each in later])
        figures.append(Figure(name, f"{policy} p95", worst, "ms", Bar(p95) if p95 else None))
        figures.append(Figure(name, f"{policy} p50, first round", median(first), "ms"))
    return figures
