"""Which vector index serves, and why: what costs least for so many vectors and workers."""

from collections.abc import Collection
from typing import NamedTuple

EXACT_MOST = 20_000
"""Vectors up to which comparing all of them costs less than a graph: it is as quick, has nothing to build and is shared by all
workers."""


MAPPED = frozenset({"usearch"})
"""Graphs that are mapped from their files. Others are held by each worker for itself."""

EXTRAS = {"hnswlib": "hnsw", "usearch": "usearch"}


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
    fit = [kind for kind in ("hnswlib", "usearch") if workers == 1 or kind in MAPPED]
    there = [kind for kind in fit if kind in installed]
    if not there:
        return Choice("exact", f"nothing quicker is installed (`pip install 'loom-node[{EXTRAS[fit[0]]}]'` brings {fit[0]})")
    usable = [kind for kind in there if measured in (None, kind)]
    if not usable:
        return Choice(
            "exact", f"the recall of {there[0]} was not measured when the vectors were made; `loom embed --force` does"
        )
    shared = f"{workers} workers share it" if workers > 1 else "one worker"
    return Choice(usable[0], f"more than {EXACT_MOST:,} vectors, {shared}")
