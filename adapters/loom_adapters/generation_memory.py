"""Generations in memory: the fake of the folder, for tests and for corpora that need not outlive the process."""

import contextlib
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import orjson

from loom.core import attachment as attachment_manifests
from loom.core import manifest as manifests
from loom.core.errors import BrokenGeneration, NoGeneration, NotFound
from loom.core.generation import P
from loom.core.values import Json


class HeldFiles:
    """The files of one part, as bytes."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self.decode = orjson.loads

    def array(self, name: str) -> np.ndarray:
        try:
            return np.asarray(np.load(io.BytesIO(self._files[name]), allow_pickle=False))
        except (KeyError, ValueError) as error:
            raise BrokenGeneration(f"{name} cannot be read as an array ({error}); build the generation again.") from error

    def blob(self, name: str) -> memoryview:
        try:
            return memoryview(self._files[name])
        except KeyError as error:
            raise BrokenGeneration(f"{name} cannot be read: there is no such file; build the generation again.") from error


class HeldAttachment(HeldFiles):
    """One opened attachment."""

    def __init__(self, manifest: Mapping[str, Json], files: Mapping[str, bytes]) -> None:
        super().__init__(files)
        self.id: str = manifest["id"]
        self.manifest = manifest

    def place(self, name: str) -> str | None:
        return None


class HeldGeneration:
    """One opened generation; its store will not remove it until it is closed."""

    def __init__(
        self, store: "FakeGenerations", manifest: Mapping[str, Json], parts: Mapping[str, Mapping[str, bytes]]
    ) -> None:
        self.id: str = manifest["id"]
        self.manifest = manifest
        self._store = store
        self._files = parts
        self._parts: dict[str, Any] = {}
        self._open = True

    def part(self, kind: type[P]) -> P | None:
        if kind.KIND not in self._parts:
            files = self._files.get(kind.KIND)
            self._parts[kind.KIND] = None if files is None else kind.open(HeldFiles(files))
        found: P | None = self._parts[kind.KIND]
        return found

    def close(self) -> None:
        if self._open:
            self._open = False
            self._store.held[self.id] -= 1


def _as_bytes(data: bytes | np.ndarray | Iterable[bytes]) -> bytes:
    if isinstance(data, bytes):
        return data
    if not isinstance(data, np.ndarray):
        return b"".join(data)
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.ascontiguousarray(data), version=(1, 0), allow_pickle=False)
    return buffer.getvalue()


class HeldDraft:
    """Files on their way into a generation."""

    def __init__(self) -> None:
        self.parts: dict[str, dict[str, bytes]] = {}
        self.notes: dict[str, Json] = {}
        self.about: dict[str, Json] = {}

    def put(self, part: str, file: str, data: bytes | np.ndarray | Iterable[bytes]) -> None:
        manifests.named(part, file)
        if file in self.parts.get(part, {}):
            raise FileExistsError(f"{part}/{file} is in the draft already.")
        self.parts.setdefault(part, {})[file] = _as_bytes(data)

    def note(self, key: str, value: Json) -> None:
        self.notes[key] = value

    def remark(self, key: str, value: Json) -> None:
        self.about[key] = value


class FakeGenerations:
    """Store and press in one, with the ids that a folder would give to the same content."""

    def __init__(self) -> None:
        self.held: dict[str, int] = {}
        self._manifests: dict[str, Mapping[str, Json]] = {}
        self._files: dict[str, Mapping[str, Mapping[str, bytes]]] = {}
        self._about: dict[str, Mapping[str, Json]] = {}
        self._attached: dict[str, list[HeldAttachment]] = {}
        self._current: str | None = None
        self._previous: str | None = None
        self._moves = 0

    def list(self) -> Sequence[Mapping[str, Json]]:
        found = [{**manifest, "about": self._about[id]} for id, manifest in self._manifests.items()]
        return sorted(found, key=lambda each: (str(each["about"].get("built_at", "")), each["id"]))

    def about(self, id: str) -> Mapping[str, Json]:
        return self._about.get(id, {})

    def resolve(self, text: str) -> str:
        wanted = text.removeprefix(manifests.PREFIX).lower()
        matching = [id for id in self._manifests if wanted and id.removeprefix(manifests.PREFIX).startswith(wanted)]
        if len(matching) != 1:
            raise NotFound(f"{text!r} is the beginning of {len(matching)} generations; one was expected.")
        return matching[0]

    def open(self, id: str) -> HeldGeneration:
        self.verify(id)
        self.held[id] = self.held.get(id, 0) + 1
        return HeldGeneration(self, self._manifests[id], self._files[id])

    def verify(self, id: str) -> None:
        if not manifests.HEX.fullmatch(id.removeprefix(manifests.PREFIX)):
            raise NotFound(f"A generation id is sha256: and 64 hexadecimal digits; got {id!r}.")
        if id not in self._manifests:
            raise BrokenGeneration(f"There is no generation {id}.")
        for part, files in self._manifests[id]["parts"].items():
            for name, stated in files.items():
                if manifests.entry(self._files[id][part].get(name, b"")) != stated:
                    raise BrokenGeneration(f"{part}/{name} of {id} is not what was sealed; build it again.")

    def current(self) -> str | None:
        return self._current

    def previous(self) -> str | None:
        return self._previous

    def stamp(self) -> tuple[int, int] | None:
        return (0, self._moves) if self._current else None

    def point(self, id: str) -> None:
        if id not in self._manifests:
            raise NotFound(f"There is no generation {id}.")
        if id != self._current:
            self._previous, self._current = self._current, id
            self._moves += 1

    def rollback(self) -> str:
        previous = self._previous
        if previous is None:
            raise NoGeneration("Nothing to roll back to: no other generation has been current.")
        self.point(previous)
        return previous

    def remove(self, id: str) -> None:
        if id in (self._current, self._previous) or self.held.get(id):
            raise NotFound(f"{id} is current, previous or open and is not removed.")
        for table in (self._manifests, self._files, self._about, self._attached):
            table.pop(id, None)

    @contextlib.contextmanager
    def draft(self) -> Iterator[HeldDraft]:
        yield HeldDraft()

    def seal(self, draft: HeldDraft) -> str:
        parts = {part: {file: manifests.entry(data) for file, data in files.items()} for part, files in draft.parts.items()}
        manifest = manifests.sealed(parts, draft.notes)
        id: str = manifest["id"]
        self._manifests.setdefault(id, manifest)
        self._files.setdefault(id, draft.parts)
        self._about.setdefault(id, draft.about)
        return id

    def attached(self, id: str) -> Sequence[Mapping[str, Json]]:
        return [each.manifest for each in reversed(self._attached.get(id, []))]

    def attachment(self, id: str, *, whole: bool = False) -> HeldAttachment | None:
        return next(reversed(self._attached.get(id, [])), None)

    def attachment_stamp(self, id: str) -> str | None:
        held = self.attachment(id)
        return held.id.removeprefix(manifests.PREFIX) if held else None

    def attach(self, id: str, files: Mapping[str, bytes | np.ndarray], facts: Mapping[str, Json]) -> str:
        if id not in self._manifests:
            raise NotFound(f"There is no generation {id}.")
        for name in files:
            if not manifests.NAME.fullmatch(name) or name == attachment_manifests.MANIFEST:
                raise ValueError(f"File names are letters, digits, dots, hyphens and underscores; got {name!r}.")
        held = {name: _as_bytes(data) for name, data in files.items()}
        manifest = attachment_manifests.stated(id, {name: manifests.entry(data) for name, data in held.items()}, facts)
        others = [each for each in self._attached.get(id, []) if each.id != manifest["id"]]
        self._attached[id] = [*others, HeldAttachment(manifest, held)]
        made: str = manifest["id"]
        return made
