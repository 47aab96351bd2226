"""How a node grows with its corpus: generations of made concepts of several sizes, sealed as a build seals them and asked as a
server asks them, each size in processes of its own."""

import gc
import math
import multiprocessing
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import TypeVar

from loom import compose
from loom.bench import made
from loom.bench.figures import Bar, Figure, median, quantile
from loom.bench.peak import peak
from loom.bench.processes import resident
from loom.build import seal
from loom.build.checks import KINDS
from loom.core.concepts import Concepts
from loom.core.matching import default
from loom.core.report import Report
from loom.core.retrieval.stem import terms
from loom.core.retrieval.text import TextIndex
from loom.core.values import Json

Result = TypeVar("Result")

MEGABYTE = 1_000_000
ASKED = 300
MATCHES, FOUND = 4, 20
SLOWER = Bar(4.0)
LINEAR = Bar(1.15)
"""The exponent of size that still counts as linear: of a cost in proportion to n·log n it is 1.08 from 8 k to 1 M."""


@dataclass(frozen=True, slots=True)
class Size:
    """What was measured of one size. `took` holds p50 and p95 in milliseconds by what was asked; memory is in bytes, `own` what no
    file backs; `processor` is the seconds of sealing that no other process took."""

    count: int
    build: float
    processor: float
    peak: int
    disk: int
    opening: float
    own: int
    mapped: int
    took: Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class _Built:
    seconds: float
    processor: float
    peak: int


def measured(count: int) -> Size:
    """Build a generation of so many made concepts in a temporary folder, and ask it."""
    with tempfile.TemporaryDirectory(prefix="loom-bench-") as folder:
        built = _apart(_build, folder, count)
        disk = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
        return _apart(_ask, folder, count, built, disk)


def _apart(job: Callable[..., Result], *arguments: object) -> Result:
    """Run a job in a fresh process, so that no memory of another is counted."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(job, *arguments).result()


def _build(folder: str, count: int) -> _Built:
    concepts = made.concepts(count)
    gc.disable()  # as `loom build` does
    started, worked = perf_counter(), process_time()
    store = compose.store(folder)
    with store.draft() as draft:
        seal.write(draft, concepts, Report(KINDS))
        id = store.seal(draft)
    store.point(id)
    seconds, processor = perf_counter() - started, process_time() - worked
    return _Built(seconds, processor, peak())


def _ask(folder: str, count: int, built: _Built, disk: int) -> Size:
    store = compose.store(folder)
    id = store.current()
    assert id is not None
    started = perf_counter()
    generation = store.open(id)
    concepts, lexicon, text = generation.part(Concepts), generation.part(default.DefaultLexicon), generation.part(TextIndex)
    opening = perf_counter() - started
    assert concepts is not None and lexicon is not None and text is not None
    ways: Mapping[str, Callable[[str], object]] = {
        "names": lambda asked: default.search(lexicon, concepts.quality, asked, MATCHES),
        "text": lambda asked: text.search(terms(asked), FOUND),
    }
    took = {}
    for kind, questions in made.questions(concepts, 2 * ASKED).items():
        for way, ask in ways.items():
            for question in questions[:ASKED]:
                ask(question)
            spent = [_milliseconds(ask, question) for question in questions[ASKED:]]
            took[f"{way}, {kind}"] = (median(spent), quantile(spent, 0.95))
    size = resident(os.getpid())
    return Size(count, built.seconds, built.processor, built.peak, disk, opening, size["own"], size["all"] - size["own"], took)


def _milliseconds(ask: Callable[[str], object], question: str) -> float:
    started = perf_counter()
    ask(question)
    return (perf_counter() - started) * 1000


def exponent(sizes: Sequence[int], values: Sequence[float]) -> float:
    """The power of the size with which the values grow: the slope of a straight line through their logarithms."""
    across, up = [math.log(size) for size in sizes], [math.log(max(value, 1e-9)) for value in values]
    middle, height = math.fsum(across) / len(across), math.fsum(up) / len(up)
    spread = math.fsum((each - middle) ** 2 for each in across)
    return math.fsum((x - middle) * (y - height) for x, y in zip(across, up, strict=True)) / spread


def figures(sizes: Sequence[Size]) -> list[Figure]:
    """Every figure of every size, and from two sizes on how each grows."""
    found = []
    for size in sizes:
        name = f"{size.count:,} concepts"
        for way, (middle, slow) in size.took.items():
            found.append(Figure("growth", f"{name}: {way}, p50", middle, "ms"))
            found.append(Figure("growth", f"{name}: {way}, p95", slow, "ms"))
        found += [
            Figure("growth", f"{name}: sealing", size.build, "s"),
            Figure("growth", f"{name}: sealing, processor time", size.processor, "s"),
            Figure("growth", f"{name}: sealing, peak memory", size.peak / MEGABYTE, "MB"),
            Figure("growth", f"{name}: on disk", size.disk / MEGABYTE, "MB"),
            Figure("growth", f"{name}: opening", size.opening, "s"),
            Figure("growth", f"{name}: a server's own memory", size.own / MEGABYTE, "MB"),
            Figure("growth", f"{name}: a server's mapped memory", size.mapped / MEGABYTE, "MB"),
        ]
    if len(sizes) > 1:
        first, last, counts = sizes[0], sizes[-1], [size.count for size in sizes]
        for way, (middle, _) in first.took.items():
            found.append(Figure("growth", f"{way}: p50, largest to smallest", last.took[way][0] / middle, "×", SLOWER))
        for name, values in costs(sizes).items():
            found.append(Figure("growth", f"{name}: grows with the size to the power", exponent(counts, values), "", LINEAR))
    return found


def costs(sizes: Sequence[Size]) -> dict[str, list[float]]:
    """What is to grow no faster than the corpus, in seconds and megabytes."""
    return {
        "sealing, processor time, s": [size.processor for size in sizes],
        "sealing, peak memory, MB": [size.peak / MEGABYTE for size in sizes],
        "a server's own memory, MB": [size.own / MEGABYTE for size in sizes],
        "a server's mapped memory, MB": [size.mapped / MEGABYTE for size in sizes],
    }


def as_json(size: Size) -> dict[str, Json]:
    return {
        "concepts": size.count,
        "sealing_seconds": round(size.build, 3),
        "sealing_processor_seconds": round(size.processor, 3),
        "sealing_peak_bytes": size.peak,
        "disk_bytes": size.disk,
        "opening_seconds": round(size.opening, 4),
        "own_bytes": size.own,
        "mapped_bytes": size.mapped,
        "milliseconds": {way: {"p50": round(middle, 4), "p95": round(slow, 4)} for way, (middle, slow) in size.took.items()},
    }
