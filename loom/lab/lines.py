"""Files of JSON lines, read one object at a time."""

import gzip
import zlib
from collections.abc import Iterator
from io import BufferedIOBase
from pathlib import Path

import orjson

from loom.core.errors import BadInput
from loom.core.values import Json

PACKED = ".gz"
"""The end of the name of a file that is packed by gzip."""
UNREADABLE = (OSError, EOFError, zlib.error)
"""What reading a file may raise, packed or not."""


def opened(path: Path) -> BufferedIOBase:
    """A file to be read, unpacked where its name says that gzip packed it."""
    return gzip.open(path) if path.suffix == PACKED else path.open("rb")


def reason_of(error: BaseException) -> str:
    """Why a file cannot be read, in words."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def lines(path: Path, param: str) -> Iterator[tuple[int, dict[str, Json]]]:
    """The objects of a file of JSON lines, packed by gzip where its name ends so, each with the number of its line, read as they
    are taken. Raises BadInput."""
    try:
        with opened(path) as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield number, object_in(line, f"line {number} of {path}", param)
    except UNREADABLE as error:
        raise BadInput(f"Expected a file of JSON lines, but {path} cannot be read: {reason_of(error)}.", param=param) from error


def object_in(line: bytes | str, where: str, param: str) -> dict[str, Json]:
    """The object of one line, which `where` names. Raises BadInput."""
    mark = b"\xef\xbb\xbf"
    try:
        found = orjson.loads(line.removeprefix(mark) if isinstance(line, bytes) else line)
    except orjson.JSONDecodeError as error:
        raise BadInput(f"Expected a JSON object in {where}; {error}.", param=param) from None
    if not isinstance(found, dict):
        raise BadInput(f"Expected a JSON object in {where}, but got {str(found)[:40]!r}.", param=param)
    return found
