"""What a batch has gathered so far: writes with the ask that each belongs to, new objects with their vectors, calls with their lines."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from loom.core.claims.judging.calls import Call, Judged, T
from loom.core.claims.records import Claim, Domain, Signal
from loom.core.claims.stored import CallRow, DimensionRow, Done, ProjectionRow, Vector
from loom.core.claims.writes import Batch, Write
from loom.core.values import Json

NODE = "node"
"""The kind of vector of signals and claims."""


@dataclass(frozen=True, slots=True)
class NewSignal:
    """A signal of this batch, before it is found in any version."""

    signal: Signal
    source: str
    vector: np.ndarray


@dataclass(frozen=True, slots=True)
class NewClaim:
    """A claim of this batch. `home` is what its antecedents give it."""

    claim: Claim
    home: frozenset[str]
    vector: np.ndarray
    asked: int
    request: str = ""


@dataclass(slots=True)
class Draft:
    """Everything that becomes visible with one version. `run` names it in derivations and in the log."""

    after: int
    at: str
    run: str
    writes: list[Write] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    signals: dict[str, NewSignal] = field(default_factory=dict)
    claims: dict[str, NewClaim] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)
    """Claims that were there and were given something by this batch."""
    domains: dict[str, Domain] = field(default_factory=dict)
    dimensions: dict[str, DimensionRow] = field(default_factory=dict)
    projections: list[ProjectionRow] = field(default_factory=list)
    vectors: list[Vector] = field(default_factory=list)
    calls: list[CallRow] = field(default_factory=list)
    said: dict[int, dict[str, Json]] = field(default_factory=dict)
    """What is to be said of an ask, by its number."""
    logged: list[Json] = field(default_factory=list)
    """Verdicts that were not written, for a person to look at."""

    def write(self, write: Write, asked: int = 0) -> None:
        self.writes.append(write)
        self.owners.append(asked)

    def say(self, asked: int, **what: Json) -> None:
        """Adds to what is said of an ask; lists grow."""
        mine = self.said.setdefault(asked, {})
        for name, value in what.items():
            have = mine.get(name)
            mine[name] = [*have, *value] if isinstance(have, list) and isinstance(value, list) else value

    def refuse(self, asked: int, why: str) -> None:
        self.say(asked, refused=[why])

    def take(self, judged: Judged[T], line: str, **of: Json) -> T:
        """The value of a judgement; its calls go into the log under a line of the ledger."""
        self.calls += [row(call, line, self.run, self.at, **of) for call in judged.calls]
        return judged.value

    def keep(self, id: str, vector: np.ndarray, kind: str = NODE) -> None:
        self.vectors.append(Vector(kind, id, vector))

    def batch(self) -> Batch:
        return Batch(tuple(self.writes), self.at)

    def done(self, asked: Iterable[int], refusals: Iterable[tuple[int, str]]) -> Sequence[Done]:
        """What is said of each ask, with the writes that the network refused (position, why)."""
        for position, why in refusals:
            if self.owners[position]:
                self.refuse(self.owners[position], why)
        return [Done(number, self.said.get(number, {})) for number in asked]


def storable(text: str) -> str:
    """What a judge wrote, as every store takes it: a text that none takes would hold up the batch each time it is tried."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()


def row(call: Call, line: str, run: str, at: str, **of: Json) -> CallRow:
    """A call as it lies in the log: `line` is that of the ledger, `of` says what else it belongs to."""
    return CallRow(
        component=call.component,
        model=call.model,
        tier=call.tier,
        tokens_in=call.tokens_in,
        tokens_out=call.tokens_out,
        price=call.price,
        cached=call.cached,
        key=call.key,
        at=at,
        of={"line": line, "run": run, "outcome": call.outcome, **of},
    )


def with_context(claim: Claim, precondition: str, node: str) -> Claim:
    """A claim whose precondition has evidence: the node joins every justification, and the precondition leaves the context."""
    justifications = tuple(
        just if node in just.antecedents else replace(just, antecedents=(*just.antecedents, node))
        for just in claim.justifications
    )
    return replace(
        claim, justifications=justifications, context=tuple(each for each in claim.context if each.id != precondition)
    )
