"""Quick ways of reading a column read what the careful one reads: all cells together are each cell alone."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.core.errors import BadInput
from loom.core.facts.numerals import number_of, position_of
from loom.core.facts.parsing import decimals_of, numbers_of, places_of

PLAIN = st.from_regex(r"-?[0-9]{1,12}", fullmatch=True)
FIXED = st.from_regex(r"-?[0-9]{0,8}[.,][0-9]{0,4}0{0,3}", fullmatch=True)
CLOCK = st.from_regex(r"([0-9]{1,3}:)?[0-9]{1,3}:[0-9]{1,2}([.,][0-9]{1,3})?", fullmatch=True)
ODD = st.sampled_from(
    ["", "-", ".", "--1", "1-", "nan", " 7 ", "1_0", "+3", "1e3", "1.234", "1,234", "٣", "9" * 30, "0.1234567891", "1\n2"]
)
CELLS = st.one_of(
    *(st.lists(kind, max_size=8) for kind in (PLAIN, FIXED, CLOCK, PLAIN | FIXED, PLAIN | CLOCK, PLAIN | FIXED | CLOCK | ODD))
)


@settings(max_examples=400, deadline=None)
@given(CELLS, st.sampled_from([".", ","]), st.booleans())
def test_positions_of_a_column_are_those_of_its_cells(cells: list[str], mark: str, clock: bool) -> None:
    found = places_of(cells, mark, clock)
    shown = [str(key) for key in found.keys.tolist()] if found.texts is None else found.texts
    fine = 0
    for at, cell in enumerate(cells):
        position = position_of(cell, mark, clock)
        if position is not None and (len(position.as_tuple().digits) > 18 or cell == "0.1234567891"):
            position = None
        assert bool(found.readable[at]) == (position is not None)
        if position is not None:
            assert Decimal(int(found.keys[at])).scaleb(-found.scale) == position
            assert shown[at] == cell.strip()
            fine = max(fine, -int(position.normalize().as_tuple().exponent))
    assert found.scale == fine


@settings(max_examples=400, deadline=None)
@given(CELLS, st.sampled_from([".", ","]))
def test_numbers_of_a_column_are_those_of_its_cells(cells: list[str], mark: str) -> None:
    found = numbers_of(cells, mark, "")
    expected = [number_of(cell, mark) for cell in cells]
    assert found.readable.tolist() == [number is not None for number in expected]
    assert [value for value, good in zip(found.floats.tolist(), found.readable, strict=True) if good] == [
        float(number) for number in expected if number is not None
    ]
    readable = [text for text, good in zip(found.texts, found.readable, strict=True) if good]
    exact = decimals_of(readable, mark, "")
    assert [str(number) for number in exact] == [str(number) for number in expected if number is not None]


def test_a_fine_position_far_from_another_is_refused() -> None:
    with pytest.raises(BadInput, match="reach too far for 9 decimals"):
        places_of(["99999999:00", "0.123456789"], ".", clock=True)
