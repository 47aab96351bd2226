"""Contexts over ten knowledge bases: how long one takes to make, beside what the ontology alone takes, and what building them costs.

The bases are made up (`loom.bench.facts_made`), built together by a real `loom build` into a folder of their own, and asked in this
process, without HTTP; no question is remembered. Ontology units alone are the same questions asked without the finder of facts.
"""

import gc
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, thread_time
from typing import NamedTuple

from loom.answer.pipeline import prepare
from loom.answer.plan import Finder, Pin
from loom.bench.chat import bodies
from loom.bench.facts_made import Made, make, questions
from loom.bench.figures import Bar, Figure, median, quantile
from loom.bench.load import Job, elsewhere
from loom.bench.matching import opened
from loom.bench.processes import NotStarted, node, ran, resident
from loom.bench.setup import Setup
from loom.compose import Node
from loom.core.values import Question, Scope

PATIENCE = 1_800.0
EACH = 20
"""Questions of each kind."""
ASKED = 3.0
"""Seconds of questions before memory is read."""
MEGABYTE = 1_000_000
MOST = 1_000
"""Megabytes that a build may take, whatever it reads."""
QUICK, SLOWEST = 3.0, 50.0
"""Milliseconds that a context may take: of the half of them, and of any."""


def facts(setup: Setup) -> list[Figure]:
    """Make, build, ask, serve."""
    with tempfile.TemporaryDirectory(prefix="loom-bench-") as folder:
        made = make(Path(folder, "sources"), setup.facts_rows)
        generations = Path(folder, "generations")
        return [*_built(made, generations), *_asked(made, generations, setup), *_served(made, generations)]


def _built(made: Made, out: Path) -> list[Figure]:
    run = ran(["build", str(made.ontology), *map(str, made.folders), "--out", str(out)], PATIENCE)
    if run.code:
        raise NotStarted(f"`loom build` ended with exit code {run.code}; it said: {run.output[-600:].strip()}")
    told = f"{made.rows:,} rows in {len(made.folders)} bases built"
    return [
        Figure("facts", told, run.seconds, "s"),
        Figure("facts", f"{told}, peak memory", run.peak / MEGABYTE, "MB", Bar(MOST)),
    ]


def _asked(made: Made, generations: Path, setup: Setup) -> list[Figure]:
    every = list(questions(made, EACH))
    with opened(Setup(generations, ())) as (served, pin):
        cold = _milliseconds(served, served.finders, pin, every[0][1])
    with opened(Setup(generations, ())) as (served, pin):
        served.warm(pin.generation)
        first = _milliseconds(served, served.finders, pin, every[0][1])
        alone = tuple(finder for finder in served.finders if finder.name != "facts")
        rounds: list[list[Took]] = []
        without: list[list[Took]] = []
        gc.collect()
        for number in range(setup.rounds):
            # A question that is found in what is remembered costs nothing: each round asks others.
            asked = list(questions(made, EACH, number))
            rounds.append([_milliseconds(served, served.finders, pin, text) for _, text in asked])
            without.append([_milliseconds(served, alone, pin, text) for _, text in asked])
        kinds: dict[str, list[float]] = {}
        for times in rounds:
            for (kind, _), took in zip(every, times, strict=True):
                kinds.setdefault(kind, []).append(took.wall)
    slowest = max(kinds, key=lambda kind: median(kinds[kind]))
    p50, units = (median([median([one.wall for one in each]) for each in found]) for found in (rounds, without))
    worked = median([median([one.worked for one in each]) for each in rounds])
    return [
        Figure("facts", "a context, p50", p50, "ms", Bar(QUICK)),
        Figure("facts", "a context, p50 of processor time", worked, "ms"),
        Figure("facts", "a context, p95", _quantile(rounds, 0.95), "ms"),
        Figure("facts", "a context, p99", _quantile(rounds, 0.99), "ms", Bar(SLOWEST)),
        Figure("facts", f"slowest kind ({slowest}), p50", median(kinds[slowest]), "ms"),
        Figure("facts", "ontology units alone, p50", units, "ms"),
        Figure("facts", "a context, times ontology units alone", p50 / units, "×"),
        Figure("facts", "first question, nothing warmed", cold.wall, "ms"),
        Figure("facts", "first question after a swap", first.wall, "ms"),
    ]


class Took(NamedTuple):
    """Milliseconds by the clock and of the processor, which a busy machine does not change."""

    wall: float
    worked: float


def _quantile(rounds: Sequence[Sequence[Took]], part: float) -> float:
    return median([quantile([one.wall for one in each], part) for each in rounds])


def _milliseconds(served: Node, finders: Sequence[Finder], pin: Pin, text: str) -> Took:
    """One context, on a pin that remembers nothing."""
    question = Question(text, Scope("bench"))
    started, working = perf_counter(), thread_time()
    steps = prepare(question, Pin(pin.generation), finders, served.policies)
    try:
        steps.send(None)
    except StopIteration:
        return Took((perf_counter() - started) * 1000, (thread_time() - working) * 1000)
    steps.close()
    raise RuntimeError("a finder waited for something outside; this measurement needs finders that do not")


def _served(made: Made, generations: Path) -> list[Figure]:
    texts = [text for _, text in questions(made, EACH)]
    with node(generations) as served:
        for streamed in (False, True):
            elsewhere(Job(served.url, bodies(texts, streamed=streamed), clients=8, seconds=ASKED / 2))
        size = resident(served.workers[0])
        return [
            Figure("facts", "ready", served.ready, "s"),
            Figure("facts", "a worker, after load", size["all"] / MEGABYTE, "MB"),
            Figure("facts", "a worker, after load, not shared with files", size["own"] / MEGABYTE, "MB"),
        ]
