"""Attachments in the folder of their generation: read-only, verified, the one that serves named in a one-line file.

GENERATIONS/<hex>/attachments/<hex>/attachment.json, vectors.npy, …
GENERATIONS/<hex>/attachments/current        the id of the one that was made last; without it, the only one serves
"""

import contextlib
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from loom.core import attachment as manifests
from loom.core.attachment import FOLDER, HOW, MANIFEST
from loom.core.errors import BrokenGeneration
from loom.core.manifest import HEX, NAME, PREFIX
from loom.core.values import Json
from loom_adapters.mapped_files import HASHED_AT_OPEN, MappedFiles, entry_of, write


class AttachedFolder(MappedFiles):
    """One opened attachment."""

    def __init__(self, folder: Path, manifest: Mapping[str, Json]) -> None:
        super().__init__(folder)
        self.id: str = manifest["id"]
        self.manifest = manifest
        self._at = folder

    def place(self, name: str) -> str | None:
        return str(self._at / name)


def serving(generation: Path) -> str | None:
    """The hexadecimal name of the attachment that serves: the one that `current` names, else the only one."""
    folder = generation / FOLDER
    with contextlib.suppress(OSError, UnicodeDecodeError):
        named = (folder / "current").read_text("ascii").strip().removeprefix(PREFIX)
        if HEX.fullmatch(named):
            return named
    names = _names(folder)
    return names[0] if len(names) == 1 else None


def attached(generation: Path, id: str) -> Sequence[Mapping[str, Json]]:
    """The manifests of all, the one that serves first; those that cannot be read carry `broken`."""
    first, found = serving(generation), []
    for name in sorted(_names(generation / FOLDER), key=lambda name: (name != first, name)):
        try:
            found.append(_manifest(generation / FOLDER / name, id))
        except BrokenGeneration as error:
            found.append({"id": PREFIX + name, "files": {}, "facts": {}, "broken": error.message})
    return found


def opened(generation: Path, id: str, *, whole: bool) -> AttachedFolder | None:
    """The attachment that serves, its digests verified (above 1 GB only if `whole`); raises BrokenGeneration where it is damaged."""
    name = serving(generation)
    if name is None:
        return None
    folder = generation / FOLDER / name
    manifest = _manifest(folder, id)
    size = sum(each["bytes"] for each in manifest["files"].values())
    check(folder, manifest, hashed=whole or size <= HASHED_AT_OPEN)
    return AttachedFolder(folder, manifest)


def check(folder: Path, manifest: Mapping[str, Json], *, hashed: bool) -> None:
    """Raises BrokenGeneration with the first file that is not what was stated."""
    for name, stated in manifest["files"].items():
        path, short = folder / name, folder.name[:12]
        try:
            same = entry_of(path) == stated if hashed else path.stat().st_size == stated["bytes"]
        except OSError as error:
            raise BrokenGeneration(f"{name} of the attachment {short} is missing; {HOW}.") from error
        if not same:
            raise BrokenGeneration(f"{name} of the attachment {short} is not what was made; {HOW}.")


def attach(generation: Path, id: str, draft: Path, files: Mapping[str, bytes | np.ndarray], facts: Mapping[str, Json]) -> str:
    """Write these files below `draft`, a folder on the same disk, make them visible in one rename, and the ones that serve."""
    fresh = draft / "fresh"
    fresh.mkdir()
    for name, data in files.items():
        if not NAME.fullmatch(name) or name == MANIFEST:
            raise ValueError(f"File names are letters, digits, dots, hyphens and underscores; got {name!r}.")
        write(fresh / name, data)
    manifest = manifests.stated(id, {name: entry_of(fresh / name) for name in sorted(files)}, facts)
    made: str = manifest["id"]
    write(fresh / MANIFEST, (json.dumps(manifest, sort_keys=True, indent=1, ensure_ascii=False) + "\n").encode("utf-8"))
    final = generation / FOLDER / made.removeprefix(PREFIX)
    final.parent.mkdir(exist_ok=True)
    if final.exists():
        os.rename(final, draft / "before")
    os.rename(fresh, final)
    point(generation, made)
    return made


def point(generation: Path, made: str) -> None:
    """Name the attachment that serves, atomically."""
    handle, path = tempfile.mkstemp(prefix=".current-", dir=generation / FOLDER)
    with os.fdopen(handle, "w") as out:
        out.write(made + "\n")
        out.flush()
        os.fsync(out.fileno())
    os.chmod(path, 0o644)
    os.replace(path, generation / FOLDER / "current")
    parent = os.open(generation / FOLDER, os.O_RDONLY)
    try:
        os.fsync(parent)
    finally:
        os.close(parent)


def _names(folder: Path) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if HEX.fullmatch(name))
    except (FileNotFoundError, NotADirectoryError):
        return []


def _manifest(folder: Path, id: str) -> dict[str, Json]:
    try:
        data = (folder / MANIFEST).read_bytes()
    except OSError as error:
        raise BrokenGeneration(f"The attachment {folder.name[:12]} has no {MANIFEST} ({error.strerror}); {HOW}.") from error
    return manifests.read(data, folder.name, id)
