"""SPARQL over HTTP: what the protocol leaves to the node, and how it follows generations."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pyoxigraph as ox
import pytest
from support.installed import Node
from support.node_process import serving
from support.nodes import KILNS, OTHERS
from support.sealed import sealed
from support.sparql import ask, ready
from support.triples import ASSERTED, sealed_with

from loom_adapters.generation_folder import GenerationFolder

DIRECT = {"content-type": "application/sparql-query"}


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    folder = tmp_path_factory.mktemp("generations")
    sealed_with(folder)
    with serving(folder, LOOM_SPARQL_ROWS="5", LOOM_SPARQL_DEADLINE="1") as started:
        ready(started)
        yield started


def raw(
    node: Node, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
) -> tuple[int, dict, bytes]:
    import http.client
    from urllib.parse import urlsplit

    connection = http.client.HTTPConnection(urlsplit(node.base).netloc, timeout=30)
    try:
        connection.request(method, path, body or None, headers or {})
        answer = connection.getresponse()
        return answer.status, {key.lower(): value for key, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def test_an_answer_says_its_generation_and_limits(node: Node) -> None:
    answer = ask(node, "SELECT ?above { k:tide-kiln rdfs:subClassOf ?above } ORDER BY ?above")
    assert [row["above"]["value"] for row in answer.json()["results"]["bindings"]] == ["urn:test:furnace", "urn:test:kiln"]
    assert answer.headers["x-loom-generation"] == node.call("/health").json()["generation"]
    assert answer.headers["x-loom-limits"] == "seconds=1, rows=5, bytes=16777216"
    assert answer.headers["vary"] == "accept" and "x-loom-truncated" not in answer.headers
    assert ask(node, "SELECT * { ?s ?p ?o }").headers["x-loom-truncated"] == "rows"


@pytest.mark.parametrize("path", ["/sparql", "/sparql/", "/loom/sparql"])
@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"ASK { k:kiln ?p ?o }", DIRECT),
        (b"query=ASK+%7B+k%3Akiln+%3Fp+%3Fo+%7D", {"content-type": "application/x-www-form-urlencoded; charset=UTF-8"}),
        (b'{"query": "ASK { k:kiln ?p ?o }"}', {"content-type": "application/json"}),
        (b'{"query": "ASK { k:kiln ?p ?o }"}', {}),
    ],
)
def test_each_form_of_a_query_is_taken(node: Node, path: str, body: bytes, headers: dict[str, str]) -> None:
    status, _, said = raw(node, "POST", path, body, headers)
    assert status == 200 and json.loads(said)["boolean"] is True


@pytest.mark.parametrize("accept", ["text/turtle", "application/n-triples", "application/rdf+xml"])
def test_an_empty_get_describes_the_service(node: Node, accept: str) -> None:
    status, headers, body = raw(node, "GET", "/sparql", headers={"accept": accept})
    assert status == 200 and headers["content-type"].startswith(accept)
    graph = ox.Dataset(ox.parse(body, {"text/turtle": ox.RdfFormat.TURTLE, "application/n-triples": ox.RdfFormat.N_TRIPLES,
                                       "application/rdf+xml": ox.RdfFormat.RDF_XML}[accept]))  # fmt: skip
    sd = "http://www.w3.org/ns/sparql-service-description#"
    found = {(quad.predicate.value, quad.object.value) for quad in graph if isinstance(quad.object, ox.NamedNode)}
    assert (sd + "endpoint", f"{node.base}/sparql") in found
    assert (sd + "supportedLanguage", sd + "SPARQL11Query") in found
    assert (sd + "name", "urn:loom:graph:inferred") in found
    assert any(quad.object == ox.NamedNode(sd + "Service") for quad in graph)


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status", "said"),
    [
        ("PUT", "/sparql", b"ASK {}", DIRECT, 405, "GET, HEAD, POST, OPTIONS"),
        ("DELETE", "/sparql", b"", {}, 405, "does not take DELETE"),
        ("GET", "/sparql?query=ASK%20%7B%7D&query=ASK%20%7B%7D", b"", {}, 400, "2 came"),
        ("GET", "/sparql?query=", b"", {}, 400, "empty"),
        ("GET", "/sparql?query=ASK%20%7B%20%3Fs%20%3Fp%20%22%FF%22%20%7D", b"", {}, 400, "UTF-8"),
        ("GET", "/sparql?update=CLEAR%20ALL", b"", {}, 403, "updates"),
        ("POST", "/sparql?query=ASK%20%7B%7D", b"ASK {}", DIRECT, 400, "body"),
        ("POST", "/sparql", b"", {}, 400, "empty"),
        ("POST", "/sparql", b"ASK {}", {"content-type": "text/plain"}, 415, "text/plain"),
        ("POST", "/sparql", b"ASK {}", {}, 415, "content type"),
        ("POST", "/sparql", "ASK {}".encode("utf-16"), {"content-type": "application/sparql-query; charset=UTF-16"}, 415, "UTF-8"),
        ("POST", "/sparql", "ASK { ?s ?p 'ä' }".encode("latin-1"), DIRECT, 400, "0xe4 at offset 13"),
        ("POST", "/sparql", b'{"query": "ASK { ?s ?p \'\\ud800\' }"}', {}, 400, "surrogate"),
        ("POST", "/sparql", b'{"query": 1}', {}, 400, "as text"),
        ("POST", "/sparql", b'{"query": ', {}, 400, "cannot be parsed"),
        ("POST", "/sparql", b"[]", {}, 400, "JSON object"),
        ("POST", "/sparql", b"DROP ALL", {"content-type": "application/sparql-update"}, 403, "updates"),
        ("POST", "/sparql", b"PREFIX x: <urn:x> DELETE WHERE { ?s ?p ?o }", DIRECT, 403, "updates"),
        ("POST", "/sparql", b"ASK {}", {**DIRECT, "accept": "image/png"}, 406, "acceptable"),
        ("POST", "/sparql", b"SELECT * {\n  ?s ?p }", DIRECT, 400, "line 2, column"),
        ("GET", "/sparql?query=ASK%20%7B%7D&format=yaml", b"", {}, 400, "'yaml'"),
        ("GET", "/sparql?query=ASK%7B%7D&named-graph-uri=urn%3Ax", b"", {}, 400, "urn:x"),
    ],
)  # fmt: skip
def test_what_is_refused_says_why(
    node: Node, method: str, path: str, body: bytes, headers: dict[str, str], status: int, said: str
) -> None:
    came, sent, answer = raw(node, method, path, body, headers)
    problem = json.loads(answer)
    assert (came, sent["content-type"], problem["status"]) == (status, "application/problem+json", status)
    assert said in problem["detail"]
    assert status != 405 or sent["allow"] == "GET, HEAD, POST, OPTIONS"


def test_head_and_options(node: Node) -> None:
    status, headers, body = raw(node, "HEAD", "/sparql?" + urlencode({"query": "ASK {}"}))
    assert (status, body, headers["content-type"]) == (200, b"", "application/sparql-results+json")
    status, headers, _ = raw(node, "OPTIONS", "/sparql")
    assert (status, headers["allow"]) == (204, "GET, HEAD, POST, OPTIONS")


def test_words_of_updates_inside_a_text_are_no_updates(node: Node) -> None:
    query = 'SELECT ?s { ?s rdfs:label ?l FILTER(CONTAINS(STR(?l), "load") || ?l = "SERVICE <x> { DROP }") } # INSERT DATA'
    assert len(ask(node, query).json()["results"]["bindings"]) == 1


def test_health_and_metrics_tell_of_it(node: Node) -> None:
    ask(node, "nonsense")
    health = node.call("/health").json()
    assert health["sparql"]["state"] == "ready" and health["status"] == "ok"
    assert health["graph"]["available"] is True and health["graph"]["triples"] == 7
    text = node.call("/metrics").body.decode()
    assert 'loom_sparql_queries_total{result="answered"}' in text and 'result="refused"' in text


def test_a_query_that_takes_too_long_is_stopped_and_the_next_is_answered(node: Node) -> None:
    many = " ".join(f"?s{n} ?p{n} ?o{n} ." for n in range(12))
    started = time.monotonic()
    answer = ask(node, f"SELECT (COUNT(*) AS ?n) {{ {many} }}")
    assert answer.status == 504 and "LOOM_SPARQL_DEADLINE" in answer.json()["detail"]
    assert time.monotonic() - started < 6
    assert ask(node, "ASK {}").status == 200


def children_of(pid: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout.split()
    return [int(each) for each in found]


def keeper_of(node: Node) -> int:
    for pid in children_of(node.process.pid):
        if "loom.serve.keeping" in Path(f"/proc/{pid}/cmdline").read_text():
            return pid
    raise AssertionError("there is no keeper")


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks processes up in /proc")
def test_processes_that_die_are_replaced(tmp_path: Path) -> None:
    sealed_with(tmp_path)
    with serving(tmp_path) as node:
        ready(node)
        keeper = keeper_of(node)
        (holder,) = children_of(keeper)
        for victim in (children_of(holder)[0], holder, keeper):
            os.kill(victim, signal.SIGKILL)
            time.sleep(0.1)
            ready(node)
            assert node.chat("What is a kiln?").status == 200
        assert keeper_of(node) != keeper
    time.sleep(0.2)
    assert not [line for line in node.lines if "Traceback" in line]


def test_it_follows_the_current_generation(tmp_path: Path) -> None:
    first = sealed_with(tmp_path)
    second = sealed_with(tmp_path, ASSERTED + "<urn:test:new> <urn:test:p> <urn:test:q> .\n", point=False)
    bare = sealed(tmp_path, OTHERS, point=False)
    store = GenerationFolder(tmp_path)
    with serving(tmp_path, "--workers", "2") as node:
        ready(node)
        assert ask(node, "ASK { k:new ?p ?o }").headers["x-loom-generation"] == first
        assert node.call("/loom/admin/generation", {"id": second}).status == 200
        until = time.monotonic() + 20
        while (answer := ask(node, "ASK { k:new ?p ?o }")).headers["x-loom-generation"] != second:
            assert answer.status == 200 and time.monotonic() < until
            time.sleep(0.02)
        assert answer.json()["boolean"] is True
        store.point(bare)
        while (answer := ask(node, "ASK {}")).status == 200:
            assert time.monotonic() < until + 20
            time.sleep(0.02)
        assert (answer.status, answer.json()["error"]) == (404, "no_triples")
        store.point(first)
        while ask(node, "ASK {}").status != 200:
            assert time.monotonic() < until + 40
            time.sleep(0.02)


def test_a_node_without_triples_says_so_and_serves_on(tmp_path: Path) -> None:
    sealed(tmp_path, KILNS)
    with serving(tmp_path) as node:
        until = time.monotonic() + 20
        while node.call("/health").json()["sparql"]["state"] != "absent":
            assert time.monotonic() < until
            time.sleep(0.05)
        answer = ask(node, "ASK {}")
        assert answer.status == 404 and "no triples" in answer.json()["detail"] and "retry-after" not in answer.headers
        assert node.call("/health").json()["status"] == "ok"
        assert node.chat("What is a kiln?").status == 200


def test_it_can_be_switched_off(tmp_path: Path) -> None:
    sealed_with(tmp_path)
    with serving(tmp_path, LOOM_SPARQL="off") as node:
        answer = ask(node, "ASK {}")
        assert answer.status == 404 and "LOOM_SPARQL is off" in answer.json()["detail"]
        assert node.call("/health").json()["sparql"]["state"] == "off"
        assert not [pid for pid in children_of(node.process.pid) if "keeping" in Path(f"/proc/{pid}/cmdline").read_text()]


def test_no_process_is_left_behind(tmp_path: Path) -> None:
    sealed_with(tmp_path)
    with serving(tmp_path) as node:
        ready(node)
        keeper = keeper_of(node)
        below = [keeper, *children_of(keeper), *(child for holder in children_of(keeper) for child in children_of(holder))]
        assert len(below) >= 3
        for pid in below:
            os.kill(pid, signal.SIGTERM)
        assert ask(node, "ASK {}").status == 200, "they end when the node does, not before"
        assert all(os.path.exists(f"/proc/{pid}") for pid in below)
    until = time.monotonic() + 5
    while left := [pid for pid in below if os.path.exists(f"/proc/{pid}")]:
        assert time.monotonic() < until, left
        time.sleep(0.05)
