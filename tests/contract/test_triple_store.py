"""What every store of triples does: the one in this process, and the one behind a keeper."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from support.nodes import settings_for
from support.triples import ASSERTED, INFERRED, LABEL, sealed_with

from loom import compose
from loom.core.errors import BadInput, LoomError
from loom.core.sparql.asked import Asked
from loom.core.sparql.errors import BadQuery, NotAcceptable, NoUpdates
from loom.core.sparql.limits import Limits
from loom.ports import TripleStore
from loom.serve.keeping import Keeping
from loom.serve.logs import logger
from loom_adapters.sparql.memory import FakeTriples

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROWS = 5
SORTED = {name: "".join(line + "\n" for line in sorted(text.split("\n")) if line).encode() for name, text in
          (("asserted.nt", ASSERTED), ("inferred.nt", INFERRED))}  # fmt: skip


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["fake", "kept"])
async def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[TripleStore]:
    if request.param == "fake":
        yield FakeTriples({**SORTED, "prefixes.json": b'{"k": "urn:test:"}'}, "sha256:" + "0" * 64, Limits(rows=ROWS))
        return
    folder = tmp_path_factory.mktemp("kept")
    sealed_with(folder)
    settings = settings_for(folder, LOOM_SPARQL_ROWS=str(ROWS))
    keeping = Keeping(settings, folder / "s", logger(settings.logs))
    try:
        kept = compose.triples(folder / "s")
        for _ in range(1500):
            if (await kept.state())["state"] == "ready":
                break
            await asyncio.sleep(0.02)
        yield kept
        await kept.aclose()
    finally:
        await asyncio.to_thread(keeping.stop)


async def ask(store: TripleStore, text: str | None, accept: str | None = None, **more: object) -> tuple[dict, str]:
    async with store.query(Asked(text, accept=accept, **more)) as answer:
        body = b"".join([piece async for piece in answer.pieces()])
        assert answer.head["length"] == len(body)
        return dict(answer.head), body.decode()


async def rows(store: TripleStore, text: str, **more: object) -> list[list[str]]:
    _, body = await ask(store, text, "text/csv", **more)
    return sorted(line.split(",") for line in body.splitlines()[1:])


async def test_the_default_graph_is_the_union(store: TripleStore) -> None:
    text = "SELECT ?above { k:tide-kiln rdfs:subClassOf ?above }"
    assert await rows(store, text) == [["urn:test:furnace"], ["urn:test:kiln"]]
    assert await rows(store, text, default_graphs=("urn:loom:graph:inferred",)) == [["urn:test:furnace"]]
    assert await rows(store, "SELECT ?g { GRAPH ?g { k:tide-kiln rdfs:subClassOf k:kiln } }") == [["urn:loom:graph:asserted"]]
    named = "SELECT ?a FROM NAMED <urn:loom:graph:inferred> { GRAPH ?g { k:tide-kiln rdfs:subClassOf ?a } }"
    assert await rows(store, named) == [["urn:test:furnace"]]


@pytest.mark.parametrize(
    ("accept", "media", "begins"),
    [
        (None, "application/sparql-results+json", '{"head"'),
        ("application/sparql-results+xml", "application/sparql-results+xml", "<?xml"),
        ("text/tab-separated-values", "text/tab-separated-values; charset=utf-8", "?a\n<urn:test:"),
        ("application/json;q=0.2, text/csv;q=0.9", "text/csv; charset=utf-8", "a\r\nurn:test:"),
    ],
)
async def test_rows_in_each_format(store: TripleStore, accept: str, media: str, begins: str) -> None:
    head, body = await ask(store, "SELECT ?a { k:kiln rdfs:subClassOf ?a }", accept)
    assert (head["media"], head["truncated"]) == (media, None)
    assert body.startswith(begins) and "urn:test:furnace" in body


@pytest.mark.parametrize("accept", ["text/turtle", "application/n-triples", "application/rdf+xml", "application/ld+json"])
async def test_graphs_in_each_format(store: TripleStore, accept: str) -> None:
    for text in ("CONSTRUCT WHERE { k:kiln rdfs:subClassOf ?a }", "DESCRIBE k:kiln", None):
        head, body = await ask(store, text, accept)
        assert head["media"].startswith(accept)
        assert body if text is None else "furnace" in body


async def test_what_is_asked_as_json_has_rows_too(store: TripleStore) -> None:
    _, body = await ask(store, 'SELECT ?l ?x { k:kiln rdfs:label ?l FILTER(lang(?l) = "de") }', None, loose=True)
    found = json.loads(body)
    assert (found["columns"], found["rows"], found["truncated"]) == (["l", "x"], [["Brennofen", ""]], False)
    assert found["results"]["bindings"][0]["l"]["xml:lang"] == "de"
    assert json.loads((await ask(store, "ASK {}", loose=True))[1])["boolean"] is True
    graph = json.loads((await ask(store, f"CONSTRUCT WHERE {{ k:furnace <{LABEL}> ?l }}", loose=True))[1])
    assert graph["rows"] == [[f'<urn:test:furnace> <{LABEL}> "Furnace" .']]


async def test_too_many_rows_are_a_whole_document(store: TripleStore) -> None:
    head, body = await ask(store, "SELECT ?s ?o { ?s ?p ?o }")
    assert head["truncated"] == "rows" and len(json.loads(body)["results"]["bindings"]) == ROWS
    head, body = await ask(store, "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }", "application/n-triples")
    assert head["truncated"] == "rows" and len(body.splitlines()) == ROWS
    head, _ = await ask(store, f"SELECT ?s ?o {{ ?s ?p ?o }} LIMIT {ROWS}")
    assert head["truncated"] is None


@pytest.mark.parametrize(
    ("asked", "kind", "said"),
    [
        (Asked("SELECT * { ?s ?p"), BadQuery, "line 1, column"),
        (Asked("SELECT *\n{ ?s nope:p ?o }"), BadQuery, "`nope:` is not declared"),
        (Asked("SELECT (<urn:f>(1) AS ?x) {}"), BadQuery, "urn:f"),
        (Asked("SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }"), BadQuery, "file:///etc/passwd"),
        (Asked("ASK {}", named_graphs=("urn:x",)), BadQuery, "urn:x"),
        (Asked("SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }"), BadQuery, "SERVICE at line 1, column 12"),
        (Asked("INSERT DATA { <a:a> <a:b> 1 }"), NoUpdates, "no updates"),
        (Asked("ASK {}", accept="text/turtle"), NotAcceptable, "sparql-results+json"),
        (Asked("ASK {}", format="yaml"), BadInput, "'yaml'"),
    ],
)
async def test_what_cannot_be_answered_says_why(store: TripleStore, asked: Asked, kind: type[LoomError], said: str) -> None:
    with pytest.raises(kind) as refused:
        async with store.query(asked):
            pass
    assert said in refused.value.message


async def test_its_state(store: TripleStore) -> None:
    state = await store.state()
    assert (state["state"], sum(state["graphs"].values())) == ("ready", 7)
    head, _ = await ask(store, "ASK {}")
    assert head["generation"] == state["generation"]


async def test_the_standard_format_stays_what_it_is(store: TripleStore) -> None:
    head, body = await ask(store, "ASK {}", "application/sparql-results+json", loose=True)
    assert (head["media"], json.loads(body)) == ("application/sparql-results+json", {"head": {}, "boolean": True})
