"""Claims in this process: for tests, and for what is to be forgotten when the process ends."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loom.core.claims.stored import Step, no_step
from loom.core.errors import BadInput
from loom_adapters.claims.schema import COUNTING, KEYS, TABLES
from loom_adapters.claims.session import Above, Condition, Has, In, Row, Session, Within
from loom_adapters.claims.stored import StoredClaims

Key = tuple[Any, ...]
Held = dict[str, dict[Key, Row]]


class FakeClaims(StoredClaims):
    """Rows by their keys. A transaction changes a copy, which takes the place of what was there when it ends well."""

    def __init__(self, *, step: Step = no_step) -> None:
        super().__init__(step)
        self._held: Held = {name: {} for name in TABLES}
        self._held["lease"][1,] = {"id": 1, "number": 0, "holder": "", "until": 0.0}
        self._alone = Lock()

    @contextmanager
    def _transaction(self) -> Iterator[Session]:
        with self._alone:
            changed = {name: dict(rows) for name, rows in self._held.items()}
            yield _Session(changed)
            self._held = changed

    @contextmanager
    def _snapshot(self) -> Iterator[Session]:
        yield _Session(self._held)


class _Session:
    def __init__(self, held: Held) -> None:
        self._held = held

    def _meeting(self, table: str, where: Sequence[Condition]) -> list[Row]:
        tests = [self._test(each) for each in where]
        return [row for row in self._held[table].values() if all(row[column] in values for column, values in tests)]

    def _test(self, condition: Condition) -> tuple[str, Any]:
        match condition:
            case In(column, values):
                return column, frozenset(values)
            case Above(column, value):
                return column, _Above(value)
            case Has(column, text):
                return column, _Having(text)
            case Within(column, table, other, where):
                return column, frozenset(row[other] for row in self._meeting(table, where))

    def rows(self, table: str, *where: Condition, order: Sequence[str] = (), limit: int | None = None) -> list[Row]:
        found = sorted(self._meeting(table, where), key=lambda row: tuple(row[name] for name in order))
        return found[:limit]

    def columns(self, table: str, names: Sequence[str], *where: Condition) -> Iterator[list[tuple[Any, ...]]]:
        found = [tuple(row[name] for name in names) for row in self.rows(table, *where, order=KEYS[table])]
        if found:
            yield found

    def numbers(self, table: str, *names: str) -> NDArray[np.int32]:
        held = [[row[name] for name in names] for row in self.rows(table, order=KEYS[table])]
        return np.ascontiguousarray(np.array(held, np.int32).reshape(-1, len(names)).T)

    def texts(self, table: str, name: str) -> list[str]:
        return [row[name] for row in self.rows(table, order=KEYS[table])]

    def largest(self, table: str, column: str) -> int:
        return max((row[column] for row in self._held[table].values()), default=-1)

    def count(self, table: str, column: str, *where: Condition) -> dict[Any, int]:
        found: dict[Any, int] = {}
        for row in self._meeting(table, where):
            found[row[column]] = found.get(row[column], 0) + 1
        return found

    def insert(self, table: str, rows: Sequence[Row]) -> None:
        held = self._held[table]
        for row in rows:
            if table in COUNTING and "number" not in row:
                row = {"number": max((key[0] for key in held), default=0) + 1, **row}
            if _key(table, row) in held:
                raise BadInput(f"There is a row {_key(table, row)} in {table} already.", param=table)
            held[_key(table, row)] = row

    def add(self, table: str, row: Row, once: str) -> int:
        if not any(each[once] == row[once] for each in self._held[table].values()):
            self.insert(table, [row])
        return next(int(key[0]) for key, each in self._held[table].items() if each[once] == row[once])

    def put(self, table: str, rows: Sequence[Row]) -> None:
        self._held[table].update((_key(table, row), row) for row in rows)

    def bump(self, table: str, rows: Sequence[Row]) -> None:
        for row in rows:
            before = self._held[table].get(_key(table, row), {"count": 0, "at": ""})
            added = {"count": before["count"] + row["count"], "at": max(before["at"], row["at"])}
            self._held[table][_key(table, row)] = {**row, **added}

    def delete(self, table: str, keys: Sequence[Key]) -> None:
        for key in keys:
            self._held[table].pop(tuple(key), None)

    def held(self) -> Row:
        return self._held["lease"][1,]

    def settled(self) -> None:
        """Keys count on from the largest by themselves."""


class _Above:
    def __init__(self, value: Any) -> None:
        self._value = value

    def __contains__(self, value: Any) -> bool:
        return bool(value > self._value)


class _Having:
    def __init__(self, text: str) -> None:
        self._text = text

    def __contains__(self, value: str) -> bool:
        return self._text in value


def _key(table: str, row: Row) -> Key:
    return tuple(row[name] for name in KEYS[table])
