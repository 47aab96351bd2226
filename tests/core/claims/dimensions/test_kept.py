"""A dimension goes into a store and comes back."""

import json

import pytest
from hypothesis import strategies as st
from support.claims_axes import SPACES, contract, dimension
from support.trying import many

from loom.core.claims.dimensions.contract import Criterion, Validation
from loom.core.claims.dimensions.kept import body, opened
from loom.core.claims.dimensions.spaces import Space
from loom.core.errors import BadInput

RECORD = Validation(2, 40, (Criterion("stable", None, 0.8, False, "few"),), ("m",), "2026")


@many(
    SPACES,
    st.sampled_from(("candidate", "validated", "active", "parked", "retired")),
    st.booleans(),
    st.integers(1, 9),
    st.floats(0, 9),
    st.sampled_from((None, RECORD)),
)
def test_it_comes_back(space: Space, state: str, flag: bool, number: int, weight: float, record: Validation | None) -> None:
    given = dimension(
        "a", contract=contract(space, validation=record), state=state, pinned=flag, version=number, valid_from=number, weight=weight,
        activated=number, failures=number, proposed_by="directions", distilled=not flag,
    )  # fmt: skip
    there = json.loads(json.dumps(body(given)))
    assert opened("a", "climate", number, state, flag, there) == given


@pytest.mark.parametrize(
    "wrong", [None, {}, {"failures": "2"}, {"failures": True}, {"weight": "0"}, {"more": 1}, {"contract": 1}]
)
def test_a_body_that_is_none(wrong: dict[str, object] | None) -> None:
    there = None if wrong is None else body(dimension("a")) | wrong if wrong else {}
    with pytest.raises(BadInput):
        opened("a", "climate", 1, "active", False, there)


def test_a_state_that_is_none() -> None:
    with pytest.raises(BadInput, match="is 'dead'"):
        opened("a", "climate", 1, "dead", False, body(dimension("a")))
    assert opened("a", "climate", 1, "active", False, body(dimension("a")) | {"weight": 1}).weight == 1.0
