"""Candidates that a model composed, read and checked one by one (seed §5.4)."""

from dataclasses import dataclass

from loom.core.claims.dimensions.contract import Contract
from loom.core.errors import BadInput


@dataclass(frozen=True, slots=True)
class Declined:
    """A proposal that cannot be used: its place in the answer, and why."""

    place: int
    why: str


@dataclass(frozen=True, slots=True)
class Proposed:
    contracts: tuple[Contract, ...]
    declined: tuple[Declined, ...]


def plain(contract: Contract) -> Contract:
    """Patterns are code: a person may write them into a contract, a model may not."""
    for _, words in contract.procedure.words:
        for each in words:
            if each.startswith("/") and each.endswith("/"):
                raise BadInput(f"Expected words, but {each!r} is a pattern, which only a person writes.", param="projection")
    return contract
