"""Pulling what serves beside a generation: whole, or what serves here is as it was."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from support.nodes import KILNS, OTHERS
from support.sealed import sealed
from support.static_site import StaticSite, instead, static_site, truncated

from loom.core.errors import BrokenGeneration, Unreachable
from loom_adapters.generation_folder import GenerationFolder
from loom_adapters.pull.puller import Pulled, pull, pull_beside
from loom_adapters.pull.site import Site

NOW = datetime(2026, 1, 2, tzinfo=UTC)
FILES = {"vectors.npy": np.arange(3_000, dtype=np.float32).reshape(100, 30), "model.onnx": b"graph" * 400_000}
SIZE = 3_000 * 4 + 128 + 2_000_000


@pytest.fixture
def published(tmp_path: Path) -> Path:
    store = GenerationFolder(tmp_path / "published")
    store.attach(sealed(store.path, KILNS), FILES, {"n": 1})
    return store.path


@pytest.fixture
def site(published: Path) -> Iterator[StaticSite]:
    with static_site(published) as made:
        yield made


@pytest.fixture
def here(site: StaticSite, published: Path, tmp_path: Path) -> GenerationFolder:
    """The generation, without what serves beside it."""
    store = GenerationFolder(tmp_path / "here")
    source = Site(site.url)
    pull(source, store.path, source.current(), NOW, lambda done, total: None)
    source.close()
    store.point(GenerationFolder(published).current() or "")
    return store


def run(site: StaticSite, here: GenerationFolder, attempts: int = 3) -> Pulled | None:
    source = Site(site.url, patience=0.5, attempts=attempts, pause=0.01)
    told: list[tuple[int, int]] = []
    try:
        pulled = pull_beside(source, here.path, here.current() or "", lambda done, total: told.append((done, total)))
    finally:
        source.close()
    assert not told or told[-1] == (SIZE, SIZE)
    return pulled


def test_it_arrives_whole_and_serves(site: StaticSite, here: GenerationFolder, published: Path) -> None:
    id = here.current() or ""
    assert here.attachment(id) is None
    pulled = run(site, here)
    there = GenerationFolder(published).attachment(id)
    found = here.attachment(id, whole=True)
    assert found is not None and there is not None and found.id == there.id == pulled.id
    assert (pulled.files, pulled.fetched, pulled.borrowed) == (2, SIZE, 0)
    assert np.array_equal(found.array("vectors.npy"), FILES["vectors.npy"])
    folder = here.path / id[7:] / "attachments" / found.id[7:]
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o444}
    assert not list(here.path.glob(".pull-*"))
    here.verify(id)


def test_what_is_damaged_here_is_mended_and_what_is_whole_is_kept(site: StaticSite, here: GenerationFolder) -> None:
    run(site, here)
    id = here.current() or ""
    file = here.path / id[7:] / "attachments" / here.attachment(id).id[7:] / "vectors.npy"
    file.chmod(0o644)
    file.write_bytes(b"none")
    pulled = run(site, here)
    assert (pulled.fetched, pulled.borrowed) == (SIZE - 2_000_000, 2_000_000)
    assert here.attachment(id, whole=True) is not None


def test_the_one_that_serves_there_serves_here(site: StaticSite, here: GenerationFolder, published: Path) -> None:
    id = here.current() or ""
    run(site, here)
    second = GenerationFolder(published).attach(id, FILES, {"n": 2})
    assert run(site, here).id == second == here.attachment(id).id
    assert len(here.attached(id)) == 2


def test_where_there_is_none_there_what_is_here_stays(tmp_path: Path) -> None:
    sealed(tmp_path / "bare", OTHERS)
    with static_site(tmp_path / "bare") as site:
        store = GenerationFolder(tmp_path / "here")
        id = sealed(store.path, OTHERS)
        made = store.attach(id, FILES, {})
        assert run(site, store) is None
        assert store.attachment(id).id == made


@pytest.mark.parametrize(
    ("pattern", "trick", "error", "said"),
    [
        (
            r"model\.onnx$",
            instead(b"grabh" * 400_000),
            BrokenGeneration,
            r"model\.onnx of the attachment .* not what was sealed",
        ),
        (r"model\.onnx$", instead(b"short"), BrokenGeneration, "another file"),
        (r"model\.onnx$", truncated(100), Unreachable, "could not be fetched"),
        (r"attachment\.json$", instead(b"{}"), BrokenGeneration, "does not state"),
        (r"attachments/current$", instead(b"<html>"), BrokenGeneration, "does not hold the id"),
    ],
)
def test_a_server_that_misbehaves_changes_nothing(
    site: StaticSite, here: GenerationFolder, pattern: str, trick: object, error: type, said: str
) -> None:
    id = here.current() or ""
    site.trick(pattern, trick)
    source = Site(site.url, patience=0.5, attempts=2, pause=0.01)
    with pytest.raises(error, match=said):
        pull_beside(source, here.path, id, lambda done, total: None)
    source.close()
    assert here.attached(id) == [] and here.attachment_stamp(id) is None
    here.verify(id)
    site.tricks.clear()
    assert run(site, here) is not None and here.attachment(id, whole=True) is not None


def test_a_generation_that_is_mended_keeps_what_serves_beside_it(site: StaticSite, here: GenerationFolder) -> None:
    id = here.current() or ""
    run(site, here)
    file = here.path / id[7:] / "parts" / "concepts" / "concepts.jsonl"
    file.chmod(0o644)
    file.write_bytes(b"none")
    source = Site(site.url)
    pull(source, here.path, id, NOW, lambda done, total: None)
    source.close()
    here.verify(id)
    assert here.attachment(id, whole=True) is not None
