"""Claims in the chat path: shown with their standing, disputes and assumptions; what is gone is never shown."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.nodes import kiln_node, served

from loom.claims.asks import Act, Derive, Describe, State, TakeIn
from loom.claims.workspace import Claims
from loom.compose_claims import workspace
from loom.core.claims.intake.ids import entry
from loom.core.claims.stored import StoredClaim, Wanted
from loom.serve.app import create_app
from loom_adapters.scripted_model import FakeModel

CHAT = "/v1/chat/completions"
QUESTION = "What does the boiler depend on?"


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "claims.sqlite")


@pytest.fixture
def model() -> Iterator[FakeModel]:
    yield FakeModel()


@asynccontextmanager
async def desk(store: str) -> AsyncIterator[Claims]:
    claims = workspace(store)
    try:
        yield claims
    finally:
        await claims.aclose()


async def filled(claims: Claims) -> StoredClaim:
    """A domain, two documents, and the claim that follows from them."""
    await claims.ask([Describe("plant", "Plant", "boiler pump valve depends", "anna")])
    texts = {"rules": "The boiler depends on the feed pump.", "plan": "The feed pump depends on the north valve."}
    await claims.flush()
    await claims.ask([TakeIn(entry(source, text, observed_at="2026-05-01")) for source, text in texts.items()])
    await claims.flush()
    await claims.ask([Derive(QUESTION)])
    await claims.flush()
    (claim,) = await (await claims.store()).look(lambda view: view.list_claims(Wanted()))
    return claim


@asynccontextmanager
async def node(folder: Path, store: str, model: FakeModel | None, **variables: str) -> AsyncIterator[httpx.AsyncClient]:
    given = kiln_node(folder, model, LOOM_CLAIMS="on", LOOM_CLAIMS_STORE=store, **variables)
    async with served(create_app(given)) as url, httpx.AsyncClient(base_url=url, timeout=20) as client:
        yield client


async def asked(client: httpx.AsyncClient, text: str = QUESTION) -> dict[str, Any]:
    reply = await client.post(CHAT, json={"model": "echo", "messages": [{"role": "user", "content": text}]})
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def test_a_model_is_shown_the_claim_with_what_it_rests_on(tmp_path: Path, store: str, model: FakeModel) -> None:
    async with desk(store) as claims:
        claim = await filled(claims)
    async with node(tmp_path, store, model) as client:
        loom = (await asked(client))["loom"]
    block = model.bodies[-1]["messages"][0]["content"]
    assert 'Claim, proposed: "The boiler depends on the north valve".' in block
    assert 'It rests on rules, 1 May, 2026: "The boiler depends on the feed pump"' in block
    assert loom["decision"]["reason"] == "claim" and claim.claim.id in loom["claims"]["shown"]
    assert loom["claims"]["version"] == 3 and loom["claims"]["scope"] == ["plant"]
    async with desk(store) as claims:
        shown = await (await claims.store()).look(lambda view: view.shown([claim.claim.id]))
    assert shown[claim.claim.id].count == 1


async def test_a_contested_claim_comes_with_its_conflict_and_a_rejected_one_never(
    tmp_path: Path, store: str, model: FakeModel
) -> None:
    async with desk(store) as claims:
        claim = await filled(claims)
        letter = entry("letter", "The boiler no longer depends on the north valve.", observed_at="2026-05-03")
        await claims.ask([TakeIn(letter)])
        await claims.flush()
        async with node(tmp_path, store, model) as client:
            loom = (await asked(client))["loom"]
            block = model.bodies[-1]["messages"][0]["content"]
            line = next(each for each in block.splitlines() if each.startswith("Claim, contested"))
            assert 'Disputed by: "The boiler no longer depends on the north valve".' in line
            (hit,) = [each for each in loom["claims"]["hits"] if each["kind"] == "claim"]
            assert hit["standing"] == "contested" and len(hit["disputed_by"]) == 1
            await claims.ask([Act("reject", claim.claim.id, "anna")])
            await claims.flush()
            again = await asked(client)
    assert not [each for each in again["loom"]["claims"]["hits"] if each["kind"] == "claim"]
    assert "Claim," not in model.bodies[-1]["messages"][0]["content"]


async def test_a_follow_up_is_shown_the_claim_as_it_stands_by_then(tmp_path: Path, store: str, model: FakeModel) -> None:
    async with desk(store) as claims, node(tmp_path, store, model) as client:
        claim = await filled(claims)
        turns = [{"role": "user", "content": QUESTION}]
        shown = []
        letter = TakeIn(entry("letter", "The boiler no longer depends on the north valve.", observed_at="2026-05-03"))
        for text, wish in (("And why is that?", letter), ("Is that still so?", Act("reject", claim.claim.id, "anna"))):
            reply = await client.post(CHAT, json={"model": "echo", "messages": turns})
            turns += [{"role": "assistant", "content": "On the north valve."}, {"role": "user", "content": text}]
            shown.append([each for each in model.bodies[-1]["messages"][0]["content"].splitlines() if each.startswith("Claim")])
            await claims.ask([wish])
            await claims.flush()
        reply = await client.post(CHAT, json={"model": "echo", "messages": turns})
    assert [line.split(":")[0] for lines in shown for line in lines] == ["Claim, proposed", "Claim, contested"]
    assert "Claim," not in model.bodies[-1]["messages"][0]["content"]
    assert (
        "no longer depends" in model.bodies[-1]["messages"][0]["content"]
        and reply.json()["loom"]["decision"]["reason"] == "claim"
    )


async def test_many_who_dispute_a_claim_do_not_take_it_out_of_sight(tmp_path: Path, store: str, model: FakeModel) -> None:
    async with desk(store) as claims:
        await filled(claims)
        said = f"The boiler no longer depends on the north valve, {'and so on ' * 40}as letter"
        await claims.ask([TakeIn(entry(f"letter-{n}", f"{said} {n} says.", observed_at="2026-05-03")) for n in range(40)])
        await claims.flush()
    async with node(tmp_path, store, model) as client:
        await asked(client)
    block = model.bodies[-1]["messages"][0]["content"]
    (line,) = [each for each in block.splitlines() if each.startswith("Claim, contested")]
    assert line.count("Disputed by: ") == 3 and line.endswith("Disputed by 37 more.")


async def test_what_is_assumed_stands_on_the_claims_own_line(tmp_path: Path, store: str, model: FakeModel) -> None:
    async with desk(store) as claims:
        await filled(claims)
        wish = State(
            "The boiler should be replaced in June.", "anna", preconditions=("The budget allows it.",), domains=("plant",)
        )
        await claims.ask([wish])
        await claims.flush()
    async with node(tmp_path, store, model) as client:
        await asked(client, "Should the boiler be replaced in June?")
    block = model.bodies[-1]["messages"][0]["content"]
    line = next(each for each in block.splitlines() if "replaced in June" in each and each.startswith("Claim"))
    assert 'Assumed without evidence: "The budget allows it".' in line


async def test_the_reader_answers_from_a_claim(tmp_path: Path, store: str) -> None:
    async with desk(store) as claims:
        await filled(claims)
    async with node(tmp_path, store, None) as client:
        answer = await asked(client)
    assert "north valve" in answer["choices"][0]["message"]["content"]


async def test_a_question_about_something_else_is_shown_no_claim(tmp_path: Path, store: str, model: FakeModel) -> None:
    async with desk(store) as claims:
        await filled(claims)
    async with node(tmp_path, store, model) as client:
        loom = (await asked(client, "What is a kiln?"))["loom"]
    assert loom["decision"]["reason"] != "claim" and loom["claims"]["shown"] == []


async def test_a_node_without_claims_says_nothing_of_them(tmp_path: Path, model: FakeModel) -> None:
    async with served(create_app(kiln_node(tmp_path, model))) as url, httpx.AsyncClient(base_url=url) as client:
        assert "claims" not in (await asked(client))["loom"]
