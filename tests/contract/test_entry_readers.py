"""What every reader of entries does: documents, mail, transcripts, lines in a folder, in an archive, in memory, and the fake."""

import zipfile
from pathlib import Path

import pytest

from loom.core.claims.intake.ids import entry
from loom.core.claims.intake.remarks import KINDS
from loom.core.report import Report
from loom.core.values import Where
from loom.ports import EntryReader
from loom_adapters.entries import FakeEntries, FileEntries, is_entry
from loom_adapters.source_files import FakeFiles, Wanted, open_files

FILES = {
    "board/2026-03-02-minutes.md": "---\nauthor: Ana Silva\n---\n# Board\n\nThe kiln is closed.\n",
    "board/notes.txt": "The glaze is lead-free.\n",
    "mail/one.eml": "From: Ben Okafor <Ben@Example.org>\nDate: Tue, 3 Mar 2026 10:00:00 +0100\n\nThe kiln is open.\n\n> It is closed.\n",
    "talk/2026-03-04.srt": "1\n00:00:01,000 --> 00:00:02,000\nAna: The kiln is new.\n",
    "lines.jsonl": '{"text": "The kiln is old.", "source": "crm", "author": "Cy", "observed_at": "2026-03-05"}\n',
    "broken.txt": b"\xff\x00\xff",
    "picture.png": b"\x89PNG",
}
WANTED = Wanted(name=is_entry, other="other-file")


@pytest.fixture(params=["folder", "zip", "memory", "fake"])
def reader(request: pytest.FixtureRequest, tmp_path: Path) -> EntryReader:
    if request.param == "memory":
        return FileEntries(FakeFiles(FILES, WANTED))
    if request.param == "fake":
        found = list(FileEntries(FakeFiles(FILES, WANTED)).entries(Report(KINDS)))
        where = Where("broken.txt")
        return FakeEntries(
            found, [("not-text", "it is no UTF-8 text", where), ("other-file", "not read", Where("picture.png"))]
        )
    path = tmp_path / "in"
    for name, content in FILES.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    if request.param == "zip":
        with zipfile.ZipFile(tmp_path / "in.zip", "w") as archive:
            for name in sorted(FILES):
                archive.write(path / name, name)
        path = tmp_path / "in.zip"
    return FileEntries(open_files(path, WANTED))


def test_each_file_gives_its_entries(reader: EntryReader) -> None:
    report = Report(KINDS)
    found = {each.source: each for each in reader.entries(report)}
    assert list(found) == [
        "file:board/2026-03-02-minutes.md",
        "file:board/notes.txt",
        "crm",
        "mail:ben@example.org",
        "file:talk/2026-03-04.srt",
    ]
    assert [each.kind for each in found.values()] == ["document", "document", "note", "mail", "transcript"]
    assert [each.author for each in found.values()] == ["Ana Silva", "", "Cy", "Ben Okafor", ""]
    assert [each.observed_at for each in found.values()] == [
        "2026-03-02",
        "",
        "2026-03-05",
        "2026-03-03T09:00:00Z",
        "2026-03-04",
    ]
    assert found["mail:ben@example.org"].text == "The kiln is open."
    assert report.counts() == {"not-text": 1, "other-file": 1}


def test_a_broken_file_is_told_by_its_path_and_why(reader: EntryReader) -> None:
    report = Report(KINDS)
    list(reader.entries(report))
    assert report.as_json()["not-text"]["examples"] == [{"where": "broken.txt", "message": "it is no UTF-8 text"}]


def test_the_same_source_gives_the_same_entries(reader: EntryReader) -> None:
    once, again = list(reader.entries(Report(KINDS))), list(reader.entries(Report(KINDS)))
    assert once == again and len({each.id for each in once}) == len(once)


def test_an_id_follows_from_content(reader: EntryReader) -> None:
    for each in reader.entries(Report(KINDS)):
        made = entry(each.source, each.text, kind=each.kind, author=each.author, observed_at=each.observed_at)
        assert each.id == made.id and each.id.startswith("entry:") and not each.withdrawn_at
