"""A compiled index with the Turtle files that were compiled beside it: two namespaces, one space of IRIs."""

import json
from pathlib import Path

import pytest

from loom import compose
from loom.build import stage
from loom.build.checks import KINDS
from loom.build.joined import one_space
from loom.core.errors import BadSource
from loom.core.report import Report

SITE, BASE = "https://example.org/class/", "urn:ngm:class:"
PREFIXES = """@prefix c: <https://example.org/class/> .
@prefix v: <https://example.org/ns#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
"""
ASSERTED = """
v:requires a owl:ObjectProperty .
c:kiln a owl:Class ; rdfs:label "Kiln"@en ; rdfs:subClassOf c:oven , [ owl:onProperty v:requires ; owl:someValuesFrom c:fire ] ;
  v:requires c:fire .
c:oven a owl:Class ; rdfs:label "Baking oven"@en ; rdfs:subClassOf c:tool .
c:tool a owl:Class ; rdfs:label "Tool"@en ; owl:disjointWith c:fire .
c:fire a owl:Class ; rdfs:label "Fire"@en .
c:ash a skos:Concept ; rdfs:label "Ash"@en .
"""
INFERRED = "<urn:ngm:class:kiln> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <urn:ngm:class:tool> .\n"
CLASSES = {
    "kiln": {"t": "Kiln", "d": "Hot.", "sup": ["oven"], "isup": ["tool"], "rel": {"requires": ["fire"]}},
    "oven": {"t": "Oven", "sup": ["tool"]},
    "tool": {"t": "Tool"},
    "fire": {"t": "Fire"},
    "salt": {"t": "Salt", "d": "In the index only."},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    index = {"version": 1, "generated": "2026-01-01T00:00:00Z", "counts": {}, "classes": CLASSES}
    (tmp_path / "scaffold-index.json").write_text(json.dumps(index))
    (tmp_path / "ontology.ttl").write_text(PREFIXES + ASSERTED)
    (tmp_path / "ontology-inferred.ttl").write_text(INFERRED)
    return tmp_path


def built(path: Path) -> stage.Work:
    work = stage.Work([stage.Source(path.name, compose.corpus_reader(path))], Report(KINDS))
    stage.run(work, stage.found())
    return work


@pytest.mark.parametrize("given", ["", "scaffold-index.json"])
def test_the_two_namespaces_meet(folder: Path, given: str) -> None:
    work = built(folder / given)
    assert sorted(concept.iri for concept in work.concepts) == [BASE + slug for slug in sorted(CLASSES)]
    asserted, inferred = (bytes(work.parts["triples"][name]).decode().splitlines() for name in ("asserted.nt", "inferred.nt"))
    assert not any(SITE in line for line in (*asserted, *inferred))
    sub = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
    assert f"<{BASE}kiln> {sub} <{BASE}oven> ." in asserted
    assert inferred == [f"<{BASE}kiln> {sub} <{BASE}tool> ."]
    assert f'<{BASE}salt> <http://www.w3.org/2000/01/rdf-schema#label> "Salt" .' in asserted
    assert f'<{BASE}ash> <http://www.w3.org/2000/01/rdf-schema#label> "Ash"@en .' in asserted


def test_what_the_files_disagree_about_is_said(folder: Path) -> None:
    said = built(folder).report.as_json()
    assert [one["message"] for one in said["label-collision"]["examples"]] == [
        f"{BASE}oven is 'Oven' in the index and 'Baking oven' here"
    ]
    assert [one["message"] for one in said["not-in-index"]["examples"]] == [f"'Ash' {BASE}ash"]
    assert not {"missing-title", "duplicate-concept"} & said.keys()


def test_the_axioms_are_reasoned_over(folder: Path) -> None:
    (folder / "ontology.ttl").write_text(PREFIXES + ASSERTED + "c:kiln rdfs:subClassOf c:fire .")
    work = built(folder)
    assert work.notes["reasoning"]["unsatisfiable"] == 1
    assert work.report.count("unsatisfiable-class") == 1


def test_an_index_alone_is_read_as_before(folder: Path) -> None:
    (folder / "ontology.ttl").unlink()
    work = built(folder)
    assert "reasoning" not in work.notes
    assert len(work.concepts) == len(CLASSES)


def test_a_broken_file_beside_an_index_is_an_error(folder: Path) -> None:
    (folder / "ontology.ttl").write_text(PREFIXES + "c:kiln a")
    with pytest.raises(BadSource, match=r"ontology.ttl:6"):
        built(folder)


@pytest.mark.parametrize(
    ("iri", "same"),
    [
        (SITE + "kiln", BASE + "kiln"),
        ("http://other.net/class/kiln", BASE + "kiln"),
        ("https://example.org/ns#requires", "https://example.org/ns#requires"),
        (SITE + "a/b", SITE + "a/b"),
        (BASE + "kiln", BASE + "kiln"),
    ],
)
def test_addresses_of_classes_are_mapped_and_nothing_else(iri: str, same: str) -> None:
    assert one_space(iri) == same
