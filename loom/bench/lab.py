"""How long it takes to score saved rows and to weigh them, and what a million rows hold in memory; no model is asked.

Rows are made: blocks of the generation as the node serves them, answers of its reader with names left out, for ten models.
"""

import asyncio
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np

from loom.answer.plan import Pin
from loom.bench.figures import Bar, Figure, median
from loom.bench.matching import opened
from loom.bench.peak import peak
from loom.bench.setup import Setup
from loom.compose import Node
from loom.core.concepts import Concepts
from loom.core.exposure import shown_names
from loom.core.reader.extract import answer
from loom.core.values import Options, Question, Scope
from loom.lab.question import LabQuestion, Target
from loom.lab.row import ANSWERED, Row, write_rows
from loom.lab.scoring import decomposed, scored_rows
from loom.lab.showing import Showing
from loom.lab.statistics import bootstrap, signed_rank

QUESTIONS, MODELS, PAIRS, MILLION = 500, 10, 500, 1_000_000


def lab(setup: Setup) -> list[Figure]:
    """Scoring with decomposition, the exact test, the clustered bootstrap, and memory."""
    with tempfile.TemporaryDirectory(prefix="loom-bench-") as folder, opened(setup) as (node, pin):
        made = _rows(node, pin, setup)
        path = Path(folder, "rows.jsonl")
        write_rows(path, made)
        figures = [
            Figure(
                "lab", f"{len(made):,} rows of 10 models scored by both matchers", _timed(setup, lambda: _score(path, 0)), "s"
            ),
            Figure(
                "lab",
                f"{len(made):,} rows scored and decomposed, 10,000 resamples",
                _timed(setup, lambda: _score(path, 10_000)),
                "s",
                Bar(5.0),
            ),
            *_statistics(setup),
            _memory(Path(folder), made[0]),
        ]
    return figures


def _rows(node: Node, pin: Pin, setup: Setup) -> list[Row]:
    """What ten models say of up to 500 questions: the reader's words, of which each model leaves a share out."""
    concepts = pin.generation.part(Concepts)
    assert concepts is not None
    rows = []
    for number in range(QUESTIONS):
        text = f"{setup.questions[number % len(setup.questions)]} ({number})"
        plan = asyncio.run(node.prepare(Question(text, Scope("bench"), {"messages": []}, options=Options()), pin))
        names = shown_names(plan.block)
        gold = tuple(Target(name) for name in (*names[:3], concepts.title(number % concepts.count)))
        question = LabQuestion(f"q{number}", text, gold, domain=f"d{number % 15}")
        showing = Showing(question, "scaffold", plan.block, "authoritative").as_json()
        words = answer(text, plan.block.served).split(" ")
        for model in range(MODELS):
            kept = random.Random(f"bench:{number}:{model}")
            said = " ".join(word for word in words if kept.random() > model / 40)
            rows.append(Row(question, "scaffold", f"m{model}", ANSWERED, showing, {"answer": said, "finish_reason": "stop"}))
    return rows


def _score(path: Path, resamples: int) -> None:
    decomposed(scored_rows(path, "default", beside="reference"), cluster="domain", seed=42, resamples=resamples)


def _statistics(setup: Setup) -> Iterator[Figure]:
    draw = np.random.default_rng(42)
    differences = [float(value) for value in draw.integers(-20, 21, PAIRS)]
    yield Figure(
        "lab",
        f"exact signed-rank test of {PAIRS} pairs with ties",
        _timed(setup, lambda: signed_rank(differences)),
        "s",
        Bar(1.0),
    )
    values = draw.random(5_000)
    for clusters in (15, 5_000):
        labels = [f"c{at % clusters}" for at in range(len(values))]
        took = _timed(setup, lambda labels=labels: bootstrap(values, clusters=labels, seed=42, resamples=10_000))
        yield Figure("lab", f"bootstrap of 5,000 rows in {clusters:,} clusters, 10,000 resamples", took, "s", Bar(2.0))


def _timed(setup: Setup, work: object) -> float:
    assert callable(work)
    taken = []
    for _ in range(max(3, setup.rounds)):
        began = perf_counter()
        work()
        taken.append(perf_counter() - began)
    return median(taken)


MEASURED = """
import sys
from pathlib import Path
from loom.bench.lab import resident
print(resident(Path(sys.argv[1])))
"""


def resident(path: Path) -> float:
    """Megabytes that this process held at most once it has scored a file."""
    scored_rows(path, "default")
    return peak() / (1 << 20)


def _memory(folder: Path, row: Row) -> Figure:
    """A million rows, each with an id and an answer of its own, scored in a process of its own."""
    path = folder / "million.jsonl"
    stated = row.as_json()
    stated["showing"] = {"messages": [{"role": "user", "content": "What does it require? It requires Salt."}]}
    stated["question"]["gold"] = [{"title": "Salt"}, {"title": "Oil"}]
    before, after = json.dumps({**stated, "id": "@", "question": {**stated["question"], "id": "@"}}).split('"@"', 1)
    between, after = after.split('"@"', 1)
    with path.open("w", encoding="utf-8") as file:
        for number in range(MILLION):
            file.write(
                f'{before}"{number // MODELS}"{between}"{number // MODELS}"{after}\n'.replace('"m0"', f'"m{number % MODELS}"')
            )
    done = subprocess.run([sys.executable, "-c", MEASURED, str(path)], capture_output=True, text=True, check=True)
    return Figure("lab", "resident at most, a million rows of 100,000 questions scored", float(done.stdout), "MB", Bar(500))
