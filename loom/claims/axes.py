"""Dimensions between their three shapes: the value of the rules, the row of the store, and the axis that a projector reads."""

from collections.abc import Iterable
from dataclasses import replace

from loom.core.claims.dimensions.contract import Contract
from loom.core.claims.dimensions.dimension import Dimension, State
from loom.core.claims.dimensions.reading import read, written
from loom.core.claims.dimensions.spaces import Binary, Scalar
from loom.core.claims.dimensions.spaces import Value as Held
from loom.core.claims.judging.asked import Axis, Value
from loom.core.claims.stored import DimensionRow

_EXTRA = ("valid_from", "weight", "activated", "failures", "proposed_by", "distilled")


def row_of(dimension: Dimension) -> DimensionRow:
    """The row that keeps a dimension, everything but its identity and state in the body."""
    body = {"contract": written(dimension.contract), **{name: getattr(dimension, name) for name in _EXTRA}}
    return DimensionRow(dimension.id, dimension.version, dimension.domain, dimension.state, dimension.pinned, body)


def dimension_of(row: DimensionRow) -> Dimension:
    """The dimension of a row. Raises BadInput where its contract is none."""
    body = row.body
    assert isinstance(body, dict)
    state: State = row.state  # type: ignore[assignment]
    made = Dimension(row.id, row.domain, read(body["contract"]), row.version, state=state, pinned=row.pinned)
    return replace(made, **{name: body[name] for name in _EXTRA if name in body})


def active(rows: Iterable[DimensionRow]) -> list[Dimension]:
    """Active dimensions, in the order of their ids."""
    return sorted((each for row in rows if (each := dimension_of(row)).active), key=lambda one: one.id)


def axis_of(contract: Contract) -> Axis:
    """A contract as a projector reads it."""
    space = contract.space
    if isinstance(space, Binary):
        named = dict(zip(space.values, ("false", "true"), strict=True))
        prototypes = tuple((named[str(each.value)], each.text) for each in contract.prototypes)
        cues = {named.get(value, value): words for value, words in contract.procedure.words}
        return Axis(contract.name, contract.definition, "binary", prototypes=prototypes, cues=cues)
    prototypes = tuple((str(each.value), each.text) for each in contract.prototypes)
    cues = dict(contract.procedure.words)
    if isinstance(space, Scalar):
        return Axis(
            contract.name, contract.definition, "scalar", low=space.low, high=space.high, prototypes=prototypes, cues=cues
        )
    return Axis(contract.name, contract.definition, space.kind, space.values, prototypes=prototypes, cues=cues)


def value_of(contract: Contract, value: Value | None) -> Held | None:
    """A projector's value in the space of a contract; None where it is none of it."""
    space = contract.space
    if isinstance(space, Binary) and isinstance(value, bool):
        return space.values[int(value)]
    if isinstance(value, bool) or value is None or not space.has(value):
        return None
    return value
