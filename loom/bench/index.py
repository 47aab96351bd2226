"""What each vector index finds of what exact search finds, how quickly, and what it costs to build, to keep and to have twice."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from loom.bench.figures import Bar, Figure, median
from loom.bench.processes import NotStarted, clean_environment
from loom.bench.setup import Setup
from loom.bench.vectors import difficulty, loaded, synthetic
from loom.core.retrieval.choice import choose
from loom.core.retrieval.nearest import UnitVectors
from loom.core.retrieval.recall import AT, curve, lost_per_point, probes, recall
from loom.core.retrieval.vectors import unit_rows

KINDS = ("exact", "hnswlib", "usearch")
WORKERS = 2
QUESTIONS = 300
LONGER, FIRST = 40, 4
RECALL, P50 = 0.99, 0.3


@dataclass(frozen=True, slots=True)
class Asked:
    """Vectors, and questions to them."""

    label: str
    vectors: np.ndarray
    questions: np.ndarray


def index(setup: Setup) -> list[Figure]:
    """Each index that is installed, on the vectors that were given and on made ones; in processes of their own, one core each."""
    kinds = [kind for kind in KINDS if kind == "exact" or find_spec(kind)]
    return [figure for asked in _sets(setup) for figure in _measured(asked, kinds, setup.rounds)]


def _sets(setup: Setup) -> Iterator[Asked]:
    if setup.vectors is not None:
        vectors = unit_rows(loaded(setup.vectors))
        questions = probes(UnitVectors(vectors)) if setup.asked is None else unit_rows(loaded(setup.asked))
        yield Asked(f"{len(vectors):,} given", vectors, questions)
    for rows in setup.sizes:
        yield Asked(f"{rows:,} made", *synthetic(rows, QUESTIONS))


def _measured(asked: Asked, kinds: Sequence[str], rounds: int) -> Iterator[Figure]:
    held = UnitVectors(asked.vectors)
    dimensions, contrast = difficulty(held, asked.questions)
    yield Figure("index", f"{asked.label}: local dimensions of the questions", dimensions, "")
    yield Figure("index", f"{asked.label}: relative contrast of the questions", contrast, "")
    exact = [held.search(question, LONGER)[0].tolist() for question in asked.questions]
    chosen = choose(len(asked.vectors), 1, installed=kinds).kind
    for kind in kinds:
        yield from _kind(asked, kind, exact, rounds, barred=kind == chosen)
    pairs = curve(exact, lambda given: recall([some[:FIRST] for some in given], [ranking[:FIRST] for ranking in exact]))
    lost = lost_per_point(pairs, floor=0.5) * 100
    yield Figure("index", f"{asked.label}: first {FIRST} lost for each point of recall", lost, "%")


def _kind(asked: Asked, kind: str, exact: Sequence[Sequence[int]], rounds: int, *, barred: bool) -> Iterator[Figure]:
    name = f"{asked.label}: {kind}"
    with tempfile.TemporaryDirectory(prefix="loom-bench-") as folder:
        vectors, questions, cache = (Path(folder, part) for part in ("vectors.npy", "questions.npy", "cache"))
        cache.mkdir()
        np.save(vectors, asked.vectors)
        np.save(questions, asked.questions)
        command = [kind, str(vectors), str(questions), str(cache), str(rounds)]
        with _process(command) as builder:
            built = builder.result["opened"]
        with _process(command) as worker:
            found, alone = worker.result, worker.memory()
        kept = sum(file.stat().st_size for file in cache.rglob("*") if file.is_file())
        yield Figure("index", f"{name}, built and opened in", built, "s")
        yield Figure("index", f"{name}, opened again in", found["opened"], "s")
        yield Figure("index", f"{name}, kept on disk beside the vectors", kept / 1e6, "MB")
        reached = recall(found["found"], [ranking[:AT] for ranking in exact])
        yield Figure("index", f"{name}, recall at {AT}", reached, "", Bar(RECALL, at_least=True) if barred else None)
        yield Figure("index", f"{name}, p50", median(found["p50"]), "ms", Bar(P50) if barred else None)
        yield Figure("index", f"{name}, p99", median(found["p99"]), "ms")
        with ExitStack() as stack:
            workers = [stack.enter_context(_process(command)) for _ in range(WORKERS)]
            together = [worker.memory() for worker in workers]
        for count, memory in (("one worker", [alone]), (f"{WORKERS} workers together", together)):
            yield from _memory(f"{name}, {count}", memory)


def _memory(name: str, workers: Sequence[Mapping[str, int]]) -> Iterator[Figure]:
    """Nothing where the system does not say what a process has for itself."""
    if all(workers):
        for what, key in (("of its own", "own"), ("with its share of what is mapped", "share")):
            yield Figure("index", f"{name}, memory {what}", sum(each[key] for each in workers) / 1e6, "MB")


class _Worker:
    """A process that has opened an index and been asked."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    @property
    def result(self) -> dict[str, Any]:
        """What it found; waits until it has."""
        if not hasattr(self, "_result"):
            self._result = self._line()
        return self._result

    def memory(self) -> dict[str, int]:
        _ = self.result
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return self._line()

    def _line(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise NotStarted("A process that opens a vector index ended early; what it said is above.")
        made: dict[str, Any] = json.loads(line)
        return made


@contextmanager
def _process(arguments: Sequence[str]) -> Iterator[_Worker]:
    command = [sys.executable, "-m", "loom.bench.index_process", *arguments]
    one_core = clean_environment(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=one_core)
    try:
        yield _Worker(process)
    finally:
        process.kill()
        process.communicate()
