"""Moves of standing, which are only ever appended, and what they come to when they are read again (§1, I12)."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from loom.core.claims.standing import Standing

Cause = Literal[
    "written", "support", "conflict", "rejected", "readmitted", "superseded", "unsuperseded", "accepted", "automatic"
]
"""Why a standing moved: the claim was written; support behind it, or a conflict, came or went; an override was written or taken
back; a person, or the automatic rule, accepted it."""


@dataclass(frozen=True, slots=True)
class Move:
    """One item of a claim's history. `by` is the person who decided it, where one did: a store knows, the network does not ask."""

    batch: int
    at: str
    claim: str
    before: Standing
    after: Standing
    cause: Cause
    by: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Past:
    """What a history comes to: the standing, whether it was accepted and not retracted since, whether it was ever retracted, and
    the batch that wrote the claim."""

    standing: Standing
    settled: bool
    fallen: bool
    since: int


def replay(moves: Iterable[Move]) -> dict[str, Past]:
    """What a history comes to, by claim. Raises ValueError where a move does not begin where the last one ended."""
    found: dict[str, Past] = {}
    for move in moves:
        past = found.get(move.claim, Past(Standing.NONE, False, False, move.batch))
        if past.standing is not move.before or move.after is move.before:
            raise ValueError(
                f"expected a move of {move.claim} away from {past.standing.word}, but it goes {move.before.word} to {move.after.word}"
            )
        retracted = move.after is Standing.RETRACTED
        found[move.claim] = Past(
            standing=move.after,
            settled=move.after is Standing.ACCEPTED or (past.settled and not retracted),
            fallen=past.fallen or retracted,
            since=past.since,
        )
    return found
