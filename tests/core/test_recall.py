"""Recall of an index, what stands in for questions where there are none, and the price of a point of recall."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.retrieval.nearest import UnitVectors
from loom.core.retrieval.recall import SHARES, curve, degraded, lost_per_point, probes, recall
from loom.core.retrieval.vectors import unit_rows

rankings = st.lists(st.integers(0, 5000), max_size=80, unique=True)


@given(rankings, st.floats(0, 1), st.floats(0, 1), st.integers(0, 9))
def test_a_worse_index_gives_a_part_of_what_a_better_one_gives(ranking: list[int], one: float, two: float, number: int) -> None:
    less, more = sorted((degraded(ranking, one, number), degraded(ranking, two, number)), key=len)
    assert [row for row in more if row in less] == less
    assert degraded(ranking, 0.0, number) == ranking


def test_as_many_are_missed_as_asked_for() -> None:
    lists = [list(range(number, number + 50)) for number in range(200)]
    kept = sum(len(degraded(ranking, 0.2, number)) for number, ranking in enumerate(lists))
    assert 0.78 < kept / (200 * 50) < 0.82


def test_recall_is_the_mean_over_the_rankings() -> None:
    assert recall([[1, 2], [5]], [[1, 2], [5, 6]]) == 0.75
    assert recall([], []) == 1.0


def test_the_curve_falls_from_an_exact_index_to_one_that_misses_half() -> None:
    lists = [list(range(number, number + 64)) for number in range(300)]

    def first_is_there(given: Sequence[Sequence[int]]) -> float:
        return sum(number in some[:10] for number, some in enumerate(given)) / len(given)

    pairs = curve(lists, first_is_there)
    assert pairs[0] == [1.0, 1.0] and len(pairs) == len(SHARES)
    assert [pair[0] for pair in pairs] == sorted((pair[0] for pair in pairs), reverse=True)
    assert pairs[-1] == pytest.approx([0.5, 0.5], abs=0.1)
    assert pairs == curve(lists, first_is_there)
    assert lost_per_point(pairs, floor=0.4) == pytest.approx(0.01, abs=0.002)


def test_where_what_is_kept_does_not_depend_on_the_index_a_point_costs_nothing() -> None:
    assert lost_per_point(curve([list(range(64))] * 5, lambda given: 0.8)) == 0.0
    assert lost_per_point([[1.0, 1.0]]) == 0.0


def test_probes_are_unit_vectors_between_rows_and_always_the_same() -> None:
    vectors = unit_rows(np.random.default_rng(1).normal(size=(90, 12)))
    vectors[7] = 0
    held = UnitVectors(vectors)
    some = probes(held, 50)
    assert some.shape == (50, 12) and np.allclose(np.linalg.norm(some, axis=1), 1, atol=1e-5)
    assert np.array_equal(some, probes(held, 50))
    assert len({row.tobytes() for row in some}) > 45


@pytest.mark.parametrize("rows", [0, 3])
def test_without_vectors_there_are_no_probes(rows: int) -> None:
    assert probes(UnitVectors(np.zeros((rows, 12), dtype=np.float32))).shape == (0, 12)


def test_rows_that_cancel_out_give_no_probe() -> None:
    vectors = unit_rows(np.asarray([[1.0, 0], [-1, 0]]))
    assert np.allclose(np.abs(probes(UnitVectors(vectors))), [1, 0])
