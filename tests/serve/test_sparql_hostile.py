"""Queries that would take a node down: each is refused or stopped, what it took is given back, and chat goes on."""

import json
import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.installed import Answer, Node
from support.node_process import serving
from support.sparql import ask, ready
from support.triples import ASSERTED, LABEL, sealed_with

DEADLINE = 1.0
MANY = "".join(f'<urn:s{n}> <{LABEL}> "thing {n}" .\n<urn:s{n}> <urn:p> <urn:s{n * 7919 % 20000}> .\n' for n in range(20_000))
STOPPED, REFUSED = {503, 504}, {400}

QUERIES = {
    "cross join": ("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }", STOPPED),
    "sorted cross join": ("SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?i ?c ?f", STOPPED),
    "distinct cross join": ("SELECT (COUNT(DISTINCT *) AS ?n) { ?a ?b ?c . ?d ?e ?f }", STOPPED),
    "one giant text": ('SELECT (GROUP_CONCAT(CONCAT(STR(?a), STR(?d)); separator=" ") AS ?x) { ?a ?b ?c . ?d ?e ?f }', STOPPED),
    "doubling text": (
        "SELECT (STRLEN(?z) AS ?n) { BIND('xxxxxxxxxxxxxxxx' AS ?v0) "
        + " ".join(f"BIND(CONCAT(?v{n}, ?v{n}) AS ?v{n + 1})" for n in range(40))
        + " BIND(?v40 AS ?z) }",
        STOPPED,
    ),
    "path over everything": ("SELECT (COUNT(*) AS ?n) { ?a (<urn:p>|^<urn:p>)* ?b . ?c (<urn:p>|!<urn:q>)* ?d }", STOPPED),
    "nested path groups": (f"SELECT * {{ ?s {'(' * 20_000}<urn:p>{')' * 20_000} ?o }}", REFUSED),
    "nested groups": ("SELECT * " + "{" * 20_000 + "}" * 20_000, REFUSED),
    "a chain of negations": (f"SELECT * {{ ?s ?p ?o FILTER({'!' * 100_000}true) }}", REFUSED | STOPPED),
    "a chain of inversions": (f"SELECT * {{ ?s {'^' * 100_000}<urn:p> ?o }}", REFUSED | STOPPED),
    "unbounded regex": (
        'SELECT (COUNT(*) AS ?n) { ?s ?p ?o . ?t ?q ?r FILTER(REGEX(CONCAT(STR(?o), STR(?r)), "(.*)*(.*)*(x+x+)+y$")) }',
        STOPPED,
    ),
    "large regex": ('SELECT * { ?s ?p ?o FILTER(REGEX(STR(?o), "((a{1000}){1000}){1000}")) }', STOPPED | REFUSED | {200}),
    "file": ("SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }", REFUSED),
    "named file": ("SELECT * FROM NAMED <file:///etc/passwd> { GRAPH ?g { ?s ?p ?o } }", REFUSED),
    "web graph": ("SELECT * FROM <http://169.254.169.254/latest/meta-data/> { ?s ?p ?o }", REFUSED),
    "a megabyte": (f'SELECT * {{ ?s ?p "{"x" * 1_000_000}" }}', REFUSED),
    "a megabyte of terms": ("SELECT * { VALUES ?x { " + "1 " * 500_000 + "} }", REFUSED),
    "unclosed texts": ('SELECT * { ?s ?p """x\\' * 2000, REFUSED),
}


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    folder = tmp_path_factory.mktemp("generations")
    sealed_with(folder, ASSERTED + MANY)
    with serving(folder, LOOM_SPARQL_DEADLINE=str(DEADLINE), LOOM_SPARQL_MEMORY=str(160 << 20)) as started:
        ready(started)
        yield started
        assert not [line for line in started.lines if "Traceback" in line or '"event":"unexpected"' in line]


def sent(node: Node, query: str) -> Answer:
    """A query as JSON, whose length no line of a request bounds."""
    return node.call("/sparql", {"query": query})


def seen(root: int) -> list[int]:
    """All processes below one."""
    below = [
        int(pid)
        for pid in subprocess.run(["ps", "-o", "pid=", "--ppid", str(root)], capture_output=True, text=True).stdout.split()
    ]
    return below + [pid for each in below for pid in seen(each)]


def cost(root: int) -> tuple[int, int]:
    """Clock ticks and resident bytes that nobody shares, of all processes below one."""
    ticks = own = 0
    for pid in seen(root):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            status = Path(f"/proc/{pid}/status").read_text()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
        own += sum(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("RssAnon"))
    return ticks, own


def unharmed(node: Node) -> None:
    assert node.chat("What is a kiln?").status == 200
    answer = ask(node, "SELECT ?l { k:furnace rdfs:label ?l }")
    assert answer.status == 200 and "Furnace" in answer.body.decode()


@pytest.mark.parametrize("name", sorted(QUERIES))
def test_it_is_refused_or_stopped(node: Node, name: str) -> None:
    query, statuses = QUERIES[name]
    started = time.monotonic()
    answer = sent(node, query)
    assert answer.status in statuses, (answer.status, answer.body[:300])
    assert time.monotonic() - started < DEADLINE + 4
    if answer.status >= 400:
        said = answer.json()
        assert said["detail"] and len(said["detail"]) < 1500
    unharmed(node)


def test_an_endless_result_ends_as_a_whole_document(tmp_path: Path) -> None:
    sealed_with(tmp_path, ASSERTED + MANY)
    with serving(tmp_path, LOOM_SPARQL_DEADLINE="60") as node:  # by its rows, however slow the machine
        ready(node)
        _ends_whole(node)


def _ends_whole(node: Node) -> None:
    answer = sent(node, "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }")
    assert answer.headers.get("x-loom-truncated") == "rows", (answer.status, answer.body[:300])
    assert len(answer.json()["results"]["bindings"]) == 10_000
    graph = ask(node, "CONSTRUCT { ?a ?e ?i } { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }", {"accept": "application/n-triples"})
    assert graph.headers["x-loom-truncated"] == "rows" and graph.body.count(b"\n") == 10_000
    unharmed(node)


@pytest.mark.parametrize(
    "call",
    [
        "SERVICE <{url}> {{ ?s ?p ?o }}",
        "SERVICE SILENT <{url}> {{ ?s ?p ?o }}",
        "service<{url}>{{ ?s ?p ?o }}",
        "{{ SELECT * {{ BIND(<{url}> AS ?u) SERVICE ?u {{ ?s ?p ?o }} }} }}",
        "OPTIONAL {{ GRAPH ?g {{ SERVICE # comment\n <{url}> {{ ?s ?p ?o }} }} }}",
        "SERVICE:x {{ ?s ?p ?o }}",
        "?a ?b 'SERVICE' . SERVICE <{url}> {{ ?s ?p ?o }}",
        "\\u0053ERVICE <{url}> {{ ?s ?p ?o }}",
    ],
)
def test_nothing_reaches_out(node: Node, call: str) -> None:
    """A listener that would see the connection sees none, not even one that is refused later."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.settimeout(0.3)
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        answer = sent(node, f"PREFIX SERVICE: <{url}> SELECT * {{ {call.format(url=url)} }}")
        with pytest.raises(TimeoutError):
            listener.accept()
    assert answer.status == 400, answer.body
    unharmed(node)


def test_lone_surrogates_are_refused(node: Node) -> None:
    for text in ("SELECT * { ?s ?p '\ud800' }", "\udfff", "SELECT * { <urn:\ud83d> ?p ?o }"):
        answer = node.call("/sparql", {"query": text})
        assert answer.status == 400 and "surrogate" in answer.json()["detail"]
    assert ask(node, "SELECT * { ?s ?p '\\uD800' }").status == 400
    unharmed(node)


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="reads the cost of processes from /proc")
def test_two_hundred_at_once(node: Node) -> None:
    """Refused or stopped, all of them; afterwards nothing runs on and nothing is held."""
    unharmed(node)
    before = cost(node.process.pid)[1]
    names = ["cross join", "sorted cross join", "nested path groups", "path over everything"]
    statuses: list[int] = []
    chats: list[int] = []
    over = threading.Event()

    def chat() -> None:
        while not over.is_set():
            chats.append(node.chat("What is a kiln?").status)

    talking = threading.Thread(target=chat)
    talking.start()
    try:
        with ThreadPoolExecutor(200) as pool:
            statuses = list(pool.map(lambda n: sent(node, QUERIES[names[n % 4]][0]).status, range(200)))
    finally:
        over.set()
        talking.join()
    assert set(statuses) <= STOPPED | REFUSED and statuses.count(503) > 100
    assert len(chats) > 5 and set(chats) == {200}
    time.sleep(DEADLINE)
    ticks, after = cost(node.process.pid)
    time.sleep(1)
    assert cost(node.process.pid)[0] - ticks < 0.3 * os.sysconf("SC_CLK_TCK"), "something runs on"
    assert after < before + (48 << 20), "something is held"
    unharmed(node)


def test_who_leaves_takes_the_query_along(tmp_path: Path) -> None:
    sealed_with(tmp_path, ASSERTED + MANY)
    with serving(tmp_path, LOOM_SPARQL_DEADLINE="60", LOOM_SPARQL_CONCURRENCY="1") as node:
        ready(node)
        port = int(node.base.rpartition(":")[2])
        body = json.dumps({"query": QUERIES["cross join"][0]}).encode()
        with socket.create_connection(("127.0.0.1", port)) as leaving:
            leaving.sendall(b"POST /sparql HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body))
            until = time.monotonic() + 10
            while not node.call("/health").json()["sparql"]["running"]:
                assert time.monotonic() < until
        started = time.monotonic()
        assert ask(node, "ASK {}").status == 200
        assert time.monotonic() - started < 5
