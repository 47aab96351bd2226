"""What shapes do: they say of triples what does not fit, and why shapes themselves are none."""

from collections.abc import Callable
from pathlib import Path

import pytest

from loom.build import stage
from loom.build.checks import KINDS
from loom.core.errors import BadInput
from loom.core.rdf.shapes import Violation
from loom.core.report import Report
from loom.core.values import Concept, Where
from loom.ports import Shapes
from loom_adapters.concept_list import FakeCorpus
from loom_adapters.shacl_shapes import FakeShapes, ShaclShapes

A, B = "urn:x:a", "urn:x:b"
SHAPES = """@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
[] a sh:NodeShape ; sh:targetClass owl:Class ;
  sh:property [ sh:path skos:definition ; sh:minCount 1 ; sh:message "Define it." ] ;
  sh:property [ sh:path <urn:loom:ns#domain> ; sh:minCount 1 ; sh:severity sh:Warning ; sh:message "Place it." ] .
"""
CONCEPTS = [
    Concept(A, "A", where=Where("a.md", 3)),
    Concept(B, "B", "What B is.", domain="letters", where=Where("b.md", 1)),
]
FOUND = [Violation(A, "error", "Define it.", "definition"), Violation(A, "warning", "Place it.", "domain")]


def _file(folder: Path) -> ShaclShapes:
    (folder / "shapes.ttl").write_text(SHAPES)
    return ShaclShapes(folder / "shapes.ttl")


KINDS_OF: dict[str, Callable[[Path], Shapes]] = {"held": lambda folder: FakeShapes(FOUND), "file": _file}


@pytest.fixture(params=KINDS_OF)
def work(request: pytest.FixtureRequest, tmp_path: Path) -> stage.Work:
    work = stage.Work([stage.Source("x", FakeCorpus(CONCEPTS))], Report(KINDS), shapes=KINDS_OF[request.param](tmp_path))
    stage.run(work, stage.found())
    return work


def test_what_does_not_fit_is_in_the_order_of_nodes(work: stage.Work) -> None:
    assert work.shapes is not None
    triples = work.parts["triples"]
    data = bytes(triples["asserted.nt"]) + bytes(triples["inferred.nt"])
    assert list(work.shapes.violations(data)) == list(work.shapes.violations(data)) == FOUND


def test_what_does_not_fit_is_in_the_report(work: stage.Work) -> None:
    said = work.report.as_json()
    assert said["shape-violation"]["examples"] == [{"where": "a.md:3", "message": "'A' (definition): Define it."}]
    assert said["shape-warning"]["examples"] == [{"where": "a.md:3", "message": "'A' (domain): Place it."}]
    assert work.report.of("error") == {"shape-violation": 1}


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("s.ttl", "this is no turtle", "cannot be read"),
        ("s.ttl", "<urn:a> <urn:b> <urn:c> .", "states none"),
        ("s.rdf", "<a", "cannot be read"),
        ("s.jsonld", "{}", "cannot be read"),
        ("gone.ttl", None, "cannot be read"),
    ],
)
def test_a_file_without_shapes_is_refused(tmp_path: Path, name: str, content: str | None, says: str) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(BadInput, match=says):
        ShaclShapes(tmp_path / name)
