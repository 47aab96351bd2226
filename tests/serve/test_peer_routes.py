"""The peer's routes and fields over a whole node, as its clients call them."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from support.nodes import kiln_server

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUESTION = {"messages": [{"role": "user", "content": "What is a tide kiln?"}], "model": "reader"}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    async with (
        kiln_server(tmp_path_factory.mktemp("node"), LOOM_POLICY="reference") as url,
        httpx.AsyncClient(base_url=url) as client,
    ):
        yield client


@pytest.mark.parametrize("path", ["/scaffold", "/loom/scaffold"])
@pytest.mark.parametrize("field", ["prompt", "query"])
async def test_a_scaffold_has_the_peers_fields(client: httpx.AsyncClient, path: str, field: str) -> None:
    said = (await client.post(path, json={field: "How does a tide kiln work?", "budget_tokens": 1500})).json()
    assert said["scaffold"].startswith("[ONTOLOGY CONTEXT]\n## Tide Kiln (ceramics)")
    assert (said["engaged"], said["effective_budget"], said["fusion_path"], said["prose"]) == (True, 1500, "LexicalHit", False)
    assert said["approx_tokens"] == -(-len(said["scaffold"]) // 4)
    assert [(seed["iri"], seed["provenance"]) for seed in said["seeds"]] == [
        ("urn:test:tide-kiln", "Lexical"),
        ("urn:test:kiln", "Lexical"),
    ]
    assert said["top_score"] == said["seeds"][0]["score"] == 18.0
    assert said["generation"]["class_count"] == 5 and said["generation"]["artifacts"]


async def test_options_may_stand_under_our_key_too(client: httpx.AsyncClient) -> None:
    asked = {"prompt": "How does a tide kiln work?", "policy": "reference"}
    beside = (await client.post("/loom/scaffold", json={**asked, "max_units": 1, "prose": True})).json()
    under = (await client.post("/loom/scaffold", json={**asked, "prose": None, "loom": {"max_units": 1, "prose": True}})).json()
    assert len(beside["units"]) == 1 and {**under, "pin": beside["pin"]} == beside
    both = (await client.post("/loom/scaffold", json={**asked, "max_units": 2, "loom": {"max_units": 1}})).json()
    assert len(both["units"]) == 2
    off = (await client.post("/loom/context", json={"messages": QUESTION["messages"], "loom": {"off": True}})).json()
    assert off["messages"] == QUESTION["messages"]


async def test_white_space_is_a_question_about_nothing(client: httpx.AsyncClient) -> None:
    said = (await client.post("/scaffold", json={"prompt": " \t\n "})).json()
    assert (said["scaffold"], said["engaged"], said["seeds"], said["fusion_path"]) == ("", False, [], "NoMatch")


async def test_a_scaffold_asked_our_way_has_both(client: httpx.AsyncClient) -> None:
    said = (await client.post("/loom/scaffold", json={"prompt": "tide kiln", "budget": 30})).json()
    assert said["units"] == [] and said["engaged"] is False and said["fusion_path"] == "LexicalHit"
    assert said["decision"]["reason"] == "budget"


async def test_the_generation_is_the_one_that_is_loaded(client: httpx.AsyncClient) -> None:
    short, long = (await client.get("/generation")).json(), (await client.get("/loom/generation")).json()
    assert short == long
    assert (short["source"], short["verified_single_generation"], short["class_count"]) == ("BuildManifest", True, 5)
    assert short["generated_at"] == "2026-01-01T00:00:00Z"


async def test_a_search_with_the_peers_field_gives_a_list(client: httpx.AsyncClient) -> None:
    label = "http://www.w3.org/2000/01/rdf-schema#label"
    for path, body in (("/search", {"q": "kiln"}), ("/loom/search", {"query": "kiln"}), ("/search", {"q": "kiln", "limit": 1})):
        hits = (await client.post(path, json=body)).json()
        assert hits[0] == {"iri": "urn:test:kiln", "label": "Kiln", "predicate": label}
        assert len(hits) == body.get("limit", 3)
    assert (await client.post("/search", json={"q": "kiln", "limit": 0})).json() == []
    ours = (await client.post("/loom/search", json={"text": "kiln"})).json()
    assert [hit["title"] for hit in ours["results"]] == ["Kiln", "Kiln Shelf", "Tide Kiln"]


@pytest.mark.parametrize("word", ["load", "add", "create", "copy", "move", "service mesh", 'a"b\\', "x\n}"])
async def test_words_that_the_peer_refuses_are_searched_for(client: httpx.AsyncClient, word: str) -> None:
    response = await client.post("/search", json={"q": word})
    assert (response.status_code, type(response.json())) == (200, list)


async def test_what_cannot_be_answered_says_so_with_its_status(client: httpx.AsyncClient) -> None:
    graph = await client.post("/sparql", json={"query": "SELECT * {?s ?p ?o}"})
    assert (graph.status_code, graph.json()["error"]) == (404, "no_triples")
    assert "retry-after" not in graph.headers and graph.headers["x-should-retry"] == "false"
    assert (await client.post("/loom/sparql", json={})).status_code == 400
    semantic = await client.post("/loom/search/semantic", json={"q": "kiln"})
    assert (semantic.status_code, semantic.json()["error"]) == (404, "not_found")
    for path, body in (("/scaffold", {}), ("/search", {}), ("/search", {"q": " "}), ("/scaffold", {"prompt": ""})):
        refused = await client.post(path, json=body)
        assert refused.status_code == 400 and refused.json()["error"] == "bad_input", (path, body)
    assert (await client.post("/scaffold", content=b"not json")).status_code == 400


async def test_health_has_the_peers_fields_and_ours_stand(client: httpx.AsyncClient) -> None:
    said = (await client.get("/health")).json()
    assert (said["ok"], said["mode"], said["facet"], said["index_classes"]) == (True, "scaffold", "loom-facade", 5)
    assert (said["backend"], said["backend_reachable"], said["graph"]["available"]) == (None, None, False)
    assert said["generation"].startswith("sha256:")


async def test_health_of_an_empty_node_is_not_green(tmp_path: Path) -> None:
    async with kiln_server(tmp_path, concepts=()) as url, httpx.AsyncClient(base_url=url) as client:
        said = (await client.get("/health")).json()
        assert (said["ok"], said["index_classes"], said["status"]) == (False, 0, "unready")


async def test_an_answer_to_the_peers_request_has_its_fields(client: httpx.AsyncClient) -> None:
    answer = (await client.post("/v1/chat/completions", json={**QUESTION, "ontology_budget": 900})).json()
    loom = answer["loom"]
    assert (loom["mode"], loom["served_mode"], loom["fusion_path"]) == ("scaffold", "delegated", "LexicalHit")
    assert loom["grounding"]["engaged"] is True and loom["grounding"]["effective_budget"] == 900
    assert loom["generation"]["id"] == loom["pin"]["generation"]
    plain = (await client.post("/v1/chat/completions", json=QUESTION)).json()["loom"]
    assert {**plain, "grounding": None} == {**plain, "mode": "scaffold", "served_mode": "delegated", "grounding": None}
    assert plain["generation"]["artifacts"] == []


async def test_a_stream_carries_them_in_its_last_chunk(client: httpx.AsyncClient) -> None:
    body = {**QUESTION, "stream": True, "ontology_prose": False}
    text = (await client.post("/v1/chat/completions", json=body)).text
    chunks = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: {")]
    assert chunks[-1]["loom"]["grounding"]["top_score"] == 18.0
    assert not any("loom" in chunk for chunk in chunks[:-1])


async def test_verbatim_can_be_asked_for_and_refused(tmp_path: Path) -> None:
    async with kiln_server(tmp_path, LOOM_VERBATIM="1") as url, httpx.AsyncClient(base_url=url) as client:
        for asked, mode in (({"ontology_budget": 900}, "verbatim"), ({"loom_options": {"verbatim": False}}, "delegated")):
            answer = (await client.post("/v1/chat/completions", json={**QUESTION, **asked})).json()
            assert answer["loom"]["served_mode"] == mode
            assert (answer["loom"]["served"] == "verbatim") == (mode == "verbatim")


async def test_a_wrong_type_is_refused_in_the_envelope(client: httpx.AsyncClient) -> None:
    refused = await client.post("/v1/chat/completions", json={**QUESTION, "ontology_budget": "many"})
    assert refused.status_code == 400 and refused.json()["error"]["param"] == "ontology_budget"
