"""Pulling a generation: from servers that behave and that do not. Whatever happens, what is here is whole, or was not touched."""

import json
import os
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.nodes import KILNS, OTHERS
from support.sealed import sealed
from support.static_site import StaticSite, endless, instead, stalled, static_site, truncated
from support.triples import sealed_with

from loom.core.concepts import Concepts
from loom.core.errors import BadInput, BrokenGeneration, Unreachable
from loom_adapters.generation_folder import GenerationFolder
from loom_adapters.pull.puller import Pulled, pull
from loom_adapters.pull.site import Site

BIG = "".join(f'<urn:s{n}> <urn:label> "thing number {n}" .\n' for n in range(40_000))
NOW = datetime(2026, 1, 2, tzinfo=UTC)
FILE = r"/parts/triples/asserted\.nt$"
CURRENT = "current"


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("published")
    sealed(folder, OTHERS)
    sealed_with(folder, BIG)
    return folder


@pytest.fixture
def site(published: Path) -> Iterator[StaticSite]:
    with static_site(published) as made:
        yield made


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A store that serves something already."""
    folder = tmp_path / "here"
    sealed(folder, KILNS)
    return folder


def run(site: StaticSite, here: Path, id: str | None = None, *, patience: float = 0.4, attempts: int = 3) -> Pulled:
    source = Site(site.url, patience=patience, attempts=attempts, pause=0.01)
    try:
        return pull(source, here, id or source.current(), NOW, lambda done, total: None)
    finally:
        source.close()


def state(here: Path) -> dict[str, bytes]:
    """Every visible file."""
    return {
        str(path.relative_to(here)): path.read_bytes()
        for path in sorted(here.rglob("*"))
        if path.is_file() and not path.relative_to(here).parts[0].startswith(".")
    }


def left(here: Path) -> list[Path]:
    return sorted(here.glob(".pull-*"))


def whole(here: Path, id: str) -> None:
    store = GenerationFolder(here)
    store.verify(id)
    generation = store.open(id)
    assert generation.part(Concepts) is not None
    generation.close()
    assert not left(here)
    for path in (here / id[7:] / "parts").rglob("*"):
        assert path.is_dir() or path.stat().st_mode & 0o777 == 0o444


def test_what_is_current_there_is_whole_here(site: StaticSite, here: Path, published: Path) -> None:
    before = GenerationFolder(here).current()
    pulled = run(site, here)
    assert pulled.id == GenerationFolder(published).current() and pulled.fetched > len(BIG)
    whole(here, pulled.id)
    assert GenerationFolder(here).current() == before
    about = GenerationFolder(here).about(pulled.id)
    assert (about["pulled_from"], about["pulled_at"]) == (site.url, "2026-01-02T00:00:00+00:00")
    assert about["built_at"] == "2026-01-01T00:00:00Z"


def test_into_an_empty_place(site: StaticSite, tmp_path: Path) -> None:
    whole(tmp_path / "new" / "store", run(site, tmp_path / "new" / "store").id)


def test_files_that_are_here_already_are_not_fetched(site: StaticSite, here: Path) -> None:
    pulled = run(site, here)
    assert pulled.borrowed > 0
    assert not [path for path, _ in site.asked if path.endswith("concepts.jsonl")]


def test_it_goes_on_where_it_broke_off(site: StaticSite, here: Path) -> None:
    site.trick(FILE, truncated(300_000), times=2)
    whole(here, run(site, here).id)
    ranges = [range for path, range in site.asked if path.endswith("asserted.nt")]
    assert ranges == [None, "bytes=300000-", "bytes=600000-"]


def test_a_pull_that_failed_is_gone_on_with_by_the_next(site: StaticSite, here: Path) -> None:
    before = state(here)
    site.trick(FILE, truncated(100_000), times=3)
    with pytest.raises(Unreachable, match=r"asserted\.nt could not be fetched in 3 attempts: it broke off"):
        run(site, here)
    assert state(here) == before and len(left(here)) == 1
    site.asked.clear()
    whole(here, run(site, here).id)
    assert ("bytes=300000-") in [range for _, range in site.asked]


def test_a_server_without_ranges_is_asked_for_the_whole(site: StaticSite, here: Path) -> None:
    site.ranges = False
    site.trick(FILE, truncated(300_000), times=1)
    whole(here, run(site, here).id)


def test_a_beginning_of_something_else_is_thrown_away(site: StaticSite, here: Path, published: Path) -> None:
    id = GenerationFolder(published).current() or ""
    place = here / f".pull-{id[7:]}" / "parts" / "triples" / "asserted.nt"
    place.parent.mkdir(parents=True)
    place.write_bytes(b"not what was sealed" * 100)
    whole(here, run(site, here).id)
    place.parent.mkdir(parents=True)
    place.write_bytes(BIG.encode() * 2)
    shutil.rmtree(here / id[7:])
    whole(here, run(site, here).id)


REFUSED = {
    "stalls": (FILE, stalled(1000, 3), Unreachable, "it went silent"),
    "stalls at once": (CURRENT, stalled(0, 3), Unreachable, "it went silent"),
    "drips": (FILE, stalled(1000, 6, drip=0.1), Unreachable, "it went silent"),
    "truncates": (FILE, truncated(10), Unreachable, "it broke off"),
    "says fewer bytes": (FILE, instead(b"x" * 100, length=100), BrokenGeneration, "has 100 bytes and"),
    "says more bytes": (FILE, instead(b"x", length=10**9), BrokenGeneration, "has 1000000000 bytes and"),
    "goes on for ever": (FILE, endless(), BrokenGeneration, "goes on after the"),
    "sends other bytes": (FILE, instead(b"y" * len(BIG)), BrokenGeneration, "its digest is another"),
    "vanishes": (FILE, instead(b"gone", 404), Unreachable, "answered 404"),
    "is forbidden": ("manifest", instead(b"no", 403), Unreachable, "answered 403"),
    "is overloaded": (FILE, instead(b"", 503), Unreachable, "it answered 503"),
    "compresses": (FILE, instead(b"x", content_encoding="gzip"), BrokenGeneration, "compressed"),
    "has a page for everything": (CURRENT, instead(b"<!doctype html><title>Welcome</title>"), BrokenGeneration, "<!doctype"),
    "has an endless pointer": (CURRENT, instead(b"x" * 5000), BrokenGeneration, "more than 1024 bytes"),
    "has no manifest": ("manifest", instead(b"{}"), BrokenGeneration, "not a manifest"),
    "has no JSON": ("manifest", instead(b"<html>"), BrokenGeneration, "not JSON"),
    "redirects in circles": ("manifest", instead(b"", 302, location="/manifest.json"), Unreachable, "cannot be fetched"),
}  # fmt: skip


@pytest.mark.parametrize("what", sorted(REFUSED))
def test_a_server_that_misbehaves_changes_nothing(site: StaticSite, here: Path, what: str) -> None:
    pattern, trick, error, said = REFUSED[what]
    before = state(here)
    site.trick(pattern, trick)
    with pytest.raises(error, match=said):
        run(site, here, attempts=2)
    assert state(here) == before
    site.tricks.clear()
    whole(here, run(site, here).id)


def test_a_mixed_set_is_refused(site: StaticSite, here: Path, published: Path) -> None:
    """The manifest of one version and a file of another, of the same size."""
    before = state(here)
    site.trick(FILE, lambda handler, data: instead(data.replace(b"number 7", b"number 8"))(handler, data))
    with pytest.raises(BrokenGeneration, match=r"triples/asserted\.nt of sha256:.* is not what was sealed"):
        run(site, here)
    assert state(here) == before


def test_a_manifest_of_another_generation_is_refused(site: StaticSite, here: Path, published: Path) -> None:
    other = next(
        each["id"] for each in GenerationFolder(published).list() if each["id"] != GenerationFolder(published).current()
    )
    site.trick("manifest", instead((published / other[7:] / "manifest.json").read_bytes()))
    with pytest.raises(BrokenGeneration, match="digest is not its id"):
        run(site, here)


def test_a_manifest_cannot_lead_out_of_the_folder(site: StaticSite, here: Path) -> None:
    from loom.core.manifest import sealed as sealed_manifest

    evil = sealed_manifest({"..": {"current": {"bytes": 1, "sha256": "0" * 64}}}, {})
    site.trick("manifest", instead(json.dumps(evil).encode()))
    with pytest.raises(BrokenGeneration, match="does not state its parts"):
        run(site, here, evil["id"])
    with pytest.raises(BadInput):
        run(site, here, "sha256:../../x")


def test_nobody_there(here: Path) -> None:
    before = state(here)
    source = Site("http://127.0.0.1:9", patience=0.5, attempts=2, pause=0.01)
    with pytest.raises(Unreachable, match="in 2 attempts: there was no connection"):
        source.current()
    source.close()
    assert state(here) == before
    for url in ("ftp://x/y", "generations", "http://"):
        with pytest.raises(BadInput):
            Site(url)


def test_a_damaged_copy_is_replaced(site: StaticSite, here: Path) -> None:
    id = run(site, here).id
    path = here / id[7:] / "parts" / "triples" / "asserted.nt"
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-1])
    whole(here, run(site, here).id)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_place_that_cannot_be_written(site: StaticSite, tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    with pytest.raises(BadInput, match="Cannot write"):
        run(site, tmp_path)
