"""Positions that more than one row of a series claims."""

from collections.abc import Callable
from decimal import Decimal

import numpy as np

from loom.core.facts.columns import SeriesColumns
from loom.core.facts.declared import Doubled

ROWS_NAMED = 20


def doubled_of(columns: SeriesColumns, number: Callable[[str], Decimal], kept: int) -> tuple[tuple[Doubled, ...], int]:
    """The lowest `kept` of them, and how many there are. `number` reads a value."""
    same = columns.keys[1:] == columns.keys[:-1]
    begins = np.flatnonzero(same & np.concatenate(([True], ~same[:-1]))) if len(same) else np.zeros(0, np.int64)
    return tuple(_doubled(columns, columns.key_range(int(at)), number) for at in begins[:kept]), len(begins)


def _doubled(columns: SeriesColumns, places: range, number: Callable[[str], Decimal]) -> Doubled:
    first = number(columns.value(places[0]))
    named = places[:ROWS_NAMED]
    return Doubled(
        columns.position(places[0]),
        len(places),
        tuple(columns.row(place) for place in named),
        tuple(columns.value(place) for place in named),
        any(number(columns.value(place)) != first for place in places),
    )
