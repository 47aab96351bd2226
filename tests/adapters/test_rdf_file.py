"""Ontologies read from files: what they say of their terms, and where."""

import gzip
import json
import lzma
from pathlib import Path

import pytest

from loom.build.checks import KINDS
from loom.core.errors import BadSource
from loom.core.rdf.formats import is_rdf
from loom.core.reason.axioms import Named, One, Some, SubClassOf
from loom.core.report import Report
from loom.core.values import Concept, Iri, Where
from loom_adapters.rdf_file import RdfFiles
from loom_adapters.source_files import FakeFiles, Wanted, beside, rdf_files

FIXTURE = Path(__file__).resolve().parents[2] / "fixtures" / "ontology"
K = "https://example.org/kitchen#"
T = "https://example.org/kitchen/terms/"
RDF = Wanted(lambda name: is_rdf(name) or name.endswith("catalog-v001.xml"), "not-rdf")

PREFIXES = """@prefix : <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
"""


def read(files: dict[str, str | bytes], languages: tuple[str, ...] = ("en", "")) -> tuple[dict[Iri, Concept], RdfFiles, Report]:
    report = Report(KINDS)
    reader = RdfFiles(FakeFiles(files, RDF), languages=languages)
    return {concept.iri: concept for concept in reader.read(report)}, reader, report


@pytest.fixture(scope="module")
def kitchen() -> dict[Iri, Concept]:
    return {concept.iri: concept for concept in RdfFiles(rdf_files([FIXTURE])).read(Report(KINDS))}


def relations(concept: Concept) -> dict[str, list[Iri]]:
    return {name: [ref.iri for ref in refs] for name, refs in concept.relations}


def test_the_label_in_the_preferred_language_is_the_title_and_the_others_are_names(kitchen: dict[Iri, Concept]) -> None:
    dough = kitchen[K + "Dough"]
    assert (dough.title, dough.aliases) == ("Dough", ("Pâte", "Teig", "Bread dough"))
    assert kitchen[K + "Brioche"].title == "Brioche"
    assert kitchen[K + "TipoZeroZero"].title == "Tipo 00"


@pytest.mark.parametrize(
    ("languages", "title"), [(("de", "en", ""), "Teig"), (("fr", ""), "Pâte"), (("", "de"), "Teig"), (("it", ""), "Dough")]
)
def test_languages_are_preferred_in_their_order_and_the_first_stands_in(languages: tuple[str, ...], title: str) -> None:
    concepts = {one.iri: one for one in RdfFiles(rdf_files([FIXTURE]), languages=languages).read(Report(KINDS))}
    assert concepts[K + "Dough"].title == title


def test_definitions_come_from_the_property_that_is_meant_for_them(kitchen: dict[Iri, Concept]) -> None:
    assert kitchen[K + "Leaven"].definition == "What makes dough rise."
    assert kitchen[K + "Yeast"].definition == "Fungi that raise dough."
    assert kitchen[K + "Leaven"].aliases == ("Raising agent", "Starter")


def test_classes_above_are_parents_whether_stated_alone_or_in_an_intersection(kitchen: dict[Iri, Concept]) -> None:
    assert [ref.iri for ref in kitchen[K + "YeastDough"].parents] == [K + "Dough"]
    assert [ref.iri for ref in kitchen[K + "Brioche"].parents] == [K + "YeastDough"]
    assert [ref.iri for ref in kitchen[K + "RaisedDough"].parents] == [K + "Dough"]
    assert [ref.iri for ref in kitchen[K + "PizzaNapoletana"].parents] == [K + "YeastDough"]


def test_restrictions_are_relations_called_by_the_label_of_the_property(kitchen: dict[Iri, Concept]) -> None:
    assert relations(kitchen[K + "YeastDough"]) == {"raised by": [K + "Yeast"]}
    assert relations(kitchen[K + "Brioche"]) == {"hasPart": [K + "Butter"]}
    assert relations(kitchen[K + "PizzaNapoletana"]) == {"hasPart": [K + "TipoZeroZero"]}


def test_restrictions_that_are_no_relation_are_said() -> None:
    report = Report(KINDS)
    list(RdfFiles(rdf_files([FIXTURE])).read(report))
    said = report.as_json()["restriction-left-out"]
    assert said["count"] == 2
    assert {example["where"] for example in said["examples"]} == {"kitchen.ttl:57"}


def test_skos_hierarchy_is_read_from_both_ends_and_related_is_mutual(kitchen: dict[Iri, Concept]) -> None:
    assert [ref.iri for ref in kitchen[T + "baking"].parents] == [T + "technique"]
    assert [ref.iri for ref in kitchen[T + "blind-baking"].parents] == [T + "baking"]
    assert relations(kitchen[T + "blind-baking"]) == {
        "relatedTo": [T + "proving"],
        "exactMatch": ["http://example.com/other/blind-baking"],
    }
    assert relations(kitchen[T + "proving"]) == {"relatedTo": [T + "blind-baking"]}
    assert kitchen[T + "baking"].aliases == ("Oven cooking", "Bakeing")
    assert kitchen[T + "baking"].domain == "Kitchen terms"


def test_deprecated_terms_say_what_replaced_them(kitchen: dict[Iri, Concept]) -> None:
    retired = {iri: concept.replaced_by for iri, concept in kitchen.items() if concept.deprecated}
    assert retired == {K + "Barm": (K + "Yeast",), T + "slack-oven": (T + "baking",)}


def test_every_term_says_on_which_line_it_is_stated(kitchen: dict[Iri, Concept]) -> None:
    lines = {name: (FIXTURE / name).read_text(encoding="utf-8").split("\n") for name in ("kitchen.ttl", "terms.rdf")}
    for iri, concept in kitchen.items():
        assert iri.removeprefix(K).removeprefix(T) in lines[concept.where.file][concept.where.line - 1]


def test_the_fixture_has_no_fault_but_what_it_leaves_undefined() -> None:
    report = Report(KINDS)
    list(RdfFiles(rdf_files([FIXTURE])).read(report))
    assert set(report.counts()) == {"restriction-left-out"}


def test_axioms_are_those_that_are_stated() -> None:
    reader = RdfFiles(rdf_files([FIXTURE]))
    list(reader.read(Report(KINDS)))
    axioms = reader.statements().axioms
    yeast = Some(K + "raisedBy", Named(K + "Yeast"))
    assert SubClassOf(Named(K + "YeastDough"), yeast) in axioms
    assert SubClassOf(One(K + "PizzaNapoletana"), Some(K + "hasPart", One(K + "TipoZeroZero"))) in axioms
    assert len(axioms) == len(set(axioms))


def test_one_ontology_in_four_formats_is_read_alike() -> None:
    turtle = PREFIXES + ':b a owl:Class ; rdfs:subClassOf :a ; rdfs:label "B"@en . :a a owl:Class ; rdfs:label "A"@en .'
    o, r = "http://www.w3.org/2002/07/owl#", "http://www.w3.org/2000/01/rdf-schema#"
    t = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    lines = "\n".join(
        f'<http://example.org/{name}> <{t}type> <{o}Class> .\n<http://example.org/{name}> <{r}label> "{name.upper()}"@en .'
        for name in "ab"
    )
    lines += f"\n<http://example.org/b> <{r}subClassOf> <http://example.org/a> .\n"
    xml = (
        f'<rdf:RDF xmlns:rdf="{t}" xmlns:rdfs="{r}" xmlns:owl="{o}" xml:base="http://example.org/">'
        '<owl:Class rdf:about="a"><rdfs:label xml:lang="en">A</rdfs:label></owl:Class>'
        '<owl:Class rdf:about="b"><rdfs:label xml:lang="en">B</rdfs:label><rdfs:subClassOf rdf:resource="a"/></owl:Class></rdf:RDF>'
    )
    context = {"label": {"@id": f"{r}label", "@language": "en"}, "sub": {"@id": f"{r}subClassOf", "@type": "@id"}}
    a = {"@id": "http://example.org/a", "@type": f"{o}Class", "label": "A"}
    b = {"@id": "http://example.org/b", "@type": f"{o}Class", "label": "B", "sub": "http://example.org/a"}
    ld = json.dumps({"@context": context, "@graph": [a, b]})
    forms = {"x.ttl": turtle, "x.nt": lines, "x.rdf": xml, "x.jsonld": ld}
    said = []
    for name, text in forms.items():
        concepts, reader, _ = read({name: text})
        said.append(([(one.iri, one.title, one.parents) for one in concepts.values()], reader.statements().asserted))
    assert said == said[:1] * 4


def test_packed_files_are_read(tmp_path: Path) -> None:
    text = (PREFIXES + ':a a owl:Class ; rdfs:label "A" .').encode()
    concepts, _, report = read({"a.ttl.gz": gzip.compress(text), "b.ttl.xz": lzma.compress(text)})
    assert list(concepts) == ["http://example.org/a"]
    assert not report.counts()


def test_files_of_one_source_are_one_graph_and_collisions_are_said() -> None:
    concepts, _, report = read(
        {
            "a.ttl": PREFIXES + ':a a owl:Class ; rdfs:label "Kiln"@en .',
            "b.ttl": PREFIXES + ':a rdfs:label "Oven"@en ; skos:definition "Hot." . :b a owl:Class ; rdfs:subClassOf :a .',
        }
    )
    assert concepts["http://example.org/a"].title == "Kiln"
    assert concepts["http://example.org/a"].definition == "Hot."
    said = report.as_json()["label-collision"]["examples"]
    assert said == [{"where": "b.ttl:5", "message": "http://example.org/a is 'Kiln' in a.ttl and 'Oven' here"}]


def test_imports_are_found_by_ontology_version_catalogue_and_name() -> None:
    main = PREFIXES + "<http://x.org/main> a owl:Ontology ; owl:imports <http://x.org/one> , <http://x.org/two/1.0> , "
    main += "<http://x.org/three> , <http://x.org/path/four.ttl> , <http://www.w3.org/2004/02/skos/core> , <http://x.org/main> . :m a owl:Class ; rdfs:label 'M' ."
    ontology = "<http://x.org/{}> a owl:Ontology ."
    _, _, report = read(
        {
            "main.ttl": main,
            "1.ttl": PREFIXES + ontology.format("one"),
            "2.ttl": PREFIXES + "<http://x.org/two> a owl:Ontology ; owl:versionIRI <http://x.org/two/1.0> .",
            "sub/third.ttl": PREFIXES + ontology.format("other"),
            "four.ttl": PREFIXES + ontology.format("4"),
            "catalog-v001.xml": '<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">'
            '<uri name="http://x.org/three" uri="./sub/third.ttl"/></catalog>',
        }
    )
    assert not report.counts()


def test_a_single_file_finds_its_imports_beside_it(tmp_path: Path) -> None:
    one = tmp_path / "one.ttl"
    one.write_text(
        PREFIXES + "<http://x.org/one> a owl:Ontology ; owl:imports <http://x.org/two> . :a a owl:Class ; rdfs:label 'A' ."
    )
    (tmp_path / "two.owl").write_text(
        PREFIXES + "<http://x.org/two> a owl:Ontology ; owl:imports <http://x.org/one> , <http://x.org/gone> . :b a owl:Class ."
    )
    report = Report(KINDS)
    reader = RdfFiles(rdf_files([one]), beside=beside(one, lambda data: {}))
    assert [concept.iri for concept in reader.read(report)] == ["http://example.org/a", "http://example.org/b"]
    assert report.as_json()["missing-import"]["examples"] == [
        {"where": "two.owl:5", "message": "http://x.org/gone is imported and not here"}
    ]


def test_a_name_is_made_of_the_local_name_where_nothing_says_one() -> None:
    concepts, _, report = read(
        {"a.ttl": PREFIXES + ":DeepFatFryer a owl:Class . :other_thing a owl:Class ; rdfs:label 'Autre'@fr ."}
    )
    assert concepts["http://example.org/DeepFatFryer"].title == "Deep Fat Fryer"
    assert (concepts["http://example.org/other_thing"].title, concepts["http://example.org/other_thing"].aliases) == (
        "Autre",
        ("other thing",),
    )
    assert report.count("missing-title") == 1


def test_what_is_deprecated_is_replaced_by_names_of_its_own_kind() -> None:
    concepts, _, _ = read(
        {
            "a.ttl": PREFIXES
            + "@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> . @prefix o: <http://p.org/obo/> ."
            + "o:SO_1 a owl:Class ; owl:deprecated 'true' ; oio:replacedBy 'SO:2' . o:SO_2 a owl:Class ."
            + "o:SO_3 a owl:DeprecatedClass ; oio:consider o:SO_2 , 'nowhere' . o:SO_4 a owl:Class ; owl:deprecated false ."
        }
    )
    assert {iri[-1]: one.replaced_by for iri, one in concepts.items() if one.deprecated} == {
        "1": ("http://p.org/obo/SO_2",),
        "3": ("http://p.org/obo/SO_2",),
    }


def test_blank_nodes_are_named_by_their_axiom_whatever_the_order() -> None:
    first = (
        PREFIXES
        + ":p a owl:ObjectProperty . :a rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :b ] ."
    )
    second = PREFIXES + ":c rdfs:subClassOf _:x . _:x owl:someValuesFrom :b ; owl:onProperty :p ; a owl:Restriction ."
    _, one, _ = read({"1.ttl": first, "2.ttl": second})
    _, other, _ = read({"1.ttl": second, "2.ttl": first})
    lines = one.statements().asserted
    assert lines == other.statements().asserted == sorted(lines)
    assert not any(" _:" in line or line.startswith("_:") for line in lines)
    assert sum("#Restriction>" in line for line in lines) == 2
    assert one.statements().implied == [
        f"<http://example.org/{name}> <http://example.org/p> <http://example.org/b> ." for name in "ac"
    ]


def test_blank_nodes_in_a_circle_are_named_and_said() -> None:
    text = PREFIXES + ":a a owl:Class ; rdfs:label 'A' ; :p _:x . _:x :q _:y . _:y :q _:x ; :r 1 ."
    _, reader, report = read({"a.ttl": text})
    assert report.count("blank-node-circle") == 1
    assert len(reader.statements().asserted) == 6


def test_statements_are_known_after_reading_only() -> None:
    with pytest.raises(BadSource, match="read it first"):
        RdfFiles(rdf_files([FIXTURE])).statements()


def test_where_is_relative_to_the_source(kitchen: dict[Iri, Concept]) -> None:
    assert kitchen[K + "Food"].where == Where("kitchen.ttl", 24)
