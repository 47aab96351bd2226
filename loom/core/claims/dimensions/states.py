"""What moves a dimension from one state to another: candidate → validated → active → parked → retired (seed §5.4).

The screen activates and parks (`cycle`); here are validation, and what a person does. Nothing but a person retires.
"""

from collections.abc import Sequence
from dataclasses import replace

from loom.core.claims.dimensions.contract import Validation
from loom.core.claims.dimensions.dimension import Dimension
from loom.core.claims.dimensions.rules import DEFAULT, Rules
from loom.core.claims.records import Agent
from loom.core.errors import BadInput


def recorded(dimension: Dimension, validation: Validation) -> Dimension:
    """The dimension with a validation record, which is no new version. A candidate that meets it is validated; one that was validated
    and no longer meets it is a candidate again. Raises BadInput where another version was measured."""
    if validation.version < dimension.valid_from or validation.version > dimension.version:
        raise BadInput(
            f"Expected a record of {dimension.id} in a version from {dimension.valid_from} to {dimension.version}, but it is of "
            f"{validation.version}; measure it again.",
            param="validation",
        )
    found = replace(dimension, contract=replace(dimension.contract, validation=validation))
    if dimension.state == "candidate" and validation.met:
        return replace(found, state="validated")
    if dimension.state == "validated" and not validation.met:
        return replace(found, state="candidate")
    return found


def pin(
    dimension: Dimension, others: Sequence[Dimension], by: Agent, cycle: int, rules: Rules = DEFAULT
) -> tuple[Dimension, ...]:
    """The dimension, active from now on whatever the screen says, and the one that makes room for it, parked, where there is one.

    `others` are those of its domain. Raises BadInput where it is retired, or every place is pinned."""
    _person(by, "pins")
    if dimension.state == "retired":
        raise BadInput(f"{dimension.id} is retired; propose it anew.", param="id")
    pinned = replace(dimension, pinned=True)
    if dimension.active:
        return (pinned,)
    pinned = replace(pinned, state="active", activated=cycle, failures=0)
    held = [each for each in others if each.active]
    if len(held) < rules.active:
        return (pinned,)
    leaves = evicted(held)
    if leaves is None:
        raise BadInput(f"All {rules.active} active dimensions of {dimension.domain} are pinned; unpin one first.", param="id")
    return pinned, replace(leaves, state="parked", failures=0)


def unpin(dimension: Dimension, by: Agent) -> Dimension:
    """It stays active until the screen parks it."""
    _person(by, "unpins")
    return replace(dimension, pinned=False)


def retire(dimension: Dimension, by: Agent) -> Dimension:
    """Its projections are kept and never read."""
    _person(by, "retires")
    return replace(dimension, state="retired", pinned=False)


def reconsider(dimension: Dimension, by: Agent) -> Dimension:
    """A parked dimension is a candidate again, to be validated anew. Raises BadInput where it is not parked."""
    _person(by, "takes up again")
    if dimension.state != "parked":
        raise BadInput(f"Expected a parked dimension, but {dimension.id} is {dimension.state}.", param="id")
    return replace(dimension, state="candidate", failures=0)


def evicted(active: Sequence[Dimension]) -> Dimension | None:
    """Who leaves where one is too many: the smallest mean out-of-fold weight; ties: the most recently activated, then the last id.

    Pinned ones stay; None where all are."""
    free = sorted((each for each in active if not each.pinned), key=lambda each: each.id, reverse=True)
    return min(free, key=lambda each: (each.weight, -each.activated), default=None)


def _person(by: Agent, does: str) -> None:
    if by.kind != "person":
        raise BadInput(f"Only a person {does} a dimension, but this is {by.kind}.", param="by")
