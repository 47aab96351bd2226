"""A dimension: a contract in a domain, with a version, a state, and what its positions of older versions are worth (seed §5.5)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from loom.core.claims.dimensions.contract import Contract
from loom.core.claims.dimensions.matching import checked
from loom.core.claims.records import need

State = Literal["candidate", "validated", "active", "parked", "retired"]
Effect = Literal["none", "bump", "stale"]
"""Of a change to a contract: nothing; a new version; a new version under which older projections are stale."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """`valid_from` is the first version whose projections still hold. `weight` is the mean out-of-fold weight of the last screen,
    `activated` the cycle in which it became active, `failures` the cycles in a row that it did not pass.

    `pinned` keeps it active whatever the screen says. `proposed_by` names what it came from: a person or a generator.
    `distilled` says that a small projector may place queries on it."""

    id: str
    domain: str
    contract: Contract
    version: int = 1
    valid_from: int = 1
    state: State = "candidate"
    pinned: bool = False
    weight: float = 0.0
    activated: int = 0
    failures: int = 0
    proposed_by: str = ""
    distilled: bool = False

    def __post_init__(self) -> None:
        need(self.id, "an id of a dimension", "id")
        need(self.domain, f"the domain of the dimension {self.id}", "domain")

    @property
    def active(self) -> bool:
        return self.state == "active"


def effect(before: Contract, after: Contract) -> Effect:
    """What a change does. What a projector is shown (definition, value space, projection system, prototypes) makes projections stale;
    metric and normalizer act when positions are compared, so that stored values stay; a validation record changes nothing."""
    shown = ("name", "definition", "space", "procedure", "prototypes")
    if any(getattr(before, name) != getattr(after, name) for name in shown):
        return "stale"
    return "none" if (before.metric, before.normalizer) == (after.metric, after.normalizer) else "bump"


def revised(dimension: Dimension, contract: Contract, taken: Iterable[str] = ()) -> Dimension:
    """The dimension with another contract; `taken` are the names of the domain's other dimensions.

    A validation record that was measured on stale projections is dropped, as is the finding that a small projector will do.
    Raises BadInput where the contract's parts do not go together."""
    checked(contract, taken)
    change = effect(dimension.contract, contract)
    if change == "none":
        return replace(dimension, contract=contract)
    version = dimension.version + 1
    if change == "bump":
        return replace(dimension, contract=contract, version=version)
    if contract.validation == dimension.contract.validation:
        contract = replace(contract, validation=None)
    return replace(dimension, contract=contract, version=version, valid_from=version, distilled=False)
