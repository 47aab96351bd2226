"""Answers over a knowledge base: what its manifest declares says which numbers have support."""

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from support.nodes import kiln_node, served
from support.sources import ROOT

from loom.build import seal, stage
from loom.compose import corpus_reader
from loom.serve.app import create_app
from loom_adapters.generation_folder import GenerationFolder
from loom_adapters.scripted_model import FakeModel

QUESTION = "When did the loudness of Harvest Evensong peak?"


@pytest.fixture(scope="module")
def choir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("choir")
    work = stage.Work([stage.Source("choir", corpus_reader(ROOT / "fixtures" / "kb" / "choir"))])
    stage.run(work, stage.found())
    store = GenerationFolder(folder)
    with store.draft() as draft:
        seal.write(draft, work.concepts, work.report, work.parts)
        store.point(store.seal(draft))
    return folder


async def asked(folder: Path, say: str, enforce: str = "flag") -> dict[str, Any]:
    node = kiln_node(folder, FakeModel(), concepts=(), LOOM_FACTS_ENFORCE=enforce)
    body = {"model": "words?" + urlencode({"say": say}), "messages": [{"role": "user", "content": QUESTION}]}
    async with served(create_app(node)) as url, httpx.AsyncClient(base_url=url) as client:
        answer: dict[str, Any] = (await client.post("/v1/chat/completions", json=body)).raise_for_status().json()
    return answer


async def test_positions_and_differences_are_read_as_the_manifest_declares(choir: Path) -> None:
    loom = (await asked(choir, "It peaked at 80,50 dB at [00:25], 39.5 dB above its minimum at second 0; not 81 dB at 0:26."))[
        "loom"
    ]
    numbers = loom["facts"]["numbers"]
    assert [(each["text"], each["class"]) for each in numbers["found"]] == [
        ("80,50", "shown"), ("00:25", "shown"), ("39.5", "derived"), ("second 0", "shown"),
    ]  # fmt: skip
    assert {each["iri"] for each in numbers["found"] if "iri" in each} == {"urn:example:choir:entity/harvest"}
    assert [each["text"] for each in numbers["unsupported"]] == ["81", "0:26"]
    assert loom["facts"]["route"]


async def test_what_is_answered_instead_is_facts_and_no_rule_for_reading_them(choir: Path) -> None:
    body = await asked(choir, "It was 999.5 dB.", "refuse")
    content = body["choices"][0]["message"]["content"]
    assert "80.5 dB at second 25" in content and "999" not in content
    assert "This context holds" not in content
    assert body["loom"]["facts"]["numbers"]["enforced"] == "refuse"


async def test_what_was_answered_instead_holds_only_shown_numbers(choir: Path) -> None:
    refused = (await asked(choir, "It was 999.5 dB.", "refuse"))["choices"][0]["message"]["content"]
    again = (await asked(choir, refused))["loom"]["facts"]["numbers"]
    assert again["checked"] >= 8 and again["unsupported"] == []


async def test_the_reader_says_only_shown_numbers(choir: Path) -> None:
    node = kiln_node(choir, concepts=(), LOOM_FACTS_ENFORCE="refuse")
    async with served(create_app(node)) as url, httpx.AsyncClient(base_url=url) as client:
        body = {"model": "any", "messages": [{"role": "user", "content": QUESTION}]}
        answer = (await client.post("/v1/chat/completions", json=body)).json()
    assert "80.5" in answer["choices"][0]["message"]["content"]
    assert answer["loom"]["facts"]["numbers"]["counts"]["unsupported"] == 0
