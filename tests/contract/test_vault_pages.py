"""What every vault of pages must do: write a page whole or not at all, and one writer at a time."""

import os
import threading
from pathlib import Path

import pytest

from loom.core.errors import BadInput
from loom.core.proposals.errors import Busy, Conflicting
from loom.core.proposals.ledger import FOLDER, OWN
from loom.ports import VaultPages
from loom_adapters.proposals.vault_pages import FakeVault, FolderVault

PAGES = {"Bread.md": b"# Bread\n", "deep/er/Flour.md": b"\xef\xbb\xbfflour\r\n"}


@pytest.fixture(params=["fake", "folder"])
def vault(request: pytest.FixtureRequest, tmp_path: Path) -> VaultPages:
    if request.param == "fake":
        return FakeVault(PAGES)
    for name, data in PAGES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    return FolderVault(tmp_path, patience=0.1)


def test_pages_are_read_as_they_are(vault: VaultPages) -> None:
    assert list(vault.names()) == sorted(PAGES)
    assert list(vault.names("deep")) == ["deep/er/Flour.md"]
    assert {name: vault.read(name) for name in PAGES} == PAGES
    assert vault.read("Nowhere.md") is None
    assert list(vault.names("nowhere")) == []


def test_a_page_is_written_over_what_it_was(vault: VaultPages) -> None:
    vault.write("Bread.md", b"new", b"# Bread\n")
    vault.write("new/Page.md", b"first", None)
    assert (vault.read("Bread.md"), vault.read("new/Page.md")) == (b"new", b"first")
    for name, was in (("Bread.md", b"# Bread\n"), ("Bread.md", None), ("Nowhere.md", b"something")):
        with pytest.raises(Conflicting):
            vault.write(name, b"lost", was)
    assert vault.read("Bread.md") == b"new"


@pytest.mark.parametrize(
    "name", ["../Out.md", "/etc/Page.md", "a/../../b.md", ".hidden.md", "a/.git/b.md", "page.txt", "", "a\\b.md", "a\n.md"]
)
def test_no_path_leads_out(vault: VaultPages, name: str) -> None:
    with pytest.raises(BadInput):
        vault.read(name)
    with pytest.raises(BadInput):
        vault.write(name, b"x", None)


def test_one_writer_at_a_time(vault: VaultPages) -> None:
    refused: list[Exception] = []

    def other() -> None:
        try:
            with vault.held():
                refused.append(AssertionError("it was held twice"))
        except Busy as error:
            refused.append(error)

    with vault.held():
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert len(refused) == 1 and isinstance(refused[0], Busy)
    with vault.held():
        vault.write("Bread.md", b"after", b"# Bread\n")


def test_what_a_killed_writer_left_goes_and_modes_stay(tmp_path: Path) -> None:
    (tmp_path / "Bread.md").write_bytes(b"x")
    os.chmod(tmp_path / "Bread.md", 0o600)
    vault = FolderVault(tmp_path)
    vault.write("Bread.md", b"y", b"x")
    left = tmp_path / FOLDER / f"{OWN}abc"
    left.write_bytes(b"half a pa")
    assert list(vault.names()) == ["Bread.md"]
    with vault.held():
        assert not left.exists()
    assert (tmp_path / "Bread.md").stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["Bread.md", FOLDER]


def test_links_are_not_followed(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "vault"
    outside.mkdir()
    root.mkdir()
    (outside / "Page.md").write_bytes(b"not ours")
    (root / "Link.md").symlink_to(outside / "Page.md")
    (root / "folder").symlink_to(outside)
    vault = FolderVault(root)
    for name in ("Link.md", "folder/Page.md"):
        with pytest.raises(BadInput, match="link"):
            vault.write(name, b"x", b"not ours")
    assert (outside / "Page.md").read_bytes() == b"not ours"


def test_a_vault_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="folder of a vault"):
        FolderVault(tmp_path / "nowhere")
