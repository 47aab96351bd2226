"""Rank-biased overlap: agreement of two rankings, their beginnings counting most."""

from hypothesis import given
from hypothesis import strategies as st

from loom.core.retrieval.overlap import overlap

RANKINGS = st.lists(st.integers(0, 12), unique=True, max_size=10)


@given(RANKINGS, RANKINGS)
def test_it_is_a_share_and_the_same_both_ways(one: list[int], other: list[int]) -> None:
    assert 0.0 <= overlap(one, other) <= 1.0
    assert abs(overlap(one, other) - overlap(other, one)) < 1e-12


@given(RANKINGS.filter(bool))
def test_a_ranking_agrees_with_itself_and_with_its_beginning(ranking: list[int]) -> None:
    assert abs(overlap(ranking, ranking) - 1.0) < 1e-12
    assert abs(overlap(ranking, ranking[:1]) - 1.0) < 1e-12


@given(RANKINGS)
def test_nothing_in_common_is_no_agreement(ranking: list[int]) -> None:
    assert overlap(ranking, [number + 100 for number in ranking]) == 0.0


def test_the_first_place_counts_more_than_the_last() -> None:
    assert overlap([1, 2, 3, 4], [9, 2, 3, 4]) < overlap([1, 2, 3, 4], [1, 2, 3, 9])


def test_two_in_the_other_order() -> None:
    # Depth 1 shares nothing and depth 2 both: .25·(.8·0 + .64·1) + 1·.64.
    assert abs(overlap([1, 2], [2, 1]) - 0.8) < 1e-12
