"""A store as JSON lines: a head, then every row of every table but the lease, in the order of its key. It is a backup, and the way
from one database to the other; the same claims give the same bytes from either."""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import orjson
from sqlalchemy import Boolean, Double, LargeBinary, Text

from loom.core.claims.tables import opened
from loom.core.errors import BadInput
from loom_adapters.claims.columns import labels, network
from loom_adapters.claims.schema import HEAD, TABLES, columns
from loom_adapters.claims.session import Row, Session
from loom_adapters.claims.texts import sound

AT_ONCE = 5_000
CARRIED = tuple(sorted(TABLES.keys() - {"lease"}))


def exported(session: Session) -> Iterator[bytes]:
    version = max(0, session.largest("versions", "version"))
    yield _line({"loom_claims": HEAD, "version": version})
    for table in CARRIED:
        names = columns(table)
        bools = [name for name in names if isinstance(TABLES[table].c[name].type, Boolean)]
        for part in session.columns(table, names):
            for values in part:
                row: dict[str, Any] = {"table": table, **dict(zip(names, values, strict=True))}
                row |= {name: bool(row[name]) for name in bools}
                if table == "vectors":
                    row["body"] = b64encode(row["body"]).decode()
                yield _line(row)


def restored(session: Session, lines: Iterable[bytes]) -> int:
    """Take an export into a store that holds nothing. Raises BadInput, which names the line, and then nothing is kept."""
    session.held()  # so that nobody commits meanwhile
    if any(session.rows(table, limit=1) for table in CARRIED):
        raise BadInput("Expected a store that holds nothing, but there are claims in it; give another.", param="store")
    stated = _stated(lines)
    number, head = next(stated, (0, {}))
    if head.get("loom_claims") != HEAD:
        raise BadInput(
            f"Expected an export of claims of format {HEAD}, but the first line is none; give what `export` wrote.",
            param="lines",
        )
    while some := list(islice(stated, AT_ONCE)):
        _taken(session, some)
        number = some[-1][0]
    version = max(0, session.largest("versions", "version"))
    if version != head.get("version"):
        raise BadInput(f"The export is cut off behind line {number}; nothing of it was kept.", param="lines")
    session.settled()
    _checked(session)
    return version


def _taken(session: Session, some: list[tuple[int, dict[str, Any]]]) -> None:
    """Insert rows, those of one table together."""
    held: dict[str, list[Row]] = {}
    for number, row in some:
        try:
            table = row.pop("table")
            held.setdefault(table, []).append(_row(table, row))
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(
                f"Line {number} is not as `export` writes it ({error}); nothing of it was kept.", param="lines"
            ) from None
    for table, rows in held.items():
        session.insert(table, sound(rows))


def _row(table: str, row: dict[str, Any]) -> Row:
    if table not in CARRIED:
        raise ValueError(f"there is no table {table!r:.40}")
    if row.keys() != set(columns(table)):
        raise ValueError(f"a row of {table} has other columns")
    for name, value in row.items():
        kind = TABLES[table].c[name].type
        text, number = isinstance(kind, Text | LargeBinary), int | float if isinstance(kind, Double) else int
        if isinstance(value, bool) is not isinstance(kind, Boolean) or not isinstance(value, str if text else number):
            raise ValueError(f"{name} of {table} is {value!r:.40}")
    if table == "vectors":
        return {**row, "body": b64decode(row["body"], validate=True)}
    return row


def _checked(session: Session) -> None:
    """Raises BadInput where what came is no network, or its labels are not those that follow from it."""
    try:
        state = opened(network(session, max(0, session.largest("versions", "batch"))))
        there = labels(session)
        same = (
            bytes(state.labels.supported) == there.supported.tobytes()
            and bytes(state.labels.standing) == there.standing.tobytes()
        )
    except (IndexError, KeyError, ValueError) as error:
        raise BadInput(f"The export does not agree with itself ({error}); nothing of it was kept.", param="lines") from None
    if not same:
        raise BadInput("The standings of the export are not those that follow from it; nothing of it was kept.", param="lines")


def _stated(lines: Iterable[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found = orjson.loads(line)
        except ValueError as error:
            raise BadInput(f"Line {number} is no JSON ({error}); nothing of it was kept.", param="lines") from None
        if not isinstance(found, dict):
            raise BadInput(f"Line {number} is no object; nothing of it was kept.", param="lines")
        yield number, found


def _line(row: dict[str, Any]) -> bytes:
    return orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)
