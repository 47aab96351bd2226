"""Files of the lab: written whole or not at all, the same bytes for the same content."""

import os
import stat
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Self

import orjson

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.lines import UNREADABLE, opened, reason_of


def write_bytes(path: Path, pieces: Iterable[bytes]) -> str:
    """Write a file, whole or not at all; gives the SHA-256 of what it holds. Raises BadInput."""
    with WholeFile(path) as file:
        for piece in pieces:
            file.write(piece)
    return file.sha256


def write_lines(path: Path, rows: Iterable[Mapping[str, Json]]) -> str:
    """Rows as JSON lines, in the order given; gives the SHA-256."""
    return write_bytes(path, (orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows))


def write_json(path: Path, value: Json) -> str:
    """One JSON value, indented; gives the SHA-256."""
    return write_bytes(path, [orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)])


def sha256_of(path: Path) -> str:
    """The SHA-256 of what a file holds, unpacked where its name says that gzip packed it. Raises BadInput."""
    digest = sha256()
    try:
        with opened(path) as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
    except UNREADABLE as error:
        raise BadInput(f"{path} cannot be read: {reason_of(error)}.", param="file") from error
    return digest.hexdigest()


class WholeFile:
    """A file whose content is not all there yet: `write` bytes or `add` JSON lines inside a `with` block. It is written beside its
    place and moved there once the block ends without an error: nothing of it is there before. A file in its place hands its permissions
    on. Raises BadInput."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._digest = sha256()

    @property
    def sha256(self) -> str:
        """The digest of what was written so far."""
        return self._digest.hexdigest()

    def __enter__(self) -> Self:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle, self._name = tempfile.mkstemp(prefix=f".{self._path.name}.", dir=self._path.parent)
            self._file = os.fdopen(handle, "wb")
        except OSError as error:
            raise self._unwritable(error) from error
        return self

    def add(self, row: Mapping[str, Json]) -> None:
        self.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))

    def write(self, piece: bytes) -> None:
        self._digest.update(piece)
        try:
            self._file.write(piece)
        except OSError as error:
            raise self._unwritable(error) from error

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            if kind is None:
                self._file.flush()
                os.fsync(self._file.fileno())
                os.chmod(self._name, stat.S_IMODE(self._path.stat().st_mode) if self._path.is_file() else 0o644)
                os.replace(self._name, self._path)
        except OSError as failure:
            raise self._unwritable(failure) from failure
        finally:
            with suppress(OSError):
                self._file.close()
            with suppress(FileNotFoundError):
                os.unlink(self._name)

    def _unwritable(self, error: OSError) -> BadInput:
        return BadInput(f"{self._path} cannot be written ({error.strerror}); give a place that can.", param="out")
