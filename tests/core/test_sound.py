"""What is looked at before a generation is served, over parts in memory."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from loom.build.seal import PressedFiles
from loom.core import concepts as concepts_part
from loom.core.concepts import Concepts
from loom.core.errors import BrokenGeneration
from loom.core.names import Names
from loom.core.names import press as press_names
from loom.core.sound import sound
from loom.core.values import Concept, Ref

ROWS = tuple(Concept(f"urn:x:{n:03}", f"Thing {n}", parents=(Ref("urn:x:000"),) if n else ()) for n in range(70))


@dataclass
class Held:
    """A generation of parts in memory."""

    files: dict[str, dict[str, Any]]
    id: str = "sha256:" + "0" * 64
    manifest: dict[str, Any] = field(default_factory=dict)

    def part(self, kind: Any) -> Any:
        return kind.open(PressedFiles(self.files[kind.KIND])) if kind.KIND in self.files else None

    def close(self) -> None:
        return None


def held(**more: Any) -> Held:
    return Held({"concepts": {**concepts_part.press(ROWS), **more}, "names": press_names(ROWS)})


def test_what_was_pressed_is_sound() -> None:
    sound(held(), (Concepts, Names))
    sound(Held({"concepts": concepts_part.press(ROWS[:1])}), (Concepts,))


@pytest.mark.parametrize("kind", [Concepts, Names])
def test_a_part_that_is_missing(kind: Any) -> None:
    generation = held()
    del generation.files[kind.KIND]
    with pytest.raises(BrokenGeneration, match=f"The part {kind.KIND} of 000000000000 is missing; build it again"):
        sound(generation, (Concepts, Names))


PRESSED = concepts_part.press(ROWS)
LINES = PRESSED["concepts.jsonl"]
assert isinstance(LINES, bytes)


@pytest.mark.parametrize(
    "change",
    [
        lambda: {"concepts.jsonl": b"\x00" * len(LINES)},
        lambda: {"concepts.jsonl": LINES[: len(LINES) // 2]},
        lambda: {"concepts.jsonl": LINES.replace(b"urn:x:069", b"urn:y:069")},
        lambda: {"concepts.off.npy": PRESSED["concepts.off.npy"][::-1].copy()},
        lambda: {"concepts.off.npy": PRESSED["concepts.off.npy"][:-1]},
        lambda: {"iri_row.npy": np.zeros(70, np.int32)},
        lambda: {"iris.txt": b""},
        lambda: {"titles.txt": b"\xff" * 9},
    ],
)
def test_files_that_do_not_agree(change: Callable[[], dict[str, Any]]) -> None:
    with pytest.raises(BrokenGeneration, match=r"The part concepts of 000000000000 (cannot be read|does not agree|states)"):
        sound(held(**change()), (Concepts,))
