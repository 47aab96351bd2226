"""The part `triples`: what is stated and what follows, from pages and from ontologies."""

import json
from collections.abc import Iterable
from pathlib import Path

import pyoxigraph
import pytest

from loom.build import stage
from loom.build.checks import KINDS
from loom.core.report import Report
from loom.core.values import Concept, Ref, Where
from loom.ports import CorpusReader
from loom_adapters.concept_list import FakeCorpus
from loom_adapters.rdf_file import RdfFiles
from loom_adapters.source_files import FakeFiles, Wanted, rdf_files

FIXTURE = Path(__file__).resolve().parents[2] / "fixtures" / "ontology"
PAGES = [
    Concept(
        "urn:x:b",
        'B "quoted"',
        definition="Short…",
        full="Long\nand whole",
        aliases=("Bee",),
        domain="letters",
        quality=0.5,
        parents=(Ref("urn:x:a"),),
        relations=(("uses", (Ref("urn:x:z", "Zed"),)), ("is next to", (Ref("urn:x:a"),))),
        where=Where("b.md", 3),
    ),
    Concept("urn:x:a", "A", parents=(Ref("urn:x:top"),), where=Where("a.md", 1)),
    Concept("urn:x:top", "Top", where=Where("top.md", 1)),
]
SUB = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"


def built(*readers: CorpusReader) -> tuple[list[str], list[str], dict[str, str]]:
    work = stage.Work([stage.Source(type(reader).__name__, reader) for reader in readers], Report(KINDS))
    stage.run(work, stage.found())
    files = work.parts["triples"]
    assert sorted(files) == ["asserted.nt", "inferred.nt", "prefixes.json"]
    asserted, inferred = (bytes(files[name]).decode().splitlines() for name in ("asserted.nt", "inferred.nt"))
    return asserted, inferred, json.loads(bytes(files["prefixes.json"]))


def parsed(lines: Iterable[str]) -> set[pyoxigraph.Triple]:
    return {quad.triple for quad in pyoxigraph.parse("\n".join(lines).encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)}


def test_pages_are_written_in_the_vocabulary_of_a_unit() -> None:
    asserted, inferred, prefixes = built(FakeCorpus(PAGES))
    assert [line for line in asserted if line.startswith("<urn:x:b>")] == [
        "<urn:x:b> <http://purl.org/dc/terms/source> \"b.md:3\" .",
        "<urn:x:b> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2002/07/owl#Class> .",
        '<urn:x:b> <http://www.w3.org/2000/01/rdf-schema#label> "B \\"quoted\\"" .',
        f"<urn:x:b> {SUB} <urn:x:a> .",
        '<urn:x:b> <http://www.w3.org/2004/02/skos/core#altLabel> "Bee" .',
        '<urn:x:b> <http://www.w3.org/2004/02/skos/core#definition> "Long\\nand whole" .',
        '<urn:x:b> <urn:loom:ns#domain> "letters" .',
        "<urn:x:b> <urn:loom:ns#is%20next%20to> <urn:x:a> .",
        '<urn:x:b> <urn:loom:ns#quality> "0.5"^^<http://www.w3.org/2001/XMLSchema#double> .',
        "<urn:x:b> <urn:loom:ns#uses> <urn:x:z> .",
    ]  # fmt: skip
    assert '<urn:x:z> <http://www.w3.org/2000/01/rdf-schema#label> "Zed" .' in asserted
    assert inferred == [f"<urn:x:b> {SUB} <urn:x:top> ."]
    assert prefixes["x"] == "urn:x:"
    assert prefixes["loom"] == "urn:loom:ns#"


@pytest.mark.parametrize("order", [1, -1])
def test_files_are_sorted_disjoint_without_blank_nodes_and_the_same_in_any_order(order: int) -> None:
    readers = [FakeCorpus(PAGES), RdfFiles(rdf_files([FIXTURE]))][::order]
    asserted, inferred, _ = built(*readers)
    for lines in (asserted, inferred):
        assert lines == sorted(set(lines))
        assert len(parsed(lines)) == len(lines)
        assert not any(" _:" in line or line.startswith("_:") for line in lines)
    assert not set(asserted) & set(inferred)
    assert (asserted, inferred) == built(*readers[::-1])[:2]


def test_an_ontology_keeps_its_statements_and_gains_what_follows() -> None:
    asserted, inferred, prefixes = built(RdfFiles(rdf_files([FIXTURE])))
    k, t = "https://example.org/kitchen#", "https://example.org/kitchen/terms/"
    assert f"<{k}Yeast> {SUB} <{k}Leaven> ." in asserted
    assert f"<{k}Yeast> {SUB} <{k}Food> ." in inferred
    assert f"<{k}YeastDough> <{k}raisedBy> <{k}Yeast> ." in inferred
    assert f"<{t}blind-baking> <http://www.w3.org/2004/02/skos/core#broaderTransitive> <{t}technique> ." in inferred
    assert f"<{t}baking> <http://www.w3.org/2004/02/skos/core#broader> <{t}technique> ." in inferred
    assert f"<{k}PizzaNapoletana> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{k}Food> ." in inferred
    assert not any(line.startswith(f"<{t}") and SUB in line for line in inferred)
    assert prefixes["obo"] == "http://purl.obolibrary.org/obo/"
    stated = sum(
        1
        for name, form in (("kitchen.ttl", pyoxigraph.RdfFormat.TURTLE),)
        for _ in pyoxigraph.parse((FIXTURE / name).read_bytes(), format=form)
    )
    assert len([line for line in asserted if "/terms" not in line.split(" ", 1)[0]]) == stated


def test_pages_and_an_ontology_share_one_space() -> None:
    ontology = FakeFiles(
        {"top.ttl": "<urn:x:top> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <urn:x:all> . <urn:x:all> a <http://www.w3.org/2002/07/owl#Class> ."},
        Wanted(lambda name: True),
    )  # fmt: skip
    _, inferred, _ = built(FakeCorpus(PAGES[:2]), RdfFiles(ontology))
    assert inferred == [f"<urn:x:a> {SUB} <urn:x:all> .", f"<urn:x:b> {SUB} <urn:x:all> .", f"<urn:x:b> {SUB} <urn:x:top> ."]
