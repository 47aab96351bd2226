"""The reasoner on suites made by others: ELK's test inputs, the W3C's cases in OWL 2 EL, and the real corpus as an ontology."""

import io
import lzma
import re
import tarfile
from functools import cache

import pytest
from rdflib import RDF, Graph, Namespace
from support import functional, owl_rdf
from support.entailment import follows
from support.real import FOLDER, index

from loom.core.reason import axioms as ax
from loom.core.reason.closure import closure_of, empty_classes
from loom.core.reason.plain import entails
from loom.core.reason.reasoner import ElReasoner
from loom.core.reason.repair import Findings, findings, is_edge, relaxed, saturated

pytestmark = pytest.mark.data

ELK = FOLDER / "suites" / "elk-test-input.tar.xz"
W3C = FOLDER / "suites" / "owl2-tests-all.rdf.xz"


@cache
def elk() -> dict[str, str]:
    """ELK's files by their path below test_input."""
    if not ELK.is_file():
        return {}
    with tarfile.open(ELK) as archive:
        files = [
            (member.name.partition("test_input/")[2], archive.extractfile(member)) for member in archive if member.isfile()
        ]
        return {name: file.read().decode() for name, file in files if file is not None}


def inputs(folder: str) -> list[str]:
    """The ontologies of one folder, without their suffix; one name that skips where the suite is absent."""
    names = sorted(name[:-4] for name in elk() if name.startswith(folder + "/") and name.endswith(".owl"))
    direct = [name for name in names if "/" not in name[len(folder) + 1 :]]
    return direct or ["absent"]


def ontology(name: str) -> list[ax.Axiom]:
    if name == "absent":
        pytest.skip(f"needs {ELK}; set LOOM_TEST_DATA to the folder of test data")
    return functional.read(elk()[name + ".owl"])


def told(name: str) -> list[ax.Axiom]:
    """The axioms of an expectation, inconsistent ones as ELK writes them: in a comment and one equivalence."""
    return functional.read(elk()[name]) if name in elk() else []


@pytest.mark.parametrize("name", inputs("classification"))
def test_elk_taxonomy(name: str) -> None:
    ours = ElReasoner().classify(ontology(name))
    wanted = ElReasoner().classify(told(name + ".taxonomy"))
    assert (ours.ancestors, ours.parents) == (wanted.ancestors, wanted.parents)
    assert (ours.equivalents, ours.unsatisfiable) == (wanted.equivalents, wanted.unsatisfiable)
    assert ours.consistent == wanted.consistent


@pytest.mark.parametrize("name", inputs("classification/object_property"))
def test_elk_roles(name: str) -> None:
    axioms = ontology(name)
    for axiom in told(name + ".propertytaxonomy"):
        assert follows(axioms, axiom), ax.text(axiom)


@pytest.mark.parametrize("name", inputs("query/class"))
def test_elk_class_query(name: str) -> None:
    axioms = ontology(name)
    for axiom in told(name + ".classquery"):
        assert follows(axioms, axiom), ax.text(axiom)


@pytest.mark.parametrize("name", inputs("query/entailment"))
def test_elk_entailment(name: str) -> None:
    axioms = ontology(name)
    for axiom in told(name + ".entailed"):
        assert follows(axioms, axiom), ax.text(axiom)
    for axiom in told(name + ".notentailed"):
        assert not follows(axioms, axiom), ax.text(axiom)


@pytest.mark.parametrize("name", inputs("realization"))
def test_elk_instances(name: str) -> None:
    axioms = ontology(name)
    for axiom in told(name + ".instancetaxonomy"):
        assert follows(axioms, axiom), ax.text(axiom)


W3C_SKIPPED = {
    "New-Feature-Keys-001": "keys make individuals the same; keys are reported as ignored",
    "New-Feature-Keys-002": "keys",
    "New-Feature-Keys-003": "keys",
    "New-Feature-Keys-006": "keys",
    "Plus and Minus Zero are Distinct": "compares values of a functional data property; datatypes are read as unknown classes",
    "string-integer-clash": "compares a value with a datatype",
    "WebOnt-imports-011": "imports another document, which the suite does not hold",
}
"""Cases that the reasoner is not made for, each with the reason; every other one must pass, and these must not."""

CASE = Namespace("http://www.w3.org/2007/OWL/testOntology#")


@cache
def w3c() -> dict[str, tuple[frozenset[str], dict[str, list[ax.Axiom]]]]:
    """The cases in OWL 2 EL: their types, and their ontologies by role (Premise, Conclusion, NonConclusion)."""
    if not W3C.is_file():
        return {}
    text = lzma.decompress(W3C.read_bytes()).decode()
    graph = Graph()
    graph.parse(io.StringIO(re.sub(r"(<!ENTITY\s+\S+\s+)'([^']*)'", r'\1"\2"', text)), format="xml")
    cases = {}
    for case in graph.subjects(CASE.profile, CASE.EL):
        ontologies = {}
        for role in ("Premise", "Conclusion", "NonConclusion"):
            for syntax, read in (("rdfXml", owl_rdf.read), ("fs", functional.read)):
                value = graph.value(case, CASE[f"{syntax}{role}Ontology"])
                if value is not None and role not in ontologies:
                    ontologies[role] = read(str(value))
        types = frozenset(str(one).rpartition("#")[2] for one in graph.objects(case, RDF.type))
        cases[str(graph.value(case, CASE.identifier))] = (types, ontologies)
    return cases


def failing(types: frozenset[str], ontologies: dict[str, list[ax.Axiom]]) -> list[str]:
    """What a case wants and the reasoner does not give."""
    premise = ontologies["Premise"]
    consistent = ElReasoner().classify(premise).consistent
    found = []
    if "ConsistencyTest" in types and not consistent:
        found.append("is inconsistent")
    if "InconsistencyTest" in types and consistent:
        found.append("is consistent")
    if "PositiveEntailmentTest" in types:
        found += [f"lacks {ax.text(axiom)}" for axiom in ontologies["Conclusion"] if not follows(premise, axiom)]
    if "NegativeEntailmentTest" in types and all(follows(premise, axiom) for axiom in ontologies["NonConclusion"]):
        found.append("draws the conclusion that must not be drawn")
    return found


def test_w3c_cases_in_el() -> None:
    if not w3c():
        pytest.skip(f"needs {W3C}; set LOOM_TEST_DATA to the folder of test data")
    failed = {name: wrong for name, case in w3c().items() if (wrong := failing(*case))}
    assert set(failed) == set(W3C_SKIPPED), failed
    assert len(w3c()) - len(failed) == 50


SIX = ("artificial-intelligence", "blockchain", "distributed-collaboration", "infrastructure", "robotics", "spatial-computing")


@cache
def corpus() -> tuple[ax.Axiom, ...]:
    """The real corpus as its own pipeline states it in OWL: subclasses, `requires` and `hasPart` as existentials between declared
    classes, the roles' axioms, and the disjointness of the six domain roots."""
    concepts = sorted(index(), key=lambda concept: concept.iri)
    named = {concept.iri: ax.Named(concept.iri) for concept in concepts}
    out: list[ax.Axiom] = [
        ax.Disjoint(tuple(named[f"urn:ngm:class:{slug}"] for slug in SIX)),
        ax.Transitive("urn:requires"),
        ax.Transitive("urn:dependsOn"),
        ax.SubRole("urn:requires", "urn:dependsOn"),
        *(ax.SubRole(f"urn:{role}", "urn:utilises") for role in ("uses", "supports", "implements")),
    ]
    for concept in concepts:
        one = named[concept.iri]
        out.append(ax.Declared(one))
        out += [ax.SubClassOf(one, ax.Named(ref.iri)) for ref in dict.fromkeys(concept.parents)]
        for role, refs in concept.relations:
            if role in ("requires", "hasPart"):
                out += [ax.SubClassOf(one, ax.Some(f"urn:{role}", named[ref.iri])) for ref in refs if ref.iri in named]
    return tuple(out)


@cache
def found_in_corpus() -> Findings:
    return findings(corpus())


def test_the_real_corpus_is_told_apart_into_roots_and_consequences_and_mended() -> None:
    axioms = corpus()
    found = found_in_corpus()
    assert len(found.unsatisfiable) == 8137
    assert set(found.roots) | set(found.causes) == set(found.unsatisfiable)
    assert len(found.roots) < 100 < len(found.causes)
    assert [axioms[position] for position in found.disjointness] == [axioms[0]]
    assert all(is_edge(axioms[position]) for position in found.repair) and len(found.repair) < 40
    assert not empty_classes(saturated(axioms, found.repair))
    for root, explanation in list(found.roots.items())[:50]:
        assert entails(axioms, explanation, root, ax.NOTHING)
        for position in explanation:
            assert not entails(axioms, [kept for kept in explanation if kept != position], root, ax.NOTHING)


def test_the_closure_of_the_real_corpus_without_the_named_disjointness_is_what_subclasses_reach() -> None:
    axioms = corpus()
    saturation, left_out = relaxed(axioms, found_in_corpus())
    closure = closure_of(axioms, saturation)
    assert [axioms[position] for position in left_out] == [axioms[0]]
    assert closure.unsatisfiable == ()
    assert sum(map(len, closure.ancestors.values())) == 33_895
