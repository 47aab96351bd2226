"""What every store of attachments does: the folder of generations, and the one in memory."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from loom.core.errors import NotFound
from loom_adapters.generation_folder import GenerationFolder
from loom_adapters.generation_memory import FakeGenerations

Store = GenerationFolder | FakeGenerations
FILES: Mapping[str, bytes | np.ndarray] = {"vectors.npy": np.eye(3, dtype=np.float32), "model.onnx": b"graph", "empty": b""}


@pytest.fixture(params=["folder", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return GenerationFolder(tmp_path / "generations") if request.param == "folder" else FakeGenerations()


def sealed(store: Store, name: bytes = b"a") -> str:
    with store.draft() as draft:
        draft.put("names", "names.txt", name)
        return store.seal(draft)


def test_a_generation_has_none_at_first(store: Store) -> None:
    id = sealed(store)
    assert store.attached(id) == [] and store.attachment(id) is None and store.attachment_stamp(id) is None


def test_what_was_attached_is_read_back_and_the_generation_is_as_it_was(store: Store) -> None:
    id = sealed(store)
    before = store.open(id).manifest
    made = store.attach(id, FILES, {"purpose": "test"})
    found = store.attachment(id)
    assert found is not None and found.id == made
    assert found.array("vectors.npy").tolist() == np.eye(3).tolist() and found.array("vectors.npy").dtype == np.float32
    assert bytes(found.blob("model.onnx")) == b"graph" and bytes(found.blob("empty")) == b""
    assert found.manifest["generation"] == id and found.manifest["facts"] == {"purpose": "test"}
    assert store.open(id).manifest == before and store.open(id).manifest["id"] == id
    store.verify(id)


def test_the_id_is_of_generation_files_and_facts(store: Store, tmp_path: Path) -> None:
    id, other = sealed(store), sealed(store, b"b")
    ids = {
        store.attach(id, FILES, {}),
        store.attach(other, FILES, {}),
        store.attach(id, {**FILES, "empty": b"1"}, {}),
        store.attach(id, FILES, {"purpose": "test"}),
    }
    assert len(ids) == 4 and store.attach(id, FILES, {}) in ids
    elsewhere = GenerationFolder(tmp_path / "elsewhere")
    assert elsewhere.attach(sealed(elsewhere), FILES, {}) in ids


def test_the_one_made_last_serves(store: Store) -> None:
    id = sealed(store)
    first = store.attach(id, FILES, {"n": 1})
    stamp = store.attachment_stamp(id)
    second = store.attach(id, FILES, {"n": 2})
    assert [each["id"] for each in store.attached(id)] == [second, first]
    assert store.attachment(id).id == second and store.attachment_stamp(id) != stamp
    store.attach(id, FILES, {"n": 1})
    assert store.attachment(id).id == first and store.attachment_stamp(id) == stamp


@pytest.mark.parametrize("name", ["../a", ".a", "a/b", "", "attachment.json"])
def test_a_name_that_leads_elsewhere_is_refused(store: Store, name: str) -> None:
    id = sealed(store)
    with pytest.raises(ValueError, match="names are letters"):
        store.attach(id, {name: b""}, {})
    assert store.attached(id) == []


def test_nothing_is_attached_to_what_is_not_there(store: Store) -> None:
    with pytest.raises(NotFound):
        store.attach("sha256:" + "0" * 64, FILES, {})


def test_it_goes_with_its_generation(store: Store) -> None:
    id = sealed(store)
    store.attach(id, FILES, {})
    store.remove(id)
    assert store.attached(id) == [] and store.attachment(id) is None
