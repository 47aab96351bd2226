"""A second generation beside the current one, for measuring swaps: the same names, told apart by every definition."""

import json
from pathlib import Path

import numpy as np

from loom import compose
from loom.core.concepts import Concepts, blob, canonical
from loom.core.errors import NoGeneration

MARK = "As revised in the second edition: "


def copied(generations: Path, folder: Path) -> tuple[str, str]:
    """Copy the current generation into another folder, add its second edition, and give both ids, the first one current.

    Every part but the concepts' lines is the same byte for byte, so both editions find the same and show other text.
    """
    store, target = compose.store(generations), compose.store(folder)
    id = store.current()
    if id is None:
        raise NoGeneration(
            f"There is no current generation in {generations}; build one with `loom build SOURCE --out {generations}`."
        )
    generation = store.open(id)
    try:
        concepts = generation.part(Concepts)
        assert concepts is not None
        lines, offsets = blob(canonical(_revised(line)) + "\n" for line in concepts.lines())
    finally:
        generation.close()
    changed: dict[str, bytes | np.ndarray] = {"concepts.jsonl": lines, "concepts.off.npy": offsets}
    ids = []
    editions: list[dict[str, bytes | np.ndarray]] = [{}, changed]
    for replaced in editions:
        with target.draft() as draft:
            for key, value in generation.manifest["notes"].items():
                draft.note(key, value)
            for part, files in generation.manifest["parts"].items():
                for name in files:
                    path = generations / id.removeprefix("sha256:") / "parts" / part / name
                    draft.put(part, name, replaced[name] if part == Concepts.KIND and name in replaced else _read(path))
            ids.append(target.seal(draft))
    target.point(ids[0])
    return ids[0], ids[1]


def _revised(line: bytes) -> dict[str, object]:
    record: dict[str, object] = json.loads(line)
    for key in ("definition", "full"):
        if record.get(key):
            record[key] = MARK + str(record[key])
    return record


def _read(path: Path) -> "bytes | np.ndarray":
    return np.asarray(np.load(path, allow_pickle=False)) if path.suffix == ".npy" else path.read_bytes()
