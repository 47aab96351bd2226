"""Ontologies that people keep, counted against an independent parser (rdflib), and two versions of one compared."""

import lzma
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from rdflib import OWL, RDF, RDFS, SKOS, Graph, URIRef
from support.real import FOLDER

from loom.build import seal, stage
from loom.build.checks import KINDS
from loom.core.concepts import Concepts
from loom.core.diff import Summary, changes
from loom.core.report import Report
from loom.core.values import Concept, Iri
from loom_adapters.generation_memory import FakeGenerations
from loom_adapters.rdf_file import RdfFiles
from loom_adapters.source_files import rdf_files

pytestmark = pytest.mark.data

EDAM, EDAM_OLD, SOFA, UAT, FIBO, PIZZA = (
    f"{name}.xz"
    for name in ("EDAM_1.25.owl", "EDAM_1.24.owl", "SOFA.owl", "UAT.rdf", "fibo-ISO4217-CurrencyCodes.rdf", "pizza.owl")
)
OWLS = [SOFA, PIZZA, pytest.param(EDAM, marks=pytest.mark.slow)]
ALL = [*OWLS, UAT, FIBO]
HIDDEN = {OWL.Thing, OWL.DeprecatedClass}


def path_of(name: str) -> Path:
    path = FOLDER / "ontologies" / name
    if not path.is_file():
        pytest.skip(f"needs {path}; set LOOM_TEST_DATA to the folder of the data")
    return path


@cache
def independently(name: str) -> Graph:
    graph = Graph()
    graph.parse(data=lzma.decompress(path_of(name).read_bytes()), format="xml")
    return graph


@cache
def built(name: str) -> stage.Work:
    work = stage.Work([stage.Source(name, RdfFiles(rdf_files([path_of(name)])))], Report(KINDS))
    stage.run(work, stage.found())
    return work


@cache
def stated(name: str) -> dict[Iri, Concept]:
    """Concepts as the reader gives them, before anything is inferred."""
    return {concept.iri: concept for concept in RdfFiles(rdf_files([path_of(name)])).read(Report(KINDS))}


def terms(graph: Graph, kind: URIRef) -> set[str]:
    return {str(one) for one in graph.subjects(RDF.type, kind) if isinstance(one, URIRef)} - set(map(str, HIDDEN))


def named_above(graph: Graph, iri: str) -> set[str]:
    """Named classes that a class is stated to be below: alone, the same as, or in an intersection."""
    found: set[str] = set()
    pending = [*graph.objects(URIRef(iri), RDFS.subClassOf), *graph.objects(URIRef(iri), OWL.equivalentClass)]
    while pending:
        one = pending.pop()
        if isinstance(one, URIRef):
            found.add(str(one))
        for members in graph.objects(one, OWL.intersectionOf):
            pending += list(graph.items(members))
    return found - set(map(str, HIDDEN))


@pytest.mark.parametrize("name", OWLS)
def test_classes_are_those_that_are_declared(name: str) -> None:
    work, graph = built(name), independently(name)
    individuals = frozenset().union(*(one.members for one in work.statements))
    assert {concept.iri for concept in work.concepts} - individuals == terms(graph, OWL.Class)


def test_individuals_and_skos_concepts_are_those_that_are_declared() -> None:
    assert {concept.iri for concept in built(FIBO).concepts} == terms(independently(FIBO), OWL.NamedIndividual)
    assert {concept.iri for concept in built(UAT).concepts} == terms(independently(UAT), SKOS.Concept)


@pytest.mark.parametrize("name", OWLS)
def test_parents_are_the_named_classes_stated_above(name: str) -> None:
    graph, concepts = independently(name), stated(name)
    pairs = {(iri, ref.iri) for iri in terms(graph, OWL.Class) for ref in concepts[iri].parents}
    assert pairs == {(iri, above) for iri in terms(graph, OWL.Class) for above in named_above(graph, iri)}


def test_broader_is_read_from_both_ends() -> None:
    graph = independently(UAT)
    stated_pairs = {(str(s), str(o)) for s, o in graph.subject_objects(SKOS.broader)}
    stated_pairs |= {(str(o), str(s)) for s, o in graph.subject_objects(SKOS.narrower)}
    assert {(one.iri, ref.iri) for one in stated(UAT).values() for ref in one.parents} == stated_pairs


@pytest.mark.parametrize("name", ALL)
def test_every_label_is_a_name(name: str) -> None:
    graph = independently(name)
    for concept in stated(name).values():
        names = {concept.title.casefold(), *(alias.casefold() for alias in concept.aliases)}
        labels = [
            " ".join(str(one).split())
            for kind in (RDFS.label, SKOS.prefLabel)
            for one in graph.objects(URIRef(concept.iri), kind)
        ]
        assert {label.casefold() for label in labels if label and len(label) <= 200} <= names
        english = {
            " ".join(str(one).split())
            for kind in (RDFS.label, SKOS.prefLabel)
            for one in graph.objects(URIRef(concept.iri), kind)
            if one.language == "en"
        }
        assert not english or concept.title in english


@pytest.mark.parametrize("name", ALL)
def test_deprecated_terms_are_those_that_are_stated(name: str) -> None:
    graph = independently(name)
    retired = {str(one) for one, value in graph.subject_objects(OWL.deprecated) if str(value).lower() == "true"}
    assert {iri for iri, concept in stated(name).items() if concept.deprecated} == retired & stated(name).keys()


def plain(graph: Graph) -> set[tuple[str, str, str]]:
    """Statements between IRIs; rdflib drops a question mark at the end of some of them."""
    return {(str(s), str(p), str(o).rstrip("?")) for s, p, o in graph if isinstance(s, URIRef) and isinstance(o, URIRef)}


@pytest.mark.parametrize("name", ALL)
def test_no_statement_is_lost_or_added(name: str) -> None:
    graph, lines = independently(name), bytes(built(name).parts["triples"]["asserted.nt"]).decode().splitlines()
    again = Graph()
    again.parse(data="\n".join(lines), format="nt")
    assert len(lines) == len(again) == len(graph)
    assert {str(one) for one in again.predicates()} == {str(one) for one in graph.predicates()}
    assert plain(graph) <= plain(again)


@pytest.mark.parametrize("name", OWLS)
def test_what_is_above_holds_at_least_the_taxonomy(name: str) -> None:
    graph = independently(name)
    classes = terms(graph, OWL.Class)
    for concept in built(name).concepts:
        above = {ref.iri for ref in (*concept.parents, *(concept.ancestors or ()))}
        taxonomy = {
            str(one) for one in graph.transitive_objects(URIRef(concept.iri), RDFS.subClassOf) if isinstance(one, URIRef)
        }
        if concept.iri in classes:
            assert taxonomy - {concept.iri} - set(map(str, HIDDEN)) <= above


def test_the_pizza_has_two_classes_that_cannot_be() -> None:
    reasoning = built(PIZZA).notes["reasoning"]
    assert reasoning["unsatisfiable"] == 2
    assert {"ObjectAllValuesFrom", "ObjectMinCardinality", "InverseObjectProperties"} <= reasoning["ignored"].keys()
    named = {concept.iri.rsplit("#")[-1]: concept for concept in built(PIZZA).concepts}
    above = {ref.iri.rsplit("#")[-1] for ref in named["American"].parents}
    assert {"NamedPizza", "CheeseyPizza", "MeatyPizza"} <= above | {
        ref.iri.rsplit("#")[-1] for ref in named["American"].ancestors or ()
    }


def _lines(name: str) -> Iterator[tuple[Iri, bytes]]:
    store, work = FakeGenerations(), built(name)
    with store.draft() as draft:
        seal.write(draft, work.concepts, work.report, work.parts)
        id = store.seal(draft)
    concepts = store.open(id).part(Concepts)
    assert concepts is not None
    return ((concepts.iri(row), concepts.line(row)) for row in range(concepts.count))


@pytest.mark.slow
def test_two_versions_of_one_ontology_differ_where_they_do() -> None:
    old, new = independently(EDAM_OLD), independently(EDAM)
    found = {change.iri: change for change in changes(_lines(EDAM_OLD), _lines(EDAM))}
    summary = Summary()
    for change in found.values():
        summary.count(change)
    was, now = terms(old, OWL.Class), terms(new, OWL.Class)
    assert {iri for iri, change in found.items() if change.kind == "added"} == now - was
    assert {iri for iri, change in found.items() if change.kind == "removed"} == was - now
    both = was & now

    def value(graph: Graph, iri: str, predicate: URIRef) -> set[str]:
        return {" ".join(str(one).split()) for one in graph.objects(URIRef(iri), predicate)}

    retired = {iri for iri in both if value(new, iri, OWL.deprecated) != value(old, iri, OWL.deprecated)}
    assert {iri for iri, change in found.items() if "deprecated" in change.fields} == retired
    renamed = {iri for iri in both if value(new, iri, RDFS.label) != value(old, iri, RDFS.label)}
    assert {iri for iri, change in found.items() if change.renamed} == renamed
    moved = {iri for iri in both if named_above(new, iri) != named_above(old, iri)}
    assert moved <= {iri for iri, change in found.items() if {"parents", "ancestors"} & set(change.fields)}
    assert (summary.added, summary.removed) == (len(now - was), len(was - now))
