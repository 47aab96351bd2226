"""What one transaction over the tables can do, whoever keeps them: the only thing in which the stores of claims differ."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Row: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class In:
    """The column has one of these values."""

    column: str
    values: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Above:
    """The column is larger than this."""

    column: str
    value: Any


@dataclass(frozen=True, slots=True)
class Has:
    """The text of the column has this text in it."""

    column: str
    text: str


@dataclass(frozen=True, slots=True)
class Within:
    """The column is among what another table has in a column, in rows that meet conditions."""

    column: str
    table: str
    other: str
    where: "tuple[Condition, ...]"


@dataclass(frozen=True, slots=True)
class Beside:
    """A condition that a large share of the rows meets: it is held against what the other conditions find, and found nothing by."""

    condition: "In | Above"


Condition: TypeAlias = In | Above | Has | Within | Beside


class Session(Protocol):
    """One open transaction. A failure of the database is raised as it is.

    `rows` gives whole rows, in the order of columns, the first `limit` of them; `columns` gives the values of some columns, a list of
    tuples at a time, in the order of the first key. `numbers` gives whole columns of whole numbers and flags, a column a row of the
    array; `texts` a whole column of texts; both in the order of the key, which is one number. Texts are ordered by code points. `largest` is -1 where there is no row;
    `count` gives how often each value of a column is there. `insert` adds rows, whose keys count by themselves where the table is
    one of `COUNTING` and they name none; `add` adds one such row, unless its column `once` is there already, and gives the key of
    the one that is there. `put` adds rows or replaces those of the same keys; `bump` adds rows, or their `count` to that of those
    of the same keys, with the later `at`. `delete` takes rows by their keys. `held` is the lease, kept from others until the
    transaction ends. `settled` is called when rows came with keys that otherwise count by themselves.
    """

    def rows(self, table: str, *where: Condition, order: Sequence[str] = (), limit: int | None = None) -> list[Row]: ...
    def columns(self, table: str, names: Sequence[str], *where: Condition) -> Iterator[list[tuple[Any, ...]]]: ...
    def numbers(self, table: str, *names: str) -> NDArray[np.int32]: ...
    def texts(self, table: str, name: str) -> list[str]: ...
    def largest(self, table: str, column: str) -> int: ...
    def count(self, table: str, column: str, *where: Condition) -> dict[Any, int]: ...
    def insert(self, table: str, rows: Sequence[Row]) -> None: ...
    def add(self, table: str, row: Row, once: str) -> int: ...
    def put(self, table: str, rows: Sequence[Row]) -> None: ...
    def bump(self, table: str, rows: Sequence[Row]) -> None: ...
    def delete(self, table: str, keys: Sequence[tuple[Any, ...]]) -> None: ...
    def held(self) -> Row: ...
    def settled(self) -> None: ...
