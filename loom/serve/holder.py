"""The generation that this process serves, and who still holds an older one."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from loom.answer.attached import NONE, Standing, off
from loom.answer.plan import Pin
from loom.core.errors import NoGeneration
from loom.core.values import Json
from loom.ports import Generation

HOW = "Build one with `loom build SOURCE --out GENERATIONS`, or make one current with `loom generations use ID`."

ABSENT = off(NONE)


@dataclass(slots=True, eq=False)
class Lease:
    """A pin and the number of requests that hold it. A retired generation is closed when the last of them ends.

    `about` is what is known of the generation and not sealed into it; `standing` the embeddings that serve beside it.
    """

    pin: Pin
    about: Mapping[str, Json] = field(default_factory=dict)
    standing: Standing = ABSENT
    users: int = 0
    retired: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """A generation that the node was pointed at and does not serve. `at` is monotonic seconds."""

    id: str
    reason: str
    at: float


class Holder:
    """Holds the current pin; swapping is the assignment of one attribute. Used from the event loop only."""

    def __init__(self) -> None:
        self._lease: Lease | None = None
        self.refusal: Refusal | None = None

    @property
    def pin(self) -> Pin | None:
        return self._lease.pin if self._lease else None

    @property
    def id(self) -> str | None:
        return self._lease.pin.generation.id if self._lease else None

    @property
    def standing(self) -> Standing:
        return self._lease.standing if self._lease else off("there is no generation")

    def take(self) -> Lease:
        """Hold the current generation until `give`; raises NoGeneration when there is none."""
        lease = self._lease
        if lease is None:
            reason = self.refusal.reason if self.refusal else HOW
            raise NoGeneration(f"This node has no generation to answer from. {reason}")
        lease.users += 1
        return lease

    def give(self, lease: Lease) -> None:
        lease.users -= 1
        if lease.retired and not lease.users:
            _close(lease)

    def assign(self, generation: Generation, about: Mapping[str, Json], standing: Standing = ABSENT) -> None:
        """Serve this generation, and these embeddings beside it, from now on."""
        old, self._lease = self._lease, Lease(Pin(generation, standing.semantics), about, standing)
        self.refusal = None
        if old is not None:
            self._retire(old)

    def close(self) -> None:
        old, self._lease = self._lease, None
        if old is not None:
            self._retire(old)

    def _retire(self, lease: Lease) -> None:
        lease.retired = True
        if not lease.users:
            _close(lease)


def _close(lease: Lease) -> None:
    """Unmapping a large generation takes a moment, so it happens off the loop."""
    asyncio.get_running_loop().run_in_executor(None, _let_go, lease)


def _let_go(lease: Lease) -> None:
    if lease.pin.semantics is not None:
        lease.pin.semantics.close()
    lease.pin.generation.close()
