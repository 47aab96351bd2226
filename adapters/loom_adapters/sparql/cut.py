"""Ending a result after so many rows or bytes, so that what was sent is a whole document.

The engine writes results by itself, in pieces that end anywhere. Between two rows each format has a mark that cannot occur inside
one, since quotes, angle brackets and line breaks are escaped there. (In JSON, a text that ends in `,{` has its closing quote next,
and after that a comma or a brace; between rows the name of a variable follows.)
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from loom.core.sparql.errors import BadQuery


class Enough(Exception):
    """Raised into the engine when a limit is reached; `limit` is rows or bytes."""

    def __init__(self, limit: str) -> None:
        super().__init__(limit)
        self.limit = limit


@dataclass(frozen=True, slots=True)
class Marks:
    """`between` matches where a row begins: at its start, or with `after` at its end. `first` says whether the first row has a
    mark before it; `closing` ends a document after any row. Where the pattern has a group, only matches with it are marks.
    `sign` is what every match consists of, where that is one text: then rows that are far from a limit are counted at once."""

    between: "re.Pattern[bytes]"
    after: bool
    first: bool
    closing: bytes
    sign: bytes = b""


MARKS = {
    "json": Marks(re.compile(rb',\{"(?=[^,}])'), False, False, b"]}}", b',{"'),
    "xml": Marks(re.compile(rb"<result>"), False, True, b"</results></sparql>", b"<result>"),
    "csv": Marks(re.compile(rb'"[^"]*(?:"|$)|(\r?\n)(?=.)', re.S), True, True, b""),
    "tsv": Marks(re.compile(rb"(\n)(?=.)", re.S), True, True, b"", b"\n"),
}


class Cutter:
    """A file for the engine to write to. Whole rows are passed on; raises Enough once a limit is reached, and BadQuery where one
    row alone is more than `most` bytes. What the engine still writes after that (it empties its buffer) is dropped."""

    def __init__(self, format: str, rows: int, most: int, passed_on: Callable[[bytes], object]) -> None:
        self._marks = MARKS[format]
        self._left = rows + self._marks.first
        self._most = most
        self._pass = passed_on
        self._rest = b""
        self._size = 0

    def write(self, data: bytes) -> int:
        if not self._left:
            return len(data)
        marks, rest = self._marks, self._rest + data
        if marks.sign and self._size + len(rest) <= self._most:
            count = len(marks.between.findall(rest, 0 if marks.after else 1))
            if count < self._left:
                self._left -= count
                self._keep(rest, self._last(rest) if count else 0)
                return len(data)
        at = 0
        for mark in marks.between.finditer(rest, 0 if marks.after else 1):
            if marks.after and mark[1] is None:
                continue
            here = mark.end() if marks.after else mark.start()
            if self._size + here > self._most:
                self._enough(rest[:at], "bytes")
            self._left -= 1
            if not self._left:
                self._enough(rest[:here], "rows")
            at = here
        if self._size + len(rest) > self._most:
            self._enough(rest[:at], "bytes")
        self._keep(rest, at)
        return len(data)

    def _keep(self, rest: bytes, at: int) -> None:
        """Pass on the rows before a place, and keep what comes after."""
        if at:
            self._pass(rest[:at])
            self._size += at
        self._rest = rest[at:]

    def _last(self, rest: bytes) -> int:
        """Where the last row begins; there is one."""
        at = len(rest)
        while True:
            at = rest.rindex(self._marks.sign, 0, at)
            if self._marks.between.match(rest, at):
                return at + (len(self._marks.sign) if self._marks.after else 0)

    def flush(self) -> None:
        """Rows are passed on as they become whole."""

    def close(self) -> None:
        """Pass on what is left."""
        self._pass(self._rest)
        self._rest = b""

    def _enough(self, rows: bytes, limit: str) -> None:
        if not self._size and not rows:
            raise BadQuery(f"One row of the result is more than {self._most} bytes; ask for less of it.")
        self._left = 0
        self._pass(rows + self._marks.closing)
        raise Enough(limit)
