"""Shares, curves and calibration, against values worked out by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.bench.retrieval.counting import Share, auc, ece, equal_mass, equal_width, mean, share

CHANCES = st.floats(0, 1)
PREDICTIONS = st.lists(st.tuples(CHANCES, st.booleans()), min_size=1, max_size=60)


def test_the_wilson_interval_of_eight_in_ten() -> None:
    low, high = Share(8, 10).interval
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)
    assert str(Share(8, 10)) == "8 of 10 (49.0% to 94.3%)"


def test_nothing_counted_is_no_share() -> None:
    assert math.isnan(Share(0, 0).value) and Share(0, 0).interval == (0.0, 1.0)
    assert math.isnan(mean([])) and math.isnan(auc([], [0.5])) and math.isnan(ece([]))


@given(st.integers(0, 50), st.integers(0, 50), st.integers(2, 9))
def test_an_interval_holds_its_share_and_narrows(hits: int, misses: int, times: int) -> None:
    if not hits + misses:
        return
    few, many = Share(hits, hits + misses), Share(hits * times, (hits + misses) * times)
    for each in (few, many):
        low, high = each.interval
        assert 0 <= low <= each.value + 1e-12 and each.value - 1e-12 <= high <= 1
    assert many.interval[1] - many.interval[0] < few.interval[1] - few.interval[0]


def test_a_share_counts_what_is_true() -> None:
    assert share([True, False, True]) == Share(2, 3)


def test_the_area_counts_pairs_and_halves_ties() -> None:
    assert auc([0.9, 0.5], [0.5, 0.1]) == 0.875


@given(st.lists(CHANCES, min_size=1, max_size=20), st.lists(CHANCES, min_size=1, max_size=20))
def test_the_area_turns_round(some: list[float], others: list[float]) -> None:
    assert auc(some, others) + auc(others, some) == pytest.approx(1)


def test_calibration_error_by_hand() -> None:
    said = [(0.8, at < 5) for at in range(10)] + [(0.1, at < 1) for at in range(10)]
    assert ece(said, equal_width) == pytest.approx((10 * 0.3 + 10 * 0.0) / 20)
    assert [(each.count, round(each.said, 6), each.true) for each in equal_width(said)] == [(10, 0.1, 0.1), (10, 0.8, 0.5)]


def test_one_value_is_one_bin_however_it_was_sorted() -> None:
    said = [(0.5, at % 2 == 0) for at in range(40)]
    assert [each.count for each in equal_mass(said)] == [40]
    assert ece(said, equal_mass) == pytest.approx(0)


@given(PREDICTIONS)
def test_no_prediction_is_lost_in_bins(said: list[tuple[float, bool]]) -> None:
    for binned in (equal_mass, equal_width):
        bins = binned(said)
        assert sum(each.count for each in bins) == len(said)
        assert sum(each.right for each in bins) == sum(true for _, true in said)
        assert len(bins) <= 10
        assert 0 <= ece(said, binned) <= 1


@given(st.lists(CHANCES, min_size=20, max_size=60, unique=True))
def test_bins_of_one_size_differ_by_at_most_one(said: list[float]) -> None:
    sizes = [each.count for each in equal_mass([(each, True) for each in said])]
    assert len(sizes) == 10 and max(sizes) - min(sizes) <= 1
