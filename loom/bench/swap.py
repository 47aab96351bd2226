"""Swaps and rollbacks under constant load with two workers: what fails, what answers from two generations at once, what stalls.

The load is answered by the reader, so every answer shows text of its generation. For each question the units of both
generations are worked out beforehand; an answer agrees when its header, its pin and its units name one and the same generation.
"""

import asyncio
import re
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from loom.bench.chat import bodies
from loom.bench.figures import Bar, Figure, median
from loom.bench.load import Job, Outcome, Running, elsewhere
from loom.bench.matching import engaging, opened
from loom.bench.processes import NotStarted, Served, asked, node, settled
from loom.bench.second import copied
from loom.bench.setup import Setup
from loom.core.values import Json, Options, Question, Scope

WORKERS = 2
CLIENTS = 8
RATE = 200.0
REUSE = 25
"""Requests on one connection, so that new connections keep reaching both workers."""

PAUSE = 0.1
"""Seconds between two swaps, in which answers from the new generation come."""

CONTROL = 3.0
"""Seconds of the same load without swaps, before: what the machine does to answers anyway."""

STALL = 0.01
LONGEST = 300.0

Units = list[list[Json]]


def swap(setup: Setup) -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="loom-bench-") as name:
        folder = Path(name)
        first, second = copied(setup.generations, folder)
        known = Setup(folder, engaging(setup))
        telling, expected = _telling(known, (first, second))
        if not telling:
            raise NotStarted("No question tells the two generations apart; give others with --questions.")
        whole, streamed = bodies(telling, streamed=False), bodies(telling, streamed=True)
        job = Job("", [body for pair in zip(whole, streamed, strict=True) for body in pair], CLIENTS, LONGEST, RATE, REUSE)
        with node(folder, workers=WORKERS) as served:
            settled(served)
            calm = elsewhere(replace(job, url=served.url, seconds=CONTROL))
            outcome, took, late = _under_load(served, job, setup, (first, second))
            stalls = _stalls(served)
        return _figures(outcome, calm, took, late, _disagreements(outcome, expected), stalls)


def _telling(setup: Setup, ids: Sequence[str]) -> tuple[list[str], list[dict[str, Units]]]:
    """The questions whose units differ between the generations, and those units by generation."""
    shown: list[dict[str, Units]] = [{} for _ in setup.questions]
    with opened(setup) as (maker, pin):
        for id in ids:
            generation = maker.store.open(id)
            for units, text in zip(shown, setup.questions, strict=True):
                plan = asyncio.run(
                    maker.prepare(Question(text, Scope("bench"), options=Options(policy="default")), type(pin)(generation))
                )
                units[id] = [[served.evidence.iri, served.tokens] for served in plan.block.served]
            generation.close()
    kept = [(text, units) for text, units in zip(setup.questions, shown, strict=True) if units[ids[0]] != units[ids[1]]]
    return [text for text, _ in kept], [units for _, units in kept]


def _under_load(served: Served, job: Job, setup: Setup, ids: Sequence[str]) -> tuple[Outcome, list[float], int]:
    """Swap and roll back while the load runs; the outcome of the load, seconds of each move, and moves not complete."""
    running = Running(
        Job(served.url, job.bodies, job.clients, job.seconds, job.rate, job.reuse, receipts=True, until_told=True)
    )
    took: list[float] = []
    late = 0
    try:
        time.sleep(0.5)
        moves: list[dict[str, object]] = [{"id": ids[(number + 1) % 2]} for number in range(setup.swaps)]
        moves += [{"rollback": True}] * setup.rollbacks
        for move in moves:
            started = time.perf_counter()
            status, said = asked(served.root, "POST", "/loom/admin/generation", move)
            took.append(time.perf_counter() - started)
            if status not in (200, 202):
                raise NotStarted(f"The node refused to swap with status {status}: {said}")
            late += status == 202
            time.sleep(PAUSE)
        return running.outcome(), took, late
    finally:
        running.stop()


def _disagreements(outcome: Outcome, expected: Sequence[Mapping[str, Units]]) -> int:
    def agrees(receipt: Mapping[str, Json]) -> bool:
        units = expected[receipt["question"] // 2].get(receipt["header"])
        return receipt["pin"] == receipt["header"] and units is not None and receipt["units"] == units

    return sum(not agrees(receipt) for receipt in outcome.receipts)


def _stalls(served: Served) -> list[tuple[float, int]]:
    """Upper bounds in seconds with the numbers of swaps whose longest stall stayed below, over all workers."""
    _, text = asked(served.root, "GET", "/metrics")
    rows = re.findall(r'^loom_swap_stall_seconds_bucket\{le="([^"]+)"\} (\S+)$', str(text), re.M)
    return sorted((float(bound), int(float(count))) for bound, count in rows)


def _figures(
    outcome: Outcome, calm: Outcome, took: Sequence[float], late: int, disagreeing: int, stalls: Sequence[tuple[float, int]]
) -> list[Figure]:
    served = {receipt["header"] for receipt in outcome.receipts}
    figures = [
        Figure("swap", "swaps and rollbacks", len(took), "moves"),
        Figure("swap", "move until all workers serve it, p50", median(took) * 1000, "ms"),
        Figure("swap", "moves not complete in time", late, "moves", Bar(0), fault=True),
        Figure("swap", "answers under load", len(outcome.latencies), "answers"),
        Figure("swap", "generations seen in answers", len(served), "generations", Bar(2, at_least=True), fault=True),
        Figure("swap", "failed requests", outcome.failed, "requests", Bar(0), fault=True),
        Figure("swap", "answers whose units and generation disagree", disagreeing, "answers", Bar(0), fault=True),
        Figure("swap", "longest answer", max(outcome.latencies) * 1000, "ms"),
        Figure("swap", "longest answer without swaps", max(calm.latencies, default=0.0) * 1000, "ms"),
    ]
    if stalls:
        total = stalls[-1][1]
        longest = next(bound for bound, count in stalls if count == total)
        over = total - max((count for bound, count in stalls if bound <= STALL), default=0)
        figures.append(Figure("swap", "openings watched for stalls", total, "openings"))
        figures.append(Figure("swap", "longest stall of an event loop, below", longest * 1000, "ms"))
        figures.append(Figure("swap", "openings with a stall over 10 ms", over, "openings", Bar(0)))
    return figures
