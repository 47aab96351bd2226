"""What may be done to a network, as values; a batch of them is applied as a whole (§§4–5).

Writes take effect in their order, so a write may name what an earlier one of its batch made, and a cycle is found within a batch
as across batches. Labels are decided once, behind all of them; acceptances are judged last, by the standing the batch leaves.
"""

from dataclasses import dataclass
from typing import TypeAlias

from loom.core.claims.records import SLOW_PATH, Agent, Branch, Claim, Derivation, Entry, Justification, Precondition, Signal

SUPPORTS = Derivation("supports")


@dataclass(frozen=True, slots=True)
class AddEntry:
    entry: Entry


@dataclass(frozen=True, slots=True)
class WithdrawEntry:
    """The entry no longer counts: its signals lose support, and those that they replaced regain it."""

    entry: str


@dataclass(frozen=True, slots=True)
class RestoreEntry:
    entry: str


@dataclass(frozen=True, slots=True)
class AddSignal:
    signal: Signal


@dataclass(frozen=True, slots=True)
class ReplaceSignal:
    """A later signal takes the place of an earlier one of the same source, for as long as the later one's entry is not withdrawn."""

    new: str
    old: str


@dataclass(frozen=True, slots=True)
class FileSignal:
    """The domains of a signal, anew."""

    signal: str
    domains: frozenset[str]


@dataclass(frozen=True, slots=True)
class AddClaim:
    """A derived claim, or one that a person entered. It is never written as accepted."""

    claim: Claim


@dataclass(frozen=True, slots=True)
class Support:
    """The verdict that `node` supports a claim: a justification with that one antecedent. The same pair again changes nothing."""

    claim: str
    node: str
    derivation: Derivation = SUPPORTS


@dataclass(frozen=True, slots=True)
class Justify:
    """A re-derivation that found other evidence for the same proposition; what it `assumes` without evidence joins the context."""

    claim: str
    justification: Justification
    assumes: tuple[Precondition, ...] = ()


@dataclass(frozen=True, slots=True)
class Migrate:
    """A precondition of `claim` found evidence: `node` joins every justification and the precondition leaves the context. Where it
    would close a cycle it is refused, and the precondition stays."""

    claim: str
    precondition: str
    node: str
    run: str = ""


@dataclass(frozen=True, slots=True)
class Contradict:
    """The verdict that `new` contradicts the claim `target`. Where `new` is a signal it is lifted first. A pair has one edge, which
    keeps the branches that found it. An edge that a person took back comes back by a person only."""

    new: str
    target: str
    branch: Branch = "claim"
    by: Agent = SLOW_PATH


@dataclass(frozen=True, slots=True)
class TakeOver:
    """An ordinary claim states what a lifted one restates: it takes the conflicts over, and supersedes the lifted one."""

    claim: str
    lifted: str


@dataclass(frozen=True, slots=True)
class DropConflict:
    """A person finds a conflict spurious."""

    one: str
    other: str
    by: Agent


@dataclass(frozen=True, slots=True)
class Supersede:
    new: str
    old: str
    by: Agent = SLOW_PATH


@dataclass(frozen=True, slots=True)
class DropSupersede:
    """A person finds a supersedes edge wrong; the override goes, other edges on the same claim stay."""

    new: str
    old: str
    by: Agent


@dataclass(frozen=True, slots=True)
class Accept:
    """A person accepts a proposed claim. A contested one is resolved instead: its conflict dropped, or its partner rejected."""

    claim: str
    by: Agent


@dataclass(frozen=True, slots=True)
class Reject:
    """A person rejects a claim. With `of`, to end a conflict: only while the claim is contested, by that claim where `of` names one and
    by any where it is empty."""

    claim: str
    by: Agent
    of: str | None = None


@dataclass(frozen=True, slots=True)
class Readmit:
    """A person takes a rejection back."""

    claim: str
    by: Agent


Write: TypeAlias = (
    AddEntry
    | WithdrawEntry
    | RestoreEntry
    | AddSignal
    | ReplaceSignal
    | FileSignal
    | AddClaim
    | Support
    | Justify
    | Migrate
    | Contradict
    | TakeOver
    | DropConflict
    | Supersede
    | DropSupersede
    | Accept
    | Reject
    | Readmit
)


@dataclass(frozen=True, slots=True)
class Batch:
    """Writes that become visible together, at a time that the caller states."""

    writes: tuple[Write, ...]
    at: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A write that was not applied. `reason` is one of a closed list, `why` a sentence."""

    position: int
    write: Write
    reason: str
    why: str


REASONS = ("unknown", "known", "kind", "agent", "cycle", "unsupported", "nothing", "standing", "spurious", "order")
"""Why a write is refused: it names what is not there, what is there already, or the wrong kind of thing; its agent may not; it would
close a cycle; its evidence is not supported; it would change nothing; the standing does not allow it; a person found it spurious; a
later signal would be replaced by an earlier one, or by one of another source."""
