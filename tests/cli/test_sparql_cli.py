"""`loom sparql`, as a person at a terminal has it."""

from pathlib import Path

import pytest
from support.installed import loom
from support.nodes import KILNS
from support.sealed import sealed
from support.triples import sealed_with


@pytest.fixture(scope="module")
def generations(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("generations")
    sealed_with(folder)
    return folder


def test_rows_and_graphs(generations: Path, tmp_path: Path) -> None:
    ran = loom("sparql", "SELECT ?a { k:tide-kiln rdfs:subClassOf ?a } ORDER BY ?a", "--generations", generations)
    assert (ran.returncode, ran.stdout.split(), ran.stderr) == (0, ["a", "urn:test:furnace", "urn:test:kiln"], "")
    file = tmp_path / "query.rq"
    file.write_text("DESCRIBE k:furnace")
    ran = loom("sparql", file, "--generations", generations, "--format", "ntriples")
    assert ran.stdout == '<urn:test:furnace> <http://www.w3.org/2000/01/rdf-schema#label> "Furnace" .\n'


def test_limits_hold_and_faults_are_one_sentence(generations: Path, tmp_path: Path) -> None:
    ran = loom("sparql", "SELECT * { ?s ?p ?o }", "--generations", generations, settings={"LOOM_SPARQL_ROWS": "2"})
    assert (ran.returncode, len(ran.stdout.splitlines())) == (0, 3) and "LOOM_SPARQL_ROWS" in ran.stderr
    for query, said in (
        ("SELECT {", "cannot be parsed at line 1"),
        ("CLEAR ALL {}", "no updates"),
        ("no-such-file.rq", "no-such-file.rq"),
    ):
        ran = loom("sparql", query, "--generations", generations)
        assert ran.returncode == 2 and said in ran.stderr and ran.stderr.count("\n") == 1
    ran = loom("sparql", "ASK {}", "--generations", tmp_path)
    assert ran.returncode == 2 and "no current generation" in ran.stderr


def test_another_generation_than_the_current_one(generations: Path, tmp_path: Path) -> None:
    first = sealed_with(tmp_path)
    sealed(tmp_path, KILNS)
    ran = loom("sparql", "ASK { k:kiln ?p ?o }", "--generations", tmp_path, "--generation", first[7:19], "--format", "json")
    assert (ran.returncode, ran.stdout) == (0, '{"head":{},"boolean":true}')
    ran = loom("sparql", "ASK {}", "--generations", tmp_path)
    assert ran.returncode == 2 and "no triples" in ran.stderr
