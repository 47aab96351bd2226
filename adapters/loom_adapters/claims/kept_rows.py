"""Rows of one table in this process, found by their keys and by the values of a column."""

from collections.abc import Iterable, Sequence
from typing import Any

from loom_adapters.claims.session import Row

Key = tuple[Any, ...]


class Rows:
    """The rows of a table by key. What columns hold is indexed once it is asked for, and kept in step from then on.

    A fork shares with its origin whatever neither of them changes: changes are made on the fork alone, so that whoever reads the
    origin sees it as it was."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self.held: dict[Key, Row] = {}
        self._by: dict[str, dict[Any, dict[Key, None]]] = {}
        self._own: set[tuple[str, Any]] = set()
        self._last: int | None = None

    def fork(self) -> "Rows":
        made = Rows(self._names)
        made.held = dict(self.held)
        # A reader may add an index of the origin meanwhile: the list is made at once.
        made._by = {column: dict(values) for column, values in list(self._by.items())}
        made._last = self._last
        return made

    def key(self, row: Row) -> Key:
        return tuple(row[name] for name in self._names)

    def having(self, column: str, values: Iterable[Any]) -> list[dict[Key, None]]:
        """The keys of the rows that have one of these values in a column, by value."""
        index = self._by.get(column)
        if index is None:
            index = {}
            for key, row in self.held.items():
                index.setdefault(row[column], {})[key] = None
            self._by[column] = index
        return [index[value] for value in dict.fromkeys(values) if value in index]

    def put(self, row: Row) -> None:
        key = self.key(row)
        before = self.held.get(key)
        self.held[key] = row
        for column in self._by:
            if before is None or before[column] != row[column]:
                if before is not None:
                    self._keys(column, before[column]).pop(key, None)
                self._keys(column, row[column])[key] = None
        if self._last is not None:
            self._last = max(self._last, key[0])

    def delete(self, key: Key) -> None:
        row = self.held.pop(key, None)
        if row is not None:
            self._last = None
            for column in self._by:
                self._keys(column, row[column]).pop(key, None)

    def last(self) -> int:
        """The largest number among the first members of keys; 0 where there is none."""
        if self._last is None:
            self._last = max((key[0] for key in self.held), default=0)
        return self._last

    def _keys(self, column: str, value: Any) -> dict[Key, None]:
        if (column, value) not in self._own:
            self._own.add((column, value))
            self._by[column][value] = dict(self._by[column].get(value, ()))
        return self._by[column][value]
