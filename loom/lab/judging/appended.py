"""Files of JSON lines that people and judges add to: each line is on the disk at once, and one process has the file for itself."""

import fcntl
import os
from collections.abc import Mapping
from pathlib import Path

import orjson

from loom.core.errors import BadInput, Unwritable
from loom.core.values import Json


class Appended:
    """A file that is open to be added to, and locked until it is closed. A last line that a kill broke off is cut off. Raises
    BadInput where it cannot be written, and `busy` where another process has it."""

    def __init__(self, path: Path, busy: BadInput, *, mode: int = 0o644) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, mode)
        except OSError as error:
            raise BadInput(
                f"{path} cannot be written ({error.strerror}); give a place that can with --out.", param="out"
            ) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise busy from None
        self._cut()

    @property
    def empty(self) -> bool:
        return os.fstat(self._file).st_size == 0

    def add(self, row: Mapping[str, Json]) -> None:
        """Write a line: when this returns it is on the disk. Raises Unwritable where there is no room for it."""
        data = orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)
        try:
            while data:
                data = data[os.write(self._file, data) :]
            os.fsync(self._file)
        except OSError as error:
            raise Unwritable(
                f"{self._path} cannot be written ({error.strerror}); make room, then run the same command again."
            ) from error

    def close(self) -> None:
        os.close(self._file)

    def _cut(self) -> None:
        """Cut off a last line that is not finished."""
        end = size = os.fstat(self._file).st_size
        while end > 0:
            start = max(0, end - 65_536)
            found = os.pread(self._file, end - start, start).rfind(b"\n")
            if found >= 0:
                end = start + found + 1
                break
            end = start
        if end < size:
            os.ftruncate(self._file, end)
