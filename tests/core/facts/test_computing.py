"""Facts of series: exact to the letter against an oracle of its own, and the same whatever the order of rows and batches."""

import random
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.series import Drawn, drawn

from loom.core.errors import BadInput
from loom.core.facts.batches import Batch
from loom.core.facts.computing import compute
from loom.core.facts.declared import Computed, Series
from loom.core.facts.layout import Layout
from loom.core.facts.values import STATISTICS, Attribute, Fact, Metric
from loom_adapters.kb.tables import read_table

BASE = "urn:kb:b:"


def series_like(one: Drawn) -> Series:
    metric = Metric(f"{BASE}metric/share", BASE, "share", one.unit, statistics=STATISTICS)
    return Series(
        BASE,
        f"{BASE}source/a/t.csv",
        "a/t.csv",
        metric,
        "value",
        "position",
        Attribute("second", clock=one.clock),
        f"{BASE}entity/e",
        decimal=one.mark,
    )


def batches(rows: Sequence[tuple[int, str, str]], size: int = 1000) -> list[Batch]:
    return [
        Batch(
            ("position", "value"), [row for row, _, _ in cut], ([place for _, place, _ in cut], [value for _, _, value in cut])
        )
        for cut in (rows[start : start + size] for start in range(0, len(rows), size))
    ]


def computed(one: Drawn, rows: Sequence[tuple[int, str, str]] | None = None, size: int = 1000) -> Computed:
    rows = rows if rows is not None else [(row, *cells) for row, cells in enumerate(one.table, 1)]
    (found,) = compute([series_like(one)], batches(rows, size))
    return found


def agree(found: Computed, one: Drawn) -> None:
    """Every fact, to the letter, is what the oracle tells."""
    facts = {fact.statistic: fact for fact in found.facts}
    assert facts["count"].value == str(len(one.readable))
    assert found.skipped_count == len(one.table) - len(one.readable) == facts["count"].skipped
    if not one.readable:
        assert list(facts) == ["count"]
        return
    told = {"max": one.extreme(True), "min": one.extreme(False), "first": one.end(False), "last": one.end(True)}
    for statistic, expected in told.items():
        fact = facts[statistic]
        assert (fact.value, Decimal(fact.at), fact.ties) == (expected.text, expected.position, expected.ties), statistic
        assert fact.row == min(expected.rows)
        assert one.table[fact.row - 1][1].strip() == fact.value
        assert one.table[fact.row - 1][0].strip() == fact.position
        assert Decimal(fact.number) == next(number for row, _, _, number, _ in one.readable if row == fact.row)
    finest = max(max(0, -int(number.as_tuple().exponent)) for _, _, _, number, _ in one.readable)
    exact = sum(Fraction(number) for _, _, _, number, _ in one.readable) / len(one.readable)
    mean = facts["mean"]
    assert abs(Fraction(mean.number) - exact) <= Fraction(1, 2 * 10 ** (finest + 2))
    assert mean.value == mean.number.replace(".", one.mark)


def test_a_thousand_random_series_from_files_to_the_letter(tmp_path: Path) -> None:
    counted = 0
    for seed in range(1000):
        one = drawn(seed)
        path = one.write(tmp_path / "t.csv", "\n" if seed % 2 else "\r\n")
        series = series_like(one)
        layout = Layout(series.source, "t.csv", "series", decimal=one.mark, delimiter=one.delimiter)
        (found,) = compute([series], read_table(path, layout, series.columns, batch_rows=1 + seed % 50, stretch=1 + seed % 300))
        agree(found, one)
        counted += len(found.facts)
    assert counted > 5000


@settings(max_examples=400, deadline=None)
@given(st.integers(1000, 10**9), st.randoms(use_true_random=False), st.integers(1, 12))
def test_rows_in_another_order_give_the_same_facts_but_for_row(seed: int, chance: random.Random, size: int) -> None:
    one = drawn(seed)
    found = computed(one)
    agree(found, one)
    rows = [(row, *cells) for row, cells in enumerate(one.table, 1)]
    chance.shuffle(rows)
    moved = computed(one, [(row, place, value) for row, (_, place, value) in enumerate(rows, 1)], size)

    def bare(facts: Sequence[Fact]) -> list[Fact]:
        return [replace(fact, row=0) for fact in facts]

    assert bare(moved.facts) == bare(found.facts)
    assert moved.columns.keys.tolist() == found.columns.keys.tolist()
    assert (moved.skipped_count, moved.doubled_count) == (found.skipped_count, found.doubled_count)
    assert computed(one, rows, size).facts == found.facts


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 12))
def test_columns_hold_every_reading_by_position_then_row(seed: int, size: int) -> None:
    one = drawn(seed)
    columns = computed(one, size=size).columns
    expected = sorted((position, row, written, text) for row, position, written, _, text in one.readable)
    held = [(columns.at(at), columns.row(at), columns.position(at), columns.value(at)) for at in range(len(columns))]
    assert held == expected
    for position in {position for position, *_ in expected}:
        assert [held[at][0] for at in columns.find(position)] == [place for place, *_ in expected if place == position]
    assert not columns.find(Decimal("0.0001")) and not columns.find(Decimal(10) ** 40)


def test_floats_that_cannot_tell_two_values_apart_do_not_decide() -> None:
    rows = [(1, "1", "0.1"), (2, "2", "0.10000000000000000001"), (3, "3", "0.100000000000000000010"), (4, "4", "0.09")]
    one = replace(drawn(0), mark=".", clock=False, unit="")
    facts = {fact.statistic: fact for fact in computed(one, rows).facts}
    assert (facts["max"].value, facts["max"].position, facts["max"].ties) == ("0.10000000000000000001", "2", 1)
    assert facts["mean"].number == "0.097500000000000000005"
    rows = [(1, "1", "1e400"), (2, "2", "2e400"), (3, "3", "-1e500")]
    facts = {fact.statistic: fact for fact in computed(one, rows).facts}
    assert (facts["max"].value, facts["min"].value) == ("2e400", "-1e500")


def test_skipped_rows_and_doubled_positions_are_named() -> None:
    one = replace(drawn(0), mark=".", clock=True, unit="")
    rows = [
        (1, "02:26", "37.50"),
        (2, "146", "37.5"),
        (3, "x", "1"),
        (4, "3", "NaN"),
        (5, "3", "8"),
        (6, "3", "9"),
        (7, "3", "8.0"),
    ]
    found = computed(one, rows)
    assert [(skip.row, skip.why, skip.cell) for skip in found.skipped] == [(3, "position", "x"), (4, "value", "NaN")]
    assert [(twice.position, twice.rows, twice.values, twice.differ) for twice in found.doubled] == [
        ("3", (5, 6, 7), ("8", "9", "8.0"), True),
        ("02:26", (1, 2), ("37.50", "37.5"), False),
    ]
    assert found.doubled_count == 2
    assert {fact.skipped for fact in found.facts} == {2}


def test_what_is_not_declared_is_not_computed_and_addresses_are_made_of_the_base() -> None:
    one = drawn(3)
    series = series_like(one)
    metric = replace(series.metric, iri=f"{BASE}metric/share%20of%20all", statistics=("max", "count"))
    (found,) = compute([replace(series, metric=metric, path="a b/t.csv")], [])
    assert [(fact.iri, fact.value) for fact in found.facts] == [("urn:kb:b:fact/a%20b/t.csv/share%20of%20all/count", "0")]


def test_rows_without_positions_stay_in_the_order_of_the_file() -> None:
    series = replace(series_like(replace(drawn(0), mark=".", unit="")), position_column="")
    (found,) = compute([series], batches([(1, "", "3"), (2, "", "x"), (3, "", "5"), (4, "", "5")]))
    shown = {fact.statistic: (fact.value, fact.position, fact.at, fact.row, fact.ties) for fact in found.facts}
    assert shown["max"] == ("5", "", "", 3, 1)
    assert (shown["first"], shown["last"]) == (("3", "", "", 1, 0), ("5", "", "", 4, 0))
    assert found.doubled_count == 0


def test_a_column_of_entities_gives_each_its_own_facts_and_nobody_the_rest() -> None:
    series = replace(series_like(replace(drawn(0), mark=".", unit="")), entity="", entity_column="who")
    header = ("position", "value", "who")
    first = Batch(header, (1, 2, 3), (["1", "2", "3"], ["9", "8", "7"], ["Ann", "bob ", "Zoe"]), (2, 3, 4))
    second = Batch(header, (4, 5), (["4", "5"], ["11", "12"], ["bob", ""]), (5, 6))
    nobody, ann, bob = compute([series], [first, second], {"ann": f"{BASE}entity/ann", "bob": f"{BASE}entity/bob"})
    assert nobody.facts == ()
    assert [(skip.row, skip.line, skip.why, skip.cell) for skip in nobody.skipped] == [
        (3, 4, "entity", "Zoe"),
        (5, 6, "entity", ""),
    ]
    assert {fact.statistic: fact.value for fact in ann.facts}["max"] == "9"
    (most,) = (fact for fact in bob.facts if fact.statistic == "max")
    assert (most.iri, most.entity, most.value) == ("urn:kb:b:fact/a/t.csv/share/bob/max", f"{BASE}entity/bob", "11")


def test_typed_columns_have_a_point_whatever_the_mark() -> None:
    series = series_like(replace(drawn(0), mark=",", unit=""))
    batch = Batch(("position", "value"), (1, 2), (["1.5", "2"], ["1.234", "1.5"]), (), (True, True))
    (found,) = compute([series], [batch])
    assert {fact.statistic: fact.number for fact in found.facts}["max"] == "1.5"
    batch = Batch(("position", "value"), (1, 2), (["1,5", "2"], ["1.234", "1,5"]))
    (found,) = compute([series], [batch])
    assert {fact.statistic: (fact.number, fact.at) for fact in found.facts}["max"] == ("1234", "1.5")


def test_positions_that_cannot_be_told_apart_are_refused_in_any_batches() -> None:
    one = replace(drawn(0), mark=".", clock=False, unit="")
    rows = [(1, "4000000000000000000", "1"), (2, "0.123456789", "2")]
    for size in (1, 2):
        for order in (rows, rows[::-1]):
            with pytest.raises(BadInput, match="reach too far for 9 decimals"):
                computed(one, order, size)
