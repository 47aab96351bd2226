"""Attachments in a folder: damage is told, an interruption leaves nothing, and mending a generation keeps them."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from loom.core.errors import BrokenGeneration, Unwritable
from loom_adapters.generation_folder import GenerationFolder

FILES = {"vectors.npy": np.eye(2, dtype=np.float32), "model.onnx": b"graph"}


def sealed(store: GenerationFolder, name: bytes = b"a") -> str:
    with store.draft() as draft:
        draft.put("names", "names.txt", name)
        return store.seal(draft)


@pytest.fixture
def made(tmp_path: Path) -> tuple[GenerationFolder, str, Path]:
    store = GenerationFolder(tmp_path)
    id = sealed(store)
    attachment = store.attach(id, FILES, {"n": 1})
    folder = tmp_path / id.removeprefix("sha256:") / "attachments" / attachment.removeprefix("sha256:")
    assert {path.name for path in folder.iterdir()} == {"attachment.json", "model.onnx", "vectors.npy"}
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o444}
    return store, id, folder


def change(path: Path, data: bytes) -> None:
    path.chmod(0o644)
    path.write_bytes(data)


def other_generation(folder: Path) -> None:
    manifest = json.loads((folder / "attachment.json").read_bytes())
    change(folder / "attachment.json", json.dumps({**manifest, "generation": "sha256:" + "1" * 64}).encode())


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda folder: change(folder / "model.onnx", b"grabh"), "model.onnx of the attachment .* is not what was made"),
        (lambda folder: (folder / "vectors.npy").unlink(), "vectors.npy of the attachment .* is missing"),
        (lambda folder: (folder / "attachment.json").unlink(), "has no attachment.json"),
        (lambda folder: change(folder / "attachment.json", b"{"), "not JSON"),
        (lambda folder: change(folder / "attachment.json", b"[]"), "does not state"),
        (lambda folder: change(folder / "attachment.json", b'{"facts": {}, "files": {"../a": {"bytes": 1, "sha256": ""}}}'), "does not"),
        (lambda folder: change(folder / "attachment.json", b'{"facts": {}, "files": {}, "format": 7}'), "format 7"),
        (other_generation, "altered"),
    ],
)  # fmt: skip
def test_damage_is_told(made: tuple[GenerationFolder, str, Path], damage: Callable[[Path], None], said: str) -> None:
    store, id, folder = made
    damage(folder)
    with pytest.raises(BrokenGeneration, match=said):
        store.attachment(id)
    store.verify(id)


def test_one_of_another_generation_is_none_of_this(made: tuple[GenerationFolder, str, Path], tmp_path: Path) -> None:
    store, _, folder = made
    other = tmp_path / sealed(store, b"b").removeprefix("sha256:")
    (other / "attachments").mkdir()
    folder.rename(other / "attachments" / folder.name)
    with pytest.raises(BrokenGeneration, match="belongs to"):
        store.attachment("sha256:" + other.name)
    assert "belongs to" in store.attached("sha256:" + other.name)[0]["broken"]


def test_the_only_one_serves_where_nothing_names_it(made: tuple[GenerationFolder, str, Path]) -> None:
    store, id, folder = made
    pointer = folder.parent / "current"
    for left in (b"", b"\xff", b"sha256:12"):
        pointer.write_bytes(left)
        assert store.attachment(id) is not None
    pointer.unlink()
    assert store.attachment(id) is not None
    store.attach(id, FILES, {"n": 2})
    pointer.unlink()
    assert store.attachment(id) is None and len(store.attached(id)) == 2


def test_an_interruption_leaves_nothing(tmp_path: Path) -> None:
    store = GenerationFolder(tmp_path)
    id = sealed(store)
    with pytest.raises(ValueError, match="names"):
        store.attach(id, {"model.onnx": b"1", "../b": b""}, {})
    assert not list(tmp_path.glob(".draft-*")) and store.attached(id) == []


def test_sealing_again_what_was_damaged_keeps_what_is_attached(
    made: tuple[GenerationFolder, str, Path], tmp_path: Path
) -> None:
    store, id, folder = made
    change(tmp_path / id.removeprefix("sha256:") / "parts" / "names" / "names.txt", b"b")
    assert sealed(store) == id
    store.verify(id)
    assert store.attachment(id) is not None and folder.is_dir()


def test_where_nothing_can_be_written_the_reason_is_said(made: tuple[GenerationFolder, str, Path]) -> None:
    store, id, folder = made
    for path in (*folder.iterdir(), folder.parent / "current"):
        path.unlink()
    folder.rmdir()
    folder.parent.rmdir()
    folder.parent.write_bytes(b"a file")
    with pytest.raises(Unwritable, match="attach files"):
        store.attach(id, FILES, {})
