"""Rows of a table on their way from its file: cells as the source writes them, some thousands of rows at a time."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Batch:
    """Consecutive rows of a table.

    `header` names the columns that were asked for and `columns` holds their cells, all of one length. `rows` are the numbers of
    the rows, from 1 under the header; lines with nothing on them are counted and left out. `lines` are the lines of the file on
    which the rows begin, () where the format has no lines. `typed` says of each column whether the format holds numbers there:
    their texts have a point, whatever mark is declared.
    """

    header: tuple[str, ...]
    rows: Sequence[int]
    columns: tuple[Sequence[str], ...]
    lines: Sequence[int] = ()
    typed: tuple[bool, ...] = ()

    def column(self, name: str) -> Sequence[str]:
        """The cells of one column; raises KeyError where it was not asked for."""
        if name not in self.header:
            raise KeyError(name)
        return self.columns[self.header.index(name)]

    def mark(self, name: str, declared: str) -> str:
        """The decimal mark of a column's texts."""
        return "." if self.typed and self.typed[self.header.index(name)] else declared
