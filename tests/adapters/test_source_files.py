"""Folders and archives: the same files from both, nothing from outside, every file that is passed over said."""

import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest
from support.pages import examples, page

from loom.build.checks import KINDS
from loom.core.errors import BadSource
from loom.core.report import Report
from loom.ports import SourceFile, SourceFiles
from loom_adapters.source_files import ArchiveFiles, FakeFiles, FolderFiles, kind_of, open_files

CONTENTS = {"A.md": b"a", "deep/B.md": b"b", "deep/er/C.MD": b"c"}


def folder(root: Path, contents: dict[str, bytes]) -> Path:
    for name, data in contents.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


def tar(path: Path, contents: dict[str, bytes], top: str = "") -> Path:
    with tarfile.open(path, f"w:{path.suffix[1:]}" if path.suffix != ".tar" else "w") as archive:
        for name, data in contents.items():
            member = tarfile.TarInfo(top + name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


def packed(path: Path, contents: dict[str, bytes], top: str = "") -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in contents.items():
            archive.writestr(top + name, data)
    return path


def taken(files: SourceFiles) -> tuple[list[SourceFile], Report]:
    report = Report(KINDS)
    return list(files.files(report)), report


def test_every_container_gives_the_same_files(tmp_path: Path) -> None:
    expected = [SourceFile(name, data) for name, data in sorted(CONTENTS.items())]
    backwards = dict(reversed(CONTENTS.items()))
    for source in (
        FakeFiles(backwards),
        FolderFiles(folder(tmp_path / "folder", backwards)),
        ArchiveFiles(tar(tmp_path / "a.tar", backwards)),
        ArchiveFiles(tar(tmp_path / "a.tar.xz", backwards, "pages/")),
        ArchiveFiles(tar(tmp_path / "a.tar.gz", backwards, "./pages/")),
        ArchiveFiles(packed(tmp_path / "a.zip", backwards, "pages/")),
    ):
        assert taken(source)[0] == expected


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    outside = folder(tmp_path / "outside", {"secret.md": b"secret"})
    inside = folder(tmp_path / "inside", {"A.md": b"a"})
    (inside / "file.md").symlink_to(outside / "secret.md")
    (inside / "all").symlink_to(outside)
    (inside / "loop").symlink_to(inside)
    files, report = taken(FolderFiles(inside))
    assert [file.name for file in files] == ["A.md"]
    assert [where for where, _ in examples(report, "symbolic-link")] == ["all", "file.md", "loop"]


@pytest.mark.parametrize("name", ["../x.md", "/etc/x.md", "a/../../x.md", "..\\x.md"])
def test_a_member_that_leaves_its_archive_is_left_out(tmp_path: Path, name: str) -> None:
    for path in (tar(tmp_path / "a.tar", {name: b"x", "A.md": b"a"}), packed(tmp_path / "a.zip", {name: b"x", "A.md": b"a"})):
        files, report = taken(ArchiveFiles(path))
        assert [file.name for file in files] == ["A.md"]
        assert report.count("bad-file-name") == 1


def test_links_and_devices_in_archives_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as archive:
        for name, kind in (("s.md", tarfile.SYMTYPE), ("h.md", tarfile.LNKTYPE), ("f.md", tarfile.FIFOTYPE)):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "/etc/passwd"
            archive.addfile(member)
    link = zipfile.ZipInfo("s.md")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed_archive:
        packed_archive.writestr(link, "/etc/passwd")
    for archive_path, links, others in ((path, 2, 1), (tmp_path / "a.zip", 1, 0)):
        files, report = taken(ArchiveFiles(archive_path))
        assert files == []
        assert (report.count("symbolic-link"), report.count("unreadable-file")) == (links, others)


def test_files_beyond_the_limits_are_left_out_or_refused(tmp_path: Path) -> None:
    contents = {"A.md": b"a" * 100, "B.md": b"b" * 10}
    for files in (FolderFiles(folder(tmp_path / "f", contents), 50), ArchiveFiles(tar(tmp_path / "a.tar", contents), 50)):
        found, report = taken(files)
        assert [file.name for file in found] == ["B.md"]
        assert examples(report, "file-too-large")[0][0] == "A.md"
    with pytest.raises(BadSource, match="holds more"):
        taken(ArchiveFiles(tmp_path / "a.tar", 1000, 60))


def test_hidden_and_other_files_are_said(tmp_path: Path) -> None:
    contents = {".obsidian/app.json": b"", ".trash/Old.md": b"", "image.png": b"", "A.md": b""}
    for files in (FolderFiles(folder(tmp_path / "f", contents)), ArchiveFiles(tar(tmp_path / "a.tar", contents))):
        found, report = taken(files)
        assert [file.name for file in found] == ["A.md"]
        assert report.count("hidden-file") == 2
        assert report.count("not-markdown") == 1


def test_names_that_are_awkward_elsewhere_are_said() -> None:
    _, report = taken(FakeFiles({"Kiln.md": "", "kiln.md": "", "a:b.md": "", "what?.md": ""}))
    assert report.count("case-collision") == 1
    assert report.count("file-name-portable") == 2


def test_a_name_that_is_no_text_is_left_out(tmp_path: Path) -> None:
    folder(tmp_path, {"A.md": b"a"})
    with open(os.fsencode(tmp_path) + b"/caf\xe9.md", "wb"):
        pass
    files, report = taken(FolderFiles(tmp_path))
    assert [file.name for file in files] == ["A.md"]
    assert report.count("bad-file-name") == 1


def test_a_damaged_archive_is_an_error(tmp_path: Path) -> None:
    whole = tar(tmp_path / "whole.tar.xz", {"A.md": os.urandom(5000)}).read_bytes()
    for name, data in (("cut.tar.xz", whole[:-3000]), ("cut.zip", b"PK\3\4"), ("no.tar", b"text"), ("no.tar.gz", b"text")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(BadSource, match=r"fetch it again"):
            taken(ArchiveFiles(tmp_path / name))


@pytest.mark.parametrize("name", ["absent", "file.txt"])
def test_what_is_no_source_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "file.txt").write_text("x")
    with pytest.raises(BadSource, match="Expected a folder or an archive"):
        open_files(tmp_path / name)


def test_the_kind_of_a_source_is_told_by_its_content(tmp_path: Path) -> None:
    pages = folder(tmp_path / "pages", {"A.md": page("kiln").encode(), "notes.md": b"# Notes"})
    vault = folder(tmp_path / "vault", {"A.md": b"---\ntitle: A\n---\nText.\n\n```json\n{}\n```\n"})
    (tmp_path / "scaffold-index.json").write_text("{}")
    assert kind_of(pages) == "pages"
    assert kind_of(vault) == "vault"
    assert kind_of(tmp_path / "scaffold-index.json") == "index-v1"
    assert kind_of(packed(tmp_path / "p.zip", {"pages/A.md": page("kiln").encode()})) == "pages"


def test_a_vault_that_quotes_a_data_block_stays_a_vault(tmp_path: Path) -> None:
    front = b"\xef\xbb\xbf---\r\ntitle: B\r\n---\r\nText.\r\n"
    quoting = {"A.md": b'---\ntitle: A\n---\n```json-ld\n{"@type": "x"}\n```\n', "B.md": front, "C.md": b"---\n---\nText.\n"}
    assert kind_of(folder(tmp_path / "vault", quoting)) == "vault"
    assert (
        kind_of(folder(tmp_path / "pages", {"A.md": page("kiln").encode(), "B.md": page("oven").encode(), "C.md": front}))
        == "pages"
    )
