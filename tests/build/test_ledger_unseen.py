"""Pages of the assertion ledger are not there for a build: not in its id, its report, its counts, or what it takes a source for."""

import io
import json
import random
import tarfile
import zipfile
from pathlib import Path

import pytest
from support.trying import every_world

from loom.build.checks import KINDS
from loom.cli.main import main
from loom.core.proposals.assertion import Assertion, Span
from loom.core.proposals.ledger import OWN, added, page_name
from loom.core.report import Report
from loom.ports import SourceFiles
from loom_adapters.source_files import ArchiveFiles, FakeFiles, FolderFiles, Wanted, kind_of

OTHERS = {
    "Bread.md": b"---\ntitle: Bread\n---\nBread is baked from [[Flour]].\n",
    "deep/Flour.md": b"---\ntitle: Flour\n---\nFlour is ground.\n",
    "deep/notes.txt": b"not a page",
    "CON?.md": b"---\ntitle: Odd\n---\nA name that is not portable.\n",
    "Large.md": b"x" * 3000,
}


def ledger(draw: random.Random) -> dict[str, bytes]:
    """Ledger pages in their folder and, as people move things, anywhere else and under any name; large ones, and half a file."""
    found: dict[str, bytes] = {}
    for number in range(draw.randint(1, 4)):
        source = f"episode {number}"
        made = [
            Assertion(
                f"Bread {draw.random()} rises.", source, Span("Bread"), terms=(("Bread", "urn:loom:bread"), ("Sponge", ""))
            )
            for _ in range(draw.choice([1, 3, 60]))
        ]
        text = added(None, source, made, lambda iri: "Bread")
        data = draw.choice([text, text.replace("\n", "\r\n"), "\ufeff" + text, text[: len(text) // 2]]).encode()
        places = [
            page_name(source),
            f"moved {number}.md",
            f"deep/BREAD{number}.MD",
            f"deep/a?b{number}.md",
            f"x/{number}.markdown",
        ]
        found[draw.choice(places)] = data
    if draw.random() < 0.5:
        found[draw.choice([f"{OWN}abc", f"assertion-ledger/{OWN}tmp", f"deep/{OWN}x.md"])] = b"half of some page"
    return found


def told(files: SourceFiles) -> tuple[list[tuple[str, bytes]], str]:
    report = Report(KINDS)
    found = [(file.name, file.data) for file in files.files(report)]
    return found, json.dumps(report.as_json(), sort_keys=True)


def tarred(path: Path, contents: dict[str, bytes], top: str) -> Path:
    with tarfile.open(path, "w:xz") as archive:
        for name, data in contents.items():
            member = tarfile.TarInfo(top + name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


def zipped(path: Path, contents: dict[str, bytes], top: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in contents.items():
            archive.writestr(top + name, data)
    return path


def test_no_reader_of_files_sees_a_page_of_the_ledger(tmp_path: Path) -> None:
    rdf = Wanted(lambda name: name.endswith(".ttl"), "not-rdf")
    for seed in range(40):
        draw = random.Random(f"{seed}:files")
        both = list({**OTHERS, **ledger(draw)}.items())
        draw.shuffle(both)
        top = draw.choice(["", "pages/"])
        seen = []
        for number, contents in enumerate((OTHERS, dict(both))):
            root = tmp_path / f"{seed}-{number}"
            for name, data in contents.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_bytes(data)
            readers = (
                FolderFiles(root, 2000),
                FolderFiles(root, 2000, rdf),
                FakeFiles(contents),
                ArchiveFiles(tarred(tmp_path / f"{seed}-{number}.tar.xz", contents, top), 2000),
                ArchiveFiles(zipped(tmp_path / f"{seed}-{number}.zip", contents, top), 2000),
            )
            seen.append([told(reader) for reader in readers] + [kind_of(root)])
        assert seen[0] == seen[1], f"seed {seed}"


@every_world
def test_whatever_landed_the_pages_are_read_as_before(seed: int, draw: random.Random) -> None:
    without = FakeFiles(OTHERS)
    assert told(FakeFiles({**OTHERS, **ledger(draw)})) == told(without)


JSON_LD = """- ```json-ld
  {"@id": "urn:ngm:page:kiln", "@type": "vc:Page", "title": "Kiln", "vc:public": true, "vc:slug": "kiln"}
  ```
- ```json-ld
  {"@id": "urn:ngm:class:kiln", "@type": "owl:Class", "label": "Kiln", "definition": "An oven for clay.", "relations": {}}
  ```
"""


@pytest.mark.parametrize("kind", ["vault", "pages"])
def test_a_build_with_ledger_pages_has_the_same_id(tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str) -> None:
    source, out = tmp_path / "source", tmp_path / "generations"
    source.mkdir()
    pages = {"Kiln.md": JSON_LD.replace("\n  ", "\n").replace("- ```", "```").encode()} if kind == "pages" else OTHERS
    for name, data in pages.items():
        (source / name).parent.mkdir(exist_ok=True)
        (source / name).write_bytes(data)

    def built() -> str:
        capsys.readouterr()
        assert main(["build", str(source), "--out", str(out), "--quiet"]) == 0
        return capsys.readouterr().out.strip()

    assert kind_of(source) == kind
    before = built()
    draw = random.Random("build")
    for _ in range(3):
        for name, data in ledger(draw).items():
            (source / name).parent.mkdir(exist_ok=True)
            (source / name).write_bytes(data)
        assert built() == before
    (source / "Plain.md").write_bytes(b"---\ntitle: Plain\nloom: other\n---\nSeen.\n")
    assert built() != before
