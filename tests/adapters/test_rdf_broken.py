"""Broken ontologies: each is told by file, line where there is one, and what to do; nothing else of the source suffers."""

import gzip
import lzma
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loom.build.checks import KINDS
from loom.core.errors import BadSource
from loom.core.rdf.formats import is_rdf
from loom.core.report import Report
from loom_adapters.rdf_file import RdfFiles
from loom_adapters.source_files import FakeFiles, Wanted

RDF = Wanted(is_rdf, "not-rdf")
P = """@prefix : <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
X = '<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://example.org/">\n'
GOOD = "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n<http://example.org/good> a owl:Class ; owl:deprecated false ."


class Broken(NamedTuple):
    """A file, the remark that it makes, the line that the remark names (0: none), and words of the remedy or the cause."""

    name: str
    content: str | bytes
    kind: str
    line: int
    says: str


def _entities(levels: int) -> str:
    declared = '<!ENTITY l0 "lolololololololol">' + "".join(
        f'\n<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, levels)
    )
    return (
        f'<?xml version="1.0"?>\n<!DOCTYPE r [{declared}\n]>\n'
        + X.split("\n", 1)[1]
        + f'<e:A rdf:about="http://a"><e:t>&l{levels - 1};</e:t></e:A></rdf:RDF>'
    )


_CUT = lzma.compress((P + ":a a owl:Class .\n" * 500).encode())[:-20]

BROKEN = [
    Broken("no-dot.ttl", P + ":a a owl:Class\n:b a owl:Class .", "bad-rdf", 5, "mend the line"),
    Broken("prefix.ttl", P + ":a a owl:Class ;\n  foo:bar 1 .", "bad-rdf", 5, "declare the prefix"),
    Broken("open-text.ttl", P + ':a rdfs:label "never closed\n .', "bad-rdf", 4, "ends early"),
    Broken("iri-space.ttl", P + "<http://example.org/a b> a owl:Class .", "bad-rdf", 4, "%20"),
    Broken("language.ttl", P + ':a rdfs:label "x"@waytoolonglanguage .', "bad-rdf", 4, "mend the line"),
    Broken("cut.ttl", P + ":a a owl:Class ;", "bad-rdf", 4, "ends early"),
    Broken("brackets.ttl", P + ":a rdfs:subClassOf [ a owl:Class .", "bad-rdf", 4, "mend the line"),
    Broken("literal-subject.nt", '"a" <http://p> <http://o> .', "bad-rdf", 1, "mend the line"),
    Broken("tags.rdf", X + "<e:A>\n</e:B></rdf:RDF>", "bad-rdf", 4, "mend the line"),
    Broken("cut.rdf", X + '<e:A rdf:about="http://a">\n', "bad-rdf", 4, "fetch it again"),
    Broken("attribute.rdf", X + "<e:A rdf:about=http://a/></rdf:RDF>", "bad-rdf", 3, "well-formed"),
    Broken("prefix.rdf", X + '<e:A rdf:about="http://a"/>\n<owl:Class rdf:about="http://b"/></rdf:RDF>', "bad-rdf", 4, "declare the prefix"),
    Broken("iri.rdf", X + '\n<e:A rdf:about="http://a b"/></rdf:RDF>', "bad-rdf", 4, "%20"),
    Broken("mixed.rdf", X + '<e:A rdf:about="http://a"><e:p>text<e:B/></e:p></e:A></rdf:RDF>', "bad-rdf", 0, "mend the line"),
    Broken("entity.rdf", X + '<e:A rdf:about="&nobody;a"/></rdf:RDF>', "bad-rdf", 3, "well-formed"),
    Broken("laughs.owl", _entities(12), "entity-trick", 6, "write the text out"),
    Broken("laughs-few.owl", _entities(4).replace("&l3;</e:t>", "&l3;" * 5000 + "</e:t>"), "entity-trick", 6, "write the text out"),
    Broken("outside.owl", '<?xml version="1.0"?>\n<!DOCTYPE r [\n<!ENTITY x SYSTEM "file:///etc/passwd">]>\n' + X.split("\n", 1)[1] + "</rdf:RDF>", "entity-trick", 3, "read from outside"),
    Broken("parameter.owl", '<?xml version="1.0"?>\n<!DOCTYPE r [<!ENTITY % x "<!ELEMENT a ANY>"> %x;]>\n' + X.split("\n", 1)[1] + "</rdf:RDF>", "entity-trick", 2, "parameter entity"),
    Broken("deep.rdf", X + '<rdf:Description><e:p>' * 3000 + "</e:p></rdf:Description>" * 3000 + "</rdf:RDF>", "too-deep", 3, "side by side"),
    Broken("deep.jsonld", '{"@id": "http://a", "http://p":\n' * 5000 + "1" + "}" * 5000, "too-deep", 101, "side by side"),
    Broken("latin.ttl", P.encode() + ':a rdfs:label "café" .'.encode("latin-1"), "bad-encoding", 4, "save the file as UTF-8"),
    Broken("latin.rdf", (X + "\n<!-- café --></rdf:RDF>").encode("latin-1"), "bad-encoding", 4, "state its encoding"),
    Broken("unknown.rdf", '<?xml version="1.0" encoding="klingon-8"?>\n<a/>', "bad-encoding", 1, "not known"),
    Broken("binary.ttl", P.encode() + b"\x00\x01\x02", "bad-encoding", 4, "no text"),
    Broken("packed.ttl", gzip.compress(P.encode()), "bad-encoding", 0, "gzip"),
    Broken("half.ttl.xz", _CUT, "damaged-file", 0, "fetch it again"),
    Broken("not-packed.ttl.gz", P, "damaged-file", 0, "fetch it again"),
    Broken("empty.ttl", "# nothing but this\n", "empty-file", 0, "empty"),
    Broken("functional.owl", "# OWL\nPrefix(:=<http://a#>)\nOntology(<http://a>)", "other-format", 2, "functional syntax"),
    Broken("manchester.omn", "Prefix: : <http://a#>\nClass: A", "other-format", 1, "Manchester"),
    Broken("terms.obo", "format-version: 1.2\n\n[Term]\nid: A:1", "other-format", 1, "OBO"),
    Broken("page.owl", "<!DOCTYPE html>\n<html><body>404</body></html>", "other-format", 1, "HTML"),
    Broken("owl-xml.owl", '<?xml version="1.0"?>\n<Ontology xmlns="http://www.w3.org/2002/07/owl#"/>', "other-format", 2, "OWL/XML"),
    Broken("remote.jsonld", '{"@context": "https://example.org/context.json", "@id": "http://a"}', "bad-rdf", 1, "context into the file"),
    Broken("comma.jsonld", '{"@id": "http://a",\n"http://p": ,}', "bad-rdf", 2, "mend the line"),
    Broken("import.ttl", P + "<http://o> a owl:Ontology ;\n  owl:imports <http://nowhere.org/x> .", "missing-import", 5, "http://nowhere.org/x"),
    Broken("relative.ttl", P + "<a> a owl:Class ; rdfs:label 'A' .", "relative-iri", 0, "relative to no base"),
    Broken("cycle.ttl", P + ":a rdfs:subClassOf :a ; rdfs:label 'A' .", "parent-cycle", 4, "below itself"),
    Broken("literal.ttl", P + ":a a owl:Class ; rdfs:label 'A' ;\n rdfs:comment '" + "x" * 200_000 + "' .", "long-literal", 4, "200,000"),
]  # fmt: skip


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_a_fault_is_told_by_file_and_line_with_a_remedy(broken: Broken) -> None:
    report, started = Report(KINDS), time.monotonic()
    reader = RdfFiles(FakeFiles({broken.name: broken.content, "good.ttl": GOOD}, RDF))
    concepts = {concept.iri for concept in reader.read(report)}
    assert "http://example.org/good" in concepts
    example = report.as_json()[broken.kind]["examples"][0]
    assert example["where"] == (f"{broken.name}:{broken.line}" if broken.line else broken.name)
    assert broken.says in example["message"]
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    "broken",
    [one for one in BROKEN if KINDS[one.kind].severity == "error" and one.kind != "missing-import"],
    ids=lambda one: one.name,
)
def test_a_source_of_nothing_else_is_refused_with_its_first_fault(broken: Broken) -> None:
    if broken.kind == "label-collision":
        return
    with pytest.raises(BadSource) as caught:
        list(RdfFiles(FakeFiles({broken.name: broken.content}, RDF)).read(Report(KINDS)))
    assert broken.name in caught.value.message and broken.says in caught.value.message


def _nested(depth: int) -> str:
    return P + ":a rdfs:subClassOf " + "[ owl:unionOf ( :b " * depth + ":c" + ") ]" * depth + " ."


def _shared(levels: int) -> str:
    """Every node holds the next one twice: a text of a few lines that unfolds to 2^levels parts."""
    cells = "\n".join(
        f"_:n{n} owl:intersectionOf ( _:n{n + 1} _:m{n + 1} ) . _:m{n} owl:unionOf ( _:n{n + 1} _:m{n + 1} ) ."
        for n in range(levels)
    )
    return P + f":a rdfs:subClassOf _:n0 ; rdfs:label 'A' .\n{cells}\n_:n{levels} a owl:Class . _:m{levels} a owl:Class ."


@pytest.mark.parametrize(
    "text",
    [
        _nested(20_000),
        _shared(60),
        P + ":a rdfs:subClassOf _:x . _:x owl:complementOf _:y . _:y owl:complementOf _:x .",
        P + ":a owl:equivalentClass _:l . _:l owl:unionOf _:c . _:c <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> :b ;"
        " <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest> _:c .",
        P + ":a rdfs:subClassOf " + ", ".join("[ owl:onProperty :p ; owl:someValuesFrom :b ]" for _ in range(20_000)) + " .",
    ],
    ids=["nested", "shared", "circle", "list that comes back", "twenty thousand alike"],
)
def test_bombs_of_blank_nodes_are_read_in_bounded_time(text: str) -> None:
    started = time.monotonic()
    reader = RdfFiles(FakeFiles({"bomb.ttl": text}, RDF))
    assert "http://example.org/a" in {concept.iri for concept in reader.read(Report(KINDS))}
    assert reader.statements().axioms
    assert not any(" _:" in line for line in reader.statements().asserted)
    assert time.monotonic() - started < 30


FIXTURE = Path(__file__).resolve().parents[2] / "fixtures" / "ontology"
SEEDS = {path.name: path.read_bytes() for path in sorted(FIXTURE.iterdir())}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(sorted(SEEDS)), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 300), st.binary(max_size=6)), max_size=6)
)
def test_whatever_is_done_to_a_file_it_is_read_or_refused(name: str, changes: list[tuple[float, int, bytes]]) -> None:
    data = SEEDS[name]
    for place, length, put in changes:
        at = int(place * len(data))
        data = data[:at] + put + data[at + length :]
    reader, report = RdfFiles(FakeFiles({name: data}, RDF)), Report(KINDS)
    try:
        concepts = list(reader.read(report))
    except BadSource as error:
        assert name in error.message
        return
    assert len({concept.iri for concept in concepts}) == len(concepts)
    assert not any(" _:" in line or line.startswith("_:") for line in reader.statements().asserted)


def test_encodings_that_are_stated_are_read() -> None:
    text = X.replace("?>", ' encoding="{}"?>', 1) + '<e:A rdf:about="http://a"><e:t>café</e:t></e:A></rdf:RDF>'
    owl = "http://www.w3.org/2002/07/owl#Class"
    text = text.replace(
        "<e:A ", f'<rdf:Description rdf:about="http://a"><rdf:type rdf:resource="{owl}"/></rdf:Description><e:A '
    )
    forms = {
        "latin.rdf": text.format("ISO-8859-1").encode("latin-1"),
        "utf16.rdf": text.format("UTF-16").encode("utf-16"),
        "bom.rdf": text.format("UTF-8").encode("utf-8-sig"),
        "bom.ttl": (P + ':a a owl:Class ; rdfs:label "café" .').encode("utf-8-sig"),
    }
    for name, data in forms.items():
        report = Report(KINDS)
        reader = RdfFiles(FakeFiles({name: data}, RDF))
        assert len(list(reader.read(report))) == 1
        assert any('"café"' in line for line in reader.statements().asserted)
        assert not report.of("error")


def test_entities_in_either_kind_of_quotes_are_read() -> None:
    text = (
        "<?xml version='1.0'?>\n<!DOCTYPE rdf:RDF [\n  <!ENTITY e 'http://example.org/'>\n  <!ENTITY c \"&e;c\"> ]>\n"
        + X.split("\n", 1)[1]
    )
    text += (
        '<rdf:Description rdf:about="&c;"><rdf:type rdf:resource="http://www.w3.org/2002/07/owl#Class"/></rdf:Description>\n'
    )
    text += '<e:A rdf:about="http://a b"/></rdf:RDF>'
    report = Report(KINDS)
    list(RdfFiles(FakeFiles({"a.owl": text, "good.ttl": GOOD}, RDF)).read(report))
    assert report.as_json()["bad-rdf"]["examples"][0]["where"] == "a.owl:7"
    concepts = list(RdfFiles(FakeFiles({"a.owl": text.replace("a b", "ab")}, RDF)).read(Report(KINDS)))
    assert [(concept.iri, concept.where.line) for concept in concepts] == [("http://example.org/c", 6)]
