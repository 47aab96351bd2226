"""Vectors in a graph of near neighbours (HNSW, by hnswlib): quicker than comparing all, in memory that each process has for itself.

The graph only narrows down; what is returned are exact cosines over the mapped vectors. It is derived: kept under the digest of the
attachment and the version of hnswlib, and built anew where it is missing or damaged.

FOLDER/hnsw-<version>.bin     the graph as hnswlib writes it
FOLDER/hnsw-<version>.json    its digest, and how widely it has to be searched
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from loom.core.errors import MissingExtra
from loom.core.retrieval.nearest import Found, UnitVectors
from loom.core.retrieval.recall import AT, probes, recall

LINKS, EF_CONSTRUCTION, SEED = 16, 200, 100
"""Neighbours of a node, candidates while it is placed, and the seed of its levels. One thread places all, so that the graph is the
same each time on one kind of processor."""

EFS = (64, 96, 128, 192, 256, 400)
"""How many candidates a search keeps: the least of these with which the probes reach RECALL."""

RECALL = 0.99
SPARE = 16
"""Rows beyond those asked for that are compared exactly, since f32 may order neighbours of almost equal cosines otherwise."""

ADDED_AT_ONCE = 1000

Progress = Callable[[int, int], object]


@dataclass(frozen=True, slots=True)
class Tuned:
    """What is known of a graph: the digest of its file, how widely it is searched, and the recall at 10 of the probes then."""

    sha256: str
    ef: int
    recall: float
    rows: int


class HnswVectors:
    """A graph over mapped vectors, from the folder or built now. A folder that cannot be written to is passed over.

    `progress` is told how many rows have been placed, and of how many. Raises MissingExtra without hnswlib.
    """

    kind = "hnswlib"

    def __init__(self, vectors: np.ndarray, folder: Path | None = None, progress: Progress = lambda done, total: None) -> None:
        try:
            library: Any = import_module("hnswlib")
        except ImportError as error:
            raise MissingExtra(
                "The index hnswlib needs hnswlib; install it with `pip install 'loom-node[hnsw]'`, which needs a C++ compiler "
                "and the headers of Python."
            ) from error
        self._vectors = UnitVectors(vectors)
        self._library = library
        file = folder / f"hnsw-{version('hnswlib')}.bin" if folder else None
        self._graph, self.tuned = (self._read(file) if file else None) or self._build(file, progress)
        self._graph.set_ef(self.tuned.ef)

    async def search(self, vector: np.ndarray, k: int) -> Found:
        asked = self._vectors.asked(vector)
        if k <= 0 or not self._vectors.live:
            return self._vectors.search(asked, 0)
        try:
            near = self._near(self._graph, asked, min(k + SPARE, self._vectors.live))
        except RuntimeError:  # many equal vectors can part the graph, and hnswlib then finds fewer than were asked for
            return self._vectors.search(asked, k)
        return self._vectors.ranked(asked, near, k)

    def cosines(self, vector: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return self._vectors.cosines(self._vectors.asked(vector), rows)

    def close(self) -> None:
        self._graph = None

    def _near(self, graph: Any, asked: np.ndarray, count: int) -> np.ndarray:
        """`count` rows; hnswlib itself searches more widely where more are asked for than it keeps candidates."""
        labels, _ = graph.knn_query(asked, k=count, num_threads=1)
        return np.asarray(labels[0], dtype=np.int64)

    def _build(self, file: Path | None, progress: Progress) -> tuple[Any, Tuned]:
        vectors = self._vectors
        rows = np.setdiff1d(np.arange(len(vectors.rows)), vectors.dead, assume_unique=True)
        graph = self._library.Index("ip", vectors.width)
        graph.init_index(max(1, len(rows)), M=LINKS, ef_construction=EF_CONSTRUCTION, random_seed=SEED)
        for start in range(0, len(rows), ADDED_AT_ONCE):
            some = rows[start : start + ADDED_AT_ONCE]
            graph.add_items(vectors.rows[some], some, num_threads=1)
            progress(start + len(some), len(rows))
        tuned = self._tune(graph)
        return graph, self._write(graph, file, tuned) if file else tuned

    def _tune(self, graph: Any) -> Tuned:
        """The least width of search that is wide enough; few rows need no probing."""
        live = self._vectors.live
        if live <= EFS[0]:
            return Tuned("", EFS[0], 1.0, live)
        asked = probes(self._vectors)
        exact = [self._vectors.search(vector, AT)[0].tolist() for vector in asked]
        ef, reached = EFS[-1], 0.0
        for ef in EFS:
            graph.set_ef(ef)
            reached = recall([self._near(graph, vector, AT).tolist() for vector in asked], exact)
            if reached >= RECALL:
                break
        return Tuned("", ef, round(reached, 4), live)

    def _write(self, graph: Any, file: Path, tuned: Tuned) -> Tuned:
        """Both files are made aside and moved to their places; a pair that does not fit together is built anew."""
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=".draft-", dir=file.parent) as aside:
                made, stated = Path(aside, "graph"), Path(aside, "stated")
                graph.save_index(str(made))
                tuned = replace(tuned, sha256=_digest(made))
                stated.write_text(json.dumps(asdict(tuned)), encoding="utf-8")
                os.replace(made, file)
                os.replace(stated, file.with_suffix(".json"))
        except (OSError, RuntimeError):
            return tuned
        return tuned

    def _read(self, file: Path) -> tuple[Any, Tuned] | None:
        """What is in the folder; None where it is missing, damaged, or of other vectors."""
        try:
            tuned = _tuned(json.loads(file.with_suffix(".json").read_bytes()))
            if tuned is None or tuned.rows != self._vectors.live or _digest(file) != tuned.sha256:
                return None
            graph = self._library.Index("ip", self._vectors.width)
            graph.load_index(str(file))
        except (OSError, ValueError, RuntimeError):
            return None
        return graph, tuned


def _digest(file: Path) -> str:
    with file.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def _tuned(stated: object) -> Tuned | None:
    if not isinstance(stated, Mapping) or set(stated) != {"sha256", "ef", "recall", "rows"}:
        return None
    made = Tuned(**stated)
    return made if type(made.ef) is int and made.ef > 0 else None
