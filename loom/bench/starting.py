"""How long a node takes from nothing to ready, and what each of its workers then holds in memory."""

from loom.bench.chat import bodies
from loom.bench.figures import Bar, Figure, median
from loom.bench.load import Job, elsewhere
from loom.bench.matching import engaging
from loom.bench.processes import node, resident
from loom.bench.setup import Setup

ASKED = 3.0
"""Seconds of questions before memory is read again."""

MEGABYTE = 1_000_000


def start(setup: Setup) -> list[Figure]:
    """From the start of the process to the first success of /health/ready, page cache warm as after any build."""
    seconds = []
    for _ in range(max(3, setup.rounds)):
        with node(setup.generations) as served:
            seconds.append(served.ready)
    return [
        Figure("start", "ready p50", median(seconds), "s", Bar(1.5)),
        Figure("start", "ready, slowest", max(seconds), "s"),
    ]


def memory(setup: Setup) -> list[Figure]:
    """Resident memory of the largest of two workers, before and after some thousands of grounded answers by the reader."""
    questions = engaging(setup)
    figures = []
    with node(setup.generations, workers=2) as served:
        for when in ("ready", "after load"):
            if when == "after load":
                for streamed in (False, True):
                    elsewhere(Job(served.url, bodies(questions, streamed=streamed), clients=8, seconds=ASKED / 2))
            sizes = [resident(pid) for pid in served.workers]
            largest = max(size["all"] for size in sizes) / MEGABYTE
            own = max(size["own"] for size in sizes) / MEGABYTE
            figures.append(Figure("memory", f"a worker, {when}", largest, "MB", Bar(150)))
            figures.append(Figure("memory", f"a worker, {when}, not shared with files", own, "MB"))
    return figures
