"""Generations sealed into a folder, as a build seals them."""

from collections.abc import Sequence
from pathlib import Path

from loom.build import seal
from loom.core.report import Report
from loom.core.values import Concept
from loom_adapters.generation_folder import GenerationFolder


def sealed(folder: Path, concepts: Sequence[Concept], built_at: str = "2026-01-01T00:00:00Z", *, point: bool = True) -> str:
    """Seal these concepts, and make them current. Returns the id."""
    store = GenerationFolder(folder)
    with store.draft() as draft:
        seal.write(draft, concepts, Report({}))
        draft.remark("built_at", built_at)
        id = store.seal(draft)
    if point:
        store.point(id)
    return id
