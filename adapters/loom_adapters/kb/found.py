"""What the manifest says of a file, held against the file: whether it is there, is text, and has the columns that are named."""

import codecs
import csv
import itertools
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from loom.core.errors import MissingExtra
from loom.core.facts.layout import Layout
from loom_adapters.kb.wording import closest, shown

FILE = "kb.toml"
ENCODINGS = ("utf-8", "utf-16", "latin-1", "cp1252")
"""Encodings that a file may be in; a byte order mark of UTF-8 is passed over."""
DELIMITERS = (",", ";", "\t", "|")
PARQUET = ("parquet", "pq")
READ = ("csv", "tsv", "parquet", "pq", "srt", "vtt", "md", "markdown", "txt")
"""Endings of files that are read."""
_PIECE = 1 << 20
_LISTED = 2_000


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a file, in the three parts of a remark; `line` is the line in the file itself, 0 where it has none."""

    kind: str
    expected: str
    came: str
    remedy: str
    line: int = 0
    column: str = ""


def plain_path(path: str) -> str | None:
    """The path in its plain form; None where it leaves the folder or is not written with slashes."""
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts or "\\" in path or not pure.parts or path[1:2] == ":" or not path.isprintable():
        return None
    return str(pure)


def place_fault(folder: Path, path: str) -> Fault | None:
    """What is wrong with where a file is."""
    full = folder / path
    try:
        status = os.stat(full)
        inside = full.resolve().is_relative_to(folder.resolve())
    except OSError as error:
        why = f"{shown_path(path)} cannot be opened ({error.strerror or error})"
        if isinstance(error, FileNotFoundError | NotADirectoryError):
            near = _near(folder, path)
            remedy = f'write path = "{near}"' if near else "put the file there, or correct `path`"
            return Fault("kb-missing-file", "a file of the folder", f"{shown_path(path)} is not there", remedy)
        return Fault("kb-missing-file", "a file that can be read", why, "correct `path`, or the permissions of the file")
    if not inside:
        return Fault("kb-path", "a file inside the folder", f"{path} is a link that leaves it", "copy the file into the folder")
    if not stat.S_ISREG(status.st_mode):
        return Fault("kb-path", "a plain file", f"{path} is none", "name a file, one entry for each")
    if status.st_size == 0:
        return Fault("kb-empty", "a file that holds something", f"{path} is empty", "fill it, or take its entry away")
    if not os.access(full, os.R_OK):
        return Fault("kb-missing-file", "a file that can be read", f"{path} cannot be opened", "correct its permissions")
    return None


def text_fault(folder: Path, path: str, encoding: str) -> Fault | None:
    """What is wrong with the bytes of a text file. Reads it in pieces."""
    decoder = codecs.getincrementaldecoder(encoding)()
    line = 1
    blank = True
    with open(folder / path, "rb") as file:
        for piece in itertools.chain(iter(lambda: file.read(_PIECE), b""), (b"",)):
            pending = decoder.getstate()[0]
            try:
                text = decoder.decode(piece, final=not piece)
            except UnicodeDecodeError as error:
                line += error.object[: error.start].count(b"\n")
                came = f"byte 0x{error.object[error.start]:02x} is none"
                remedy = _encoding_remedy(encoding, pending + piece)
                return Fault("kb-encoding", f"text in {encoding}", came, remedy, line)
            except UnicodeError:
                remedy = "take `encoding` away where it is UTF-8"
                return Fault("kb-encoding", f"text in {encoding}", "it does not begin with the mark of one", remedy, line)
            if "\0" in text:
                line += text[: text.index("\0")].count("\n")
                return Fault(
                    "kb-encoding",
                    f"text in {encoding}",
                    "it holds zero bytes",
                    "save it as UTF-8, or state its `encoding`",
                    line,
                )
            line += text.count("\n")
            blank = blank and not text.strip("\ufeff \t\r\n")
    return Fault("kb-empty", "text", f"{path} holds blanks only", "fill it, or take its entry away", 1) if blank else None


def encoding_of(folder: Path, path: str) -> str:
    """The first encoding that a text file can be in; utf-8 where it can be in none."""
    for encoding in ENCODINGS:
        fault = text_fault(folder, path, encoding)
        if fault is None or fault.kind != "kb-encoding":
            return encoding
    return "utf-8"


def table_faults(folder: Path, layout: Layout) -> Iterator[Fault]:
    """What is wrong with the head of a table: columns that are not there or there twice, no rows."""
    header, delimiter = layout.header, layout.delimiter
    wanted = dict.fromkeys(filter(None, (layout.position, layout.entity_column, *(column for _, column in layout.values))))
    if ending(layout.path) in PARQUET:
        if (head := parquet_head(folder / layout.path, 1)) is None:
            yield Fault("kb-table", "a Parquet file", "it cannot be read as one", "write it again, or name another file")
            return
        columns, rows = head[0], bool(head[1])
    else:
        try:
            columns, rows = _csv(folder / layout.path, layout.encoding, delimiter, header)
        except csv.Error as error:
            yield Fault(
                "kb-empty", "a table", f"its head cannot be read ({error})", "state its `delimiter`, or mend it", header
            )
            return
    if not columns:
        yield Fault("kb-empty", f"names of columns in line {header}", "the file ends before it", "correct `header`", header)
        return
    for name in wanted:
        if (count := columns.count(name)) == 1:
            continue
        if count:
            remedy = "rename all but one of them"
            yield Fault("kb-column", f"one column {name!r}", f"the table has {count} of that name", remedy, header, name)
            continue
        other = next((d for d in DELIMITERS if d != delimiter and d in columns[0] and len(columns) == 1), "")
        near = _alike(name, columns)
        if other:
            remedy = f"state delimiter = {shown(other)}"
        elif near:
            remedy = f"write {shown(near)}"
        else:
            remedy = "name a column of the table"
        had = ", ".join(map(repr, columns[:8])) + (", …" if len(columns) > 8 else "")
        yield Fault("kb-column", f"a column {name!r}", f"the table has {had}", remedy, header, name)
    if not rows:
        yield Fault("kb-empty", "rows below the names of columns", "there are none", "fill it, or take its entry away", header)


def listing(folder: Path) -> list[str]:
    """Files of the folder with an ending that is read, hidden ones and links aside, in order; of very many only the first."""
    found: list[str] = []
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            full = Path(root, name)
            path = full.relative_to(folder).as_posix()
            if (
                not name.startswith(".")
                and path.isprintable()
                and ending(name) in READ
                and not full.is_symlink()
                and full.is_file()
            ):
                found.append(path)
        if len(found) > _LISTED:
            break
    return sorted(found)[:_LISTED]


def ending(path: str) -> str:
    return PurePosixPath(path).suffix.lower().lstrip(".")


def shown_path(path: str) -> str:
    return path if len(path) <= 80 else path[:79] + "…"


def _csv(path: Path, encoding: str, delimiter: str, header: int) -> tuple[list[str], bool]:
    """The names of columns, and whether a row follows."""
    with open(path, encoding="utf-8-sig" if encoding == "utf-8" else encoding, newline="", errors="replace") as file:
        for _ in range(header - 1):
            if not file.readline(_PIECE):
                return [], False
        rows = csv.reader(file, delimiter=delimiter)
        columns = [name.strip() for name in next(rows, [])]
        return columns, any(any(cell.strip() for cell in row) for row in itertools.islice(_readable(rows), 1000))


def _readable(rows: Iterator[list[str]]) -> Iterator[list[str]]:
    """Rows, and one in place of those that cannot be read: there are some, and whoever reads the table says which."""
    try:
        yield from rows
    except csv.Error:
        yield ["unread"]


def parquet_head(path: Path, rows: int) -> tuple[list[str], list[list[str]]] | None:
    """The columns of a Parquet file and its first rows as text; None where it is none."""
    try:
        import polars
    except ImportError as error:
        raise MissingExtra("Tables need polars; install it with `pip install 'loom-node[facts]'`.") from error
    try:
        head = polars.scan_parquet(path, glob=False).head(rows).collect()
    except (polars.exceptions.PolarsError, OSError):
        return None
    return head.columns, [["" if cell is None else str(cell) for cell in row] for row in head.iter_rows()]


def _encoding_remedy(encoding: str, piece: bytes) -> str:
    if encoding != "utf-8":
        return "state the `encoding` that it is in, or save it as UTF-8"
    if piece[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return 'save it as UTF-8, or state encoding = "utf-16"'
    return 'save it as UTF-8, or state encoding = "latin-1"'


def _near(folder: Path, path: str) -> str:
    """A file of the folder that was probably meant: the same name elsewhere or in another case, or a likely slip."""
    there = listing(folder)
    name = PurePosixPath(path).name.lower()
    return next((one for one in there if PurePosixPath(one).name.lower() == name), "") or closest(path, there)


def _alike(name: str, columns: list[str]) -> str:
    return closest(name.strip(), columns)
