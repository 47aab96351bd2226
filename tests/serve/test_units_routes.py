"""Units, search and scores as clients fetch them."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio
from support.nodes import KILNS, kiln_server

from loom.core.values import Concept

pytestmark = pytest.mark.asyncio(loop_scope="module")

OVEN = Concept("https://example.org/terms/x#Oven", "Bread oven", "An oven.")
ODD = Concept("urn:test:a b", "Odd")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    async with (
        kiln_server(tmp_path_factory.mktemp("node"), concepts=(*KILNS, OVEN, ODD)) as url,
        httpx.AsyncClient(base_url=url) as client,
    ):
        yield client


async def raw_get(client: httpx.AsyncClient, target: str) -> int:
    """The status of a request whose target is sent as it is, with nothing normalised."""
    reader, writer = await asyncio.open_connection(client.base_url.host, client.base_url.port)
    writer.write(f"GET {target} HTTP/1.1\r\nHost: node\r\nConnection: close\r\n\r\n".encode("latin-1"))
    answer = await reader.read()
    writer.close()
    return int(answer.split(b" ", 2)[1])


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("/loom/units/urn:test:tide-kiln", 200),
        ("/loom/units/https://example.org/terms/x%23Oven", 200),
        ("/loom/units/https%3A%2F%2Fexample.org%2Fterms%2Fx%23Oven", 200),
        ("/loom/units?iri=https://example.org/terms/x%23Oven", 200),
        ("/loom/units/https%253A%252F%252Fexample.org%252Fterms%252Fx%2523Oven", 200),
        ("/loom/units/Tide%20Kiln", 200),
        ("/loom/units/urn:test:a%20b", 200),
        ("/loom/units/zzz", 404),
        ("/loom/units/%FF%FE", 404),
        ("/loom/units/", 400),
        ("/loom/units", 400),
        ("/loom/units?iri=", 400),
        ("/loom/units/tide-kiln?format=pdf", 400),
    ],
)
async def test_addresses_arrive_however_they_are_written(client: httpx.AsyncClient, target: str, status: int) -> None:
    assert await raw_get(client, target) == status


@pytest.mark.parametrize(
    ("accept", "media", "begins"),
    [
        ("*/*", "application/json", "{"),
        ("text/markdown", "text/markdown", "# Tide Kiln\n\n*ceramics"),
        ("text/turtle", "text/turtle", "@prefix"),
        ("application/ld+json", "application/ld+json", "{"),
    ],
)
async def test_the_accept_header_chooses_the_form(client: httpx.AsyncClient, accept: str, media: str, begins: str) -> None:
    response = await client.get("/loom/units/tide-kiln", headers={"accept": accept})
    assert response.headers["content-type"].split(";")[0] == media
    assert response.text.startswith(begins)
    assert response.headers["x-loom-generation"] in response.text


async def test_search_answers_with_scores_and_reasons(client: httpx.AsyncClient) -> None:
    said = (await client.post("/loom/search", json={"text": "tide", "limit": 1})).json()
    assert said["results"][0]["iri"] == "urn:test:tide-kiln" and said["results"][0]["why"] == "title prefix: tide kiln"
    assert said["generation"].startswith("sha256:")


@pytest.mark.parametrize(
    "body", [{}, {"text": 3}, {"text": "..."}, {"text": "a", "limit": 0}, {"text": "a", "limit": "9"}, {"text": "a" * 513}]
)
async def test_a_search_that_cannot_be_made_is_refused(client: httpx.AsyncClient, body: dict) -> None:
    refused = await client.post("/loom/search", json=body)
    assert (refused.status_code, refused.json()["error"]) == (400, "bad_input")


async def test_any_answer_is_scored_against_any_block(client: httpx.AsyncClient) -> None:
    scaffold = (await client.post("/loom/scaffold", json={"prompt": "What is a tide kiln?"})).json()
    asked = {"answer": "A tide kiln uses tidal bellows.", "block": scaffold["scaffold"]}
    shown = (await client.post("/loom/exposure", json={**asked, "targets": scaffold["targets"]})).json()
    assert shown["targets"] == len(scaffold["targets"]) and "Tidal Bellows" not in shown["dropped"]
    gold = (await client.post("/loom/exposure", json={**asked, "gold": ["Tidal Bellows", "Bread oven"]})).json()
    assert gold["counts"] == {"n11": 1, "n10": 0, "n01": 0, "n00": 1}
    assert (gold["ceiling"], gold["recall"], gold["gain"]) == (0.5, 0.5, 0.0)
    refused = await client.post("/loom/exposure", json={**asked, "matcher": "fuzzy"})
    assert (refused.status_code, refused.json()["param"]) == (400, "matcher")
