"""What the routes of one serving process share."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loom.answer.forgetting import forget
from loom.compose import Node
from loom.serve.follow import Follower
from loom.serve.holder import Holder
from loom.serve.metrics import Metrics
from loom.serve.reach import Reach


@dataclass(frozen=True, slots=True)
class Serving:
    """One process: the node as composed, what it holds now, and where it reports. `started` is monotonic seconds.

    `forgotten` is a file of all workers of one node, written whenever any of them deletes what was said.
    """

    node: Node
    holder: Holder
    follower: Follower
    reach: Reach
    metrics: Metrics
    log: Any
    started: float
    forgotten: Path | None = None

    def forget(self) -> None:
        """Drop whatever this process remembers of questions and answers, since some of it was deleted, and tell the other workers."""
        self.drop()
        if self.forgotten is not None:
            self.forgotten.write_bytes(b"")

    def drop(self) -> None:
        forget(self.holder.pin, self.node.finders)
