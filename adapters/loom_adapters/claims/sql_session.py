"""A transaction of either database, as `Session`."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, Text, and_, case, func, or_, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql import operators
from sqlalchemy.sql.expression import UnaryExpression

from loom_adapters.claims import wholes
from loom_adapters.claims.schema import COUNTING, KEYS, TABLES, columns
from loom_adapters.claims.session import Above, Beside, Condition, Has, In, Row, Within

AT_ONCE = 500
"""Values of one condition at most; SQLite allows 32,766 in a statement."""
FETCHED = 50_000


class SqlSession:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._lite = connection.dialect.name == "sqlite"
        self._insert: Any = sqlite.insert if self._lite else postgresql.insert

    def rows(self, table: str, *where: Condition, order: Sequence[str] = (), limit: int | None = None) -> list[Row]:
        many = next((each for each in where if isinstance(each, In) and len(each.values) > AT_ONCE), None)
        if many is not None:
            rest = tuple(each for each in where if each is not many)
            parts = (many.values[start : start + AT_ONCE] for start in range(0, len(many.values), AT_ONCE))
            found = [row for part in parts for row in self.rows(table, In(many.column, part), *rest)]
            found.sort(key=lambda row: tuple(row[name] for name in order))
            return found if limit is None else found[:limit]
        statement = select(TABLES[table]).where(*self._said(table, where)).order_by(*self._ordered(table, order))
        if limit is not None:
            statement = statement.limit(limit)
        return [dict(row) for row in self._connection.execute(statement).mappings()]

    def columns(self, table: str, names: Sequence[str], *where: Condition) -> Iterator[list[tuple[Any, ...]]]:
        held = TABLES[table]
        statement = select(*(held.c[name] for name in names)).where(*self._said(table, where))
        statement = statement.order_by(*self._ordered(table, KEYS[table], aside=_few(where)))
        if self._lite:
            # Rows as the driver gives them: wrapping five million takes as long again.
            with self._connection.execute(statement) as result:
                cursor = result.cursor
                while cursor is not None and (found := cursor.fetchmany(FETCHED)):
                    yield list(found)
        else:
            with self._connection.execute(statement, execution_options={"yield_per": FETCHED}) as result:
                for part in result.partitions():
                    yield [tuple(row) for row in part]

    def numbers(self, table: str, *names: str) -> NDArray[np.int32]:
        return wholes.numbers(self._connection, table, names)

    def texts(self, table: str, name: str) -> list[str]:
        return wholes.texts(self._connection, table, name)

    def largest(self, table: str, column: str) -> int:
        found = self._connection.execute(select(func.max(TABLES[table].c[column]))).scalar()
        return -1 if found is None else int(found)

    def count(self, table: str, column: str, *where: Condition) -> dict[Any, int]:
        counted = TABLES[table].c[column]
        statement = select(counted, func.count()).where(*self._said(table, where)).group_by(counted)
        return {value: int(number) for value, number in self._connection.execute(statement)}

    def insert(self, table: str, rows: Sequence[Row]) -> None:
        if rows:
            self._connection.execute(TABLES[table].insert(), list(rows))

    def add(self, table: str, row: Row, once: str) -> int:
        held = TABLES[table]
        self._connection.execute(self._insert(held).values(row).on_conflict_do_nothing(index_elements=[once]))
        (key,) = KEYS[table]
        return int(self._connection.execute(select(held.c[key]).where(held.c[once] == row[once])).scalar_one())

    def put(self, table: str, rows: Sequence[Row]) -> None:
        if rows:
            made = self._insert(TABLES[table])
            others = {name: made.excluded[name] for name in columns(table) if name not in KEYS[table]}
            self._connection.execute(made.on_conflict_do_update(index_elements=KEYS[table], set_=others), list(rows))

    def bump(self, table: str, rows: Sequence[Row]) -> None:
        if rows:
            made, held = self._insert(TABLES[table]), TABLES[table].c
            later = case((made.excluded.at > held.at, made.excluded.at), else_=held.at)
            added = {"count": held["count"] + made.excluded["count"], "at": later}
            self._connection.execute(made.on_conflict_do_update(index_elements=KEYS[table], set_=added), list(rows))

    def delete(self, table: str, keys: Sequence[tuple[Any, ...]]) -> None:
        held = TABLES[table]
        for start in range(0, len(keys), AT_ONCE):
            some = keys[start : start + AT_ONCE]
            each = (and_(*(held.c[name] == value for name, value in zip(KEYS[table], key, strict=True))) for key in some)
            self._connection.execute(held.delete().where(or_(*each)))

    def held(self) -> Row:
        return dict(self._connection.execute(select(TABLES["lease"]).with_for_update()).mappings().one())

    def settled(self) -> None:
        if self._lite:
            return  # SQLite counts on from the largest that came
        for table in sorted(COUNTING):
            statement = (
                f"select setval(pg_get_serial_sequence('{table}', 'number'), max(number)) from {table} having max(number) > 0"
            )
            self._connection.execute(text(statement))

    def _said(self, table: str, where: Sequence[Condition]) -> Iterator[ColumnElement[bool]]:
        for each in where:
            aside = isinstance(each, Beside) and self._lite  # PostgreSQL counts how many rows meet a condition
            each = each.condition if isinstance(each, Beside) else each
            column: ColumnElement[Any] = _aside(TABLES[table].c[each.column]) if aside else TABLES[table].c[each.column]
            match each:
                case In(_, values):
                    yield column.in_(values)
                case Above(_, value):
                    yield column > value
                case Has(_, part):
                    yield (func.instr(column, part) if self._lite else func.strpos(column, part)) > 0
                case Within(_, other, name, inner):
                    yield column.in_(select(TABLES[other].c[name]).where(*self._said(other, inner)))

    def _ordered(self, table: str, names: Sequence[str], *, aside: bool = False) -> Iterator[ColumnElement[Any]]:
        for name in names:
            column = TABLES[table].c[name]
            if self._lite:
                yield _aside(column) if aside else column
            else:
                yield column.collate("C") if isinstance(column.type, Text) else column


def _few(where: Sequence[Condition]) -> bool:
    """Whether few rows are found by an index, so that it is right to sort them, and wrong to read all in the order of their keys."""
    return any(isinstance(each, Above) and each.column == "version" for each in where)


def _aside(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """The column as SQLite searches by no index of it (https://sqlite.org/optoverview.html, "disqualifying WHERE clause terms")."""
    return UnaryExpression(column, operator=operators.custom_op("+"), type_=column.type)
