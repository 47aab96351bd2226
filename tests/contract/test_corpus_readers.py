"""What every corpus reader does: the same three concepts, stated in each format, are read alike."""

import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from loom.build.checks import KINDS
from loom.core.errors import BadSource
from loom.core.report import Report
from loom.core.represent import PREFIXES
from loom.core.values import Concept, Ref, Where
from loom.ports import CorpusReader, SourceFiles
from loom_adapters.concept_list import FakeCorpus
from loom_adapters.index_v1 import IndexV1
from loom_adapters.page_folder import PageFolder
from loom_adapters.rdf_file import RdfFiles
from loom_adapters.source_files import FakeFiles, Wanted, open_files
from loom_adapters.vault import Vault

BASE = "urn:ngm:class:"
BREAD, DOUGH, YEAST = (BASE + name for name in ("rye-bread", "dough", "yeast"))
SAID = {
    BREAD: ("Rye Bread", "Bread from rye flour."),
    DOUGH: ("Dough", "Flour and water, mixed."),
    YEAST: ("Yeast", "Fungi that raise dough."),
}


def _held() -> CorpusReader:
    parents = {BREAD: (Ref(DOUGH, "Dough"),)}
    needs = {DOUGH: (("requires", (Ref(YEAST, "Yeast"),)),)}
    return FakeCorpus(
        [
            Concept(iri, title, text, parents=parents.get(iri, ()), relations=needs.get(iri, ()), where=Where("here", 1))
            for iri, (title, text) in SAID.items()
        ]
    )


def _index(folder: Path) -> CorpusReader:
    classes = {iri.removeprefix(BASE): {"t": title, "d": text} for iri, (title, text) in SAID.items()}
    more = {"rye-bread": {"sup": ["dough"], "isup": ["dough"]}, "dough": {"rel": {"requires": ["yeast"]}}}
    index = {
        "version": 1,
        "generated": "2026-01-01T00:00:00Z",
        "counts": {},
        "classes": {slug: {**fields, **more.get(slug, {})} for slug, fields in classes.items()},
    }
    (folder / "scaffold-index.json").write_text(json.dumps(index))
    return IndexV1(folder / "scaffold-index.json")


def _pages() -> dict[str, str]:
    more: dict[str, dict[str, object]] = {
        BREAD: {"subClassOf": [{"@id": DOUGH, "label": "Dough"}]},
        DOUGH: {"relations": {"requires": [{"@id": YEAST, "label": "Yeast"}]}},
    }
    files = {}
    for iri, (title, text) in SAID.items():
        block = {"@id": iri, "@type": "Class", "label": title, "definition": text, **more.get(iri, {})}
        page = {
            "@id": f"urn:test:{title}",
            "@type": "Page",
            "vc:slug": iri.removeprefix(BASE),
            "title": title,
            "vc:public": True,
        }
        fences = "\n\n".join(f"```json-ld\n{json.dumps(each, indent=2)}\n```" for each in (page, block))
        files[f"{title}.md"] = f"public:: true\n\n# {title}\n{fences}\n"
    return files


def _notes() -> dict[str, str]:
    more = {BREAD: "parents: [Dough]\n", DOUGH: 'relations:\n  requires: ["[[Yeast]]"]\n'}
    return {
        f"{title}.md": f"---\niri: {iri}\ntitle: {title}\n{more.get(iri, '')}---\n{text}\n"
        for iri, (title, text) in SAID.items()
    }


def _ontology() -> str:
    said = "\n".join(
        f'<{iri}> a owl:Class ; rdfs:label "{title}" ; skos:definition "{text}" .' for iri, (title, text) in SAID.items()
    )
    prefixes = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in PREFIXES.items())
    return f"""{prefixes}{said}
<urn:test:requires> a owl:ObjectProperty .
<{BREAD}> rdfs:subClassOf <{DOUGH}> .
<{DOUGH}> rdfs:subClassOf [ owl:onProperty <urn:test:requires> ; owl:someValuesFrom <{YEAST}> ] .
"""


READERS: dict[str, Callable[[Path], CorpusReader]] = {
    "held": lambda folder: _held(),
    "index": _index,
    "pages": lambda folder: PageFolder(FakeFiles(_pages())),
    "pages by two processes": lambda folder: PageFolder(FakeFiles(_pages()), workers=2),
    "ontology": lambda folder: RdfFiles(FakeFiles({"bakery.ttl": _ontology()}, Wanted(lambda name: True))),
    "vault": lambda folder: Vault(FakeFiles(_notes())),
}


@pytest.fixture(params=READERS)
def reader(request: pytest.FixtureRequest, tmp_path: Path) -> CorpusReader:
    return READERS[request.param](tmp_path)


def read(reader: CorpusReader) -> tuple[dict[str, Concept], Report]:
    report = Report(KINDS)
    concepts = list(reader.read(report))
    by_iri = {concept.iri: concept for concept in concepts}
    assert len(by_iri) == len(concepts)
    return by_iri, report


def test_names_and_definitions_are_read(reader: CorpusReader) -> None:
    concepts, report = read(reader)
    assert {iri: (concept.title, concept.definition) for iri, concept in concepts.items()} == SAID
    assert not report.of("error")


def test_parents_and_relations_are_addresses(reader: CorpusReader) -> None:
    concepts, _ = read(reader)
    assert {iri: [ref.iri for ref in concept.parents] for iri, concept in concepts.items()} == {
        BREAD: [DOUGH], DOUGH: [], YEAST: [],
    }  # fmt: skip
    assert {iri: [(name, [ref.iri for ref in refs]) for name, refs in concept.relations] for iri, concept in concepts.items()} == {
        BREAD: [], DOUGH: [("requires", [YEAST])], YEAST: [],
    }  # fmt: skip


def test_every_concept_says_where_it_was_read(reader: CorpusReader) -> None:
    concepts, _ = read(reader)
    for concept in concepts.values():
        assert concept.where.file and not concept.where.file.startswith("/")
        assert concept.where.line >= 0


def test_reading_again_gives_the_same(reader: CorpusReader) -> None:
    concepts, report = read(reader)
    again, report_again = read(reader)
    assert list(again.items()) == list(concepts.items())
    assert report_again.as_json() == report.as_json()


def _folder(folder: Path) -> SourceFiles:
    for name, text in _notes().items():
        (folder / name).write_text(text)
    return open_files(folder)


def _archive(folder: Path) -> SourceFiles:
    with tarfile.open(folder / "notes.tar.gz", "w:gz") as archive:
        for name, text in _notes().items():
            info = tarfile.TarInfo(f"notes/{name}")
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    return open_files(folder / "notes.tar.gz")


FILES: dict[str, Callable[[Path], SourceFiles]] = {
    "held": lambda folder: FakeFiles(_notes()),
    "folder": _folder,
    "archive": _archive,
}


@pytest.mark.parametrize("kind", FILES)
def test_files_are_the_same_wherever_they_lie(kind: str, tmp_path: Path) -> None:
    report = Report(KINDS)
    files = {file.name: file.data.decode() for file in FILES[kind](tmp_path).files(report)}
    assert files == _notes()
    assert report.counts() == {}


def test_a_source_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match="does not exist"):
        open_files(tmp_path / "nowhere")
    for empty in (PageFolder(FakeFiles({})), Vault(FakeFiles({}))):
        with pytest.raises(BadSource, match="there are none"):
            list(empty.read(Report(KINDS)))
