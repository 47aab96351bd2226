"""What a judgement cost: every call of a model that it took, so that the cost ledger is the sum of the log (specs/claims.md §9)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from loom.core.errors import UpstreamFailure

T = TypeVar("T")

Component = Literal[
    "extraction",
    "entailment",
    "verdicts",
    "derivation",
    "projecting",
    "filing",
    "routing",
    "proposing",
    "rendering",
    "supposing",
    "reranking",
    "deciding",
]
Outcome = Literal["used", "malformed", "failed"]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a model. `key` is the digest of its content, under which the answer is kept; where it was kept already the call is
    `cached` and costs nothing. `price` is what was paid, in the currency of the prices that were stated. A malformed reply was paid
    for and not used; a failed call gave none."""

    component: Component
    model: str
    tier: str
    tokens_in: int = 0
    tokens_out: int = 0
    price: float = 0.0
    cached: bool = False
    key: str = ""
    outcome: Outcome = "used"


@dataclass(frozen=True, slots=True)
class Judged(Generic[T]):
    """A judgement with the calls that it took, in the order of asking: none where no model was asked."""

    value: T
    calls: tuple[Call, ...] = ()

    @property
    def refused(self) -> int:
        """Replies that were no judgement, and were not used."""
        return sum(call.outcome == "malformed" for call in self.calls)


class Unjudged(UpstreamFailure):
    """A model could not be asked. `calls` were made before; they are paid, and their answers are kept."""

    def __init__(self, message: str, *, status: int = 502, code: str | None = None, calls: tuple[Call, ...] = ()) -> None:
        super().__init__(message, status=status, code=code)
        self.calls = calls


def price_of(calls: Iterable[Call]) -> float:
    """What some calls cost together."""
    return sum(call.price for call in calls)
