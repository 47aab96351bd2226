"""The pages of a vault in a folder, written by one process at a time."""

import contextlib
import fcntl
import os
import stat
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from loom.core.errors import BadInput, Unwritable
from loom.core.proposals.errors import Busy, Conflicting
from loom.core.proposals.ledger import FOLDER
from loom_adapters.proposals.whole import MODE, beside, settled, swept

MARKDOWN = (".md", ".markdown")
PATIENCE = 60.0
"""Seconds for which a writer waits for another."""

EVERY = 0.02


def inside(name: str) -> PurePosixPath:
    """The path of a page. Raises BadInput for one that leads out of the vault, is hidden or is no page."""
    path = PurePosixPath(name)
    if path.is_absolute() or not name.lower().endswith(MARKDOWN) or any(part.startswith(".") for part in path.parts):
        raise BadInput(f"Expected the path of a page in the vault, but got {name[:80]!r}.", param="page")
    if not name.isprintable() or "\\" in name or not name.strip():
        raise BadInput(f"Expected a path without control characters and backslashes, but got {name[:80]!r}.", param="page")
    return path


class FolderVault:
    """A folder of pages. The lock is the folder itself, so that nothing is left in it."""

    def __init__(self, root: Path, patience: float = PATIENCE) -> None:
        if not root.is_dir():
            raise BadInput(
                f"Expected the folder of a vault, but {root} is none; give the one that `loom build` reads.", param="vault"
            )
        self._root = root
        self._patience = patience

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        handle = os.open(self._root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            self._wait(handle)
            if (folder := self._root / FOLDER).is_dir():
                swept(folder)
            yield
        finally:
            os.close(handle)

    def _wait(self, handle: int) -> None:
        until = time.monotonic() + self._patience
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() >= until:
                    raise Busy(
                        f"Another command has been writing into {self._root} for long; try again when it has ended."
                    ) from None
                time.sleep(EVERY)

    def names(self, folder: str = "") -> Sequence[str]:
        base = self._root / folder if folder else self._root
        found = []
        for path, folders, files in os.walk(base):
            folders[:] = [each for each in folders if not each.startswith(".")]
            for name in files:
                if name.lower().endswith(MARKDOWN) and not name.startswith("."):
                    found.append(Path(path, name).relative_to(self._root).as_posix())
        return sorted(found)

    def read(self, name: str) -> bytes | None:
        path = self._path(name)
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BadInput(f"The page {name} cannot be read ({error.strerror}); mend its permissions.", param="page") from None

    def write(self, name: str, data: bytes, was: bytes | None) -> None:
        path = self._path(name)
        if self.read(name) != was:
            raise Conflicting(f"The page {name} was changed while it was being worked on; nothing was written, try again.")
        try:
            mode = stat.S_IMODE(path.stat().st_mode) if was is not None else MODE
            ledger = self._root / FOLDER
            for folder in (ledger, path.parent):
                folder.mkdir(parents=True, exist_ok=True)
            with beside(ledger, data, mode) as made:
                os.replace(made, path)
            settled(path.parent)
        except OSError as error:
            raise Unwritable(
                f"Expected to write the page {name}, but that failed ({error.strerror}); it is as it was. Make room or mend permissions."
            ) from error

    def _path(self, name: str) -> Path:
        path = self._root / inside(name)
        real = self._root.resolve()
        if path.is_symlink() or path.parent.resolve() != real.joinpath(*inside(name).parent.parts):
            raise BadInput(
                f"Expected a page of the vault itself, but {name} is reached by a link; links are not followed.", param="page"
            )
        return path


class FakeVault:
    """A vault in memory."""

    def __init__(self, pages: Mapping[str, bytes] | None = None) -> None:
        self.pages: dict[str, bytes] = dict(pages or {})
        self._busy = False

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        if self._busy:
            raise Busy("Another writer has this vault; try again when it has ended.")
        self._busy = True
        try:
            yield
        finally:
            self._busy = False

    def names(self, folder: str = "") -> Sequence[str]:
        below = f"{folder}/" if folder else ""
        return sorted(name for name in self.pages if name.startswith(below))

    def read(self, name: str) -> bytes | None:
        inside(name)
        return self.pages.get(name)

    def write(self, name: str, data: bytes, was: bytes | None) -> None:
        if self.read(name) != was:
            raise Conflicting(f"The page {name} was changed while it was being worked on; nothing was written, try again.")
        self.pages[name] = data
