"""Text tables with a delimiter. Stretches with no quote go through polars; those with quotes through the reader of the standard
library, which keeps what stands in them to the letter and says on which line a quote is wrong."""

import codecs
import csv
import re
from collections.abc import Iterator
from io import StringIO, TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Any

from loom.core.errors import BadInput, MissingExtra
from loom.core.facts.batches import Batch
from loom.core.facts.layout import Layout

_UNSURE = re.compile(r"\A[\s\ufeff]|\n\n|^[^\S\n]+$", re.MULTILINE)
"""White space at the beginning, and lines of nothing else: not every version of polars takes them as they are."""
STRETCH = 4 << 20
"""Characters read at a time; a stretch goes on to the end of its last line."""


def polars() -> Any:
    """The library; raises MissingExtra where it is not installed."""
    try:
        import polars as library
    except ImportError as error:
        raise MissingExtra("Tables need polars; install it with `pip install 'loom-node[facts]'`.") from error
    return library


class CsvTable:
    """A CSV or TSV file; its header is read at once."""

    def __init__(self, path: Path, layout: Layout) -> None:
        self._path = path
        self._name = layout.path
        self._layout = layout
        self._polars = polars()
        self._delimiter = "\t" if path.suffix.lower() in (".tsv", ".tab") and layout.delimiter == "," else layout.delimiter
        with self._open() as file:
            self.header, _ = self._head(file)

    def _open(self) -> TextIOWrapper:
        encoding = self._layout.encoding
        try:
            if codecs.lookup(encoding).name == "utf-8":
                encoding = "utf-8-sig"
            return open(self._path, encoding=encoding, newline="")
        except LookupError as error:
            raise BadInput(
                f"{self._name}: there is no encoding {encoding!r}; name one such as utf-8, cp1252 or utf-16."
            ) from error
        except OSError as error:
            raise BadInput(f"{self._name}: the file cannot be opened ({error.strerror}); make it readable.") from error

    def _head(self, file: TextIOWrapper) -> tuple[tuple[str, ...], int]:
        """The header, and the number of lines up to its end."""
        above = self._layout.header - 1
        lines = _Lines(self, file, "", 0)
        for _ in islice(lines, above):
            pass
        try:
            header = next(self._reader(lines), [])
        except csv.Error as error:
            raise self._broken(above + 1, error) from error
        if not any(name.strip() for name in header):
            raise BadInput(
                f"{self._name}:{above + 1}: there are no column names here; name the header's line, or fill the file."
            )
        if any("\0" in name for name in header):
            raise BadInput(f"{self._name}: the file is no text in {self._layout.encoding}; state its encoding in the manifest.")
        return tuple(name.strip() for name in header), lines.read

    def _reader(self, lines: Iterator[str]) -> Iterator[list[str]]:
        return csv.reader(lines, delimiter=self._delimiter, strict=True)

    def _broken(self, line: int, error: Exception) -> BadInput:
        return BadInput(
            f"{self._name}:{line}: the row that begins here has a quote that is wrong ({error}); close it, or write quotes twice"
            " inside of quoted cells."
        )

    def undecodable(self) -> BadInput:
        """The first line that is not in the encoding, named where lines can be told in bytes."""
        encoding = self._layout.encoding
        line = ""
        if not codecs.lookup(encoding).name.startswith(("utf-16", "utf-32")):
            with open(self._path, "rb") as file:
                for number, content in enumerate(file, 1):
                    try:
                        content.decode(encoding)
                    except UnicodeDecodeError:
                        line = f":{number}"
                        break
        return BadInput(
            f"{self._name}{line}: this is no text in {encoding}; state the file's encoding in the manifest, or save it as utf-8."
        )

    def batches(self, wanted: tuple[int, ...], batch_rows: int, size: int) -> Iterator[Batch]:
        header = tuple(self.header[at] for at in wanted)
        with self._open() as file:
            _, line = self._head(file)
            row = 0
            while stretch := _stretch(self, file, size):
                plain = None if '"' in stretch else self._plain(stretch, wanted)
                if plain is not None:
                    count = len(plain[0])
                    for start in range(0, count, batch_rows):
                        cut = slice(start, start + batch_rows)
                        rows, lines_of = range(row + 1, row + count + 1)[cut], range(line + 1, line + count + 1)[cut]
                        yield Batch(header, rows, tuple(column[cut] for column in plain), lines_of)
                    row, line = row + count, line + count
                else:
                    lines = _Lines(self, file, stretch, line)
                    yield from self._careful(lines, wanted, row, batch_rows)
                    row, line = lines.rows, lines.read

    def _plain(self, stretch: str, wanted: tuple[int, ...]) -> tuple[list[str], ...] | None:
        """The columns of a stretch without quotes; None where something is unusual in it, so that it is read with care."""
        if "\r" in stretch:
            stretch = stretch.replace("\r\n", "\n").replace("\r", "\n")
        if len(self._delimiter.encode()) != 1 or _UNSURE.search(stretch):
            return None
        library = self._polars
        names = [str(at) for at in range(len(self.header))]
        try:
            frame = library.read_csv(
                stretch.encode(),
                has_header=False,
                separator=self._delimiter,
                quote_char=None,
                schema=dict.fromkeys(names, library.String),
            )
        except library.exceptions.PolarsError:
            return None
        if frame.height != stretch.count("\n") + (not stretch.endswith("\n")):
            return None
        return tuple(frame.to_series(at).fill_null("").to_list() for at in wanted)

    def _careful(self, lines: "_Lines", wanted: tuple[int, ...], row: int, most: int) -> Iterator[Batch]:
        """Rows of the stretch that `lines` begins with, and as many lines behind it as its last row goes on."""
        header = tuple(self.header[at] for at in wanted)
        width = len(self.header)
        reader = self._reader(lines)
        rows: list[int] = []
        starts: list[int] = []
        columns: tuple[list[str], ...] = tuple([] for _ in wanted)
        lines.rows = row
        while lines.more():
            begin = lines.read + 1
            try:
                cells = next(reader)
            except csv.Error as error:
                raise self._broken(begin, error) from error
            lines.rows += 1
            if not cells:
                continue
            if len(cells) > width:
                raise BadInput(
                    f"{self._name}:{begin}: this row has {len(cells)} cells where the header has {width}; quote cells that hold the"
                    " delimiter, or state the delimiter that the file has."
                )
            rows.append(lines.rows)
            starts.append(begin)
            for column, at in zip(columns, wanted, strict=True):
                column.append(cells[at] if at < len(cells) else "")
            if len(rows) == most:
                yield Batch(header, rows, columns, starts)
                rows, starts, columns = [], [], tuple([] for _ in wanted)
        if rows:
            yield Batch(header, rows, columns, starts)


def _stretch(table: CsvTable, file: TextIOWrapper, size: int) -> str:
    try:
        text = file.read(size)
        return text + file.readline() if text and not text.endswith("\n") else text
    except UnicodeError as error:
        raise table.undecodable() from error


class _Lines:
    """Lines of a stretch, then of the file behind it. `read` counts the lines of the file so far, `rows` its rows."""

    def __init__(self, table: CsvTable, file: TextIOWrapper, stretch: str, read: int) -> None:
        self._table = table
        self._file = file
        self._stretch = StringIO(stretch, newline="")
        self._end = len(stretch)
        self.read = read
        self.rows = 0

    def more(self) -> bool:
        """Whether the stretch has lines left."""
        return self._stretch.tell() < self._end

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        try:
            line = self._stretch.readline() or self._file.readline()
        except UnicodeError as error:
            raise self._table.undecodable() from error
        if not line:
            raise StopIteration
        self.read += 1
        return line
