"""Vectors in Qdrant: for indexes that outgrow one machine. A collection for each attachment, a point for each row.

Qdrant only narrows down. What is returned are exact cosines over the mapped vectors, so that it can propose rows and nothing else.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from loom.core.errors import BadInput, LoomError, MissingExtra, Unreachable
from loom.core.retrieval.nearest import Found, UnitVectors

EF = 128
"""Candidates that Qdrant keeps while it searches its graph."""

SPARE = 16
"""Rows beyond those asked for that are compared exactly."""

PUSHED_AT_ONCE = 256
PUSH_PATIENCE = 60
REST = 5.0
"""Seconds for which a Qdrant that failed is not asked again: questions in that time do not wait for it."""

IN_PROCESS = ":memory:"

Progress = Callable[[int, int], object]


@dataclass(frozen=True, slots=True)
class Qdrant:
    """One Qdrant: where it is, the client's package, and an asynchronous client of it. Nothing has been sent yet."""

    url: str
    library: Any
    client: Any

    @classmethod
    def at(cls, url: str, key: str = "") -> "Qdrant":
        """Behind an http(s) URL, or the client's own engine in this process; raises MissingExtra without qdrant-client."""
        try:
            library: Any = import_module("qdrant_client")
        except ImportError as error:
            raise MissingExtra("Qdrant needs qdrant-client; install it with `pip install 'loom-node[qdrant]'`.") from error
        if url == IN_PROCESS:
            return cls(url, library, library.AsyncQdrantClient(location=url))
        headers = {"api-key": key} if key else None
        client = library.AsyncQdrantClient(
            url=url, port=None, headers=headers, timeout=PUSH_PATIENCE, check_compatibility=False
        )
        return cls(url, library, client)

    def failed(self, error: Exception) -> Unreachable:
        """What the client raised (its own errors, its transport's, its parser's), in one sentence."""
        said = " ".join(str(error).split())[:200].rstrip(".") or type(error).__name__
        return Unreachable(f"Qdrant at {self.url} did not answer as it should: {said}.")


class QdrantVectors:
    """The collection of an attachment, whose digest is `digest`. Nothing is asked of it before the first search.

    `deadline` is in seconds. `search` raises Unreachable where Qdrant fails, is late, or does not hold every vector.
    """

    kind = "qdrant"

    def __init__(
        self,
        vectors: np.ndarray,
        qdrant: Qdrant,
        digest: str,
        *,
        deadline: float = 0.5,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._vectors = UnitVectors(vectors)
        self._qdrant, self._name, self._deadline, self._clock = qdrant, collection(digest), deadline, clock
        self._wide = None if qdrant.url == IN_PROCESS else qdrant.library.models.SearchParams(hnsw_ef=EF)
        self._whole = False
        self._rests_until = float("-inf")
        self._loop: asyncio.AbstractEventLoop | None = None

    async def search(self, vector: np.ndarray, k: int) -> Found:
        asked = self._vectors.asked(vector)
        if k <= 0 or not self._vectors.live:
            return self._vectors.search(asked, 0)
        if self._clock() < self._rests_until:
            raise Unreachable(f"Qdrant at {self._qdrant.url} failed less than {REST:g} s ago and is not asked yet.")
        self._loop = asyncio.get_running_loop()
        try:
            near = await self._in_time(asked, min(k + SPARE, self._vectors.live))
        except Unreachable:
            self._rests_until = self._clock() + REST
            raise
        return self._vectors.ranked(asked, near, k)

    def cosines(self, vector: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return self._vectors.cosines(self._vectors.asked(vector), rows)

    def close(self) -> None:
        """Connections belong to the loop that searched; where none runs, there are none."""
        if self._loop is not None and self._loop.is_running():
            asyncio.run_coroutine_threadsafe(self._qdrant.client.close(), self._loop)

    async def _in_time(self, asked: np.ndarray, count: int) -> np.ndarray:
        try:
            async with asyncio.timeout(self._deadline):
                return await self._near(asked, count)
        except TimeoutError as error:
            raise Unreachable(f"Qdrant at {self._qdrant.url} gave nothing within {self._deadline:g} s.") from error
        except LoomError:
            raise
        except Exception as error:
            raise self._qdrant.failed(error) from error

    async def _near(self, asked: np.ndarray, count: int) -> np.ndarray:
        if not self._whole:
            await self._check()
        found = await self._qdrant.client.query_points(
            self._name, query=asked.tolist(), limit=count, with_payload=False, search_params=self._wide
        )
        rows = np.unique(np.asarray([point.id for point in found.points], dtype=np.int64))
        if len(rows) and not 0 <= rows[0] <= rows[-1] < len(self._vectors.rows):
            raise Unreachable(f"Qdrant at {self._qdrant.url} gave rows that the attachment does not have.")
        return np.setdiff1d(rows, self._vectors.dead, assume_unique=True)

    async def _check(self) -> None:
        """A collection that is half pushed would answer too, and wrongly."""
        client = self._qdrant.client
        there = await client.collection_exists(self._name)
        held = (await client.count(self._name, exact=True)).count if there else 0
        if held != self._vectors.live:
            raise Unreachable(
                f"Qdrant at {self._qdrant.url} holds {held:,} of the {self._vectors.live:,} vectors of this attachment; "
                f"bring them there with `loom embed --push-qdrant {self._qdrant.url}`."
            )
        self._whole = True


async def push(vectors: np.ndarray, qdrant: Qdrant, digest: str, progress: Progress = lambda done, total: None) -> int:
    """Bring the vectors of an attachment into its collection, and give their number; what is there whole already stays as it is.

    `progress` is told how many have been sent, and of how many. Raises Unreachable where Qdrant fails on the way (pushing again
    goes over it anew), BadInput where a collection of that name holds something else.
    """
    held = UnitVectors(vectors)
    rows = np.setdiff1d(np.arange(len(held.rows)), held.dead, assume_unique=True)
    client, models, name = qdrant.client, qdrant.library.models, collection(digest)
    try:
        if not await client.collection_exists(name):
            params = models.VectorParams(size=held.width, distance=models.Distance.DOT)
            await client.create_collection(name, vectors_config=params)
        stated = getattr((await client.get_collection(name)).config.params.vectors, "size", None)
        if stated == held.width and (await client.count(name, exact=True)).count != len(rows):
            for start in range(0, len(rows), PUSHED_AT_ONCE):
                some = rows[start : start + PUSHED_AT_ONCE]
                await client.upsert(name, models.Batch(ids=some.tolist(), vectors=held.rows[some].tolist()), wait=True)
                progress(start + len(some), len(rows))
        count = int((await client.count(name, exact=True)).count)
    except Exception as error:
        raise qdrant.failed(error) from error
    if stated != held.width or count != len(rows):
        raise BadInput(
            f"Expected the collection {name} to hold {len(rows):,} vectors of {held.width} numbers, but it holds {count:,} of "
            f"{stated or 'another kind'}; delete it at {qdrant.url} and push again.",
            param="push-qdrant",
        )
    return count


def collection(digest: str) -> str:
    """The name of the collection of an attachment."""
    return f"loom-{digest.removeprefix('sha256:')}"
