"""Distances: 0 where two positions are the same, 1 where they are farthest, symmetric, and a sum along one ordered axis."""

import numpy as np
import pytest
from hypothesis import strategies as st
from support.claims_axes import FEASIBLE, SPACES, contract
from support.trying import many

from loom.core.claims.dimensions.contract import Contract
from loom.core.claims.dimensions.distance import Axes, delta
from loom.core.claims.dimensions.spaces import Binary, Category, Ordinal, Scalar, Space, Value
from loom.core.errors import BadInput


def _values(space: Space) -> st.SearchStrategy[Value]:
    return st.floats(space.low, space.high) if isinstance(space, Scalar) else st.sampled_from(space.values)


PLACED = SPACES.flatmap(lambda space: st.tuples(st.just(contract(space)), *(_values(space) for _ in range(3))))


@many(PLACED)
def test_a_distance_is_one(given: tuple[Contract, Value, Value, Value]) -> None:
    axis, a, b, c = given
    assert delta(axis, a, b) == delta(axis, b, a)
    assert 0.0 <= delta(axis, a, b) <= 1.0
    assert (delta(axis, a, b) == 0.0) == (a == b)
    assert delta(axis, a, c) <= delta(axis, a, b) + delta(axis, b, c) + 1e-12
    space = axis.space
    ends = (space.low, space.high) if isinstance(space, Scalar) else (space.values[0], space.values[-1])
    assert delta(axis, *ends) == 1.0
    if isinstance(space, Ordinal | Scalar):
        low, middle, high = sorted((a, b, c), key=space.code)
        assert delta(axis, low, high) == pytest.approx(delta(axis, low, middle) + delta(axis, middle, high), abs=1e-12)


def test_the_example_of_the_paper() -> None:
    assert [delta(contract(), "blocked", each) for each in FEASIBLE] == [0.0, 1 / 3, 2 / 3, 1.0]
    assert delta(contract(Scalar(-5, 5)), -5, 0) == 0.5
    assert [delta(contract(Category(("a", "b", "c"))), "a", each) for each in "abc"] == [0.0, 1.0, 1.0]
    assert delta(contract(Binary(), metric="rank", normalizer="steps"), "no", "yes") == 1.0


@many(st.lists(PLACED, min_size=1, max_size=5))
def test_many_axes_at_once_are_each_by_itself(given: list[tuple[Contract, Value, Value, Value]]) -> None:
    axes = Axes.of([axis for axis, *_ in given])
    one, *others = (np.array([axis.space.code(values[at]) for axis, *values in given]) for at in range(3))
    found = axes.delta(one[None, :], np.stack(others))
    for row, at in enumerate((1, 2)):
        assert found[row].tolist() == [delta(axis, values[0], values[at]) for axis, *values in given]


def test_a_missing_position_is_not_far() -> None:
    for axis in (contract(), contract(Category(("a", "b"))), contract(Scalar())):
        axes = Axes.of([axis, axis])
        assert np.isnan(axes.delta(np.array([np.nan, 0.0]), np.array([1.0, np.nan]))).all()


def test_distances_of_what_does_not_go_together() -> None:
    with pytest.raises(BadInput, match="parts go together"):
        Axes.of([contract(Scalar(), metric="rank")])
    with pytest.raises(BadInput, match="Expected one of blocked"):
        delta(contract(), "blocked", "done")
