"""What every reader of statements does: axioms and triples once its concepts have been read, the same each time."""

from collections.abc import Callable

import pyoxigraph
import pytest

from loom.build.checks import KINDS
from loom.core.rdf.statements import Statements
from loom.core.reason.axioms import Named, SubClassOf, text
from loom.core.report import Report
from loom.core.values import Concept, Ref
from loom.ports import StatementReader
from loom_adapters.concept_list import FakeOntology
from loom_adapters.rdf_file import RdfFiles
from loom_adapters.source_files import FakeFiles, Wanted

A, B = "http://example.org/a", "http://example.org/b"
OWL, RDFS = "http://www.w3.org/2002/07/owl#", "http://www.w3.org/2000/01/rdf-schema#"
LINES = tuple(
    sorted(
        [
            *(f"<{iri}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{OWL}Class> ." for iri in (A, B)),
            f"<{B}> <{RDFS}subClassOf> <{A}> .",
        ]
    )
)


def _held() -> FakeOntology:
    stated = Statements((SubClassOf(Named(B), Named(A)),), LINES, about=frozenset({A, B}))
    return FakeOntology([Concept(A, "a"), Concept(B, "b", parents=(Ref(A),))], stated)


READERS: dict[str, Callable[[], RdfFiles | FakeOntology]] = {
    "held": _held,
    "file": lambda: RdfFiles(FakeFiles({"ab.nt": "\n".join(LINES)}, Wanted(lambda name: True))),
}


@pytest.fixture(params=READERS)
def reader(request: pytest.FixtureRequest) -> RdfFiles | FakeOntology:
    made = READERS[request.param]()
    assert [concept.iri for concept in made.read(Report(KINDS))] == [A, B]
    return made


def test_it_is_told_from_readers_of_pages(reader: RdfFiles | FakeOntology) -> None:
    assert isinstance(reader, StatementReader)


def test_axioms_and_triples_are_what_was_stated(reader: RdfFiles | FakeOntology) -> None:
    stated = reader.statements()
    assert SubClassOf(Named(B), Named(A)) in stated.axioms
    assert tuple(stated.asserted) == LINES
    assert stated.about == {A, B}


def test_lines_are_sorted_n_triples(reader: RdfFiles | FakeOntology) -> None:
    for lines in (reader.statements().asserted, reader.statements().implied):
        assert list(lines) == sorted(set(lines))
        parsed = list(pyoxigraph.parse("\n".join(lines).encode(), format=pyoxigraph.RdfFormat.N_TRIPLES))
        assert len(parsed) == len(lines)


def test_axioms_come_in_the_order_of_their_texts(reader: RdfFiles | FakeOntology) -> None:
    texts = [text(axiom) for axiom in reader.statements().axioms]
    assert texts == sorted(texts)
