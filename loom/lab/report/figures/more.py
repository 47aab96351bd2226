"""Tables of whatever an instrument left in the results, whatever its shape."""

from collections.abc import Mapping, Sequence

from loom.core.values import Json
from loom.lab.report.table import Column, table, words_column
from loom.lab.report.words import count, ends, finite, interval, name, number, plain

ROWS = 200


def cells_as_table(title: str, stated: Json) -> str:
    """A list of objects as one table, an object of lists as several, an object of figures as a table of two columns."""
    if isinstance(stated, Mapping):
        plainly = {member: value for member, value in stated.items() if not _nested(value)}
        parts = [_listing(title, plainly)] if plainly else []
        parts += [cells_as_table(f"{title}: {member}", value) for member, value in stated.items() if _nested(value)]
        return "".join(parts)
    rows = [each if isinstance(each, Mapping) else {"": each} for each in stated] if isinstance(stated, Sequence) else []
    if not rows:
        return ""
    heads = list(dict.fromkeys(head for row in rows for head in row))
    columns = [words_column(str(heads[0])), *(_column(str(head), rows) for head in heads[1:])]
    return table(title, columns, (tuple(_cell(row.get(head)) for head in heads) for row in rows[:ROWS]))


def _nested(value: Json) -> bool:
    """Whether a value needs a table of its own."""
    if isinstance(value, Mapping):
        return bool(value)
    return isinstance(value, Sequence) and not isinstance(value, str) and any(isinstance(each, Mapping) for each in value)


def _listing(title: str, stated: Mapping[str, Json]) -> str:
    return table(title, [words_column(""), Column("")], ((name(member), _cell(value)) for member, value in stated.items()))


def _column(head: str, rows: Sequence[Mapping[str, Json]]) -> Column:
    return Column(head, figure=all(not isinstance(row.get(head), str) for row in rows))


def _cell(value: Json) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return count(value)
    if value is None or isinstance(value, float):
        return number(finite(value), 4)
    if ends(value):
        return interval(value, sign=False)
    if isinstance(value, str):
        return name(value)
    if isinstance(value, Mapping):
        return plain(", ".join(f"{member} {_short(each)}" for member, each in value.items()))
    return plain(", ".join(_short(each) for each in value))


def _short(value: Json) -> str:
    """A value within a cell, as plain text."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(_short(each) for each in value)}]"
    return number(value, 3) if value is None or isinstance(value, float) else str(value)
