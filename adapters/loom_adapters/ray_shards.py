"""Pieces of work on Ray: in processes of this machine, or on the cluster of an address."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, TypeVar

from loom.core.errors import LoomError, MissingExtra, Unreachable

Piece = TypeVar("Piece")
Done = TypeVar("Done")

AHEAD = 2
"""Pieces that are handed out for each processor."""


class RayShards:
    """Ray, begun for this work: here, or at `address` ("auto", or ray://host:port). Files that pieces name must be where the
    workers are. Raises MissingExtra without ray, Unreachable where no cluster answers."""

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        try:
            ray: Any = import_module("ray")
        except ImportError as error:
            raise MissingExtra("Shards on Ray need ray; install it with `pip install 'loom-node[ray]'`.") from error
        self._ray = ray
        try:
            if address:
                ray.init(address=address, log_to_driver=False, logging_level="error")
            else:
                ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, logging_level="error")
        except Exception as error:  # whatever Ray comes upon while it starts
            said = " ".join(str(error).split())[:200]
            raise Unreachable(f"Ray does not start at {address or 'this machine'}: {said}", param="ray") from error
        self._ahead = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))

    def map(self, work: Callable[[Piece], Done], pieces: Sequence[Piece]) -> Iterator[Done]:
        """The results in the order of the pieces."""
        remote = self._ray.remote(work)
        waiting: deque[Any] = deque()
        for piece in pieces:
            waiting.append(remote.remote(piece))
            if len(waiting) >= self._ahead:
                yield self._result(waiting.popleft())
        while waiting:
            yield self._result(waiting.popleft())

    def _result(self, reference: Any) -> Any:
        """What a piece gave, or what it raised as it was raised there."""
        try:
            return self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            cause = error.cause
            raise (cause if isinstance(cause, LoomError) else error) from None

    def close(self) -> None:
        self._ray.shutdown()
