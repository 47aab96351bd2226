"""Dimensions as judges read and propose them: a contract as an axis, an axis as a contract, and an answer as a position.

Judges call the two values of a binary axis false and true; here they have names. What a model proposes has no metric and no normalizer:
each kind of values has its own.
"""

from collections.abc import Iterable, Sequence

from loom.core.claims.dimensions.contract import Contract, Procedure, Prototype
from loom.core.claims.dimensions.matching import checked
from loom.core.claims.dimensions.proposals import Declined, Proposed, plain
from loom.core.claims.dimensions.spaces import Binary, Category, Ordinal, Scalar, Space, SpaceKind, Value
from loom.core.claims.judging.asked import Axis
from loom.core.claims.judging.given import Placed, Proposal
from loom.core.errors import BadInput

SIDES = ("false", "true")
USUAL: dict[SpaceKind, tuple[str, str]] = {
    "ordinal": ("rank", "steps"), "scalar": ("difference", "range"), "binary": ("match", "identity"),
    "category": ("match", "identity"),
}  # fmt: skip
"""Metric and normalizer of each kind of values where nobody chose others."""


def axis_of(contract: Contract) -> Axis:
    """What a projector reads of a contract. Raises BadInput where its parts do not go together."""
    space = checked(contract).space
    scalar = space if isinstance(space, Scalar) else Scalar()
    return Axis(
        name=contract.name,
        definition=contract.definition,
        space=space.kind,
        values=space.values if isinstance(space, Ordinal | Category) else (),
        low=scalar.low,
        high=scalar.high,
        prototypes=tuple((_named(space, each.value), each.text) for each in contract.prototypes),
        cues={_named(space, value): words for value, words in contract.procedure.words},
    )


def value_of(contract: Contract, placed: Placed) -> Value | None:
    """The value that a projector gave; None where it gave none. Raises BadInput where the space has no such value."""
    value, space = placed.value, contract.space
    if value is None:
        return None
    if isinstance(space, Binary):
        if not isinstance(value, bool):
            raise BadInput(f"Expected true or false on {contract.name}, but got {value!r}.", param="value")
        return space.values[value]
    return space.value(space.code(value))


def contract_of(axis: Axis) -> Contract:
    """A proposed axis as a contract, with the usual metric and normalizer. Raises BadInput where a part is none."""
    space = _space(axis)
    metric, normalizer = USUAL[space.kind]
    return Contract(
        name=axis.name,
        definition=axis.definition,
        space=space,
        procedure=Procedure("words", tuple(axis.cues.items())) if axis.cues else Procedure("judged"),
        metric=metric,
        normalizer=normalizer,
        prototypes=tuple(Prototype(_read(space, value), text) for value, text in axis.prototypes),
    )


def composed(proposals: Sequence[Proposal], taken: Iterable[str] = ()) -> Proposed:
    """The contracts among a model's proposals; `taken` are the names of the domain's dimensions.

    One that does not go together, gives a pattern for a word, or takes a name that is taken is declined; the others stay."""
    names = list(taken)
    contracts, declined = [], []
    for place, each in enumerate(proposals):
        try:
            contract = checked(plain(contract_of(each.axis)), names)
        except BadInput as error:
            declined.append(Declined(place, error.message))
        else:
            names.append(contract.name)
            contracts.append(contract)
    return Proposed(tuple(contracts), tuple(declined))


def _space(axis: Axis) -> Space:
    if axis.space == "scalar":
        return Scalar(axis.low, axis.high)
    if axis.space == "binary":
        return Binary(SIDES)
    return Ordinal(axis.values) if axis.space == "ordinal" else Category(axis.values)


def _named(space: Space, value: Value) -> str:
    """A value as judges name it."""
    if isinstance(space, Binary):
        return SIDES[space.values.index(str(value))]
    return str(value)


def _read(space: Space, value: str) -> Value:
    if not isinstance(space, Scalar):
        return value
    try:
        return float(value)
    except ValueError:
        raise BadInput(f"Expected a number as the value of a prototype, but got {value!r}.", param="prototypes") from None
