"""Tables of whatever an instrument left in the results: wrapper ablations, chains, and the figures of an audit."""

from collections.abc import Mapping, Sequence

from loom.core.values import Json
from loom.lab.report.figure import Figure, Results
from loom.lab.report.table import Column, table, words_column
from loom.lab.report.words import count, ends, finite, interval, name, number, plain

ROWS = 200
KNOWN = {
    "wrappers": (
        "What the wrapper says",
        "How answers to targets that were left out change with what the wrapper tells the model about its context.",
        "Lexical counts: a name that is said need not be said rightly.",
    ),
    "chains": (
        "Two steps instead of one",
        "What the second block adds where an answer needs two relations in a row (Δ, read against the headroom 1 − b-only).",
        "A flat Δ at a high b-only rate is uninformative.",
    ),
    "omitted": (
        "What the block left out",
        "Names asked for that the block does not show, as the bare and the grounded answers recover them.",
        "Absent from the block is not absent from the corpus, and a hit of the bare arm is not proof of knowledge.",
    ),
}


def draws(member: str) -> "_Free":
    return _Free(member)


class _Free:
    """Draws one member of the results, whatever its shape."""

    def __init__(self, member: str) -> None:
        self.member = member

    def __call__(self, results: Results) -> Figure | None:
        stated = results.get(self.member)
        if not stated:
            return None
        title, caption, limits = KNOWN[self.member]
        return Figure(
            self.member, self.member.capitalize(), title, caption, limits, cells_as_table(title, stated), (self.member,)
        )


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
    return number(value, 3) if isinstance(value, float) else str(value)
