"""Vectors in a graph of near neighbours, by usearch: mapped, so that all workers have it once, with halved numbers (float16)."""

from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from loom.core.errors import MissingExtra
from loom_adapters.vector_graph import EF_CONSTRUCTION, LINKS, GraphVectors, Progress


class Usearch:
    """The library; raises MissingExtra where it is not installed."""

    kind = "usearch"

    def __init__(self) -> None:
        try:
            self._library: Any = import_module("usearch.index")
        except ImportError as error:
            raise MissingExtra(
                "The index usearch needs usearch; install it with `pip install 'loom-node[usearch]'`."
            ) from error

    @property
    def version(self) -> str:
        return version("usearch")

    def empty(self, width: int, count: int) -> Any:
        return self._library.Index(ndim=width, metric="ip", dtype="f16", connectivity=LINKS, expansion_add=EF_CONSTRUCTION)

    def add(self, graph: Any, rows: np.ndarray, vectors: np.ndarray) -> None:
        graph.add(rows, vectors, threads=1)

    def widen(self, graph: Any, ef: int) -> None:
        graph.expansion_search = ef

    def near(self, graph: Any, vector: np.ndarray, count: int) -> np.ndarray:
        return np.asarray(graph.search(vector, count, threads=1).keys, dtype=np.int64)

    def save(self, graph: Any, file: Path) -> None:
        graph.save(str(file))

    def load(self, file: Path, width: int) -> Any:
        graph = self.empty(width, 0)
        graph.view(str(file))
        return graph


class UsearchVectors(GraphVectors):
    """The graph of usearch over mapped vectors, kept in a folder, if one is given, and then mapped too."""

    def __init__(self, vectors: np.ndarray, folder: Path | None = None, progress: Progress = lambda done, total: None) -> None:
        super().__init__(Usearch(), vectors, folder, progress)
