"""Files that are whole whenever a process or machine stops: written beside, forced to the disk, then moved or linked into place."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from loom.core.proposals.ledger import OWN

MODE = 0o644


@contextlib.contextmanager
def beside(folder: Path, data: bytes, mode: int = MODE) -> Iterator[str]:
    """A file with these bytes, on the disk, under a name that no build looks at; it is gone at the end."""
    handle, name = tempfile.mkstemp(prefix=OWN, dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            os.fchmod(file.fileno(), mode)
            file.flush()
            os.fsync(file.fileno())
        yield name
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)


def settled(folder: Path) -> None:
    """Force the names of a folder to the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def swept(folder: Path) -> None:
    """Remove what a process that was killed left under such a name. Only for whoever keeps other writers out."""
    for left in folder.glob(f"{OWN}*"):
        with contextlib.suppress(OSError):
            left.unlink()
