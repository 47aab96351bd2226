"""The cost ledger: the paper's illustration, and what must hold for any prices."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.errors import BadInput
from loom.lab.claims.bound import Measured, bound
from loom.lab.claims.ledger import ILLUSTRATION, LINES, SUPPOSED, Prices, Spend, Work, grid, illustrated, slope, totals

AMOUNTS = st.floats(0, 50, allow_nan=False).map(lambda value: round(value, 4))
SPENDS = st.builds(Spend, AMOUNTS, AMOUNTS, AMOUNTS, AMOUNTS)
WORKS = st.builds(Work, SPENDS, SPENDS, SPENDS, AMOUNTS, SPENDS, SPENDS, SPENDS, SPENDS)
PRICES = st.builds(Prices, *[st.floats(0.0001, 100).map(lambda value: round(value, 4))] * 3)


def test_the_illustration_of_the_paper() -> None:
    assert {name: reads and round(reads, 1) for name, reads in illustrated().items()} == {
        "supposed prices": 90.4,
        "decision call at $0.011": None,
        "large model × 2": 31.1,
        "large model × 2, upkeep × 2": 32.5,
        "wage × 2": 135.8,
        "large model × ½": None,
    }
    lines = ILLUSTRATION.lines(SUPPOSED)
    assert {name: round(lines[name], 4) for name in ("writes", "upkeep", "ingest", "people", "once", "read", "reread")} == {
        "writes": 0.504, "upkeep": 0.05, "ingest": 0.315, "people": 0.5, "once": 0.375, "read": 0.015, "reread": 0.026,
    }  # fmt: skip


@given(WORKS, PRICES)
def test_both_totals_are_equal_at_the_break_even(work: Work, prices: Prices) -> None:
    reads = work.breakeven(prices)
    if reads is None:
        assert work.saved(prices) <= 1e-9
    elif work.ahead(prices) <= 0:
        assert reads == 0
    else:
        assert math.isclose(reads * work.saved(prices), work.ahead(prices), rel_tol=1e-9)


@given(WORKS, PRICES, st.floats(0.01, 100))
def test_other_money_moves_no_break_even(work: Work, prices: Prices, rate: float) -> None:
    plain = [replace(each, dollars=0.0) for each in (work.writes, work.upkeep, work.signal, work.people, work.once, work.read)]
    work = Work(*plain[:3], work.signals, *plain[3:], replace(work.reread, dollars=0.0))
    one, other = work.breakeven(prices), work.breakeven(Prices(prices.small * rate, prices.frontier * rate, prices.wage * rate))
    if one is not None and other is not None:
        assert math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-6)


def test_ingest_raises_it_by_a_slope() -> None:
    more = replace(ILLUSTRATION, signals=ILLUSTRATION.signals + 10)
    one, other, rise = ILLUSTRATION.breakeven(SUPPOSED), more.breakeven(SUPPOSED), slope(ILLUSTRATION, SUPPOSED)
    assert one and other and rise and math.isclose(other - one, 10 * rise)


def test_the_grid_holds_the_illustration() -> None:
    rows = {(row["frontier"], row["wage"], row["signals"]): row["reads"] for row in grid(ILLUSTRATION, SUPPOSED)}
    assert len(rows) == 45
    assert [round(rows[at], 1) for at in ((1, 1, 1), (2, 1, 1), (1, 2, 1))] == [90.4, 31.1, 135.8]
    assert rows[0.5, 1, 1] is None and rows[0.25, 2, 2] is None


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "arm": st.sampled_from(["system", "reasoning"]),
                "line": st.sampled_from(LINES),
                "price": st.none() | st.floats(0, 1),
                "in": st.integers(0, 9000),
                "out": st.integers(0, 900),
            }
        )
    )
)
def test_the_ledger_is_the_sum_of_its_log(log: list[dict]) -> None:
    found = totals(log)
    lines = [value for arm in found.values() for name, value in arm.items() if name not in ("calls", "tokens")]
    assert math.isclose(math.fsum(lines), math.fsum(each["price"] or 0 for each in log), abs_tol=1e-9)
    assert sum(arm["calls"] for arm in found.values()) == len(log)
    assert sum(arm["tokens"] for arm in found.values()) == sum(each["in"] + each["out"] for each in log)


def test_what_no_ledger_can_hold() -> None:
    with pytest.raises(BadInput, match="Expected a call of one of"):
        totals([{"line": "dream", "price": 1}])
    with pytest.raises(BadInput, match="at least 0, but got -1"):
        Spend(small=-1)
    with pytest.raises(BadInput, match="got nan"):
        Prices(float("nan"), 1, 1)
    with pytest.raises(BadInput, match="as many reads"):
        Measured([1.0], [0.1], [0.2, 0.3], {}, {}, 60)
    with pytest.raises(BadInput, match="timings of accept"):
        Measured([1.0], [0.1], [0.2], {"accept": 1}, {}, 60)


def test_a_bound_lies_above_and_tells_when_there_is_none() -> None:
    sure = bound(Measured([1.0] * 50, [0.015] * 50, [0.026] * 50, {}, {}, 60), resamples=500)
    assert sure.reads == sure.upper and sure.none == 0 and sure.reads and math.isclose(sure.reads, 1 / 0.011)
    spread = [0.5, 1.5] * 25
    wide = bound(
        Measured(spread, [0.015] * 50, [0.016, 0.036] * 25, {"accept": 0.5}, {"accept": [1.0, 2, 3]}, 60), resamples=2000
    )
    assert wide.upper and wide.reads and wide.upper > wide.reads and wide.within(wide.upper) and not wide.within(wide.reads)
    shaky = bound(Measured(spread, [0.015] * 6, [0.005, 0.045, 0.005, 0.045, 0.005, 0.005], {}, {}, 60), resamples=2000)
    assert shaky.upper is None and 0.05 < shaky.none < 1 and not shaky.within(1e9)
