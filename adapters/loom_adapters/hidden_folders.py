"""Folders that are being written or removed: beside those that are listed, named `.draft-…`, and locked by whoever is at work.

The lock tells a folder in use from one that a killed process left behind, in whatever container that process lived.
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path


def locked(handle: int) -> bool:
    """Whether this process has the open file alone now."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextlib.contextmanager
def hidden(parent: Path) -> Iterator[Path]:
    """A new folder that is never listed. What is still at its path at the end goes."""
    held = None
    while held is None:
        folder = Path(tempfile.mkdtemp(prefix=".draft-", dir=parent))
        held = _held(folder)
    os.chmod(folder, 0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(held)


def sweep(parent: Path) -> None:
    """Remove hidden folders whose makers are gone."""
    for left in parent.glob(".draft-*/"):
        held = _held(left)
        if held is not None:
            shutil.rmtree(left, ignore_errors=True)
            os.close(held)


def _held(folder: Path) -> int | None:
    """A locked handle of a folder, or None where another has it or has removed it."""
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return None
    if locked(handle) and folder.exists() and os.path.samestat(os.fstat(handle), folder.stat()):
        return handle
    os.close(handle)
    return None
