"""Contracts go to judges and proposals come back, every kind of values."""

from collections.abc import Sequence

import pytest
from hypothesis import strategies as st
from support.claims_axes import FEASIBLE, SPACES, contract
from support.trying import many

from loom.core.claims.dimensions.contract import Contract, Procedure, Prototype
from loom.core.claims.dimensions.judging import axis_of, composed, contract_of, value_of
from loom.core.claims.dimensions.matching import mismatches
from loom.core.claims.dimensions.spaces import Binary, Category, Scalar, Space
from loom.core.claims.judging.asked import Axis, Placing
from loom.core.claims.judging.given import Placed, Proposal
from loom.core.claims.judging.projecting import project
from loom.core.errors import BadInput

FUNDED = (Prototype("never", "The grant was refused."), Prototype("ever", "The ministry paid the loan out."))
WORDS = Procedure("words", tuple((each, (each,)) for each in FEASIBLE))


@many(SPACES)
def test_an_axis_is_the_contract_again(space: Space) -> None:
    given = contract(space)
    back = contract_of(axis_of(given))
    assert mismatches(back) == ()
    if isinstance(space, Binary):
        assert back.space == Binary(("false", "true"))
        assert [each.value for each in back.prototypes] == ["false", "true"]
    else:
        assert back == given


@many(SPACES, st.sampled_from((0, -1)))
def test_every_value_that_is_given_is_one_of_the_space(space: Space, end: int) -> None:
    given = contract(space)
    if isinstance(space, Scalar):
        value: str | float | bool = (space.low, space.high)[end]
        expected: str | float = value
    else:
        expected = space.values[end]
        value = end == -1 if isinstance(space, Binary) else expected
    assert value_of(given, Placed(value, 0.9)) == expected
    assert value_of(given, Placed(None, 0.1)) is None


@pytest.mark.parametrize(
    ("space", "value"),
    [(None, "done"), (None, 1.0), (None, True), (Binary(), "yes"), (Binary(), 1.0), (Scalar(0, 1), 1.5), (Scalar(0, 1), True)],
)
def test_a_value_that_is_none(space: Space | None, value: str | float | bool) -> None:
    with pytest.raises(BadInput):
        value_of(contract(space), Placed(value, 0.9))


@pytest.mark.parametrize(
    "given", [contract(), contract(procedure=WORDS), contract(Binary(("never", "ever")), "funding", prototypes=FUNDED)]
)
def test_the_rubric_returns_the_values_of_prototypes(given: Contract) -> None:
    """The check of seed 001 §10.5, with the projector that needs no model."""
    axis = axis_of(given)
    for each in given.prototypes:
        assert value_of(given, project(Placing(axis, each.text))) == each.value


def test_proposals_are_taken_one_by_one() -> None:
    def asked(name: str, values: Sequence[str] = FEASIBLE, **parts: object) -> Proposal:
        made: dict[str, object] = {
            "name": name, "definition": "What.", "space": "ordinal", "values": tuple(values),
            "prototypes": tuple((each, f"It is {each}.") for each in values),
        }  # fmt: skip
        return Proposal(Axis(**(made | parts)))  # type: ignore[arg-type]

    found = composed(
        [asked("one"), asked("ONE"), asked("two", prototypes=()), asked("three", values=("a",)), asked("four", space="category"),
         asked("five", space="scalar", prototypes=(("high", "x"),)), asked("six", space="scalar", low=1.0, high=0.0, prototypes=()),
         asked("seven", cues={each: (f"/{each}/",) for each in FEASIBLE}), asked("eight", cues={each: (each,) for each in FEASIBLE}),
         asked("taken")],
        ["Taken"],
    )  # fmt: skip
    assert [each.name for each in found.contracts] == ["one", "four", "eight"]
    assert [each.place for each in found.declined] == [1, 2, 3, 5, 6, 7, 9]
    assert isinstance(found.contracts[1].space, Category) and found.contracts[2].procedure.system == "words"
