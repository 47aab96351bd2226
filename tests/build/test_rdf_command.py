"""`loom build` over ontologies, through its own door."""

import json
import lzma
import sys
import tarfile
from pathlib import Path

import pytest

from loom.cli.main import main
from loom.core.concepts import Concepts
from loom_adapters.generation_folder import GenerationFolder

FIXTURE = Path(__file__).resolve().parents[2] / "fixtures" / "ontology"
K = "https://example.org/kitchen#"
PREFIXES = """@prefix : <https://example.org/kitchen#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
"""


@pytest.fixture
def store(tmp_path: Path) -> GenerationFolder:
    return GenerationFolder(tmp_path / "generations")


def build(store: GenerationFolder, *arguments: object) -> int:
    return main(["build", "--out", str(store.path), *map(str, arguments)])


def titles(store: GenerationFolder) -> dict[str, str]:
    generation = store.open(store.current() or "")
    concepts = generation.part(Concepts)
    assert concepts is not None
    found = {concepts.iri(row): concepts.title(row) for row in range(concepts.count)}
    generation.close()
    return found


def written(path: Path, text: str) -> Path:
    path.write_text(PREFIXES + text, encoding="utf-8")
    return path


def test_folder_archive_files_and_packed_files_are_one_generation(
    tmp_path: Path, store: GenerationFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    with tarfile.open(tmp_path / "ontology.tar.gz", "w:gz") as archive:
        archive.add(FIXTURE, "ontology")
    ids = []
    for sources in ([FIXTURE], [tmp_path / "ontology.tar.gz"], [FIXTURE / "kitchen.ttl", FIXTURE / "terms.rdf"]):
        assert build(store, *sources) == 0
        ids.append(capsys.readouterr().out)
    assert len(set(ids)) == 1
    packed = tmp_path / "kitchen.ttl.xz"
    packed.write_bytes(lzma.compress((FIXTURE / "kitchen.ttl").read_bytes()))
    assert build(store, "--use", packed, FIXTURE / "terms.rdf") == 0
    assert titles(store)[K + "Dough"] == "Dough"


def test_a_file_alone_brings_what_it_imports_from_beside_it(store: GenerationFolder) -> None:
    assert build(store, FIXTURE / "kitchen.ttl") == 0
    assert "https://example.org/kitchen/terms/baking" in titles(store)


def test_the_language_of_titles_is_chosen(store: GenerationFolder) -> None:
    assert build(store, "--language", "de, fr", FIXTURE) == 0
    found = titles(store)
    assert (found[K + "Dough"], found[K + "Brioche"], found[K + "Butter"]) == ("Teig", "Brioche", "Butter")


def test_a_vault_and_an_ontology_merge(tmp_path: Path, store: GenerationFolder) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "Stollen.md").write_text(f"---\niri: {K}Stollen\nparents: [{K}YeastDough]\n---\nA cake.\n")
    (tmp_path / "vault" / "Butter.md").write_text(f"---\niri: {K}Butter\n---\nAnother butter.\n")
    report = tmp_path / "report.json"
    assert build(store, tmp_path / "vault", FIXTURE / "kitchen.ttl", "--report", report) == 0
    said = json.loads(report.read_text())["remarks"]
    assert said["duplicate-concept"]["count"] == 1
    generation = store.open(store.current() or "")
    concepts = generation.part(Concepts)
    assert concepts is not None
    stollen = concepts.record(concepts.row(K + "Stollen") or 0)
    assert stollen["parents"] == [K + "YeastDough"]
    assert stollen["ancestors"] == [K + "Dough", K + "RaisedDough", K + "Food"]
    generation.close()


def test_an_empty_class_warns_or_fails(tmp_path: Path, store: GenerationFolder, capsys: pytest.CaptureFixture[str]) -> None:
    clash = written(tmp_path / "clash.ttl", ":Both rdfs:subClassOf :Yeast , :Sourdough ; rdfs:label 'Both' .")
    sources = [FIXTURE / "kitchen.ttl", clash]
    assert build(store, *sources) == 0
    assert "unsatisfiable-class 1" in capsys.readouterr().err
    manifest = store.list()[0]
    assert manifest["notes"]["reasoning"]["unsatisfiable"] == 1
    assert build(store, "--unsat", "fail", *sources) == 3
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "nothing sealed" in printed.err and "unsatisfiable-class (1)" in printed.err
    assert build(store, "--unsat", "fail", FIXTURE) == 0


def test_shapes_are_held_and_may_be_fatal(tmp_path: Path, store: GenerationFolder, capsys: pytest.CaptureFixture[str]) -> None:
    shapes = written(
        tmp_path / "shapes.ttl",
        "[] a sh:NodeShape ; sh:targetClass owl:Class ; sh:property [ sh:path skos:definition ; sh:minCount 1 ] .",
    )
    assert build(store, FIXTURE, "--shapes", shapes) == 0
    assert "shape-violation 10" in capsys.readouterr().err
    assert build(store, FIXTURE, "--shapes", shapes, "--strict=shape-violation") == 3


PROGRAM = Path(__file__).parents[1] / "support" / "reasoner_program.py"


@pytest.mark.parametrize("format", ["functional", "xml"])
def test_a_reasoner_given_as_a_command_concludes_the_same(store: GenerationFolder, format: str) -> None:
    assert build(store, FIXTURE) == 0
    own = store.current()
    assert build(store, FIXTURE, "--use", "--reasoner", f"{sys.executable} {PROGRAM} {format} {{input}} {{output}}") == 0
    assert store.current() == own


def test_a_reasoner_that_fails_seals_nothing(store: GenerationFolder, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        build(store, FIXTURE, "--reasoner", f"{sys.executable} -c 'raise SystemExit(\"too large\")' {{input}} {{output}}") == 2
    )
    assert "too large" in capsys.readouterr().err
    assert build(store, FIXTURE, "--reasoner", "elk") == 2
    assert "{input}" in capsys.readouterr().err
    assert store.current() is None


def test_a_broken_ontology_ends_with_its_line(
    tmp_path: Path, store: GenerationFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = written(tmp_path / "broken.ttl", ":a a owl:Class\n:b a owl:Class .")
    report = tmp_path / "report.json"
    assert build(store, broken, "--report", report) == 2
    assert "broken.ttl:7" in capsys.readouterr().err
    assert json.loads(report.read_text())["remarks"]["bad-rdf"]["examples"][0]["where"] == "broken.ttl:7"


@pytest.mark.parametrize("name", ["a.json", "a.jsonld", "a.owl", "a.xml", "a.ttl"])
def test_the_kind_of_a_file_is_told_by_what_is_in_it(tmp_path: Path, store: GenerationFolder, name: str) -> None:
    ld = '{"@context": {"@vocab": "http://www.w3.org/2000/01/rdf-schema#"}, "@id": "urn:x:a", "@type": "Class", "label": "A"}'
    path = tmp_path / name
    path.write_text(ld if "json" in name else PREFIXES + '<urn:x:a> a owl:Class ; rdfs:label "A" .')
    assert build(store, path) == 0
    assert titles(store) == {"urn:x:a": "A"}
