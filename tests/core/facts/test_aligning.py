"""The interval join against the definition: every position against every unit."""

import random
import time
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import held_bases as tv

from loom.core.errors import BadSource
from loom.core.facts.aligning import NONE, Interval, floor_of, join, join_scaled, joinable, scaled, segments
from loom.core.facts.values import Attribute, SourceFile

POSITIONS = st.integers(-200, 200).map(lambda whole: Decimal(whole).scaleb(-1))
UNITS = st.lists(st.tuples(POSITIONS, st.none() | POSITIONS), max_size=12)
NUMBERS = st.decimals(min_value=-(10**8), max_value=10**8, allow_nan=False, allow_infinity=False, places=4)


def by_definition(position: Decimal, units: list[Interval]) -> int:
    holding = [
        (start, number) for number, (start, end) in enumerate(units) if start <= position and (end is None or position < end)
    ]
    return max(holding)[1] if holding else NONE


@settings(max_examples=1000, deadline=None)
@given(st.lists(POSITIONS, max_size=8), UNITS)
def test_the_join_is_what_comparing_everything_gives(positions: list[Decimal], units: list[Interval]) -> None:
    expected = [by_definition(position, units) for position in positions]
    assert join(positions, units) == expected
    assert join_scaled(scaled(positions), units).tolist() == expected


@settings(max_examples=300, deadline=None)
@given(st.lists(st.integers(-20, 20).map(Decimal), max_size=8), UNITS)
def test_whole_positions_meet_bounds_that_are_finer(positions: list[Decimal], units: list[Interval]) -> None:
    assert join_scaled(scaled(positions), units).tolist() == join(positions, units)


@settings(max_examples=500, deadline=None)
@given(NUMBERS, st.integers(0, 6))
def test_floor_is_exact(number: Decimal, digits: int) -> None:
    whole = floor_of(number, digits)
    unit = Decimal(1).scaleb(-digits)
    assert whole * unit <= number < (whole + 1) * unit


@pytest.mark.parametrize(
    ("number", "digits", "whole"),
    [
        ("1e30", 0, 1 << 62),
        ("-1e30", 2, -(1 << 62)),
        ("1e-30", 2, 0),
        ("-1e-30", 2, -1),
        ("0", 3, 0),
        ("-0.5", 0, -1),
        ("1.5e2", 1, 1500),
    ],
)
def test_floor_at_the_edges(number: str, digits: int, whole: int) -> None:
    assert floor_of(Decimal(number), digits) == whole


def test_a_number_that_is_none_has_no_floor() -> None:
    with pytest.raises(ValueError, match="finite"):
        floor_of(Decimal("NaN"), 0)


def test_segments_change_only_where_the_answer_does() -> None:
    cut = segments([(Decimal(0), Decimal(10)), (Decimal(10), Decimal(20)), (Decimal(12), Decimal(15)), (Decimal(30), None)])
    assert list(zip(map(int, cut.starts), cut.units, strict=True)) == [(0, 0), (10, 1), (12, 2), (15, 1), (20, NONE), (30, 3)]


def test_positions_that_need_too_many_digits_are_refused_with_a_remedy() -> None:
    with pytest.raises(BadSource, match="round them"):
        scaled([Decimal("12345678901234"), Decimal("0.123456")])
    assert scaled([Decimal(1_764_000_000_123), Decimal("0.5")]).values.tolist() == [17_640_000_001_230, 5]


def test_a_hundred_thousand_positions_and_units_that_all_overlap_take_no_square_time() -> None:
    draw = random.Random(3)
    units: list[Interval] = [(Decimal(draw.randrange(50_000)), Decimal(100_000)) for _ in range(20_000)]
    positions = scaled([Decimal(draw.randrange(100_000)) for _ in range(100_000)])
    begun = time.process_time()
    found = join_scaled(positions, units)
    assert time.process_time() - begun < 5  # comparing everything takes minutes
    assert np.count_nonzero(found == NONE) < 100


def source(name: str, *entities: str, attribute: str = "second", base: str = tv.BASE) -> SourceFile:
    return SourceFile(f"{base}source/{name}", base, name, name, "series", (), attribute, entities)


def test_only_files_about_one_thing_are_joined() -> None:
    base, mine = tv.base(), source("a", tv.MAPLE)
    assert joinable(base, mine, source("b", "urn:other", tv.MAPLE))
    assert not joinable(base, mine, source("b", "urn:other"))
    assert not joinable(base, source("a"), source("b"))
    assert not joinable(base, mine, source("b", tv.MAPLE, attribute="section"))
    assert not joinable(base, source("a", tv.MAPLE, attribute=""), source("b", tv.MAPLE, attribute=""))
    assert not joinable(base, mine, source("b", tv.MAPLE, base="urn:kb:other:"))


def test_a_shared_axis_is_declared() -> None:
    base = replace(tv.base(), attributes=(Attribute("second", shared=True), Attribute("day")))
    assert joinable(base, source("a", tv.MAPLE), source("b", "urn:other"))
    assert not joinable(base, source("a", tv.MAPLE, attribute="day"), source("b", "urn:other", attribute="day"))
