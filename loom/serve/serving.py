"""What the routes of one serving process share."""

from dataclasses import dataclass
from typing import Any

from loom.compose import Node
from loom.serve.follow import Follower
from loom.serve.holder import Holder
from loom.serve.metrics import Metrics
from loom.serve.reach import Reach


@dataclass(frozen=True, slots=True)
class Serving:
    """One process: the node as composed, what it holds now, and where it reports. `started` is monotonic seconds."""

    node: Node
    holder: Holder
    follower: Follower
    reach: Reach
    metrics: Metrics
    log: Any
    started: float

    def forget(self) -> None:
        """Drop whatever this process remembers of questions and answers, since some of it was deleted."""
        pin = self.holder.pin
        if pin is not None:
            pin.grounded.clear()
