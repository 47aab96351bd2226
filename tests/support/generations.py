"""A generation held in memory: pressed by the same functions as a sealed one, with no folder behind it."""

from collections.abc import Mapping, Sequence

from loom.build.seal import PressedFiles
from loom.core import concepts as concepts_part
from loom.core import names as names_part
from loom.core.values import Concept


class MemoryGeneration:
    """Has the parts `concepts` and `names`; `extra` adds others by name."""

    def __init__(
        self, concepts: Sequence[Concept], *, id: str = "sha256:" + "0" * 64, extra: Mapping[str, Mapping] | None = None
    ) -> None:
        self.id = id
        self.manifest: Mapping = {"id": id, "format": 1, "parts": {}, "notes": {}}
        self._parts = {
            "concepts": concepts_part.press(concepts),
            "names": names_part.press(concepts),
            **(extra or {}),
        }

    def part(self, kind):
        files = self._parts.get(kind.KIND)
        return None if files is None else kind.open(PressedFiles(files))

    def close(self) -> None:
        return None
