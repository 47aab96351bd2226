"""Generations in a folder: sealed, verified, pointed at by one-line files.

GENERATIONS/<hex>/manifest.json        what is sealed: files with sizes and digests, notes; the id is their digest
GENERATIONS/<hex>/about.json           what is not: when and from what it was built
GENERATIONS/<hex>/parts/<part>/<file>
GENERATIONS/<hex>/attachments/         what was made from it later; see attachments.py
GENERATIONS/current, previous          ids, replaced atomically
GENERATIONS/.run/locks/<hex>           held shared while a process has the generation open
GENERATIONS/.draft-*                   being written; never listed
"""

import contextlib
import errno
import fcntl
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from loom.core import manifest as manifests
from loom.core.attachment import FOLDER
from loom.core.errors import BrokenGeneration, NoGeneration, NotFound, Unwritable
from loom.core.generation import P
from loom.core.manifest import HEX
from loom.core.values import Json
from loom_adapters import attachments
from loom_adapters.attachments import AttachedFolder
from loom_adapters.hidden_folders import hidden, locked, sweep
from loom_adapters.mapped_files import HASHED_AT_OPEN, MappedFiles, entry_of, write


class FolderGeneration:
    """One opened generation. Parts are opened on first use and shared by every request that is pinned to it."""

    def __init__(self, folder: Path, manifest: Mapping[str, Json], lock: int | None) -> None:
        self.id: str = manifest["id"]
        self.manifest = manifest
        self._folder = folder
        self._parts: dict[str, Any] = {}
        self._lock = lock

    def part(self, kind: type[P]) -> P | None:
        if kind.KIND not in self._parts:
            stated = kind.KIND in self.manifest["parts"]
            self._parts[kind.KIND] = kind.open(MappedFiles(self._folder / "parts" / kind.KIND)) if stated else None
        found: P | None = self._parts[kind.KIND]
        return found

    def close(self) -> None:
        """Let go of the lock; mapped pages go when the last array does."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


class FolderDraft:
    """Files on their way into a generation."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.parts: dict[str, dict[str, dict[str, Json]]] = {}
        self.notes: dict[str, Json] = {}
        self.about: dict[str, Json] = {}

    def put(self, part: str, file: str, data: bytes | np.ndarray | Iterable[bytes]) -> None:
        """Write one file of a part. Arrays become `.npy` in C order, whose bytes depend on their content alone."""
        manifests.named(part, file)
        path = self.folder / "parts" / part / file
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, data)
        self.parts.setdefault(part, {})[file] = entry_of(path)

    def note(self, key: str, value: Json) -> None:
        """State a sealed fact about the generation (counts, settings of the build)."""
        self.notes[key] = value

    def remark(self, key: str, value: Json) -> None:
        """State a fact that is not sealed (clock, paths)."""
        self.about[key] = value


class GenerationFolder:
    """A folder of generations: store and press in one."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)

    # -- reading ----------------------------------------------------------------------------------------------------------

    def list(self) -> Sequence[Mapping[str, Json]]:
        """Manifests of every sealed generation, each with its `about`; those that cannot be read carry `broken`."""
        found: list[Mapping[str, Json]] = []
        if not self.path.is_dir():
            return found
        for folder in sorted(self.path.iterdir()):
            if HEX.fullmatch(folder.name) and folder.is_dir():
                try:
                    found.append({**self._manifest(folder), "about": self.about(folder.name)})
                except BrokenGeneration as error:
                    found.append({"id": f"sha256:{folder.name}", "broken": error.message, "about": self.about(folder.name)})
        return sorted(found, key=lambda each: (str(each["about"].get("built_at", "")), each["id"]))

    def about(self, id: str) -> Mapping[str, Json]:
        try:
            about = json.loads((self._folder(id) / "about.json").read_bytes())
        except (OSError, ValueError):
            return {}
        return about if isinstance(about, dict) else {}

    def resolve(self, text: str) -> str:
        """The full id that an id, its hexadecimal part, or a unique beginning of that means."""
        wanted = text.removeprefix("sha256:").lower()
        names = [f.name for f in self.path.iterdir() if HEX.fullmatch(f.name)] if self.path.is_dir() else []
        matching = sorted(name for name in names if wanted and name.startswith(wanted))
        if len(matching) == 1:
            return f"sha256:{matching[0]}"
        if matching:
            raise NotFound(
                f"{text!r} begins {len(matching)} generations; give more of the id: {', '.join(m[:12] for m in matching)}."
            )
        raise NotFound(f"There is no generation {text!r} in {self.path}; `loom generations list` shows those there are.")

    def open(self, id: str) -> FolderGeneration:
        """Verify and open. Up to 1 GB every file is hashed; above, sizes are checked and `verify` hashes."""
        folder = self._folder(id)
        lock = self._lock_shared(folder.name)
        try:
            manifest = self._manifest(folder)
            self._check(folder, manifest, hashed=self._size(manifest) <= HASHED_AT_OPEN)
        except BaseException:
            if lock is not None:
                os.close(lock)
            raise
        return FolderGeneration(folder, manifest, lock)

    def verify(self, id: str) -> None:
        """Hash every file; raises BrokenGeneration with the first thing that is wrong."""
        folder = self._folder(id)
        self._check(folder, self._manifest(folder), hashed=True)

    def current(self) -> str | None:
        return self._pointer("current")

    def previous(self) -> str | None:
        return self._pointer("previous")

    def stamp(self) -> tuple[int, int] | None:
        """Changes whenever `current` is replaced: inode and modification time."""
        try:
            stat = (self.path / "current").stat()
        except FileNotFoundError:
            return None
        return stat.st_ino, stat.st_mtime_ns

    # -- pointing ---------------------------------------------------------------------------------------------------------

    def point(self, id: str) -> None:
        """Make a sealed generation current, atomically; the one before becomes `previous`."""
        folder = self._present(id)
        with self._pointing():
            self._point(f"sha256:{folder.name}")

    def rollback(self) -> str:
        """Make `previous` current again, and current previous. Returns the id that is current now."""
        with self._pointing():
            previous = self.previous()
            if previous is None:
                raise NoGeneration(f"Nothing to roll back to: no other generation has been current in {self.path}.")
            self._present(previous)
            self._point(previous)
        return previous

    def _point(self, wanted: str) -> None:
        """A pointer that holds no id is replaced too: that is how it is mended."""
        try:
            before = self.current()
        except BrokenGeneration:
            before = None
        if before != wanted:
            if before:
                self._replace("previous", before)
            self._replace("current", wanted)

    def _present(self, id: str) -> Path:
        folder = self._folder(id)
        if not (folder / "manifest.json").is_file():
            raise NotFound(f"There is no generation {id} in {self.path}; `loom generations list` shows those there are.")
        return folder

    def remove(self, id: str) -> None:
        """Delete one generation. Current, previous and those that some process holds open are refused."""
        folder = self._folder(id)
        if not folder.is_dir():
            raise NotFound(f"There is no generation {id} in {self.path}; `loom generations list` shows those there are.")
        with self._pointing():
            if f"sha256:{folder.name}" in (self.current(), self.previous()):
                raise NotFound(f"{id} is current or previous and is not removed; `loom generations use` another one first.")
            lock = os.open(self._lock_path(folder.name), os.O_RDWR | os.O_CREAT, 0o644)
            try:
                if not locked(lock):
                    raise NotFound(f"{id} is open in a running node and is not removed.")
                with hidden(self.path) as grave:
                    os.rename(folder, grave / folder.name)
                self._lock_path(folder.name).unlink(missing_ok=True)
            finally:
                os.close(lock)

    # -- pressing ---------------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def draft(self) -> Iterator[FolderDraft]:
        """A new draft; leaving without sealing leaves nothing."""
        self.path.mkdir(parents=True, exist_ok=True)
        sweep(self.path)
        with hidden(self.path) as folder:
            yield FolderDraft(folder)

    def seal(self, draft: FolderDraft) -> str:
        """Name the draft by its content and make it visible in one rename. Sealing the same content twice is one generation."""
        manifest = manifests.sealed(draft.parts, draft.notes)
        id: str = manifest["id"]
        folder = self.path / id.removeprefix("sha256:")
        for name, value in (("manifest.json", manifest), ("about.json", draft.about)):
            with (draft.folder / name).open("w", encoding="utf-8", errors="replace") as out:
                json.dump(value, out, sort_keys=True, indent=1, ensure_ascii=False)
                out.write("\n")
                out.flush()
                os.fsync(out.fileno())
        try:
            os.rename(draft.folder, folder)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
            self._replace_broken(draft.folder, folder)
        self._sync()
        return id

    def _replace_broken(self, draft: Path, folder: Path) -> None:
        """The same content is there already: keep it if it is whole, else put the new copy in its place."""
        try:
            self._check(folder, self._manifest(folder), hashed=True)
        except BrokenGeneration:
            with hidden(self.path) as grave:
                with contextlib.suppress(FileNotFoundError):
                    os.rename(folder / FOLDER, draft / FOLDER)
                os.rename(folder, grave / folder.name)
                os.rename(draft, folder)

    # -- attachments ------------------------------------------------------------------------------------------------------

    def attached(self, id: str) -> Sequence[Mapping[str, Json]]:
        """The manifests of what is attached to a generation, the one that serves first; a damaged one carries `broken`."""
        folder = self._folder(id)
        return attachments.attached(folder, f"sha256:{folder.name}")

    def attachment(self, id: str, *, whole: bool = False) -> AttachedFolder | None:
        """The attachment that serves, verified as `open` verifies a generation, or however large it is."""
        folder = self._folder(id)
        return attachments.opened(folder, f"sha256:{folder.name}", whole=whole)

    def attachment_stamp(self, id: str) -> str | None:
        return attachments.serving(self._folder(id))

    def attach(self, id: str, files: Mapping[str, bytes | np.ndarray], facts: Mapping[str, Json]) -> str:
        """Attach files to a sealed generation, which is not removed meanwhile; they serve from now on. Returns their id."""
        folder = self._present(id)
        try:
            with contextlib.ExitStack() as after:
                lock = self._lock_shared(folder.name)
                if lock is not None:
                    after.callback(os.close, lock)
                sweep(self.path)
                draft = after.enter_context(hidden(self.path))
                return attachments.attach(folder, f"sha256:{folder.name}", draft, files, facts)
        except OSError as error:
            raise Unwritable(
                f"Expected to attach files to {folder}, but that failed ({error.strerror or error}); check its permissions and the "
                "space on the disk, or do it where the folder can be written."
            ) from error

    # -- details ----------------------------------------------------------------------------------------------------------

    def _folder(self, id: str) -> Path:
        name = id.removeprefix("sha256:")
        if not HEX.fullmatch(name):
            raise NotFound(f"A generation id is sha256: and 64 hexadecimal digits; got {id!r}.")
        return self.path / name

    def _manifest(self, folder: Path) -> dict[str, Json]:
        try:
            data = (folder / "manifest.json").read_bytes()
        except FileNotFoundError as error:
            raise BrokenGeneration(f"{folder} has no manifest.json: there is no such generation, or it was damaged.") from error
        except OSError as error:
            raise BrokenGeneration(f"{folder / 'manifest.json'} cannot be read ({error}); build or copy it again.") from error
        return manifests.read(data, folder.name)

    def _check(self, folder: Path, manifest: Mapping[str, Json], *, hashed: bool) -> None:
        for part, files in manifest["parts"].items():
            for name, stated in files.items():
                path = folder / "parts" / part / name
                try:
                    size = path.stat().st_size
                except OSError as error:
                    raise BrokenGeneration(
                        f"{part}/{name} of {folder.name[:12]} is missing; copy or build it again."
                    ) from error
                if size != stated["bytes"]:
                    raise BrokenGeneration(
                        f"{part}/{name} of {folder.name[:12]} has {size} bytes and {stated['bytes']} were sealed; copy or build it again."
                    )
                if hashed and entry_of(path) != stated:
                    raise BrokenGeneration(
                        f"{part}/{name} of {folder.name[:12]} is not what was sealed; copy or build it again."
                    )

    @staticmethod
    def _size(manifest: Mapping[str, Json]) -> int:
        return sum(file["bytes"] for files in manifest["parts"].values() for file in files.values())

    def _pointer(self, name: str) -> str | None:
        try:
            id = (self.path / name).read_text("ascii").strip()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except UnicodeDecodeError:
            id = ""
        if not HEX.fullmatch(id.removeprefix("sha256:")):
            raise BrokenGeneration(
                f"{self.path / name} should hold one generation id; run `loom generations use ID` to set it."
            )
        return id

    def _replace(self, name: str, id: str) -> None:
        handle, path = tempfile.mkstemp(prefix=".pointer-", dir=self.path)
        with os.fdopen(handle, "w") as out:
            out.write(id + "\n")
            out.flush()
            os.fsync(out.fileno())
        os.chmod(path, 0o644)
        os.replace(path, self.path / name)
        self._sync()

    @contextlib.contextmanager
    def _pointing(self) -> Iterator[None]:
        """One process at a time moves the pointers, so that `previous` is what was current. Raises Unwritable where it cannot."""
        with contextlib.ExitStack() as after:
            try:
                lock = os.open(self._lock_path("pointer"), os.O_RDWR | os.O_CREAT, 0o644)
                after.callback(os.close, lock)
                fcntl.flock(lock, fcntl.LOCK_EX)
                for left in self.path.glob(".pointer-*"):
                    left.unlink(missing_ok=True)
                yield
            except OSError as error:
                raise Unwritable(
                    f"Expected to change {self.path}, but that failed ({error.strerror or error}); check its permissions and the "
                    "space on the disk, or do it where the folder can be written."
                ) from error

    def _lock_path(self, name: str) -> Path:
        locks = self.path / ".run" / "locks"
        locks.mkdir(parents=True, exist_ok=True)
        return locks / name

    def _lock_shared(self, name: str) -> int | None:
        """A shared lock, or None where the folder is mounted read-only and so nobody can remove anything."""
        try:
            lock = os.open(self._lock_path(name), os.O_RDONLY | os.O_CREAT, 0o644)
        except OSError:
            return None
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError as error:
            os.close(lock)
            raise BrokenGeneration(f"{name[:12]} is being removed by another process.") from error
        return lock

    def _sync(self) -> None:
        handle = os.open(self.path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
