"""Vectors in a graph of near neighbours, by hnswlib: the quickest, in memory that each process has for itself."""

from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from loom.core.errors import MissingExtra
from loom_adapters.vector_graph import EF_CONSTRUCTION, LINKS, GraphVectors, Progress

SEED = 100


class Hnswlib:
    """The library; raises MissingExtra where it is not installed."""

    kind = "hnswlib"

    def __init__(self) -> None:
        try:
            self._library: Any = import_module("hnswlib")
        except ImportError as error:
            raise MissingExtra(
                "The index hnswlib needs hnswlib; install it with `pip install 'loom-node[hnsw]'`, which needs a C++ compiler "
                "and the headers of Python."
            ) from error

    @property
    def version(self) -> str:
        return version("hnswlib")

    def empty(self, width: int, count: int) -> Any:
        graph = self._library.Index("ip", width)
        graph.init_index(max(1, count), M=LINKS, ef_construction=EF_CONSTRUCTION, random_seed=SEED)
        return graph

    def add(self, graph: Any, rows: np.ndarray, vectors: np.ndarray) -> None:
        graph.add_items(vectors, rows, num_threads=1)

    def widen(self, graph: Any, ef: int) -> None:
        graph.set_ef(ef)

    def near(self, graph: Any, vector: np.ndarray, count: int) -> np.ndarray:
        try:
            labels, _ = graph.knn_query(vector, k=count, num_threads=1)
        except RuntimeError:  # it has no other way to say that it found fewer
            return np.zeros(0, dtype=np.int64)
        return np.asarray(labels[0], dtype=np.int64)

    def save(self, graph: Any, file: Path) -> None:
        graph.save_index(str(file))

    def load(self, file: Path, width: int) -> Any:
        graph = self._library.Index("ip", width)
        graph.load_index(str(file))
        return graph


class HnswVectors(GraphVectors):
    """The graph of hnswlib over mapped vectors, kept in a folder, if one is given."""

    def __init__(self, vectors: np.ndarray, folder: Path | None = None, progress: Progress = lambda done, total: None) -> None:
        super().__init__(Hnswlib(), vectors, folder, progress)
