"""Numbers by the declared mark alone, positions, and what is computed between values: exact, or not at all."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.facts.deriving import difference, mean_of, percent_change
from loom.core.facts.numerals import number_of, plain, position_of

EXACT = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9, places=4)


@pytest.mark.parametrize(
    ("text", "mark", "unit", "number"),
    [
        ("37.50", ".", "", "37.50"),
        ("37,5", ",", "", "37.5"),
        ("37,5", ".", "", None),
        ("37.5", ",", "", None),
        ("1.234,5", ",", "", "1234.5"),
        ("1 234,5", ",", "", "1234.5"),
        ("1\u00a0234\u00a0567,5", ",", "", "1234567.5"),
        ("1\u202f234", ",", "", "1234"),
        ("1'234.5", ".", "", "1234.5"),
        ("1’234.5", ".", "", "1234.5"),
        ("1,234,567.5", ".", "", "1234567.5"),
        ("1.234", ",", "", "1234"),
        ("1,23,456", ".", "", None),
        ("1,234 567", ".", "", None),
        ("0,123", ".", "", None),
        ("12345,678", ".", "", None),
        ("1.0e3", ".", "", "1000"),
        ("1,5E-3", ",", "", "0.0015"),
        ("1e1234", ".", "", None),
        ("+5", ".", "", "5"),
        ("−3.0", ".", "", "-3.0"),
        ("- 3", ".", "", None),
        (".5", ".", "", "0.5"),
        ("5.", ".", "", "5"),
        ("  7 ", ".", "", "7"),
        ("37.5%", ".", "%", "37.5"),
        ("37.5 %", ".", "%", "37.5"),
        ("37.5%", ".", "", None),
        ("€ 12,50", ",", "€", "12.50"),
        ("%", ".", "%", None),
        ("1_000", ".", "", None),
        ("٣", ".", "", None),
        ("1" * 201, ".", "", None),
        *(
            (text, ".", "", None)
            for text in ("", " ", ".", "+", "e3", "NaN", "nan", "inf", "Infinity", "n/a", "-", "0x10", "1 2")
        ),
    ],
)
def test_a_number_is_read_by_its_mark(text: str, mark: str, unit: str, number: str | None) -> None:
    found = number_of(text, mark, unit)
    assert (None if found is None else plain(found)) == number


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("02:26", "146"),
        ("2:26", "146"),
        (" 75:00 ", "4500"),
        ("1:02:03,5", "3723.5"),
        ("1:02:03.250", "3723.250"),
        ("146", "146"),
        ("2:60", None),
        ("1:75:00", None),
        ("2:6", None),
        (":26", None),
        ("a:bc", None),
    ],
)
def test_positions_are_numbers_or_clock_texts(text: str, position: str | None) -> None:
    found = position_of(text, ".", clock=True)
    assert (None if found is None else plain(found)) == position
    if ":" in text:
        assert position_of(text, ".") is None


@given(EXACT, st.sampled_from([",", "."]), st.sampled_from(["", " ", "\u00a0", "'"]))
def test_a_number_written_in_groups_comes_back(number: Decimal, mark: str, group: str) -> None:
    text = f"{number:,.4f}".replace(",", "G").replace(".", mark).replace("G", group)
    assert number_of(text, mark) == number


@given(EXACT, EXACT)
def test_differences_are_exact_and_keep_their_decimals(first: Decimal, second: Decimal) -> None:
    text = difference(first, second)
    assert Fraction(text) == Fraction(first) - Fraction(second)
    assert len(text.split(".")[1]) == 4


@given(EXACT, EXACT)
def test_changes_in_percent_are_nearest_to_two_decimals(before: Decimal, after: Decimal) -> None:
    text = percent_change(before, after)
    if not before:
        assert text is None
        return
    assert text is not None
    exact = 100 * (Fraction(after) - Fraction(before)) / abs(Fraction(before))
    assert abs(Fraction(text) - exact) <= Fraction(1, 200)
    assert len(text.partition(".")[2]) <= 2
    assert text.partition(".")[2] == "" or Fraction(text) != exact or not text.endswith("0")


def test_derived_values_as_they_read() -> None:
    of = Decimal
    assert difference(of("37.5"), of("36.5")) == "1.0"
    assert difference(of("1E+3"), of("1.50")) == "998.50"
    assert percent_change(of("40"), of("37.5")) == "-6.25"
    assert percent_change(of("36.5"), of("37.5")) == "2.74"
    assert percent_change(of("-4"), of("-2")) == "50"
    assert mean_of(of("74.0"), 2, 1) == "37.0"
    assert mean_of(of("1"), 3, 0) == "0.33"
    assert mean_of(of("0.05"), 2, 2) == "0.025"
    assert mean_of(of("0.00005"), 4, 5) == "0.0000125"
