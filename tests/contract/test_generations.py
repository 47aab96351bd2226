"""What every store of generations does, whether it is a folder or memory."""

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
import pytest

from loom.core.errors import BrokenGeneration, NoGeneration, NotFound
from loom.core.generation import PartFiles
from loom_adapters.generation_folder import GenerationFolder
from loom_adapters.generation_memory import FakeGenerations

Store = GenerationFolder | FakeGenerations
NOWHERE = "sha256:" + "0" * 64


class Hours:
    """A part as a room would add one: its own files, its own reader."""

    KIND: ClassVar[str] = "hours"

    def __init__(self, opens: np.ndarray, names: bytes) -> None:
        self.opens = opens
        self.names = names

    @classmethod
    def open(cls, files: PartFiles) -> Self:
        return cls(files.array("opens.npy"), bytes(files.blob("names.txt")))


class Absent(Hours):
    KIND: ClassVar[str] = "absent"


@pytest.fixture(params=["folder", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return GenerationFolder(tmp_path / "generations") if request.param == "folder" else FakeGenerations()


def sealed(store: Store, names: bytes = b"a\nb\n", *, built_at: str = "2026-01-01T00:00:00Z") -> str:
    with store.draft() as draft:
        draft.put("hours", "opens.npy", np.array([8, 9], dtype=np.int32))
        draft.put("hours", "names.txt", names)
        draft.note("count", 2)
        draft.remark("built_at", built_at)
        return store.seal(draft)


def test_an_empty_store_has_nothing(store: Store) -> None:
    assert store.list() == []
    assert store.current() is None and store.previous() is None and store.stamp() is None


def test_what_was_sealed_is_read_back(store: Store) -> None:
    generation = store.open(sealed(store))
    hours = generation.part(Hours)
    assert hours is not None
    assert hours.opens.tolist() == [8, 9] and hours.opens.dtype == np.int32
    assert hours.names == b"a\nb\n"
    assert generation.part(Absent) is None
    assert generation.manifest["notes"] == {"count": 2}
    assert generation.part(Hours) is hours
    generation.close()
    generation.close()


def test_the_id_is_of_the_content_alone(store: Store, tmp_path: Path) -> None:
    id = sealed(store)
    assert sealed(store, built_at="2030-01-01T00:00:00Z") == id
    assert len(store.list()) == 1
    assert sealed(store, b"other") != id
    assert sealed(GenerationFolder(tmp_path / "elsewhere")) == id == sealed(FakeGenerations())


def test_an_empty_file_and_an_empty_array_are_files(store: Store) -> None:
    with store.draft() as draft:
        draft.put("hours", "opens.npy", np.array([], dtype=np.uint64))
        draft.put("hours", "names.txt", b"")
        hours = store.open(store.seal(draft)).part(Hours)
    assert hours is not None and hours.names == b"" and hours.opens.shape == (0,)


def test_a_file_in_pieces_is_the_file(store: Store) -> None:
    with store.draft() as draft:
        draft.put("hours", "opens.npy", np.array([8, 9], dtype=np.int32))
        draft.put("hours", "names.txt", iter([b"a\n", b"", b"b\n"]))
        draft.note("count", 2)
        id = store.seal(draft)
    assert id == sealed(store)


@pytest.mark.parametrize(("part", "file"), [("../hours", "a"), ("hours", "../a"), ("hours", ".a"), ("", "a"), ("hours", "a/b")])
def test_a_name_that_leads_elsewhere_is_refused(store: Store, part: str, file: str) -> None:
    with store.draft() as draft, pytest.raises(ValueError, match="names are letters"):
        draft.put(part, file, b"")


def test_a_file_is_put_once(store: Store) -> None:
    with store.draft() as draft:
        draft.put("hours", "a", b"1")
        with pytest.raises(FileExistsError):
            draft.put("hours", "a", b"2")


def test_a_draft_that_is_not_sealed_leaves_nothing(store: Store) -> None:
    with pytest.raises(RuntimeError, match="interrupted"), store.draft() as draft:
        draft.put("hours", "a", b"1")
        raise RuntimeError("interrupted")
    assert store.list() == []


def test_pointing_remembers_what_was_current(store: Store) -> None:
    first, second = sealed(store, b"1"), sealed(store, b"2")
    assert store.current() is None
    store.point(first)
    stamp = store.stamp()
    assert (store.current(), store.previous()) == (first, None)
    store.point(first)
    assert (store.current(), store.previous(), store.stamp()) == (first, None, stamp)
    store.point(second)
    assert (store.current(), store.previous()) == (second, first)
    assert store.stamp() != stamp


def test_rolling_back_twice_is_where_it_began(store: Store) -> None:
    first, second = sealed(store, b"1"), sealed(store, b"2")
    store.point(first)
    with pytest.raises(NoGeneration):
        store.rollback()
    store.point(second)
    assert store.rollback() == first == store.current()
    assert store.rollback() == second == store.current()


def test_what_is_not_there_cannot_be_pointed_at_or_opened(store: Store) -> None:
    with pytest.raises(NotFound):
        store.point(NOWHERE)
    for attempt in (store.open, store.verify):
        with pytest.raises(BrokenGeneration):
            attempt(NOWHERE)
        with pytest.raises(NotFound, match="hexadecimal"):
            attempt("latest")
    assert store.current() is None


def test_an_id_is_known_by_its_beginning(store: Store) -> None:
    id = sealed(store)
    for text in (id, id.removeprefix("sha256:"), id[:12], id.removeprefix("sha256:")[:6].upper()):
        assert store.resolve(text) == id
    for text in ("", "sha256:", "zz", NOWHERE):
        with pytest.raises(NotFound):
            store.resolve(text)


def test_the_list_is_oldest_first_and_says_what_is_known(store: Store) -> None:
    late, early = sealed(store, b"1", built_at="2026-02-01"), sealed(store, b"2", built_at="2026-01-01")
    assert [each["id"] for each in store.list()] == [early, late]
    assert store.list()[0]["about"]["built_at"] == "2026-01-01" == store.about(early)["built_at"]
    assert store.about(NOWHERE) == {}


def test_only_what_nobody_needs_is_removed(store: Store) -> None:
    first, second, third, fourth = (sealed(store, name) for name in (b"1", b"2", b"3", b"4"))
    store.point(first)
    store.point(second)
    opened = store.open(third)
    for id in (first, second, third):
        with pytest.raises(NotFound):
            store.remove(id)
    opened.close()
    store.remove(third)
    store.remove(fourth)
    assert {each["id"] for each in store.list()} == {first, second}


def _damage(change: Callable[[Path], None], tmp_path: Path) -> tuple[GenerationFolder, str]:
    store = GenerationFolder(tmp_path / "generations")
    id = sealed(store)
    folder = tmp_path / "generations" / id.removeprefix("sha256:")
    for file in folder.rglob("*"):
        if file.is_file():
            file.chmod(0o644)
    change(folder)
    return store, id


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda folder: (folder / "parts/hours/names.txt").write_bytes(b"a\nc\n"), "not what was sealed"),
        (lambda folder: (folder / "parts/hours/names.txt").write_bytes(b"a"), "1 bytes and 4 were sealed"),
        (lambda folder: (folder / "parts/hours/opens.npy").unlink(), "missing"),
        (lambda folder: (folder / "manifest.json").unlink(), "no manifest.json"),
        (lambda folder: (folder / "manifest.json").write_bytes(b"{"), "not JSON"),
        (lambda folder: (folder / "manifest.json").write_bytes(b"\xff\xfe"), "not JSON"),
        (lambda folder: (folder / "manifest.json").write_bytes(b"[]"), "not a manifest"),
        (lambda folder: (folder / "manifest.json").write_bytes(b'{"parts": {}, "format": 2}'), "format 2"),
        (lambda folder: (folder / "manifest.json").write_bytes(b'{"parts": {}, "format": 1, "notes": {}}'), "altered"),
    ],
)
def test_a_damaged_folder_says_what_is_wrong(change: Callable[[Path], None], said: str, tmp_path: Path) -> None:
    store, id = _damage(change, tmp_path)
    for attempt in (store.open, store.verify):
        with pytest.raises(BrokenGeneration, match=said):
            attempt(id)


def test_sealing_again_mends_a_damaged_folder(tmp_path: Path) -> None:
    store, id = _damage(lambda folder: (folder / "parts/hours/names.txt").write_bytes(b"a\nc\n"), tmp_path)
    assert sealed(store) == id
    store.verify(id)


def test_files_cannot_be_written_in_place(tmp_path: Path) -> None:
    """A mapped file that is cut short under a reader kills the reader."""
    store = GenerationFolder(tmp_path)
    folder = tmp_path / sealed(store).removeprefix("sha256:")
    assert {file.stat().st_mode & 0o222 for file in (folder / "parts").rglob("*") if file.is_file()} == {0}
