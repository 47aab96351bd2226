"""`POST /loom/context`: what a question is given, tier by tier, with receipts that anybody can check in the same generation."""

import json
from collections.abc import AsyncIterator, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
import pytest_asyncio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.nodes import KILNS, kiln_node, served
from support.sources import ROOT

from loom import compose
from loom.answer.context import context_json
from loom.answer.pipeline import prepare
from loom.build import seal, stage
from loom.compose import corpus_reader
from loom.core.values import Question, Scope
from loom.serve.app import create_app
from loom_adapters.concept_list import FakeCorpus
from loom_adapters.generation_folder import GenerationFolder

pytestmark = pytest.mark.asyncio(loop_scope="module")

PEAK = "What was the peak loudness of Harvest Evensong, and at which second?"
HAPPENED = "What happened at second 29 of Harvest Evensong?"
STATED = "What is the price of each loaf in the bakery?"
ABSENT = 'What was the peak loudness of "Winter Vespers"?'
UNIT = "What is a tide kiln?"
QUESTIONS = [PEAK, HAPPENED, STATED, ABSENT, UNIT, "How do the loudness of Harvest Evensong and a tide kiln compare?"]


def build(folder: Path) -> Path:
    kbs = [stage.Source(name, corpus_reader(ROOT / "fixtures" / "kb" / name)) for name in ("choir", "bakery", "kiln")]
    work = stage.Work([stage.Source("kilns", FakeCorpus(KILNS)), *kbs])
    stage.run(work, stage.found())
    store = GenerationFolder(folder)
    with store.draft() as draft:
        seal.write(draft, work.concepts, work.report, work.parts)
        store.point(store.seal(draft))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("mixed"))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(folder: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with served(create_app(kiln_node(folder, concepts=()))) as url, httpx.AsyncClient(base_url=url) as client:
        yield client


async def context(client: httpx.AsyncClient, prompt: str, **options: Any) -> dict[str, Any]:
    answer = await client.post("/loom/context", json={"prompt": prompt, **options})
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def units(body: dict[str, Any]) -> list[dict[str, Any]]:
    return [unit for tier in body["tiers"] for unit in tier["units"]]


def holds_together(body: dict[str, Any]) -> None:
    """Tiers are the block, and receipts cover each of its lines once, with the digest of what was served."""
    shown = units(body)
    sections = "\n\n".join(unit["text"] for unit in shown)
    assert body["context"] == (f"[ONTOLOGY CONTEXT]\n{sections}\n[END ONTOLOGY CONTEXT]" if shown else "")
    assert body["sha256"] == sha256(body["context"].encode()).hexdigest()
    assert [unit["number"] for unit in shown] == list(range(1, len(shown) + 1))
    assert [unit["iri"] for unit in shown] == [unit["iri"] for unit in body["loom"]["units"]]
    covered = [(each["number"], at) for each in body["receipts"] for at in range(*each["lines"])]
    assert covered == [(unit["number"], at) for unit in shown for at in range(len(unit["lines"]))]
    for each in body["receipts"]:
        first, end = each["lines"]
        lines = shown[each["number"] - 1]["lines"][first:end]
        assert each["sha256"] == sha256("\n".join(lines).encode()).hexdigest()
        assert each["generation"] == body["pin"]["generation"]


@pytest.mark.parametrize("prompt", QUESTIONS)
@pytest.mark.parametrize("budget", [None, 700, 320])
async def test_the_tiers_are_the_block_and_the_receipts_cover_it(
    client: httpx.AsyncClient, prompt: str, budget: int | None
) -> None:
    body = await context(client, prompt, budget=budget)
    assert body["decision"]["engaged"]
    holds_together(body)


async def test_it_is_as_the_interface_description_says(client: httpx.AsyncClient) -> None:
    described = (await client.get("/openapi.json")).json()["paths"]["/loom/context"]["post"]
    schema = described["responses"]["200"]["content"]["application/json"]["schema"]
    for prompt in [*QUESTIONS, "How do I knit?"]:
        jsonschema.validate(await context(client, prompt), schema)


async def test_a_value_is_given_to_the_letter_and_its_check_gives_it_again(client: httpx.AsyncClient) -> None:
    body = await context(client, PEAK)
    assert body["tiers"][0]["tier"] == "computed" and body["decision"]["reason"] == "fact"
    (peak,) = [each for each in body["receipts"] if each.get("statistic") == "max"]
    assert (peak["value"], peak["unit"], peak["position"], peak["row"]) == ("80.5", "dB", "25", 6)
    assert (peak["file"], peak["role"], peak["tier"]) == ("levels/harvest.csv", "answer", "computed")
    (fact,) = (await client.get(peak["check"])).json()["facts"]
    for member in ("iri", "value", "unit", "position", "row", "source", "metric", "statistic"):
        assert fact[member] == peak[member], member
    unit = units(body)[peak["number"] - 1]
    assert peak["value"] in unit["lines"][peak["lines"][0]]
    assert {each["role"] for each in body["receipts"] if each.get("statistic") == "min"} == {"beside"}


async def test_a_row_at_a_position_is_checked_by_its_position(client: httpx.AsyncClient) -> None:
    body = await context(client, "What was the loudness of Harvest Evensong at second 25?")
    (row,) = [each for each in body["receipts"] if each.get("role") == "answer"]
    assert (row["value"], row["row"], row["iri"]) == ("80.5", 6, f"{row['source']}#row=6") and "statistic" not in row
    (found,) = (await client.get(row["check"])).json()["readings"]
    for member in ("iri", "value", "unit", "position", "row", "source", "metric"):
        assert found[member] == row[member], member


async def test_a_passage_is_given_with_its_window_and_its_check_gives_its_words(client: httpx.AsyncClient) -> None:
    body = await context(client, HAPPENED)
    spans = [each for each in body["receipts"] if each["tier"] == "addressed" and each["role"] == "answer"]
    assert spans and {each["file"] for each in spans} == {"tapes/harvest.srt"}
    for span in spans:
        (found,) = (await client.get(span["check"])).json()["spans"]
        assert found["iri"] == span["iri"] and found["start"] == span["at"]["start"] and found["end"] == span["at"]["end"]
        assert found["text"] in "\n".join(units(body)[span["number"] - 1]["lines"])
        assert found["where"] == f"{span['file']}:{span['line']}"
    assert body["route"]["committed"] and [base["iri"] for base in body["route"]["bases"]] == ["urn:example:choir:"]
    assert {each["iri"] for each in spans} <= {each["iri"] for each in body["addresses"]}


async def test_what_is_absent_is_a_note_and_no_value_stands_under_it(client: httpx.AsyncClient) -> None:
    body = await context(client, ABSENT)
    assert len(body["notes"]) == 1 and "Winter Vespers" in body["notes"][0]
    assert not [each for each in body["receipts"] if "value" in each]
    assert {each["role"] for each in body["receipts"]} <= {"absent", "beside", "guide"}


async def test_a_concept_is_checked_by_its_address(client: httpx.AsyncClient) -> None:
    body = await context(client, UNIT)
    assert {tier["tier"] for tier in body["tiers"]} == {"discovered"}
    first = body["receipts"][0]
    assert first["iri"] == "urn:test:tide-kiln"
    found = (await client.get(first["check"], headers={"accept": "application/json"})).json()
    assert found["title"] == units(body)[0]["title"] == "Tide Kiln"


async def test_a_prompt_is_a_user_message_of_its_own(client: httpx.AsyncClient) -> None:
    alone = await context(client, PEAK)
    said = [{"role": "user", "content": PEAK}]
    asked = (await client.post("/loom/context", json={"messages": said})).json()
    assert alone == asked
    assert [message["role"] for message in alone["messages"]] == ["system", "user"]
    assert alone["messages"][1:] == said and alone["context"] in alone["messages"][0]["content"]


async def test_the_scaffold_is_the_same_call_restricted_to_its_units(client: httpx.AsyncClient) -> None:
    body = await context(client, PEAK, budget=400, wrapper="neutral")
    scaffold = (await client.post("/loom/scaffold", json={"prompt": PEAK, "budget": 400, "wrapper": "neutral"})).json()
    assert {name: scaffold[name] for name in body["loom"]} == body["loom"]
    assert scaffold["scaffold"] == body["context"]


async def test_the_bare_context_is_markdown(client: httpx.AsyncClient) -> None:
    body = await context(client, PEAK)
    bare = await client.post("/loom/context", json={"prompt": PEAK}, headers={"accept": "text/markdown"})
    assert bare.text == body["context"] and bare.headers["content-type"].startswith("text/markdown")
    assert "accept" in bare.headers["vary"]


@pytest.mark.parametrize("given", [{"prompt": "How do I knit?"}, {"prompt": PEAK, "off": True}])
async def test_where_nothing_is_shown_the_members_are_there_and_empty(client: httpx.AsyncClient, given: dict[str, Any]) -> None:
    body = (await client.post("/loom/context", json=given)).json()
    holds_together(body)
    assert (body["context"], body["tiers"], body["receipts"], body["notes"], body["tokens"]) == ("", [], [], [], 0)
    assert body["messages"] == [{"role": "user", "content": given["prompt"]}]
    assert body["route"] == {"bases": [], "committed": False} and body["addresses"] == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "there is neither"),
        ({"prompt": PEAK, "messages": [{"role": "user", "content": PEAK}]}, "not both"),
        ({"prompt": ""}, "it is empty"),
        ({"prompt": 7}, "not a number"),
        ({"prompt": PEAK, "budget": 20}, "Raise the budget"),
        ({"prompt": PEAK, "tiers": 1}, "Unknown option tiers"),
    ],
)
async def test_what_cannot_be_answered_is_refused(client: httpx.AsyncClient, given: dict[str, Any], said: str) -> None:
    answer = await client.post("/loom/context", json=given)
    assert answer.status_code == 400 and said in answer.text, answer.text


@pytest.fixture(scope="module")
def opened(folder: Path) -> Iterator[Any]:
    with compose.opened(folder) as found:
        yield found


WORDS = "what was the peak lowest loudness of Harvest Evensong second 25 146 2:26 at around price loaf kiln tide furnace and".split()


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=10), budget=st.integers(700, 3000))
async def test_any_question_holds_together(opened: Any, words: list[str], budget: int) -> None:
    node, pin = opened
    text = " ".join(words)
    body = {"messages": [{"role": "user", "content": text}]}
    plan = await prepare(Question(text, Scope("t"), body), pin, node.finders, node.policies, budget=budget)
    holds_together(json.loads(json.dumps(context_json(plan))))


@pytest.mark.parametrize("prompt", QUESTIONS)
async def test_every_check_is_answered(client: httpx.AsyncClient, prompt: str) -> None:
    body = await context(client, prompt)
    checks = [each["check"] for each in body["receipts"] if "check" in each]
    for check in checks:
        answer = await client.get(check, headers={"accept": "application/json"})
        assert answer.status_code == 200, check
        assert answer.headers["x-loom-generation"] == body["pin"]["generation"]
    stated = [each for each in body["receipts"] if each.get("role", "answer") in ("answer", "found") and each.get("file")]
    assert all("check" in each for each in stated)
