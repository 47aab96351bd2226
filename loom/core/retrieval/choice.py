"""Which vector index serves, and why: what costs least for so many vectors and workers."""

from collections.abc import Collection
from typing import NamedTuple

EXACT_MOST = 20_000
"""Vectors up to which comparing all of them costs less than a graph: it is as quick, has nothing to build and is shared by all
workers."""


class Choice(NamedTuple):
    """The kind of an index, and the reason in words for `/health`."""

    kind: str
    reason: str


def choose(
    rows: int,
    workers: int,
    wanted: str = "auto",
    *,
    installed: Collection[str] = ("exact",),
    measured: str | None = None,
) -> Choice:
    """The index for `rows` vectors in each of `workers` processes. A kind that is wanted by name is taken, whatever it costs.

    `measured` is the kind whose recall was measured when the vectors were made: one that was not is not chosen over it.
    """
    if wanted != "auto":
        return Choice(wanted, f"LOOM_VECTOR_INDEX is {wanted}")
    if rows <= EXACT_MOST:
        return Choice("exact", f"comparing all is cheapest up to {EXACT_MOST:,} vectors, and there are {rows:,}")
    if workers > 1:
        return Choice("exact", f"each of {workers} workers would hold a graph of its own, and mapped vectors are held once")
    if "hnswlib" not in installed:
        return Choice("exact", "hnswlib is not installed (`pip install 'loom-node[hnsw]'`), and nothing quicker is")
    if measured not in (None, "hnswlib"):
        return Choice("exact", "the recall of hnswlib was not measured when the vectors were made; `loom embed --force` does")
    return Choice("hnswlib", f"one worker, and more than {EXACT_MOST:,} vectors")
