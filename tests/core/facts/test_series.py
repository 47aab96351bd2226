"""Series as columns keep what the source writes."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.core.errors import BadSource
from loom.core.facts.series import Series, collected, plain
from loom.core.facts.values import Reading

WRITTEN = st.sampled_from(["0", "1", "01", "1.0", "1.50", "-2", "-0.5", "2:26", "1e2", "+3", "7", "0.125"])


def reading(position: str, value: str, row: int, metric: str = "m", entity: str = "e") -> Reading:
    return Reading("s", entity, metric, position, value, "%", row, at="146" if ":" in position else "")


def written(series: Series, at: int) -> str:
    return series.written[at] if len(series.written) else plain(int(series.positions.values[at]), series.positions.digits)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.tuples(WRITTEN, st.text(st.characters(exclude_categories=["Cs"]), max_size=4)), min_size=1, max_size=12))
def test_positions_and_values_are_kept_to_the_letter(rows: list[tuple[str, str]]) -> None:
    (series,) = collected(reading(position, value, row) for row, (position, value) in enumerate(rows, 1))
    assert [(written(series, at), series.values[at]) for at in range(len(rows))] == rows
    assert series.rows.tolist() == list(range(1, len(rows) + 1))
    exact = [Decimal(146) if ":" in position else Decimal(position) for position, _ in rows]
    assert [Decimal(value).scaleb(-series.positions.digits) for value in series.positions.values.tolist()] == exact


def test_plain_positions_cost_no_text() -> None:
    (series,) = collected(reading(f"{row}.5", "1", row) for row in range(1, 9))
    assert len(series.written) == 0
    assert plain(-5, 2) == "-0.05"
    assert plain(14_650, 2) == "146.50"


def test_series_come_by_source_metric_and_entity() -> None:
    rows = [reading("1", "1", 1, "n"), reading("1", "2", 1, "m", "f"), reading("1", "3", 2, "m"), reading("2", "4", 3, "m")]
    assert [(one.metric, one.entity, len(one.values)) for one in collected(rows)] == [
        ("m", "e", 2),
        ("m", "f", 1),
        ("n", "e", 1),
    ]


@pytest.mark.parametrize("positions", [("123456789012", "0.1234567"), ("0.1234567", "123456789012"), ("1e18",)])
def test_positions_beyond_64_bits_are_refused(positions: tuple[str, ...]) -> None:
    with pytest.raises(BadSource, match="larger unit"):
        collected(reading(position, "1", row) for row, position in enumerate(positions, 1))
