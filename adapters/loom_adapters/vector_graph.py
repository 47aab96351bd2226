"""Vectors in a graph of near neighbours (HNSW): quicker than comparing all. What libraries of such graphs have in common.

The graph only narrows down; what is returned are exact cosines over the mapped vectors. It is derived: kept under the digest of the
attachment and the version of the library, and built anew where it is missing or damaged.

FOLDER/<library>-<version>.bin    the graph as the library writes it
FOLDER/<library>-<version>.json   its digest, and how widely it has to be searched
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from loom.core.retrieval.nearest import Found, UnitVectors
from loom.core.retrieval.recall import AT, probes, recall

LINKS, EF_CONSTRUCTION = 16, 200
"""Neighbours of a node, and candidates while it is placed. One thread places all, so that the graph is the same each time on one
kind of processor."""

EFS = (64, 96, 128, 192, 256, 400)
"""How many candidates a search keeps: the least of these with which the probes reach RECALL."""

RECALL = 0.99
SPARE = 16
"""Rows beyond those asked for that are compared exactly, since the library may order neighbours of almost equal cosines otherwise."""

ADDED_AT_ONCE = 1000

Progress = Callable[[int, int], object]


class Engine(Protocol):
    """One library. A graph is its own object; rows are i64, vectors f32 of length 1. `near` may find fewer than it is asked for."""

    kind: str

    @property
    def version(self) -> str: ...

    def empty(self, width: int, count: int) -> Any: ...
    def add(self, graph: Any, rows: np.ndarray, vectors: np.ndarray) -> None: ...
    def widen(self, graph: Any, ef: int) -> None: ...
    def near(self, graph: Any, vector: np.ndarray, count: int) -> np.ndarray: ...
    def save(self, graph: Any, file: Path) -> None: ...
    def load(self, file: Path, width: int) -> Any: ...


@dataclass(frozen=True, slots=True)
class Tuned:
    """What is known of a graph: the digest of its file, how widely it is searched, and the recall at 10 of the probes then."""

    sha256: str
    ef: int
    recall: float
    rows: int


class GraphVectors:
    """A graph over mapped vectors, from the folder or built now. A folder that cannot be written to is passed over.

    `progress` is told how many rows have been placed, and of how many.
    """

    def __init__(self, engine: Engine, vectors: np.ndarray, folder: Path | None, progress: Progress) -> None:
        self.kind = engine.kind
        self._engine = engine
        self._vectors = UnitVectors(vectors)
        file = folder / f"{engine.kind}-{engine.version}.bin" if folder else None
        self._graph, self.tuned = (self._read(file) if file else None) or self._build(file, progress)
        engine.widen(self._graph, self.tuned.ef)

    async def search(self, vector: np.ndarray, k: int) -> Found:
        return self._search(self._graph, self._vectors.asked(vector), k)

    def cosines(self, vector: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return self._vectors.cosines(self._vectors.asked(vector), rows)

    def close(self) -> None:
        """The graph goes when the last search of it ends."""

    def _search(self, graph: Any, asked: np.ndarray, k: int) -> Found:
        """Many equal vectors can part a graph; where it gives too few rows all are compared."""
        count = min(k + SPARE, self._vectors.live)
        if k > 0 and count > 0:
            near = self._engine.near(graph, asked, count)
            if len(near) == count:
                return self._vectors.ranked(asked, near, k)
        return self._vectors.search(asked, k)

    def _build(self, file: Path | None, progress: Progress) -> tuple[Any, Tuned]:
        vectors = self._vectors
        rows = np.setdiff1d(np.arange(len(vectors.rows)), vectors.dead, assume_unique=True)
        graph = self._engine.empty(vectors.width, len(rows))
        for start in range(0, len(rows), ADDED_AT_ONCE):
            some = rows[start : start + ADDED_AT_ONCE]
            self._engine.add(graph, some, vectors.rows[some])
            progress(start + len(some), len(rows))
        tuned = self._tune(graph)
        return (graph, tuned) if file is None else self._write(graph, file, tuned)

    def _tune(self, graph: Any) -> Tuned:
        """The least width of search that is wide enough; few rows need no probing."""
        live = self._vectors.live
        if live <= EFS[0]:
            return Tuned("", EFS[0], 1.0, live)
        asked = probes(self._vectors)
        exact = [self._vectors.search(vector, AT)[0].tolist() for vector in asked]
        ef, reached = EFS[-1], 0.0
        for ef in EFS:
            self._engine.widen(graph, ef)
            reached = recall([self._search(graph, vector, AT)[0].tolist() for vector in asked], exact)
            if reached >= RECALL:
                break
        return Tuned("", ef, round(reached, 4), live)

    def _write(self, graph: Any, file: Path, tuned: Tuned) -> tuple[Any, Tuned]:
        """Both files are made aside and moved to their places; a pair that does not fit together is built anew. What was written is
        read again, since a graph that is mapped costs less than the one that was built."""
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=".draft-", dir=file.parent) as aside:
                made, stated = Path(aside, "graph"), Path(aside, "stated")
                self._engine.save(graph, made)
                stated.write_text(json.dumps(asdict(replace(tuned, sha256=_digest(made)))), encoding="utf-8")
                os.replace(made, file)
                os.replace(stated, file.with_suffix(".json"))
        except (OSError, RuntimeError):
            return graph, tuned
        return self._read(file) or (graph, tuned)

    def _read(self, file: Path) -> tuple[Any, Tuned] | None:
        """What is in the folder; None where it is missing, damaged, or of other vectors."""
        try:
            tuned = _tuned(json.loads(file.with_suffix(".json").read_bytes()))
            if tuned is None or tuned.rows != self._vectors.live or _digest(file) != tuned.sha256:
                return None
            return self._engine.load(file, self._vectors.width), tuned
        except (OSError, ValueError, RuntimeError):
            return None


def _digest(file: Path) -> str:
    with file.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def _tuned(stated: object) -> Tuned | None:
    if not isinstance(stated, Mapping) or set(stated) != {"sha256", "ef", "recall", "rows"}:
        return None
    made = Tuned(**stated)
    return made if type(made.ef) is int and made.ef > 0 else None
