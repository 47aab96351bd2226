"""A policy is a value: which matcher reads the question, how units are minted, when they are shown, how they are packed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from loom.core.concepts import Concepts
from loom.core.mint import reference as reference_mint
from loom.core.mint import unit as default_mint
from loom.core.policy.gate import ConfidenceGate, Decide, ReferenceGate
from loom.core.policy.packing import Pack, pack_lines, pack_whole
from loom.core.values import Candidate, Evidence, Row


class Mint(Protocol):
    """Turns admitted rows of the concepts part into units."""

    def __call__(
        self, concepts: Concepts, admitted: Sequence[tuple[Row, Candidate]], question: str, *, hops: int, prose: bool
    ) -> tuple[Evidence, ...]: ...


@dataclass(frozen=True, slots=True)
class Policy:
    """What decides between a question and its block. `matcher` names the matcher of questions and of exposure; `follows` says
    whether the turns before a question may count."""

    name: str
    matcher: str
    decide: Decide
    mint: Mint
    pack: Pack
    follows: bool = False


def reference(gate: ReferenceGate | None = None) -> Policy:
    """The policy whose blocks equal the reference's byte for byte."""
    return Policy("reference", "reference", (gate or ReferenceGate()).decide, reference_mint.mint, pack_whole)


def default(gate: ConfidenceGate | None = None) -> Policy:
    """The policy of this node."""
    return Policy("default", "default", (gate or ConfidenceGate()).decide, default_mint.mint, pack_lines, follows=True)


POLICIES = ("default", "reference")
