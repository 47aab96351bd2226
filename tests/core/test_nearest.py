"""The nearest rows: the same on every machine, and none of those that are none."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.core.errors import BrokenGeneration
from loom.core.retrieval.nearest import SCALE, UnitVectors
from loom.core.retrieval.vectors import unit_rows


def some(count: int, width: int, seed: int) -> np.ndarray:
    return unit_rows(np.random.default_rng(seed).normal(size=(count, width)))


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 400), st.integers(2, 500), st.integers(1, 30))
def test_the_narrowing_down_loses_none_of_the_best(seed: int, count: int, width: int, k: int) -> None:
    vectors = some(count, width, seed)
    vectors[seed % count] = vectors[0]
    held = UnitVectors(vectors)
    rows, cosines = held.search(vectors[-1], k)
    every, all_cosines = held.ranked(vectors[-1], np.arange(count), k)
    assert np.array_equal(rows, every) and np.array_equal(cosines, all_cosines)


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 400))
def test_the_order_of_adding_changes_no_cosine(seed: int, width: int) -> None:
    vectors = some(9, width, seed)
    shuffled = np.random.default_rng(seed).permutation(width)
    rows = np.arange(8)
    plain = UnitVectors(vectors).cosines(vectors[8], rows)
    assert np.array_equal(plain, UnitVectors(vectors[:, shuffled].copy()).cosines(vectors[8][shuffled], rows))
    whole = [[round(float(number) * SCALE) for number in row] for row in vectors]
    assert list(plain) == [sum(a * b for a, b in zip(row, whole[8], strict=True)) / 2**50 for row in whole[:8]]


def test_among_thousands_the_best_are_found_whether_few_or_many_are_asked_for() -> None:
    vectors = some(3001, 16, 7)
    held = UnitVectors(vectors)
    truth, _ = held.ranked(vectors[5], np.arange(3001), 3001)
    for k in (1, 10, 23, 24, 100, 3000, 3001):
        assert np.array_equal(held.search(vectors[5], k)[0], truth[:k])


@pytest.mark.parametrize(
    ("vectors", "said"),
    [
        (some(3, 4, 1).astype(np.float64), "float64"),
        (some(3, 4, 1)[0], "1"),
        (some(3, 4, 1) * np.float32(1.1), "row 0"),
        (np.concatenate([some(5000, 4, 1), np.full((1, 4), np.nan, dtype=np.float32)]), "row 5000"),
    ],
    ids=["wide numbers", "one vector", "too long", "no number"],
)
def test_what_are_no_unit_vectors_is_refused(vectors: np.ndarray, said: str) -> None:
    with pytest.raises(BrokenGeneration, match=said):
        UnitVectors(vectors)


def test_rows_of_zeros_are_counted_apart() -> None:
    vectors = some(5, 4, 1)
    vectors[2] = 0
    held = UnitVectors(vectors)
    assert (held.live, list(held.dead)) == (4, [2])
