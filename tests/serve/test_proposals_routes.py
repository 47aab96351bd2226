"""Routes of the write path: what lands, what is refused, who may decide, and pages that change by approval alone."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.nodes import kiln_node, served, settings_for

from loom.compose import Node
from loom.compose_proposals import desk
from loom.core.proposals.assertion import Assertion, Span
from loom.core.proposals.dossier import Dossier
from loom.core.proposals.sections import without
from loom.serve.app import create_app
from loom.serve.keys import new_key, write_keys

PAGE = b"---\ntitle: Kiln\n---\nA furnace that hardens clay.\n"
BASE = "/loom/proposals"


def proposing_node(folder: Path, **variables: str) -> Node:
    (folder / "vault").mkdir(exist_ok=True)
    (folder / "vault" / "Kiln.md").write_bytes(PAGE)
    stated = {"LOOM_PROPOSALS_VAULT": str(folder / "vault"), "LOOM_PROPOSALS_STORE": str(folder / "store")}
    return kiln_node(folder, **{**stated, **variables})


def waiting(folder: Path, text: str = "- It is hot.", number: int = 0) -> str:
    """A dossier that waits for a person; its id."""
    made = Assertion(f"A kiln is hot {number}.", "a.txt", Span("hot"), verified=True)
    dossier = Dossier("urn:test:kiln", "Kiln", "Kiln.md", "evidence", text, "", ("Furnace",), (made,))
    stated = {"LOOM_PROPOSALS_VAULT": str(folder / "vault"), "LOOM_PROPOSALS_STORE": str(folder / "store")}
    assert desk(settings_for(folder, **stated)).file(dossier) == ("proposed", True)
    return dossier.id


def said(text: str, source: str, *terms: str) -> dict[str, Any]:
    return {"text": text, "source": source, "terms": list(terms), "verified": True, "span": "so", "tier": 2, "confidence": 0.5}


async def test_assertions_land_once_and_make_a_candidate(tmp_path: Path) -> None:
    given = [said(f"A Tide Kiln burns on day {n}.", f"{n % 2}.txt", "tide kiln", "Tide Clock") for n in range(4)]
    async with served(create_app(proposing_node(tmp_path))) as url, httpx.AsyncClient(base_url=url) as client:
        told = (await client.post(f"{BASE}/assertions", json={"assertions": given})).json()
        assert (told["new"], told["known"], told["resolved"], told["faults"]) == (4, 0, 4, [])
        replies = await asyncio.gather(*(client.post(f"{BASE}/assertions", json={"assertions": given[n:]}) for n in range(4)))
        assert [reply.json()["new"] for reply in replies] == [0] * 4
        (term,) = (await client.get(f"{BASE}/terms")).json()["terms"]
        assert (term["term"], term["count"], term["iri"]) == ("Tide Clock", 4, None) and "Tide Kiln" in term["nearest"]
        told = (await client.get(f"{BASE}/candidates")).json()
        assert told["candidates"] == 1 and told["topics"][0]["title"] == "Tide Kiln"
        assert (await client.get(BASE)).json() == {"proposals": [], "after": None}
        metrics = (await client.get("/metrics")).text
        assert 'loom_proposals_assertions_total{result="new"} 4.0' in metrics
    assert (tmp_path / "vault" / "Kiln.md").read_bytes() == PAGE


BAD: list[tuple[Any, str]] = [
    ({}, "list of 1 to 1,000 assertions"),
    ({"assertions": []}, "not 0 of them"),
    ({"assertions": [3]}, "assertions[0]"),
    ({"assertions": [{"text": "a", "source": "b"}, {"text": "a"}]}, "assertions[1]"),
    ({"assertions": [{"text": "a", "source": "b", "tier": 9}]}, "1, 2 or 3"),
    ({"assertions": [{"text": "a", "source": "b", "fingerprint": "c"}]}, "fingerprint"),
    ({"assertions": [{"text": "a", "source": "b"}] * 1001}, "1,001 of them"),
]


async def test_what_is_wrong_is_refused_in_a_sentence(tmp_path: Path) -> None:
    node = proposing_node(tmp_path)
    id = waiting(tmp_path)
    async with served(create_app(node)) as url, httpx.AsyncClient(base_url=url) as client:
        for body, sentence in BAD:
            reply = await client.post(f"{BASE}/assertions", json=body)
            assert (reply.status_code, sentence in reply.json()["detail"]) == (400, True), reply.text
        for body, sentence in (
            ({}, "reason"),
            ({"reason": " "}, "reason"),
            ({"reason": 3}, "reason"),
            ({"reason": "x", "by": 3}, "by"),
        ):
            reply = await client.post(f"{BASE}/{id}/approve", json=body)
            assert (reply.status_code, sentence in reply.json()["detail"]) == (400, True), reply.text
        assert (await client.post(f"{BASE}/{id}/approve", json={"reason": "x", "overwrite": "yes"})).status_code == 400
        assert (await client.get(f"{BASE}?state=odd")).status_code == 400
        assert (await client.get(f"{BASE}/prop-0000")).status_code == 404
        for other in ("prop-0000", "prop-", "p", "%20"):  # what any id begins with is no id, though there is only one
            assert (await client.post(f"{BASE}/{other}/reject", json={"reason": "x"})).status_code == 404
    assert not (tmp_path / "vault" / "assertion-ledger").exists()
    async with served(create_app(kiln_node(tmp_path))) as url, httpx.AsyncClient(base_url=url) as client:
        for reply in (await client.get(BASE), await client.post(f"{BASE}/assertions", json={"assertions": [said("a", "b")]})):
            assert (reply.status_code, "LOOM_PROPOSALS_VAULT" in reply.json()["detail"]) == (404, True)


async def test_a_vault_that_is_gone_is_the_nodes_fault(tmp_path: Path) -> None:
    node = proposing_node(tmp_path)
    (tmp_path / "vault").rename(tmp_path / "elsewhere")
    async with served(create_app(node)) as url, httpx.AsyncClient(base_url=url) as client:
        reply = await client.get(BASE)
        assert (reply.status_code, reply.json()["error"]) == (503, "not_ready") and "vault" in reply.json()["detail"]


async def test_approval_writes_and_withdrawal_takes_back(tmp_path: Path) -> None:
    node = proposing_node(tmp_path)
    one, two = waiting(tmp_path), waiting(tmp_path, "- It is dear.", 1)
    page = tmp_path / "vault" / "Kiln.md"
    async with served(create_app(node)) as url, httpx.AsyncClient(base_url=url) as client:
        listed = (await client.get(BASE, params={"limit": 1})).json()
        further = (await client.get(BASE, params={"after": listed["after"]})).json()
        assert {each["id"] for each in (*listed["proposals"], *further["proposals"])} == {one, two} and further["after"] is None
        reply = await client.post(f"{BASE}/{two}/reject", json={"reason": "It is not.", "by": "Ben"})
        assert reply.json()["proposal"]["state"] == "rejected" and reply.json()["sections"] == [] and page.read_bytes() == PAGE
        reply = await client.post(f"{BASE}/{one}/approve", json={"reason": "So it is.", "by": "Anna"})
        assert [each["state"] for each in reply.json()["sections"]] == ["written"]
        assert b"- It is hot." in page.read_bytes() and b"relatedTo:: [[Furnace]]" in page.read_bytes()
        assert without(page.read_bytes()) == PAGE
        again = await client.post(f"{BASE}/{one}/reject", json={"reason": "No."})
        assert again.status_code == 409 and "approved by Anna" in again.json()["detail"]
        shown = (await client.get(f"{BASE}/{one}")).json()
        assert [(each["by"], each["reason"]) for each in shown["decisions"]] == [("Anna", "So it is.")]
        assert [each["id"] for each in (await client.get(f"{BASE}?state=approved")).json()["proposals"]] == [one]
        await client.post(f"{BASE}/{one}/withdraw", json={"reason": "It has cooled."})
        assert page.read_bytes() == PAGE


@pytest.mark.parametrize(
    ("scopes", "reads", "lands", "decides"),
    [("chat", 403, 403, 403), ("read", 200, 403, 403), ("read,write", 200, 200, 403), ("admin", 200, 200, 200)],
)
async def test_who_may_read_land_and_decide(tmp_path: Path, scopes: str, reads: int, lands: int, decides: int) -> None:
    file = tmp_path / "keys.json"
    key, secret = new_key("anna", scopes.split(","), "2026-01-01")
    write_keys(file, {key.id: key})
    node = proposing_node(tmp_path, LOOM_API_KEYS_FILE=str(file))
    id = waiting(tmp_path)
    async with served(create_app(node)) as url, httpx.AsyncClient(base_url=url) as client:
        own = {"authorization": f"Bearer {secret}"}
        assert (await client.get(BASE)).status_code == 401
        for path in ("", "/terms", "/candidates", f"/{id}"):
            assert (await client.get(BASE + path, headers=own)).status_code == reads
        body = {"assertions": [said("It burns.", "a.txt", "Kiln")]}
        assert (await client.post(f"{BASE}/assertions", json=body, headers=own)).status_code == lands
        reply = await client.post(f"{BASE}/{id}/approve", json={"reason": "So."}, headers=own)
        assert reply.status_code == decides
        if decides == 200:
            shown = (await client.get(f"{BASE}/{id}", headers=own)).json()
            assert shown["decisions"][0]["by"] == key.id
