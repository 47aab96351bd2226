"""Facts and spans as clients fetch them."""

import csv
import io
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from support.nodes import kiln_node, kiln_server, served
from support.sources import ROOT

from loom.build import seal, stage
from loom.compose import corpus_reader
from loom.serve.app import create_app
from loom_adapters.generation_folder import GenerationFolder

pytestmark = pytest.mark.asyncio(loop_scope="module")

CHOIR = "urn:example:choir:"
TAPE, LEVELS = f"{CHOIR}source/tapes/harvest.srt", f"{CHOIR}source/levels/harvest.csv"


def build(folder: Path) -> None:
    names = ("choir", "bakery", "kiln")
    work = stage.Work([stage.Source(name, corpus_reader(ROOT / "fixtures" / "kb" / name)) for name in names])
    stage.run(work, stage.found())
    store = GenerationFolder(folder)
    with store.draft() as draft:
        seal.write(draft, work.concepts, work.report, work.parts)
        store.point(store.seal(draft))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    folder = tmp_path_factory.mktemp("node")
    build(folder)
    async with served(create_app(kiln_node(folder, concepts=()))) as url, httpx.AsyncClient(base_url=url) as client:
        yield client


async def test_facts_are_filtered_by_what_is_declared(client: httpx.AsyncClient) -> None:
    asked = {"source": LEVELS, "metric": f"{CHOIR}metric/loudness", "statistic": "max"}
    answer = await client.get("/loom/facts", params=asked)
    body = answer.json()
    assert answer.headers["x-loom-generation"] == body["generation"]
    assert (body["total"], body["offset"]) == (1, 0)
    assert body["facts"] == [
        {
            "iri": f"{CHOIR}fact/levels/harvest.csv/loudness/max",
            "base": CHOIR,
            "source": LEVELS,
            "source_title": "Harvest Evensong rehearsal levels",
            "entity": f"{CHOIR}entity/harvest",
            "entity_name": "Harvest Evensong",
            "metric": f"{CHOIR}metric/loudness",
            "metric_name": "loudness",
            "statistic": "max",
            "value": "80.5",
            "unit": "dB",
            "number": "80.5",
            "position": "25",
            "at": "25",
            "row": 6,
            "ties": 1,
            "skipped": 1,
            "span": f"{CHOIR}span/tapes/harvest.srt/2",
        }
    ]


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ({"source": "levels/harvest.csv", "statistic": "min"}, 1),
        ({"source": "Harvest Evensong rehearsal levels", "metric": "SOUND level", "statistic": "min"}, 1),
        ({"metric": "volume", "statistic": "max"}, 2),
        ({"source": LEVELS, "metric": "humidity"}, 0),
        ({"statistic": "stated", "metric": "price"}, 3),
    ],
)
async def test_names_that_are_declared_serve_as_well_as_iris(
    client: httpx.AsyncClient, asked: dict[str, str], count: int
) -> None:
    body = (await client.get("/loom/facts", params=asked)).json()
    assert (body["total"], len(body["facts"])) == (count, count)


async def test_all_facts_come_by_iri_in_pages(client: httpx.AsyncClient) -> None:
    whole = (await client.get("/loom/facts")).json()
    iris = [fact["iri"] for fact in whole["facts"]]
    assert iris == sorted(iris) and whole["total"] == len(iris) > 20
    page = (await client.get("/loom/facts", params={"limit": 3, "offset": 4})).json()
    assert [fact["iri"] for fact in page["facts"]] == iris[4:7] and page["total"] == len(iris)


async def test_facts_are_csv_where_it_is_asked_for(client: httpx.AsyncClient) -> None:
    by_header = await client.get("/loom/facts", params={"source": LEVELS}, headers={"accept": "text/csv"})
    by_name = await client.get(
        "/loom/facts", params={"source": LEVELS, "format": "csv"}, headers={"accept": "application/json"}
    )
    assert by_header.content == by_name.content
    assert by_header.headers["content-type"] == "text/csv; charset=utf-8" and by_header.headers["vary"] == "accept"
    rows = list(csv.DictReader(io.StringIO(by_header.text)))
    as_json = (await client.get("/loom/facts", params={"source": LEVELS})).json()["facts"]
    assert rows == [{name: str(value) for name, value in fact.items()} for fact in as_json]


@pytest.mark.parametrize(
    ("at", "numbers"),
    [
        ("25", [2]),
        ("0:25", [2]),
        ("28.5", [3]),
        ("28.4999", [2]),
        ("0:20-0:30", [2, 3]),
        ("30..50", [3, 4]),
        ("50-9999", [4, 5]),
    ],
)
async def test_spans_are_found_at_a_point_and_in_a_range(client: httpx.AsyncClient, at: str, numbers: list[int]) -> None:
    body = (await client.get(f"/loom/spans/{TAPE}", params={"at": at})).json()
    assert [span["iri"] for span in body["spans"]] == [f"{CHOIR}span/tapes/harvest.srt/{number}" for number in numbers]
    assert body["total"] == len(numbers) and "note" not in body
    assert body["attribute"] == {"name": "second", "unit": "s"}


async def test_a_span_is_verbatim_with_its_bounds(client: httpx.AsyncClient) -> None:
    body = (await client.get(f"/loom/spans/{TAPE}", params={"at": "0:29"})).json()
    assert body["source"] == {
        "iri": TAPE,
        "name": "tapes/harvest.srt",
        "title": "Harvest Evensong rehearsal tape",
        "kind": "transcript",
    }
    assert body["at"] == {"start": "29"}
    assert body["spans"] == [
        {
            "iri": f"{CHOIR}span/tapes/harvest.srt/3",
            "start": "28.5",
            "end": "38",
            "label": "[00:28.5]",
            "text": "Stop. Mr Penrose, the page is upside down.",
            "where": "tapes/harvest.srt:10",
        }
    ]


@pytest.mark.parametrize(
    ("at", "note"),
    [
        ("40", "Harvest Evensong rehearsal tape (tapes/harvest.srt) has nothing at second 40."),
        ("40-45", "Harvest Evensong rehearsal tape (tapes/harvest.srt) has nothing from second 40 to 45."),
        ("2:00:00", "Harvest Evensong rehearsal tape (tapes/harvest.srt) has nothing at second 7200."),
    ],
)
async def test_a_gap_is_empty_with_a_note(client: httpx.AsyncClient, at: str, note: str) -> None:
    answer = await client.get(f"/loom/spans/{TAPE}", params={"at": at})
    assert answer.status_code == 200
    assert (answer.json()["spans"], answer.json()["note"]) == ([], note)


async def test_all_spans_of_a_source_and_a_source_without_any(client: httpx.AsyncClient) -> None:
    whole = (await client.get("/loom/spans/tapes/harvest.srt")).json()
    assert (whole["total"], len(whole["spans"]), whole["at"]) == (5, 5, None)
    assert (await client.get("/loom/spans/tapes/harvest.srt", params={"limit": 2})).json()["spans"] == whole["spans"][:2]
    none = (await client.get(f"/loom/spans/{LEVELS}")).json()
    assert none["spans"] == [] and none["note"].endswith("has no content by position.")


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/loom/facts?source=nowhere.csv", 404, "No source of the knowledge bases is called 'nowhere.csv'"),
        ("/loom/facts?metric=warmth", 404, "No metric"),
        ("/loom/facts?statistic=median", 400, "Expected one of min, max"),
        ("/loom/facts?limit=0", 400, "limit"),
        ("/loom/facts?offset=-1", 400, "offset"),
        ("/loom/facts?limit=all", 400, "limit"),
        ("/loom/facts?format=xlsx", 400, "one of the formats json, csv"),
        ("/loom/facts?source=", 400, "source"),
        ("/loom/spans/", 400, "after /loom/spans/"),
        ("/loom/spans/nowhere", 404, "No source"),
        ("/loom/spans/tapes/harvest.srt?at=soon", 400, "Expected a position or a range such as 146, 120-180, 2:26"),
        ("/loom/spans/tapes/harvest.srt?at=30-20", 400, "not '30-20'"),
        ("/loom/spans/notes.md?at=0:30", 400, "Expected a position or a range such as 146, 120-180 as at"),
        ("/loom/spans/../../etc/passwd", 404, ""),
    ],
)
async def test_what_cannot_be_carried_out_says_why(client: httpx.AsyncClient, path: str, status: int, said: str) -> None:
    answer = await client.get(path)
    assert answer.status_code == status
    assert said in answer.json()["detail"]
    assert answer.headers["content-type"] == "application/problem+json"


async def test_a_generation_without_bases_says_so(tmp_path: Path) -> None:
    async with kiln_server(tmp_path) as url, httpx.AsyncClient(base_url=url) as client:
        for path in ("/loom/facts", "/loom/spans/any"):
            answer = await client.get(path)
            assert (answer.status_code, "kb.toml" in answer.text) == (404, True), answer.text


async def test_a_node_with_bases_alone_answers_from_them(client: httpx.AsyncClient) -> None:
    prompt = "What was the loudness when the organ came in?"
    scaffold = await client.post("/loom/scaffold", json={"prompt": prompt})
    assert scaffold.status_code == 200
    assert (scaffold.json()["decision"]["engaged"], scaffold.json()["decision"]["reason"]) == (True, "fact")
    assert (
        "Carols by the Mill, loudness, maximum: 83.25 dB at second 20 [source: levels/carols.csv]"
        in scaffold.json()["scaffold"]
    )
    chat = await client.post("/v1/chat/completions", json={"model": "any", "messages": [{"role": "user", "content": prompt}]})
    assert chat.status_code == 200 and chat.json()["choices"]
    assert chat.json()["loom"]["facts"]["route"]["bases"]
    assert {"iri": "urn:example:choir:fact/levels/carols.csv/loudness/max", "why": "fact"} in chat.json()["loom"]["facts"][
        "addresses"
    ]
    search = await client.post("/loom/search", json={"text": "organ"})
    assert search.status_code == 200 and search.json()["results"] == []
    assert (await client.get("/health/ready")).status_code == 200


@pytest.mark.parametrize("at", ["5", "0:05", "5.0"])
async def test_a_row_of_a_series_is_found_by_its_position(client: httpx.AsyncClient, at: str) -> None:
    body = (await client.get("/loom/spans/levels/harvest.csv", params={"at": at})).json()
    (row,) = body["readings"]
    assert (row["statistic"], row["iri"], row["at"]) == ("reading", f"{LEVELS}#row={row['row']}", "5")
    assert (row["value"], row["row"], row["unit"], row["metric_name"]) == ("48.25", 2, "dB", "loudness")
    assert body["spans"] == [] and "note" not in body


@pytest.mark.parametrize("at", ["9999", "50-60"])
async def test_where_no_row_stands_there_are_no_readings(client: httpx.AsyncClient, at: str) -> None:
    body = (await client.get(f"/loom/spans/{LEVELS}", params={"at": at})).json()
    assert "readings" not in body and "has nothing" in body["note"]
