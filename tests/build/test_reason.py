"""What follows from ontologies, and what is said of classes that cannot have members."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from loom.build import stage
from loom.build.checks import KINDS
from loom.core.reason.axioms import Axiom
from loom.core.reason.closure import Closure
from loom.core.reason.reasoner import ElReasoner
from loom.core.report import Report
from loom.core.values import Concept, Ref, Where
from loom.ports import CorpusReader
from loom_adapters.concept_list import FakeCorpus
from loom_adapters.rdf_file import RdfFiles
from loom_adapters.source_files import FakeFiles, Wanted, rdf_files

FIXTURE = Path(__file__).resolve().parents[2] / "fixtures" / "ontology"
K = "https://example.org/kitchen#"
E = "http://example.org/"
PREFIXES = """@prefix : <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
CLASH = """
:Kiln a owl:Class ; rdfs:label "Kiln" ; rdfs:subClassOf :Oven .
:Oven a owl:Class ; rdfs:label "Oven" ; rdfs:subClassOf :Tool .
:Tool a owl:Class ; rdfs:label "Tool" ; owl:disjointWith :Food .
:Food a owl:Class ; rdfs:label "Food" .
:Pie a owl:Class ; rdfs:label "Pie" ; rdfs:subClassOf :Food , :Oven .
:Tart a owl:Class ; rdfs:label "Tart" ; rdfs:subClassOf :Pie .
:Menu a owl:Class ; rdfs:label "Menu" ; rdfs:subClassOf [ owl:onProperty :lists ; owl:someValuesFrom :Tart ] .
:lists a owl:ObjectProperty .
"""


def ontology(text: str) -> RdfFiles:
    return RdfFiles(FakeFiles({"o.ttl": PREFIXES + text}, Wanted(lambda name: True)))


def built(*readers: CorpusReader) -> stage.Work:
    work = stage.Work([stage.Source(type(reader).__name__, reader) for reader in readers], Report(KINDS))
    stage.run(work, stage.found())
    return work


def above(work: stage.Work, iri: str) -> tuple[list[str], list[str]]:
    concept = next(one for one in work.concepts if one.iri == iri)
    return [ref.iri for ref in concept.parents], [ref.iri for ref in concept.ancestors or ()]


def test_what_an_ontology_implies_is_served() -> None:
    work = built(RdfFiles(rdf_files([FIXTURE])))
    assert above(work, K + "YeastDough") == ([K + "Dough", K + "RaisedDough"], [K + "Food"])
    assert above(work, K + "Brioche") == ([K + "YeastDough"], [K + "Dough", K + "RaisedDough", K + "Food"])
    assert above(work, K + "PizzaNapoletana") == ([K + "YeastDough"], [K + "Dough", K + "RaisedDough", K + "Food"])
    assert work.notes["reasoning"]["unsatisfiable"] == 0
    inferred = bytes(work.parts["triples"]["inferred.nt"]).decode()
    assert f"<{K}YeastDough> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <{K}RaisedDough> ." in inferred


def test_a_corpus_without_an_ontology_is_left_as_it_was() -> None:
    pages = [Concept("urn:a", "A", parents=(Ref("urn:b"), Ref("urn:c"))), Concept("urn:b", "B", parents=(Ref("urn:c"),))]
    work = built(FakeCorpus(pages))
    assert above(work, "urn:a") == (["urn:b", "urn:c"], [])
    assert "reason" not in work.parts and "reasoning" not in work.notes


def test_pages_below_an_ontology_inherit_from_it() -> None:
    page = Concept(E + "Pie", "Pie", parents=(Ref(E + "Flan"),), where=Where("Pie.md", 1))
    work = built(
        FakeCorpus([page]), ontology(":Flan owl:equivalentClass :Quiche . :Quiche rdfs:subClassOf :Food . :Food a owl:Class .")
    )
    assert above(work, E + "Pie") == ([E + "Flan"], [E + "Quiche", E + "Food"])


def test_a_few_axioms_beside_pages_are_reasoned_over_with_their_taxonomy() -> None:
    pages = [
        Concept(E + "Pie", "Pie", parents=(Ref(E + "Food"), Ref(E + "Tool")), where=Where("Pie.md", 1)),
        Concept(E + "Food", "Food", where=Where("Food.md", 1)),
        Concept(E + "Tool", "Tool", where=Where("Tool.md", 1)),
    ]
    axioms = ":Food a owl:Class . :Tool a owl:Class ; owl:disjointWith :Food ."
    for readers in ((FakeCorpus(pages), ontology(axioms)), (ontology(axioms), FakeCorpus(pages))):
        work = built(*readers)
        assert sorted(concept.title for concept in work.concepts) == ["Food", "Pie", "Tool"]
        assert all(concept.where.file.endswith(".md") for concept in work.concepts)
        assert work.report.count("duplicate-concept") == 0
        assert work.report.count("unsatisfiable-class") == 1
        asserted = bytes(work.parts["triples"]["asserted.nt"]).decode()
        assert '/Food> <http://www.w3.org/2000/01/rdf-schema#label> "Food" .' in asserted


def test_an_empty_class_is_a_finding_and_its_consequences_are_told_apart() -> None:
    work = built(ontology(CLASH))
    said = work.report.as_json()
    assert said["unsatisfiable-class"]["examples"] == [
        {
            "where": "o.ttl:9",
            "message": "'Pie': nothing is more than one of 'Food', 'Tool'; 'Oven' is-a 'Tool'; 'Pie' is-a 'Food'; 'Pie' is-a 'Oven'",
        }
    ]
    assert [one["message"] for one in said["unsatisfiable-consequence"]["examples"]] == [
        "'Tart' is empty because 'Pie' is",
        "'Menu' is empty because 'Pie' is",
    ]
    (repair,) = (one["message"] for one in said["repair-suggested"]["examples"])
    assert repair in ("take back: 'Pie' is-a 'Oven'", "take back: 'Pie' is-a 'Food'")
    assert work.notes["reasoning"] == {
        "axioms": 14,
        "classes": 7,
        "consistent": True,
        "left_out": 1,
        "repair": 1,
        "roots": 1,
        "unsatisfiable": 3,
    }


def test_what_is_served_is_the_closure_without_the_disjointness() -> None:
    work = built(ontology(CLASH))
    assert above(work, E + "Tart") == ([E + "Pie"], [E + "Food", E + "Oven", E + "Tool"])
    assert above(work, E + "Menu") == ([], [])


def test_every_finding_is_sealed_for_tools() -> None:
    work = built(ontology(CLASH))
    findings = json.loads(bytes(work.parts["reason"]["findings.json"]))
    assert findings["unsatisfiable"] == [E + name for name in ("Menu", "Pie", "Tart")]
    assert findings["left_out"] == [f"DisjointClasses(<{E}Food> <{E}Tool>)"]
    assert set(findings["roots"]) == {E + "Pie"} and set(findings["causes"]) == {E + "Menu", E + "Tart"}


def test_an_ontology_that_contradicts_itself_is_said_and_served_nevertheless() -> None:
    work = built(ontology(CLASH + ':pie1 a owl:NamedIndividual , :Pie ; rdfs:label "My pie" .'))
    assert work.report.count("inconsistent-ontology") == 1
    assert work.notes["reasoning"]["consistent"] is False
    assert above(work, E + "pie1") == ([E + "Pie"], [E + "Food", E + "Oven", E + "Tool"])


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        (":a rdfs:subClassOf [ owl:onProperty :p ; owl:allValuesFrom :b ] .", "ObjectAllValuesFrom"),
        (":a rdfs:subClassOf [ owl:onProperty :p ; owl:maxCardinality 1 ] .", "ObjectMaxCardinality"),
        (":a rdfs:subClassOf [ owl:onProperty [ owl:inverseOf :p ] ; owl:someValuesFrom :b ] .", "ObjectInverseOf"),
        (":p owl:inverseOf :q .", "InverseObjectProperties"),
        (":p a owl:FunctionalProperty .", "FunctionalObjectProperty"),
        (":a rdfs:subClassOf [ owl:onProperty :d ; owl:hasValue 5 ] .", "DataHasValue"),
    ],
)
def test_axioms_outside_el_are_said_by_kind_with_an_example(statement: str, kind: str) -> None:
    work = built(ontology(":p a owl:ObjectProperty . :q a owl:ObjectProperty . :a a owl:Class . :b a owl:Class . " + statement))
    said = [one["message"] for one in work.report.as_json()["axiom-ignored"]["examples"]]
    assert any(message.startswith(f"{kind}, 1 times, as in ") for message in said)
    assert work.notes["reasoning"]["ignored"][kind] == 1


def test_order_of_sources_and_statements_changes_nothing() -> None:
    lines = CLASH.strip().split("\n")
    one, other = built(ontology("\n".join(lines))), built(ontology("\n".join(reversed(lines))))
    assert one.parts["reason"] == other.parts["reason"]
    assert one.notes == other.notes
    assert one.parts["triples"]["inferred.nt"] == other.parts["triples"]["inferred.nt"]


@pytest.mark.parametrize(
    "facts",
    [
        ':x a :Kiln , :Food ; rdfs:label "x" .',
        "[] a :Kiln , :Food .",
        ":x a [ a owl:Class ; owl:intersectionOf ( :Kiln :Food ) ] .",
        ":x a [ a owl:Restriction ; owl:onProperty :lists ; owl:someValuesFrom owl:Nothing ] .",
        ":x :lists :y . [] a owl:NegativePropertyAssertion ; owl:sourceIndividual :x ; owl:assertionProperty :lists ;"
        " owl:targetIndividual :y .",
        ":x a :Kiln . :y a :Food . :x owl:sameAs :y .",
    ],
)
def test_facts_about_individuals_can_contradict(facts: str) -> None:
    work = built(ontology(CLASH.replace(":Pie a", ":Pie2 a") + facts))
    assert work.report.count("inconsistent-ontology") == 1


class Stern:
    """A reasoner that finds one class empty, and one class above another that EL does not see."""

    def classify(self, axioms: Sequence[Axiom]) -> Closure:
        found = ElReasoner().classify(axioms)
        changed = {**found.parents, E + "Food": (E + "Good",)}, {**found.ancestors, E + "Food": (E + "Good",)}
        gone = {E + "Kiln": ()}
        return Closure({**changed[0], **gone}, {**changed[1], **gone}, unsatisfiable=(E + "Kiln",))

    def explain(self, iri: str, axioms: Sequence[Axiom]) -> Sequence[Axiom]:
        return ()


def test_what_another_reasoner_concludes_is_served_and_what_it_alone_finds_empty_is_kept() -> None:
    text = CLASH.split(":Pie")[0]
    work = stage.Work([stage.Source("o", ontology(text))], Report(KINDS), reasoner=Stern())
    stage.run(work, stage.found())
    assert above(work, E + "Food") == ([E + "Good"], [])
    assert above(work, E + "Kiln") == ([E + "Oven"], [E + "Tool"])
    assert [one["message"] for one in work.report.as_json()["unsatisfiable-class"]["examples"]] == [
        "Kiln, by the reasoner that was given; no explanation within EL"
    ]
