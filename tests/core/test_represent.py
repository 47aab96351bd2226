import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import Graph, Literal, URIRef
from rdflib.compare import isomorphic, to_canonical_graph
from rdflib.namespace import OWL, RDF, RDFS, SKOS

from loom.core.represent import LOOM, as_json, as_jsonld, as_markdown, as_turtle, dumped, escape_iri, predicate_iri

pytestmark = pytest.mark.filterwarnings(
    "ignore:ConjunctiveGraph is deprecated:DeprecationWarning"
)  # rdflib's own JSON-LD parser

GENERATION = "sha256:" + "1" * 64
TITLES = {"urn:x:kiln": "Kiln", "urn:x:sea": 'Sea "big"', "urn:x:salt-glaze": "Salt [Glaze]"}
RECORD = {
    "iri": "urn:x:tide-kiln",
    "title": "Tide Kiln",
    "definition": "A kiln.",
    "full": "A kiln whose firing schedule follows the tide.\nSecond line.",
    "prose": 'Firing "by tide" \\ rare.',
    "aliases": ["Sea kiln"],
    "domain": "ceramics",
    "maturity": "draft",
    "quality": 0.7,
    "parents": ["urn:x:kiln"],
    "ancestors": ["urn:x:kiln", "urn:x:sea"],
    "relations": {"zonedBy": ["urn:x:sea"], "uses": ["urn:x:salt-glaze"]},
    "backlinks": ["urn:x:sea"],
    "source": "pages/tide.md:3",
}


def title_of(iri: str) -> str:
    return TITLES.get(iri, iri)


def graphs(record: dict) -> tuple[Graph, Graph]:
    turtle = Graph().parse(data=as_turtle(record, title_of, GENERATION), format="turtle")
    jsonld = Graph().parse(data=dumped(as_jsonld(record, title_of, GENERATION)).decode(), format="json-ld")
    return turtle, jsonld


def test_json_names_everything_it_refers_to() -> None:
    unit = as_json(RECORD, title_of, GENERATION)
    assert unit["parents"] == [{"iri": "urn:x:kiln", "title": "Kiln"}]
    assert list(unit["relations"]) == ["uses", "zonedBy"]
    assert unit["slug"] == "tide-kiln" and unit["generation"] == GENERATION
    bare = as_json({"iri": "urn:x:a", "title": "A"}, title_of, GENERATION)
    assert set(bare) == set(unit)
    assert (bare["quality"], bare["parents"], bare["relations"], bare["prose"]) == (None, [], {}, "")


def test_markdown_reads_as_a_page() -> None:
    assert as_markdown(RECORD, title_of, GENERATION) == (
        "# Tide Kiln\n\n*ceramics · maturity: draft · quality: 0.7*\n\nAlso called: Sea kiln\n\nA kiln.\n\n"
        "A kiln whose firing schedule follows the tide.\nSecond line.\n\n"
        '## Is a\n\n- [Kiln](<urn:x:kiln>)\n\n## Ancestors\n\n- [Kiln](<urn:x:kiln>)\n- [Sea "big"](<urn:x:sea>)\n\n'
        '## Relations\n\n- **uses**: [Salt \\[Glaze\\]](<urn:x:salt-glaze>)\n- **zonedBy**: [Sea "big"](<urn:x:sea>)\n\n'
        '## Prose\n\nFiring "by tide" \\ rare.\n\n## Referred to by\n\n- [Sea "big"](<urn:x:sea>)\n\n'
        f"---\n\nIRI: <urn:x:tide-kiln>  \nSource: pages/tide.md:3 · Generation: {GENERATION}\n"
    )
    cut = {"iri": "urn:x:a", "title": "A", "definition": "A kiln whose fi…", "full": "A kiln whose fire is tidal."}
    assert as_markdown(cut, title_of, GENERATION).startswith("# A\n\nA kiln whose fire is tidal.\n\n---")
    assert as_markdown({"iri": "urn:x:a", "title": "A"}, title_of, GENERATION) == (
        f"# A\n\n---\n\nIRI: <urn:x:a>  \nGeneration: {GENERATION}\n"
    )


def test_turtle_says_what_the_record_says() -> None:
    graph, _ = graphs(RECORD)
    me = URIRef("urn:x:tide-kiln")
    assert (me, RDF.type, OWL.Class) in graph
    assert set(graph.objects(me, RDFS.label)) == {Literal("Tide Kiln")}
    assert set(graph.objects(me, RDFS.subClassOf)) == {URIRef("urn:x:kiln")}
    assert set(graph.objects(me, SKOS.altLabel)) == {Literal("Sea kiln")}
    assert set(graph.objects(me, SKOS.definition)) == {Literal(RECORD["full"])}
    assert set(graph.objects(me, SKOS.note)) == {Literal(RECORD["prose"])}
    assert set(graph.objects(me, URIRef(LOOM + "uses"))) == {URIRef("urn:x:salt-glaze")}
    assert set(graph.objects(me, URIRef(LOOM + "quality"))) == {Literal(0.7)}
    assert set(graph.objects(URIRef("urn:x:sea"), RDFS.label)) == {Literal('Sea "big"')}


def test_a_relation_never_takes_the_place_of_a_fixed_property() -> None:
    assert predicate_iri("hasPart") == LOOM + "hasPart"
    assert predicate_iri("domain") == LOOM + "relation-domain"
    assert predicate_iri("made of/with") == LOOM + "made%20of%2Fwith"


@pytest.mark.parametrize("iri", ["urn:x:a> .\n<urn:evil", "urn:x:a b", 'urn:x:"{}|^`\\'])
def test_a_faulty_iri_stays_one_iri(iri: str) -> None:
    turtle, jsonld = graphs({**RECORD, "iri": iri})
    assert set(turtle.subjects(RDF.type, OWL.Class)) == {URIRef(escape_iri(iri))}
    assert isomorphic(turtle, jsonld)


texts = st.text(max_size=30)
iris = st.text("abc-é", min_size=1, max_size=4).map("urn:x:".__add__)


@given(
    texts.filter(bool),
    texts,
    st.lists(iris, max_size=3, unique=True),
    st.dictionaries(texts.filter(bool), st.lists(iris, min_size=1, max_size=3, unique=True), max_size=3),
    st.none() | st.floats(0, 1),
)
def test_turtle_and_json_ld_hold_the_same_statements(title, prose, parents, relations, quality) -> None:
    record = {"iri": "urn:x:me", "title": title, "prose": prose, "parents": parents, "relations": relations}
    record = {key: value for key, value in record.items() if value} | ({} if quality is None else {"quality": quality})
    turtle, jsonld = graphs(record)
    assert set(to_canonical_graph(turtle)) == set(to_canonical_graph(jsonld))
    assert Literal(title.encode("utf-8", "replace").decode()) in set(turtle.objects(URIRef("urn:x:me"), RDFS.label))
    json.loads(dumped(as_json(record, title_of, GENERATION)))
