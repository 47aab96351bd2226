"""Whole columns of a table, which the database itself joins into one text for thousands of rows: no value is made for a row in between.

A table here has one key, a number. Five million rows of two numbers take about a second and a half of the processor.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Boolean, Connection, text

from loom_adapters.claims.schema import KEYS, TABLES

AT_ONCE = 20_000
"""Rows of one text."""
APART = "\x1f"
"""What stands between two texts."""


def numbers(connection: Connection, table: str, names: Sequence[str]) -> NDArray[np.int32]:
    """Columns of whole numbers and flags, as the rows of an array, in the order of the key."""
    parts = [
        np.stack([np.fromstring(column, np.int32, sep=",") for column in found])
        for _, (_, *found) in _joined(connection, table, [_number(table, name) for name in names], ",")
    ]
    return np.concatenate(parts, axis=1) if parts else np.zeros((len(names), 0), np.int32)


def texts(connection: Connection, table: str, name: str) -> list[str]:
    """A column of texts, in the order of the key."""
    found: list[str] = []
    for keys, (count, joined) in _joined(connection, table, [name], APART):
        some = joined.split(APART)
        found += some if len(some) == count else _rows(connection, table, name, keys)  # one of them has the character itself
    return found


def _joined(
    connection: Connection, table: str, columns: Sequence[str], apart: str
) -> Iterator[tuple[dict[str, Any], tuple[Any, ...]]]:
    """For every stretch of keys that has rows how many there are, and each column joined."""
    (key,) = KEYS[table]
    lite = connection.dialect.name == "sqlite"
    inner = ", ".join(f"{column} as c{at}" for at, column in enumerate(columns))
    if lite:
        # By its key alone: along an index of its own the rows of a column would come in the order of that.
        join = ", ".join(f"group_concat(c{at}, :apart)" for at in range(len(columns)))
        held = f"{table} not indexed"
    else:
        join = ", ".join(f"string_agg(c{at}::text, :apart order by k)" for at in range(len(columns)))
        held = table
    said = text(
        f"select count(*), {join} from (select {key} as k, {inner} from {held} where {key} >= :low and {key} < :high order by {key}) as s"
    )
    top = connection.execute(text(f"select max({key}) from {table}")).scalar()
    for low in range(0, 0 if top is None else int(top) + 1, AT_ONCE):
        keys = {"low": low, "high": low + AT_ONCE}
        row = connection.execute(said, {"apart": apart, **keys}).one()
        if row[0]:
            yield keys, tuple(row)


def _rows(connection: Connection, table: str, name: str, keys: dict[str, Any]) -> list[str]:
    (key,) = KEYS[table]
    said = text(f"select {name} from {table} where {key} >= :low and {key} < :high order by {key}")
    return [value for (value,) in connection.execute(said, keys)]


def _number(table: str, name: str) -> str:
    return f"cast({name} as integer)" if isinstance(TABLES[table].c[name].type, Boolean) else name
