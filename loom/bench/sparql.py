"""SPARQL: what loading costs, what HTTP and processes add to the engine, and what hostile queries do to chat.

Queries run through the node and in a process that is nothing but the engine, turn by turn. Chat is measured in pairs of stretches,
without and with a load of cross joins and sorted cross joins beside it; the figures are medians over the pairs.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from loom.bench.chat import bodies
from loom.bench.figures import Bar, Figure, median, quantile
from loom.bench.load import Job, Outcome, Running, elsewhere
from loom.bench.matching import engaging
from loom.bench.processes import NotStarted, Served, asked, clean_environment, node
from loom.bench.setup import Setup
from loom.bench.wire import Connection, request, target_of
from loom.core.values import Json

LABELS = 200
REPEATS = 9
LONG = 10.0
"""Milliseconds in the engine from which on a ratio says something; below, it is what HTTP adds that counts."""

RATE = 40.0
"""Chat requests a second while hostile queries run."""

HOSTILE = (
    "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }",
    "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?c ?f ?i",
)
HOSTILE_CLIENTS = 16
PATIENCE = 60.0


def sparql(setup: Setup) -> list[Figure]:
    with node(setup.generations) as served:
        state = _loaded(served)
        if state["state"] == "absent":
            return []
        part = setup.generations / str(state["generation"]).removeprefix("sha256:") / "parts" / "triples"
        figures = [
            Figure("sparql", f"{sum(state['graphs'].values()):,} triples loaded", state["loaded_seconds"], "s", Bar(1.5))
        ]
        with engine(part) as plain:
            figures += _queries(served, plain)
        return figures + _beside_chat(served, setup)


def _loaded(served: Served) -> dict[str, Json]:
    """The state of the endpoint once it answers, or once it is known that it will not."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        _, health = asked(served.root, "GET", "/health")
        assert isinstance(health, dict)
        state: dict[str, Json] = health["sparql"]
        if state["state"] in ("ready", "absent"):
            return state
        time.sleep(0.02)
    raise NotStarted(f"The triples were not loaded within {PATIENCE:g} s: {state}")


class Plain:
    """The bare engine in another process."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self._line()

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise NotStarted("The engine to measure against did not start; is pyoxigraph installed?")
        return line

    def milliseconds(self, query: str) -> float:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(query) + "\n")
        self._process.stdin.flush()
        return float(self._line())


@contextmanager
def engine(part: Path) -> Iterator[Plain]:
    command = [sys.executable, "-m", "loom_adapters.sparql.plain", str(part.resolve())]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=clean_environment())
    try:
        yield Plain(process)
    finally:
        process.kill()
        process.communicate()


class Asking:
    """Queries over one kept connection."""

    def __init__(self, served: Served) -> None:
        self._target = target_of(served.root)
        self._connection = Connection(self._target)

    def __call__(self, query: str) -> tuple[float, list[dict[str, Json]]]:
        """Milliseconds, and the rows."""
        answer = self._connection.call(request(self._target, "GET", "/sparql?query=" + quote(query)))
        if answer.status != 200:
            raise NotStarted(f"A query was answered with {answer.status} while measuring: {answer.content[:200]!r}.")
        return answer.last * 1000, answer.json()["results"]["bindings"]

    def close(self) -> None:
        self._connection.close()


def _queries(served: Served, plain: Plain) -> list[Figure]:
    ask = Asking(served)
    try:
        _, rows = ask(f"SELECT DISTINCT ?s {{ ?s rdfs:label ?l ; rdfs:subClassOf ?c }} LIMIT {LABELS}")
        subjects = [row["s"]["value"] for row in rows if row["s"]["type"] == "uri"]
        if not subjects:
            return []
        pairs = []
        for subject in subjects:
            query = f"SELECT ?label {{ <{subject}> rdfs:label ?label }}"
            pairs.append((ask(query)[0], plain.milliseconds(query)))
        through, inside = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        figures = [
            Figure("sparql", "label of an IRI, p50", median(through), "ms", Bar(1.0)),
            Figure("sparql", "label of an IRI, p95", quantile(through, 0.95), "ms"),
            Figure("sparql", "label of an IRI in the engine alone, p50", median(inside), "ms"),
        ]
        _, most = ask("SELECT ?c (COUNT(?s) AS ?n) { ?s rdfs:subClassOf ?c } GROUP BY ?c ORDER BY DESC(?n) LIMIT 1")
        for name, query in _shapes(subjects[0], most[0]["c"]["value"]):
            figures += _compared(name, query, ask, plain)
        return figures
    finally:
        ask.close()


def _shapes(some: str, largest: str) -> list[tuple[str, str]]:
    up, label = "rdfs:subClassOf", "rdfs:label"
    return [
        ("superclasses, a path", f"SELECT ?c {{ <{some}> {up}* ?c }}"),
        ("subclasses of the largest, a path", f"SELECT ?s {{ ?s {up}+ <{largest}> }}"),
        ("all pairs of a path, counted", f"SELECT (COUNT(*) AS ?n) {{ ?s {up}+ ?c }}"),
        ("three patterns joined, 100 rows", f"SELECT ?a ?l ?m {{ ?a {up} ?b . ?a {label} ?l . ?b {label} ?m }} LIMIT 100"),
        ("three patterns joined, counted", f"SELECT (COUNT(*) AS ?n) {{ ?a {up} ?b . ?a {label} ?l . ?b {label} ?m }}"),
        ("five patterns joined, counted", f"SELECT (COUNT(*) AS ?n) {{ ?a {up} ?b . ?b {up} ?c . ?a {label} ?l . ?b {label} ?m . ?c {label} ?k }}"),
        ("triples by predicate, counted", "SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p"),
    ]  # fmt: skip


def _compared(name: str, query: str, ask: Asking, plain: Plain) -> list[Figure]:
    pairs = [(ask(query)[0], plain.milliseconds(query)) for _ in range(REPEATS)]
    inside = median([pair[1] for pair in pairs])
    figures = [Figure("sparql", f"{name}, p50", median([pair[0] for pair in pairs]), "ms")]
    if inside >= LONG:
        figures.append(
            Figure("sparql", f"{name}, through / engine alone", median([a / b for a, b in pairs]), "times", Bar(1.2))
        )
    else:
        figures.append(Figure("sparql", f"{name}, added to the engine", median([a - b for a, b in pairs]), "ms"))
    return figures


def _beside_chat(served: Served, setup: Setup) -> list[Figure]:
    chat = Job(served.url, bodies(engaging(setup), streamed=False), clients=4, seconds=setup.seconds, rate=RATE)
    attack = Job(
        served.root,
        [{"query": query} for query in HOSTILE],
        clients=HOSTILE_CLIENTS,
        seconds=300.0,
        until_told=True,
        path="/sparql",
    )
    elsewhere(chat)
    ratios, calm, tried, failed = [], [], [], 0
    for number in range(setup.rounds):
        parts = {}
        for hostile in (False, True) if number % 2 else (True, False):
            parts[hostile] = _stretch(chat, attack if hostile else None)
            failed += parts[hostile].failed
        p99 = {hostile: quantile(outcome.latencies, 0.99) * 1000 for hostile, outcome in parts.items()}
        calm.append(p99[False])
        tried.append(p99[True])
        ratios.append(p99[True] / p99[False])
    return [
        Figure("sparql", "chat p99", median(calm), "ms"),
        Figure("sparql", "chat p99 beside hostile queries", median(tried), "ms"),
        Figure("sparql", "chat p99 beside hostile queries / without", median(ratios), "times", Bar(2.0)),
        Figure("sparql", "chat requests that failed", failed, "", Bar(0), fault=True),
    ]


def _stretch(chat: Job, attack: Job | None) -> Outcome:
    if attack is None:
        return elsewhere(chat)
    running = Running(attack)
    try:
        time.sleep(0.5)
        return elsewhere(chat)
    finally:
        running.stop()
        time.sleep(0.5)
