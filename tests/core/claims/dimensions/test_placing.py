"""Positions by embedding alone."""

import numpy as np
import pytest
from support.claims_axes import contract

from loom.core.claims.dimensions.contract import Procedure, Prototype
from loom.core.claims.dimensions.placing import placed
from loom.core.claims.dimensions.spaces import Category, Scalar
from loom.core.errors import BadInput

ENDS = (Prototype(0.0, "a"), Prototype(10.0, "b"), Prototype(10.0, "c"))
LINE = contract(Scalar(0, 10), procedure=Procedure("between"), prototypes=ENDS)


def test_nearest_is_the_value_of_the_nearest_prototype() -> None:
    sides = contract(Category(("for", "against")), procedure=Procedure("nearest"))
    codes, relevance = placed(sides, np.eye(3)[:2], np.array([[1.0, 0, 0], [0.6, 0.8, 0], [0, 0, -1.0]]))
    assert codes.tolist() == [0.0, 1.0, 0.0] and relevance.tolist() == [1.0, 0.8, 0.0]


def test_between_is_the_share_of_the_way() -> None:
    known = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    half = np.array([[0.5**0.5, 0.5**0.5]])
    codes, _ = placed(LINE, known, np.vstack((known[:2], half, -known[1:2] + 2 * known[:1])))
    assert codes.tolist() == pytest.approx([0.0, 10.0, 5.0, 0.0])
    same, _ = placed(LINE, np.tile(known[:1], (3, 1)), known[:2])
    assert same.tolist() == [5.0, 5.0]


def test_what_cannot_be_placed() -> None:
    with pytest.raises(BadInput, match="nearest or between"):
        placed(contract(), np.eye(4), np.eye(4))
    with pytest.raises(BadInput, match="3 vectors"):
        placed(LINE, np.eye(2), np.eye(2))
