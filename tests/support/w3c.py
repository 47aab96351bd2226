"""The W3C's SPARQL 1.1 tests: their manifests, data and expected results, from the archive beside the real corpus."""

import csv
import io
import os
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pyoxigraph as ox
import pytest

FOLDER = Path(os.environ.get("LOOM_TEST_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")
MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
QT = "http://www.w3.org/2001/sw/DataAccess/tests/test-query#"
UT = "http://www.w3.org/2009/sparql/tests/test-update#"
HT = "http://www.w3.org/2011/http#"
CNT = "http://www.w3.org/2011/content#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
RS = "http://www.w3.org/2001/sw/DataAccess/tests/result-set#"
BASE = "http://example.test/"


@cache
def suite() -> Path:
    """The folder of the suite; skips the test where the archive is absent."""
    archive = FOLDER / "suites" / "w3c-sparql11.tar.xz"
    if not archive.is_file():
        pytest.skip(f"needs {archive}; set LOOM_TEST_DATA to the folder of the suites")
    folder = _unpacked()
    with tarfile.open(archive) as tar:
        tar.extractall(folder.name, filter="data")
    return Path(folder.name, "sparql", "sparql11")


@cache
def _unpacked() -> "TemporaryDirectory[str]":
    return TemporaryDirectory(prefix="loom-w3c-")


class Manifest:
    """One manifest, walked by predicates. IRIs of files are `BASE` and the path below the suite."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.store = ox.Store()
        self.store.load(path=suite() / name / "manifest.ttl", base_iri=f"{BASE}{name}/manifest.ttl")

    def all(self, subject: object, predicate: str) -> list:
        return [quad.object for quad in self.store.quads_for_pattern(subject, ox.NamedNode(predicate), None, None)]

    def one(self, subject: object, predicate: str) -> object:
        found = self.all(subject, predicate)
        return found[0] if found else None

    def items(self, head: object) -> Iterator:
        while head is not None and head != ox.NamedNode(RDF + "nil"):
            yield self.one(head, RDF + "first")
            head = self.one(head, RDF + "rest")

    def entries(self) -> Iterator[tuple[object, str]]:
        """Every test, with the local name of its type."""
        (manifest,) = [q.subject for q in self.store.quads_for_pattern(None, ox.NamedNode(MF + "entries"), None, None)]
        for test in self.items(self.one(manifest, MF + "entries")):
            kinds = [kind.value.removeprefix(MF) for kind in self.all(test, RDF + "type")]
            yield test, kinds[0]


def path_of(iri: str) -> Path:
    return suite() / iri.removeprefix(BASE)


@dataclass(frozen=True)
class Evaluation:
    """A query over data, and where its result is. `graphs` are names and files."""

    id: str
    kind: str
    query: str
    base: str
    data: tuple[str, ...] = ()
    graphs: tuple[tuple[str, str], ...] = ()
    result: str | None = None


def evaluations(names: tuple[str, ...]) -> Iterator[Evaluation]:
    for name in names:
        manifest = Manifest(name)
        for test, kind in manifest.entries():
            id = f"{name}/{test.value.rpartition('#')[2]}"
            action = manifest.one(test, MF + "action")
            if isinstance(action, ox.NamedNode):
                yield Evaluation(id, kind, path_of(action.value).read_text("utf-8"), action.value)
                continue
            query = manifest.one(action, QT + "query")
            result = manifest.one(test, MF + "result")
            named = []
            for graph in manifest.all(action, QT + "graphData"):
                if isinstance(graph, ox.NamedNode):
                    named.append((graph.value, graph.value))
            yield Evaluation(
                id, kind, path_of(query.value).read_text("utf-8"), query.value,
                tuple(data.value for data in manifest.all(action, QT + "data")), tuple(named),
                result.value if isinstance(result, ox.NamedNode) else None,
            )  # fmt: skip


def quads(evaluation: Evaluation, default: str) -> str:
    """The data as N-Quads, with what is in the default graph under a name."""
    store = ox.Store()
    for file in evaluation.data:
        store.load(path=path_of(file), base_iri=file, to_graph=ox.NamedNode(default))
    for name, file in evaluation.graphs:
        store.load(path=path_of(file), base_iri=file, to_graph=ox.NamedNode(name))
    return store.dump(format=ox.RdfFormat.N_QUADS).decode()


Rows = list[dict[str, object]]


@dataclass
class Table:
    """A result set, or a boolean."""

    rows: Rows = field(default_factory=list)
    boolean: bool | None = None


def table(data: bytes, format: ox.QueryResultsFormat) -> Table:
    found = ox.parse_query_results(data, format)
    if isinstance(found, ox.QueryBoolean):
        return Table(boolean=bool(found))
    names = found.variables
    return Table([{name.value: row[name] for name in names if row[name] is not None} for row in found])


def expected(file: str) -> Table | ox.Dataset:
    """The expected result of a test: a table, or a graph."""
    path = path_of(file)
    formats = {".srx": ox.QueryResultsFormat.XML, ".srj": ox.QueryResultsFormat.JSON, ".tsv": ox.QueryResultsFormat.TSV}
    if path.suffix in formats:
        return table(path.read_bytes(), formats[path.suffix])
    graph = ox.Dataset(ox.parse(path=path, base_iri=file))
    sets = list(graph.quads_for_object(ox.NamedNode(RS + "ResultSet")))
    return _as_table(graph, sets[0].subject) if sets else graph


def _as_table(graph: ox.Dataset, subject: object) -> Table:
    def objects(node: object, name: str) -> list:
        return [quad.object for quad in graph.quads_for_subject(node) if quad.predicate.value == RS + name]

    booleans = objects(subject, "boolean")
    if booleans:
        return Table(boolean=booleans[0].value == "true")
    rows = []
    for solution in objects(subject, "solution"):
        rows.append({objects(each, "variable")[0].value: objects(each, "value")[0] for each in objects(solution, "binding")})
    return Table(rows)


def canonical(rows: Rows) -> set:
    """The rows without their order, and without the names of blank nodes."""
    made = ox.Dataset()
    for number, row in enumerate(rows):
        subject = ox.BlankNode(f"row{number}")
        made.add(ox.Quad(subject, ox.NamedNode("urn:row"), ox.Literal(len(row))))
        for name, value in row.items():
            made.add(ox.Quad(subject, ox.NamedNode("urn:var:" + name), by_value(value)))
    made.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return set(made)


XSD = "http://www.w3.org/2001/XMLSchema#"
WHOLE = {XSD + name for name in ("integer", "int", "long", "short", "byte", "nonNegativeInteger", "positiveInteger")}


def by_value(term: object) -> object:
    """A term with its number, where it is one, written in one way: 1.0 and 1, 3.0E4 and 30000 are the same values."""
    if not isinstance(term, ox.Literal):
        return term
    kind = term.datatype.value
    try:
        if kind in WHOLE:
            return ox.Literal(str(int(term.value)), datatype=term.datatype)
        if kind == XSD + "boolean":
            return ox.Literal({"1": "true", "0": "false"}.get(term.value, term.value), datatype=term.datatype)
        if kind == XSD + "decimal":
            return ox.Literal(format(Decimal(term.value).normalize(), "f"), datatype=term.datatype)
        if kind in (XSD + "double", XSD + "float"):
            return ox.Literal(repr(float(term.value)), datatype=term.datatype)
    except (ValueError, InvalidOperation):
        pass
    return term


def same_graph(left: ox.Dataset, right: ox.Dataset) -> bool:
    for each in (left, right):
        each.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return left == right


def csv_rows(text: str) -> list[list[tuple[str, object]]]:
    """Rows of CSV, in one order of rows and columns (`SELECT *` leaves both open); blank nodes are all alike, numbers are values."""

    def value(cell: str) -> object:
        try:
            return str(float(cell))
        except ValueError:
            return "_:" if cell.startswith("_:") else cell

    rows = csv.DictReader(io.StringIO(text))
    return sorted(sorted((name, value(cell)) for name, cell in row.items()) for row in rows)
