"""Files of scores and ratings: CSV with a header, or JSON lines, either packed with gzip. Read a row at a time."""

import csv
import gzip
import io
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from loom.core.errors import BadInput
from loom.lab.lines import object_in
from loom.lab.statistics.comparing import Scores

Row = Mapping[str, Any]
LONGEST_FIELD = 1 << 24


def read_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[str, Row]]:
    """The rows of a file, each with its place ("line 3 of …"); text in CSV, JSON values in JSON lines.

    Every row has the `columns`; others come along. A byte order mark, CRLF, quoted fields, blank lines and any order of
    columns are fine. Raises BadInput with the first line that is not.
    """
    try:
        with path.open("rb") as file:
            yield from _rows(file, path, columns)
    except (OSError, EOFError, zlib.error) as error:
        told = getattr(error, "strerror", None) or error
        raise BadInput(f"Expected a file of scores, but {path} cannot be read: {told}.", param="file") from error
    except UnicodeDecodeError:
        raise BadInput(f"Expected {path} to be text in UTF-8, but it is not; save it as UTF-8.", param="file") from None
    except csv.Error as error:
        raise BadInput(f"Expected {path} to be CSV; {error}.", param="file") from None


def _rows(file: BinaryIO, path: Path, columns: Sequence[str]) -> Iterator[tuple[str, Row]]:
    packed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    with io.TextIOWrapper(gzip.GzipFile(fileobj=file) if packed else file, encoding="utf-8-sig", newline="") as text:
        yield from _told(text, path, columns)


def _told(text: TextIO, path: Path, columns: Sequence[str]) -> Iterator[tuple[str, Row]]:
    lines = ((number, line) for number, line in enumerate(text, 1))
    first = next(((number, line) for number, line in lines if line.strip()), None)
    if first is None:
        raise BadInput(f"Expected rows in {path}, but it is empty.", param="file")
    rest = (line for chunk in ((first,), lines) for line in chunk)
    rows = _json_rows(rest, path) if first[1].lstrip().startswith("{") else _csv_rows(rest, path, columns)
    for where, row in rows:
        missing = next((name for name in columns if name not in row), None)
        if missing is not None:
            raise BadInput(f"Expected {missing} in {where}, but it has {', '.join(row) or 'nothing'}.", param="file")
        yield where, row


def _json_rows(lines: Iterator[tuple[int, str]], path: Path) -> Iterator[tuple[str, Row]]:
    for number, line in lines:
        if not line.strip():
            continue
        where = f"line {number} of {path}"
        yield where, object_in(line, where, "file")


def _csv_rows(lines: Iterator[tuple[int, str]], path: Path, columns: Sequence[str]) -> Iterator[tuple[str, Row]]:
    at = 0

    def told() -> Iterator[str]:
        nonlocal at
        for number, line in lines:
            at = number
            yield line

    limit = csv.field_size_limit(LONGEST_FIELD)
    try:
        reader = csv.reader(told(), strict=True)
        header = [name.strip() for name in next(reader)]
        if header[0].startswith("["):
            raise BadInput(f"Expected CSV or a JSON object a line in {path}, but it is one JSON array.", param="file")
        twice = next((name for name in header if header.count(name) > 1), None)
        if twice is not None:
            raise BadInput(f"Expected every column of {path} once, but {twice!r} comes twice.", param="file")
        missing = next((name for name in columns if name not in header), None)
        if missing is not None:
            raise BadInput(
                f"Expected a header with {', '.join(columns)} in {path}, but {missing} is not in it: "
                f"{', '.join(header)[:120]}" + ("; part columns with commas." if len(header) == 1 else "."),
                param="file",
            )
        for fields in reader:
            if not fields or (len(fields) == 1 and not fields[0].strip()):
                continue
            where = f"line {at} of {path}"
            if len(fields) != len(header):
                raise BadInput(f"Expected {len(header)} fields in {where}, but got {len(fields)}.", param="file")
            yield where, dict(zip(header, fields, strict=True))
    finally:
        csv.field_size_limit(limit)


def number_of(value: Any, name: str, where: str) -> float | None:
    """A field as a finite number, None where it is empty. Raises BadInput."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    try:
        number = float(value) if not isinstance(value, bool) and "_" not in str(value) else float("nan")
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if number - number != 0:
        raise BadInput(
            f"Expected {name} in {where} to be a number, or empty for no answer, but got {str(value)[:40]!r}.", param="file"
        )
    return number


def text_of(value: Any) -> str:
    """A field as text, without spaces about it; "" where it is empty or null."""
    return "" if value is None else str(value).strip()


def read_scores(path: Path, wanted: Sequence[str] = ()) -> Scores:
    """Scores of a file with columns id, arm, score, and set where it has one; `wanted` are columns that group or cluster.

    All scores are held at once: pairs are made over the whole file. Raises BadInput for a missing column, an id or arm that is
    empty, a score that is no number, the same (set, id, arm) twice, or no row at all.
    """
    found = Scores()
    for where, row in read_rows(path, tuple(dict.fromkeys(("id", "arm", "score", *wanted)))):
        id, arm = text_of(row["id"]), text_of(row["arm"])
        if not id or not arm:
            raise BadInput(f"Expected an id and an arm in {where}, but one of them is empty.", param="file")
        score = number_of(row["score"], "the score", where)
        fields = {name: text_of(row[name]) for name in wanted}
        found.add((text_of(row.get("set")), id), arm, score, fields, where)
    if not found.arms:
        raise BadInput(f"Expected rows under the header of {path}, but there are none.", param="file")
    return found
