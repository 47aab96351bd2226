"""Where a generation arrives: `.pull-<hex>` beside the others, kept when a pull is interrupted, visible in one rename."""

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from loom.core.attachment import FOLDER, MANIFEST
from loom.core.errors import BadInput
from loom.core.manifest import PREFIX
from loom.core.values import Json

MARK, FILES = ".pull-", "files"


class Landing:
    """The folder of one generation that is arriving, held by this process alone."""

    def __init__(self, store: Path, id: str) -> None:
        self._store = store
        self._hex = id.removeprefix(PREFIX)
        self.folder = store / (MARK + self._hex)

    def place(self, part: str, file: str) -> Path:
        """Where a file arrives; there may be a beginning of it."""
        path = self.folder / "parts" / part / file
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def place_beside(self, file: str) -> Path:
        """Where a file of an attachment arrives."""
        path = self.folder / FILES / file
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def borrow(self, path: Path, stated: Mapping[str, Json]) -> bool:
        """Take a file with this digest from a generation that is here already, where there is one."""
        for manifest in sorted(self._store.glob("*/manifest.json")):
            for part, file, entry in files_of(_read(manifest)):
                source = manifest.parent / "parts" / part / file
                if entry == stated and source.is_file() and source.stat().st_size == stated["bytes"]:
                    with contextlib.suppress(OSError):
                        path.unlink(missing_ok=True)
                        shutil.copyfile(source, path)
                        if is_whole(path, stated):
                            return True
                    path.unlink(missing_ok=True)
        return False

    def settle(self, manifest: bytes, about: Mapping[str, Json]) -> None:
        """Make it a generation like any other: read-only, complete, in its place. A damaged one of that name gives way."""
        for name, data in (
            ("manifest.json", manifest),
            ("about.json", json.dumps(about, indent=1, sort_keys=True).encode() + b"\n"),
        ):
            _written(self.folder / name, data)
        stated = {(part, file) for part, file, _ in files_of(json.loads(manifest))}
        for path in sorted((self.folder / "parts").glob("*/*")):
            if (path.parent.name, path.name) not in stated:
                path.unlink()
            else:
                path.chmod(0o444)
        final = self._store / self._hex
        if final.exists():
            with contextlib.suppress(FileNotFoundError):
                os.rename(final / FOLDER, self.folder / FOLDER)
            grave = self._store / f"{MARK}{self._hex}.broken"
            shutil.rmtree(grave, ignore_errors=True)
            os.rename(final, grave)
            os.rename(self.folder, final)
            shutil.rmtree(grave, ignore_errors=True)
        else:
            os.rename(self.folder, final)
        _sync(self._store)

    def settle_beside(self, generation: Path, manifest: bytes) -> None:
        """Make it an attachment of a generation, and the one that serves. A damaged one of that name gives way."""
        arrived, stated = self.folder / FILES, json.loads(manifest)["files"]
        for path in sorted(arrived.iterdir()):
            if path.name not in stated:
                path.unlink()
            else:
                path.chmod(0o444)
        _written(arrived / MANIFEST, manifest)
        (arrived / MANIFEST).chmod(0o444)
        final = generation / FOLDER / self._hex
        final.parent.mkdir(exist_ok=True)
        if final.exists():
            os.rename(final, self.folder / "before")
        os.rename(arrived, final)
        pointer = self.folder / "pointer"
        _written(pointer, f"{PREFIX}{self._hex}\n".encode())
        os.replace(pointer, final.parent / "current")
        _sync(final.parent)
        shutil.rmtree(self.folder, ignore_errors=True)


def _written(path: Path, data: bytes) -> None:
    with path.open("wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def landing(store: Path, id: str) -> Iterator[Landing]:
    """Hold the folder in which a generation arrives. Raises BadInput where another process does, or where nothing can be written."""
    made = Landing(store, id)
    try:
        made.folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(made.folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise BadInput(f"Cannot write to {store} ({error.strerror}); choose another folder with --store.") from error
    try:
        if not _alone(handle):
            raise BadInput(f"Another process is pulling {id[:19]} into {store}; wait for it.")
        yield made
        _sweep(store)
    finally:
        os.close(handle)


def _alone(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _sweep(store: Path) -> None:
    """After a pull that succeeded: what others left unfinished is older than what is here."""
    for left in store.glob(MARK + "*/"):
        with contextlib.suppress(OSError):
            handle = os.open(left, os.O_RDONLY | os.O_DIRECTORY)
            try:
                if _alone(handle):
                    shutil.rmtree(left, ignore_errors=True)
            finally:
                os.close(handle)


def is_whole(path: Path, stated: Mapping[str, Json]) -> bool:
    """Whether a file is what was sealed."""
    if not path.is_file() or path.stat().st_size != stated["bytes"]:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == str(stated["sha256"])


def files_of(manifest: Mapping[str, Json]) -> Iterator[tuple[str, str, Mapping[str, Json]]]:
    """Part, name, size and digest of every file of a generation."""
    for part, files in sorted(manifest.get("parts", {}).items()):
        for file, stated in sorted(files.items()):
            yield part, file, stated


def _read(path: Path) -> Mapping[str, Json]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) and isinstance(found.get("parts"), dict) else {}
