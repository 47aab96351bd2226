import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.bench.figures import Bar, Figure, median, quantile

numbers = st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=40)


@given(numbers, st.floats(0, 1))
def test_a_quantile_is_a_value_that_enough_values_do_not_exceed(values: list[float], part: float) -> None:
    found = quantile(values, part)
    assert found in values
    assert sum(value <= found for value in values) >= part * len(values)


@given(numbers)
def test_half_of_the_values_lie_on_each_side_of_the_median(values: list[float]) -> None:
    middle = median(values)
    assert sum(value <= middle for value in values) * 2 >= len(values)
    assert sum(value >= middle for value in values) * 2 >= len(values)


def test_bars_hold_from_below_or_from_above() -> None:
    assert Bar(1.0).met(1.0) and not Bar(1.0).met(1.1)
    assert Bar(10, at_least=True).met(10) and not Bar(10, at_least=True).met(9.9)
    assert Figure("start", "ready", 2.0, "s", Bar(1.5)).met is False
    assert Figure("start", "ready", 2.0, "s").met is None


@pytest.mark.parametrize(
    ("value", "shown"), [(0, "0"), (0.04217, "0.0422"), (1.2345, "1.23"), (12.345, "12.3"), (5000.4, "5,000"), (7, "7")]
)
def test_values_are_shown_with_three_digits(value: float, shown: str) -> None:
    assert Figure("m", "n", value, "ms").shown() == shown
