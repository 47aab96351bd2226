"""The W3C's tests of the SPARQL 1.1 protocol, over HTTP: the query side passes, the update side is refused."""

import http.client
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import pyoxigraph as ox
import pytest
from support.installed import Node
from support.node_process import serving
from support.sparql import ready
from support.triples import sealed_with
from support.w3c import BASE, CNT, HT, MF, RDF, Manifest, suite

pytestmark = pytest.mark.data

DATA = "http://kasei.us/2009/09/sparql/data/"
QUERY_SIDE, UPDATE_SIDE = 20, 14
FORMATS = {
    "boolean": ("application/sparql-results+json", "application/sparql-results+xml"),
    "tabular": ("application/sparql-results+json", "application/sparql-results+xml", "text/csv", "text/tab-separated-values"),
    "RDF": ("text/turtle", "application/n-triples", "application/rdf+xml", "application/ld+json"),
}


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    statuses: frozenset[int]
    format: str | None
    boolean: bool | None


def requests() -> Iterator[tuple[str, list[Request]]]:
    manifest = Manifest("protocol")
    for test, _ in manifest.entries():
        action = manifest.one(test, MF + "action")
        lists = list(manifest.items(manifest.one(action, HT + "requests")))
        yield test.value.rpartition("#")[2], [_request(manifest, each) for each in lists]


def _text(manifest: Manifest, node: object, predicate: str) -> str:
    found = manifest.one(node, predicate)
    return found.value if found is not None else ""


def _request(manifest: Manifest, node: object) -> Request:
    body = manifest.one(node, HT + "body")
    encoding = _text(manifest, body, CNT + "characterEncoding") if body is not None else "utf-8"
    headers = {
        _text(manifest, each, HT + "fieldName"): _text(manifest, each, HT + "fieldValue")
        for each in manifest.items(manifest.one(node, HT + "headers"))
    }
    answer = manifest.one(node, HT + "resp")
    statuses = {status.value.rpartition("StatusCode")[2][0] for status in manifest.all(answer, MF + "expectedStatus")}
    boolean = _text(manifest, answer, MF + "expectedBoolean")
    return Request(
        _text(manifest, node, HT + "methodName"),
        _text(manifest, node, HT + "absolutePath"),
        headers,
        _text(manifest, body, CNT + "chars").encode(encoding) if body is not None else b"",
        frozenset(int(status) for status in statuses),
        _text(manifest, answer, MF + "expectedFormat") or None,
        {"true": True, "false": False}.get(boolean),
    )


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    suite()
    folder = tmp_path_factory.mktemp("generations")
    names = [f"{DATA}data{number}.rdf" for number in range(4)]
    quads = "".join(f"<{name}> <{RDF}type> <http://xmlns.com/foaf/0.1/Document> <{name}> .\n" for name in names)
    sealed_with(folder, quads=quads)
    with serving(folder) as started:
        ready(started)
        yield started


def send(node: Node, request: Request) -> tuple[int, str, bytes]:
    connection = http.client.HTTPConnection(urlsplit(node.base).netloc, timeout=30)
    try:
        connection.request(request.method, request.path, request.body or None, request.headers)
        answer = connection.getresponse()
        return answer.status, (answer.getheader("content-type") or "").partition(";")[0], answer.read()
    finally:
        connection.close()


def is_update(name: str) -> bool:
    return "update" in name


def fault_of(node: Node, request: Request) -> str | None:
    status, media, body = send(node, request)
    if status // 100 not in request.statuses:
        return f"status {status}, not one of {sorted(request.statuses)}: {body[:200]!r}"
    if status >= 500:
        return f"status {status}"
    if request.format and media not in FORMATS[request.format]:
        return f"{media} is not {request.format}"
    if request.boolean is not None:
        parsed = ox.parse_query_results(
            body, ox.QueryResultsFormat.JSON if media.endswith("json") else ox.QueryResultsFormat.XML
        )
        if bool(parsed) != request.boolean:
            return f"{parsed} is not {request.boolean}"
    return None


def test_the_query_side_passes(node: Node) -> None:
    tests = {name: sent for name, sent in requests() if not is_update(name)}
    faults = {name: fault for name, sent in tests.items() for request in sent if (fault := fault_of(node, request))}
    print(f"w3c sparql11 protocol, query side: {len(tests) - len(faults)} of {len(tests)} pass")
    assert len(tests) == QUERY_SIDE and not faults


def test_the_update_side_is_refused(node: Node) -> None:
    tests = {name: sent for name, sent in requests() if is_update(name)}
    statuses = {name: send(node, sent[0])[0] for name, sent in tests.items()}
    print(f"w3c sparql11 protocol, update side: {len(tests)} refused with {sorted(set(statuses.values()))}")
    assert len(tests) == UPDATE_SIDE and set(statuses.values()) <= {400, 403, 415}
    assert node.call("/sparql", {"query": "ASK { ?s <http://example.org/p> ?o }"}).json()["boolean"] is False


def test_an_ordinary_generation_has_no_other_graphs(node: Node) -> None:
    refused = node.call(f"/sparql?query=ASK%7B%7D&default-graph-uri={BASE}none")
    assert refused.status == 400 and BASE in refused.json()["detail"]
