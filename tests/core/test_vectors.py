"""Unit vectors: made, checked and compared."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from loom.core.retrieval.vectors import fault_of, share_found, unit_rows

GOOD = unit_rows(np.arange(1.0, 13.0).reshape(3, 4))


@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=8), elements=st.floats(-1e6, 1e6)))
def test_rows_become_of_length_one_or_stay_zero(rows: np.ndarray) -> None:
    made = unit_rows(rows)
    lengths = np.linalg.norm(made.astype(np.float64), axis=1)
    small = np.linalg.norm(rows, axis=1) < 1e-15
    assert made.dtype == np.float32 and np.all((np.abs(lengths - 1) < 1e-3) | small)


@pytest.mark.parametrize(
    ("vectors", "said"),
    [
        (GOOD.astype(np.float64), "float64"),
        (GOOD[0], "1 dimensions"),
        (GOOD[:, :3], "3 numbers"),
        (GOOD[:2], "2 vectors and 3 concepts"),
        (GOOD * np.float32(2), "not of length 1"),
        (GOOD * np.float32(np.nan), "not of length 1"),
    ],
)
def test_what_is_wrong_with_vectors_is_said(vectors: np.ndarray, said: str) -> None:
    assert said in (fault_of(vectors, 3, 4) or "")


def test_good_vectors_have_no_fault() -> None:
    assert fault_of(GOOD, 3, 4) is None
    assert fault_of(np.zeros((0, 4), dtype=np.float32), 0, 4) is None


def test_recall_is_a_share_of_what_was_wanted() -> None:
    assert share_found([1, 2, 9], [1, 2, 3, 4]) == 0.5
    assert share_found([], []) == 1.0
