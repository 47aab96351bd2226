"""What a transaction of either database can do, in the words that both understand."""

from collections.abc import Sequence
from typing import Any, Protocol

Values = Sequence[Any]
Rows = list[tuple[Any, ...]]


WHOLE, CUT, GONE = 0, 1, 2
"""States of a turn: as it was said; with sentences taken out; deleted, so that only the digest of its id is left."""


class Session(Protocol):
    """One open transaction. Statements have `?` where values come. A failure of the database is raised as it is.

    `locking` ends a query for a row that nobody else may change until the transaction has ended, `holding` one for a row that nobody
    may take away until then.
    """

    locking: str
    holding: str

    def all(self, statement: str, values: Values = ()) -> Rows: ...
    def many(self, statement: str, rows: Sequence[Values]) -> None: ...

    def erase(self, table: str, where: str, values: Values) -> None:
        """Take rows away with all that they say."""
        ...

    def mute(self, where: str, values: Values) -> None:
        """Take the text out of rows of `turns`, which stay and say that a turn is gone."""
        ...

    def wiping(self, conversation: int) -> None:
        """Note that what a conversation said is taken away in this transaction, so that no file may hold it afterwards."""
        ...

    def latest(self, caller: int, conversation: int, wanted: Sequence[tuple[int, int]]) -> Rows:
        """Of each (term, turn) the term, number, turns before it and body of the last chunk that begins at or before the turn,
        where there is one."""
        ...


def among(values: Sequence[Any]) -> tuple[str, list[Any]]:
    """`(?,?,…)` and its values, at least one; the last is repeated up to a power of two, so that there are few statements."""
    size = 1 << (len(values) - 1).bit_length()
    return f"({','.join('?' * size)})", [*values, *[values[-1]] * (size - len(values))]


AT_ONCE = 512
"""Values of one statement at most."""


def parts(values: Sequence[Any]) -> list[Sequence[Any]]:
    return [values[at : at + AT_ONCE] for at in range(0, len(values), AT_ONCE)]
