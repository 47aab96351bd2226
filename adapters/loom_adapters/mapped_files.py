"""Sealed files as they are read: mapped on first use, hashed, and written so that nobody changes them in place."""

import hashlib
import mmap
import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import orjson

from loom.core.errors import BrokenGeneration
from loom.core.values import Json

HASHED_AT_OPEN = 1 << 30
"""Bytes up to which every file is hashed when it is opened; above, sizes are checked."""


def entry_of(path: Path) -> dict[str, Json]:
    """What a manifest states of a file that is there."""
    with path.open("rb") as file:
        return {"bytes": os.fstat(file.fileno()).st_size, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}


def write(path: Path, data: bytes | np.ndarray | Iterable[bytes]) -> None:
    """Write a new file, to the disk and read-only. Arrays become `.npy` in C order, whose bytes depend on their content alone."""
    with path.open("xb") as out:
        if isinstance(data, np.ndarray):
            np.lib.format.write_array(out, np.ascontiguousarray(data), version=(1, 0), allow_pickle=False)
        elif isinstance(data, bytes):
            out.write(data)
        else:
            out.writelines(data)
        out.flush()
        os.fsync(out.fileno())
    path.chmod(0o444)


class MappedFiles:
    """The files of one folder, mapped on first use."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.decode = orjson.loads

    def array(self, name: str) -> np.ndarray:
        path = self._folder / name
        try:
            mapped = path.stat().st_size >= 4096
            return np.asarray(np.load(path, mmap_mode="r" if mapped else None, allow_pickle=False))
        except (OSError, ValueError) as error:
            raise BrokenGeneration(f"{path} cannot be read as an array ({error}); build the generation again.") from error

    def blob(self, name: str) -> memoryview:
        path = self._folder / name
        try:
            with path.open("rb") as file:
                if os.fstat(file.fileno()).st_size == 0:
                    return memoryview(b"")
                return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except OSError as error:
            raise BrokenGeneration(f"{path} cannot be read ({error}); build the generation again.") from error
