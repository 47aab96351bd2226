"""Claims in this process: for tests, and for what is to be forgotten when the process ends."""

from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import itemgetter
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loom.core.claims.stored import Step, no_step
from loom.core.errors import BadInput
from loom_adapters.claims.kept_rows import Key, Rows
from loom_adapters.claims.schema import COUNTING, KEYS, TABLES
from loom_adapters.claims.session import Above, Beside, Condition, Has, In, Row, Session, Within
from loom_adapters.claims.stored import StoredClaims

Held = dict[str, Rows]


class FakeClaims(StoredClaims):
    """Rows by their keys. A transaction changes copies of the tables that it writes, which take their place when it ends well."""

    def __init__(self, *, step: Step = no_step) -> None:
        super().__init__(step)
        self._held: Held = {name: Rows(KEYS[name]) for name in TABLES}
        self._held["lease"].put({"id": 1, "number": 0, "holder": "", "until": 0.0})
        self._alone = Lock()

    @contextmanager
    def _transaction(self) -> Iterator[Session]:
        with self._alone:
            session = _Session(dict(self._held))
            yield session
            self._held = session.tables

    @contextmanager
    def _snapshot(self) -> Iterator[Session]:
        yield _Session(self._held)


class _Session:
    def __init__(self, held: Held) -> None:
        self.tables = held
        self._forked: set[str] = set()

    def _written(self, table: str) -> Rows:
        if table not in self._forked:
            self._forked.add(table)
            self.tables[table] = self.tables[table].fork()
        return self.tables[table]

    def _meeting(self, table: str, where: Sequence[Condition]) -> list[Row]:
        rows = self.tables[table]
        tests = [self._test(each) for each in where]
        found = [
            (at, rows.having(column, values)) for at, (column, values) in enumerate(tests) if isinstance(values, frozenset)
        ]
        if not found:
            return _met(rows.held.values(), tests)
        at, groups = min(found, key=lambda each: sum(map(len, each[1])))
        # In the order of keys: a set of texts has another order in each process.
        keys = sorted(key for group in groups for key in group)
        return _met((rows.held[key] for key in keys), [*tests[:at], *tests[at + 1 :]])

    def _test(self, condition: Condition) -> tuple[str, Container[Any]]:
        match condition:
            case Beside(inner):
                return self._test(inner)
            case In(column, values):
                return column, frozenset(values)
            case Above(column, value):
                return column, _Above(value)
            case Has(column, text):
                return column, _Having(text)
            case Within(column, table, other, where):
                return column, frozenset(row[other] for row in self._meeting(table, where))

    def rows(self, table: str, *where: Condition, order: Sequence[str] = (), limit: int | None = None) -> list[Row]:
        found = self._meeting(table, where)
        if order:
            found.sort(key=itemgetter(*order))
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
        return max((row[column] for row in self.tables[table].held.values()), default=-1)

    def count(self, table: str, column: str, *where: Condition) -> dict[Any, int]:
        found: dict[Any, int] = {}
        for row in self._meeting(table, where):
            found[row[column]] = found.get(row[column], 0) + 1
        return found

    def insert(self, table: str, rows: Sequence[Row]) -> None:
        held = self._written(table)
        for row in rows:
            if table in COUNTING and "number" not in row:
                row = {"number": held.last() + 1, **row}
            if held.key(row) in held.held:
                raise BadInput(f"There is a row {held.key(row)} in {table} already.", param=table)
            held.put(row)

    def add(self, table: str, row: Row, once: str) -> int:
        if not self._meeting(table, [In(once, [row[once]])]):
            self.insert(table, [row])
        held = self.tables[table]
        return next(int(held.key(each)[0]) for each in self._meeting(table, [In(once, [row[once]])]))

    def put(self, table: str, rows: Sequence[Row]) -> None:
        held = self._written(table)
        for row in rows:
            held.put(row)

    def bump(self, table: str, rows: Sequence[Row]) -> None:
        held = self._written(table)
        for row in rows:
            before = held.held.get(held.key(row), {"count": 0, "at": ""})
            held.put({**row, "count": before["count"] + row["count"], "at": max(before["at"], row["at"])})

    def delete(self, table: str, keys: Sequence[Key]) -> None:
        held = self._written(table)
        for key in keys:
            held.delete(tuple(key))

    def held(self) -> Row:
        return self.tables["lease"].held[1,]

    def settled(self) -> None:
        """Keys count on from the largest by themselves."""


def _met(rows: Iterable[Row], tests: Sequence[tuple[str, Container[Any]]]) -> list[Row]:
    found = list(rows)
    for column, values in tests:
        found = [row for row in found if row[column] in values]
    return found


class _Above:
    def __init__(self, value: Any) -> None:
        self._value = value

    def __contains__(self, value: Any) -> bool:
        return bool(value > self._value)


class _Having:
    def __init__(self, text: str) -> None:
        self._text = text

    def __contains__(self, value: object) -> bool:
        return isinstance(value, str) and self._text in value
