"""An ontology behind a node: what is served, what is only resolved, what is said of its contradictions."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from support.nodes import served as running
from support.nodes import settings_for

from loom import compose
from loom.build import seal, stage
from loom.build.checks import KINDS
from loom.core.report import Report
from loom.serve.app import create_app

pytestmark = pytest.mark.asyncio(loop_scope="module")

FIXTURE = Path(__file__).resolve().parents[2] / "fixtures" / "ontology"
K, T = "https://example.org/kitchen#", "https://example.org/kitchen/terms/"
CLASH = """@prefix : <https://example.org/kitchen#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:YeastedSourdough rdfs:subClassOf :Yeast , :Sourdough ; rdfs:label "Yeasted sourdough"@en .
"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    folder = tmp_path_factory.mktemp("node")
    (folder / "clash.ttl").write_text(CLASH)
    work = stage.Work([stage.Source("kitchen", compose.ontology_reader([FIXTURE, folder / "clash.ttl"]))], Report(KINDS))
    stage.run(work, stage.found())
    store = compose.store(folder / "generations")
    with store.draft() as draft:
        seal.write(draft, work.concepts, work.report, work.parts)
        for key, value in work.notes.items():
            draft.note(key, value)
        store.point(store.seal(draft))
    node = compose.node(settings_for(folder / "generations"))
    async with running(create_app(node)) as url, httpx.AsyncClient(base_url=url) as client:
        yield client


async def unit(client: httpx.AsyncClient, iri: str, accept: str = "application/json") -> httpx.Response:
    return await client.get("/loom/units", params={"iri": iri}, headers={"accept": accept})


async def units(client: httpx.AsyncClient, question: str) -> list[str]:
    body = {"messages": [{"role": "user", "content": question}]}
    return [one["iri"] for one in (await client.post("/v1/chat/completions", json=body)).json()["loom"]["units"]]


@pytest.mark.parametrize(
    ("question", "iri"),
    [
        ("What is yeast dough?", K + "YeastDough"),
        ("Was ist ein Hefeteig?", K + "YeastDough"),
        ("What is a raising agent?", K + "Leaven"),
        ("What is oven cooking?", T + "baking"),
        ("What is pizza napoletana?", K + "PizzaNapoletana"),
        ("技法", T + "technique"),
    ],
)
async def test_terms_are_found_by_labels_and_synonyms_in_any_language(
    client: httpx.AsyncClient, question: str, iri: str
) -> None:
    assert iri in await units(client, question)


async def test_relations_and_what_follows_are_in_the_unit(client: httpx.AsyncClient) -> None:
    said = (await unit(client, K + "YeastDough")).json()
    assert said["relations"] == {"raised by": [{"iri": K + "Yeast", "title": "Yeast"}]}
    assert [one["title"] for one in said["parents"]] == ["Dough", "Raised dough"]
    assert said["deprecated"] is False and said["replaced_by"] == []


async def test_a_deprecated_term_is_resolved_and_never_found(client: httpx.AsyncClient) -> None:
    said = (await unit(client, K + "Barm")).json()
    assert said["deprecated"] is True
    assert said["replaced_by"] == [{"iri": K + "Yeast", "title": "Yeast"}]
    assert "**Deprecated.** Replaced by [Yeast]" in (await unit(client, K + "Barm", "text/markdown")).text
    assert "owl:deprecated true" in (await unit(client, K + "Barm", "text/turtle")).text
    assert (await unit(client, "Barm")).status_code == 404
    assert K + "Barm" not in await units(client, "What is barm?")
    found = (await client.post("/loom/search", json={"text": "barm"})).json()["results"]
    assert K + "Barm" not in [hit["iri"] for hit in found]


async def search(client: httpx.AsyncClient, **body: object) -> dict:
    return (await client.post("/loom/search", json=body)).json()


async def test_search_finds_labels_synonyms_and_definitions_and_counts_facets(client: httpx.AsyncClient) -> None:
    for text, iri in (
        ("Hefeteig", K + "YeastDough"),
        ("Starter", K + "Leaven"),
        ("fungi", K + "Yeast"),
        ("技法", T + "technique"),
    ):
        assert iri in [hit["iri"] for hit in (await search(client, text=text))["results"]]
    said = await search(client, text="dough")
    assert said["facets"]["source"][0]["value"] == "kitchen.ttl"
    assert sum(one["count"] for one in said["facets"]["source"]) == said["total"] >= 5
    narrow = await search(client, text="bak", domain="Kitchen terms", source=["terms.rdf"])
    assert [hit["title"] for hit in narrow["results"]] == ["Baking", "Blind baking"]
    assert narrow["total"] == 2


@pytest.mark.parametrize("odd", [5, ["a", 5], {"a": 1}])
async def test_a_filter_of_the_wrong_type_is_refused(client: httpx.AsyncClient, odd: object) -> None:
    answer = await client.post("/loom/search", json={"text": "dough", "domain": odd})
    assert answer.status_code == 400
    assert "text or a list of texts as domain" in answer.json()["detail"]


async def test_health_says_what_contradicts(client: httpx.AsyncClient) -> None:
    said = (await client.get("/health")).json()
    assert said["reasoning"]["unsatisfiable"] == 1
    assert said["reasoning"]["left_out"] == 1
    assert said["status"] == "ok"


async def test_a_class_that_cannot_be_is_served_by_its_taxonomy(client: httpx.AsyncClient) -> None:
    said = (await unit(client, K + "YeastedSourdough")).json()
    assert [one["title"] for one in said["parents"]] == ["Yeast", "Sourdough"]
    assert [one["title"] for one in said["ancestors"]] == ["Leaven", "Food"]
