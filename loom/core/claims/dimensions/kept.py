"""A dimension as a store keeps it: id, domain, version, state and pin as columns, the rest as one JSON body."""

from collections.abc import Mapping
from typing import Any, get_args

from loom.core.claims.dimensions.dimension import Dimension, State
from loom.core.claims.dimensions.reading import read, written
from loom.core.errors import BadInput

MEMBERS: dict[str, type] = {
    "valid_from": int, "weight": float, "activated": int, "failures": int, "proposed_by": str, "distilled": bool,
}  # fmt: skip


def body(dimension: Dimension) -> dict[str, Any]:
    """What no column holds: the contract, and what cycles have found."""
    return {"contract": written(dimension.contract)} | {name: getattr(dimension, name) for name in MEMBERS}


def opened(id: str, domain: str, version: int, state: str, pinned: bool, given: object) -> Dimension:
    """The dimension of these columns. Raises BadInput where the body is none, or the state is."""
    states: tuple[State, ...] = get_args(State)
    known = [each for each in states if each == state]
    if not known:
        raise BadInput(f"Expected one of {', '.join(states)}, but the dimension {id} is {state!r}.", param="state")
    if not isinstance(given, Mapping) or set(given) != {"contract", *MEMBERS}:
        raise BadInput(f"Expected the body of the dimension {id} with a contract, {', '.join(MEMBERS)}.", param="body")
    rest = {name: given[name] for name in MEMBERS}
    for name, kind in MEMBERS.items():
        value = rest[name]
        if kind is float and type(value) is int:
            rest[name] = value = float(value)
        if type(value) is not kind:
            raise BadInput(f"Expected {name} of the dimension {id} as {kind.__name__}, but got {value!r}.", param=name)
    return Dimension(id, domain, read(given["contract"]), version, state=known[0], pinned=pinned, **rest)
