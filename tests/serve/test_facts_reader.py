"""Chat over knowledge bases without a model: the reader gives the value that was asked for, or says that it is not there."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from support.nodes import kiln_node, served
from support.sources import ROOT

from loom.cli.main import main
from loom.serve.app import create_app

pytestmark = pytest.mark.asyncio(loop_scope="module")
HARVEST, CAROLS = "80.5 dB at second 25", "83.25 dB at second 20"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    folder = tmp_path_factory.mktemp("bases")
    bases = [str(ROOT / "fixtures" / "kb" / name) for name in ("choir", "bakery", "kiln")]
    assert main(["build", *bases, "--out", str(folder), "--quiet"]) == 0
    async with served(create_app(kiln_node(Path(folder), concepts=()))) as url, httpx.AsyncClient(base_url=url) as client:
        yield client


async def chat(client: httpx.AsyncClient, question: str) -> tuple[str, dict[str, Any]]:
    asked = {"model": "any", "messages": [{"role": "user", "content": question}]}
    body = (await client.post("/v1/chat/completions", json=asked)).json()
    return body["choices"][0]["message"]["content"], body["loom"]


@pytest.mark.parametrize(
    ("question", "said", "unsaid"),
    [
        ("What was the peak loudness of Harvest Evensong?", [HARVEST], ["41.0", "83.25"]),
        ("Qual è stato il volume più alto di Canti al mulino?", [CAROLS], ["80.5", "38.0"]),
        ("What was the lowest sound level of Harvest Evensong?", ["41.0 dB at second 0"], ["80.5"]),
        ("What was the loudness of Harvest Evensong at 0:25?", [HARVEST], ["41.0", "58.5"]),
        (
            "Compare the peak loudness of Harvest Evensong and Carols by the Mill.",
            [HARVEST, CAROLS, "difference 2.75"],
            ["41.0", "38.0"],
        ),
        ("What was happening when the loudness of Harvest Evensong peaked?", [HARVEST, "From the upbeat"], ["41.0"]),
        ("What happened at second 29 of Harvest Evensong?", ["Mr Penrose, the page is upside down"], ["80.5", "41.0"]),
        ("Qual è il prezzo della focaccia?", ["Focaccia al rosmarino | teglia | 12,00"], ["17,4", "18,7"]),
    ],
)
async def test_what_is_asked_is_quoted_and_nothing_else(
    client: httpx.AsyncClient, question: str, said: list[str], unsaid: list[str]
) -> None:
    answer, loom = await chat(client, question)
    assert [one for one in said if one not in answer] == [], answer
    assert [one for one in unsaid if one in answer] == [], answer
    assert "[source: " in answer
    assert loom["facts"]["numbers"]["counts"]["unsupported"] == 0


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("What was the peak loudness of Winter Vespers?", 'No source named "Winter Vespers"'),
        ("What was the highest kiln temperature of Harvest Evensong?", 'has no value of "kiln temperature"'),
        ("What happens at 0:40 of Harvest Evensong?", "has no content at 0:40"),
        ("What was the peak brightness of Harvest Evensong?", "does not state what is asked for"),
        ("What was the highest loudness of the fishermen's parade?", "does not state what is asked for"),
        ("Qual è il prezzo della ciabatta?", "does not state what is asked for"),
    ],
)
async def test_what_is_not_there_is_said_and_no_value_with_it(client: httpx.AsyncClient, question: str, note: str) -> None:
    answer, loom = await chat(client, question)
    assert note in answer, answer
    told = answer.replace("0:40", "")
    assert not any(letter.isdigit() for letter in told[: told.rfind(" [")] if " [" in told), answer
    assert not any(value in answer for value in ("80.5", "83.25", "41.0", "1280", "1302.5", "12,00", "5,40")), answer
    assert loom["decision"]["engaged"]


async def test_several_things_are_each_quoted_once(client: httpx.AsyncClient) -> None:
    answer, _ = await chat(client, "Give me a summary of the Ashcombe village choir.")
    lines = [line for line in answer.split("\n") if line]
    assert len(lines) == len(set(lines)) and HARVEST in answer and CAROLS in answer
