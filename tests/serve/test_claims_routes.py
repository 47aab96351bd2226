"""Routes of claims: what is sent, asked, shown and decided, while another process is the slow path."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
from support.claims_axes import contract
from support.claims_nodes import FOLLOWS, QUESTION, TEXTS, WAIT, client_of, desk, held, sent, slow_path
from support.nodes import kiln_node, served

from loom.core.claims.dimensions.reading import written
from loom.lab.claims.logged import logged
from loom.lab.claims.people import Timed
from loom.serve.app import create_app
from loom.serve.keys import new_key, write_keys
from loom_adapters.scripted_model import FakeModel

LETTER = {"letter": "The boiler no longer depends on the north valve."}


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "claims.sqlite")


async def test_entries_in_a_question_and_the_claim_with_all_that_it_rests_on(tmp_path: Path, store: str) -> None:
    async with slow_path(store), client_of(tmp_path, store, FakeModel()) as client:
        told = (await client.post("/loom/entries", json=sent(TEXTS))).json()
        assert [each["state"] for each in told["entries"]] == ["new", "new"]
        assert all(len(each["outcome"]["signals"]) == 1 for each in told["entries"])
        answer = await client.post("/loom/ask", json={"text": QUESTION, "way": "reason", "wait": WAIT})
        body = answer.json()
        assert answer.status_code == 200 and body["asked"]["state"] == "done" and body["way"] == "reason"
        assert [(each["text"], each["standing"]) for each in body["hits"] if each["kind"] == "claim"] == [(FOLLOWS, "proposed")]
        assert 'Claim, proposed: "The boiler depends on the north valve".' in body["context"]["context"]
        assert body["context"]["decision"]["reason"] == "claim" and answer.headers["x-loom-decision"] == "claim"
        (id,) = body["asked"]["outcome"]["claims"]
        again = (await client.get(f"/loom/asks/{body['asked']['key']}")).json()
        assert again == body["asked"]
        shown = (await client.get(f"/loom/claims/{id}")).json()
        assert sorted(each["proposition"] for each in shown["signals"].values()) == sorted(TEXTS.values())
        assert {each["source"] for each in shown["entries"].values()} == set(TEXTS)
        assert [(each["from"], each["to"]) for each in shown["history"]] == [("none", "proposed")] and shown["shown"] == 1
        listed = (await client.get("/loom/claims", params={"standing": ["proposed", "accepted"], "text": "NORTH"})).json()
        assert [each["id"] for each in listed["claims"]] == [id] and listed["after"] is None


@pytest.mark.parametrize("form", ["objects", "lines"])
async def test_an_entry_says_what_it_replaces(tmp_path: Path, store: str, form: str) -> None:
    """Whatever the two say; and as an object or a line."""
    async with slow_path(store), client_of(tmp_path, store) as client:

        async def send(**entry: Any) -> dict[str, Any]:
            each = {"source": "plan", "observed_at": "2026-05-02", **entry}
            body = orjson.dumps({"entries": [each]} if form == "objects" else each)
            reply = await client.post("/loom/entries", content=body)
            assert reply.status_code in (200, 202), reply.text
            (told,) = reply.json()["entries"]
            return dict((await client.get(f"/loom/asks/{told['key']}", params={"wait": WAIT})).json()["outcome"])

        (old,) = (await send(text="The boiler is green."))["signals"]
        await send(text="The annex has two doors.", observed_at="2026-05-03", replaces=[old])
        found = (await client.post("/loom/ask", json={"text": "What colour is the boiler?", "context": False})).json()["hits"]
        assert [each["text"] for each in found if each["kind"] == "signal"] == ["The annex has two doors."]
        wrong = {"text": "It is blue.", "replaces": old}
        body = orjson.dumps({"entries": [wrong]} if form == "objects" else wrong)
        refused = await client.post("/loom/entries", content=body)
        assert refused.status_code == 400 and "replaces" in refused.text


async def test_where_nobody_reasons_the_ask_waits_under_its_key(tmp_path: Path, store: str) -> None:
    async with client_of(tmp_path, store) as client:
        sending = await client.post("/loom/entries", json=sent(TEXTS) | {"wait": 0})
        assert sending.status_code == 202 and {each["version"] for each in sending.json()["entries"]} == {0}
        body = {"text": QUESTION, "way": "reason", "wait": 0, "once": "mine", "context": False}
        replies = [await client.post("/loom/ask", json=body) for _ in range(2)]
        assert {reply.status_code for reply in replies} == {202}
        (key,) = {reply.json()["asked"]["key"] for reply in replies}
        assert (await client.get(f"/loom/asks/{key}")).json()["state"] == "waiting"
        async with slow_path(store):
            done = (await client.get(f"/loom/asks/{key}", params={"wait": WAIT})).json()
        assert done["state"] == "done" and len(done["outcome"]["claims"]) == 1
        assert (await client.get("/loom/asks/question:none")).status_code == 404


async def test_an_artifact_cites_and_prints_what_is_assumed(tmp_path: Path, store: str) -> None:
    async with slow_path(store), client_of(tmp_path, store) as client:
        claim = {"proposition": "The boiler should be replaced in June.", "by": "anna", "assumes": ["The budget allows it."]}
        entered = await client.post("/loom/claims", json={**claim, "wait": WAIT})
        assert entered.status_code == 200 and entered.json()["claim"]["standing"] == "proposed", entered.text
        task = {"text": "Write a report on replacing the boiler in June", "audience": "the board", "register": "report"}
        told = (await client.post("/loom/ask", json=task)).json()
        assert told["way"] == "author" and entered.json()["claim"]["id"] in told["artifact"]["citations"]
        assert "Assumed without evidence: The budget allows it." in told["artifact"]["text"]
        assert "For the board." in told["artifact"]["text"]
        edit = {"text": "Shorten it to one sentence on the boiler", "before": ["What of the boiler?", "It is old."]}
        for artifact, way in ((told["artifact"]["text"][:400], "author"), (None, "retrieve")):
            answer = await client.post("/loom/ask", json={**edit, "artifact": artifact})
            assert (answer.status_code, answer.json()["way"]) == (200, way), answer.text
        for wrong in ({"before": "It is old."}, {"before": [3]}, {"artifact": " "}):
            assert (await client.post("/loom/ask", json={**edit, **wrong})).status_code == 400


async def test_a_conflict_comes_and_a_person_ends_it(tmp_path: Path, store: str) -> None:
    async with slow_path(store), client_of(tmp_path, store) as client:
        id = (await held(client))["id"]

        async def act(name: str, **body: Any) -> httpx.Response:
            return await client.post(f"/loom/claims/{id}/{name}", json={"by": "anna", "wait": WAIT, **body})

        assert (await act("accept")).json()["claim"]["standing"] == "accepted"
        refused = await act("readmit")
        assert refused.status_code == 409 and refused.json()["error"] == "conflict"
        early = await act("resolve", **{"yield": True})
        assert early.status_code == 409 and "is accepted, not contested" in early.text
        letter = (await client.post("/loom/entries", json=sent(LETTER, "2026-05-03"))).json()["entries"][0]
        shown = (await client.get(f"/loom/claims/{id}")).json()
        assert shown["claims"][id]["standing"] == "contested"
        (other,) = shown["disputed_by"]
        assert other["text"] == LETTER["letter"] and other["id"].startswith("signal:")
        elsewhere = await act("resolve", spurious="signal:0123")
        assert elsewhere.status_code == 404 and "lifted:" not in elsewhere.text and "does not dispute" in elsewhere.text
        resolved = await act("resolve", spurious=other["id"])
        assert resolved.json()["claim"]["standing"] == "accepted", resolved.text
        assert [each["live"] for each in (await client.get(f"/loom/claims/{id}")).json()["conflicts"]] == [False]
        assert (await act("reject")).json()["claim"]["standing"] == "retracted"
        assert (await act("readmit")).json()["claim"]["standing"] == "proposed"
        gone = await client.post("/loom/entries/withdraw", json={"entries": [letter["id"]], "by": "ben", "wait": WAIT})
        assert gone.status_code == 200
        again = (await client.post("/loom/entries", json=sent(LETTER, "2026-05-03"))).json()["entries"][0]
        assert again["state"] == "withdrawn"
        assert (await client.get(f"/loom/entries/{letter['id']}")).json()["signals"][0]["supported"] is False
        back = await client.post("/loom/entries/restore", json={"entries": [letter["id"]], "wait": WAIT})
        assert back.status_code == 200
        assert (await client.get(f"/loom/entries/{letter['id']}")).json()["signals"][0]["supported"] is True


async def test_one_claim_takes_the_place_of_another(tmp_path: Path, store: str) -> None:
    async with slow_path(store), client_of(tmp_path, store) as client:
        old = (await held(client))["id"]
        given = {"proposition": "The boiler depends on the south valve.", "by": "anna", "wait": WAIT}
        new = (await client.post("/loom/claims", json=given)).json()["claim"]["id"]
        body = {"new": new, "by": "anna", "wait": WAIT}
        done = (await client.post(f"/loom/claims/{old}/supersede", json=body)).json()
        assert (done["claim"]["standing"], done["claim"]["superseded_by"]) == ("superseded", [new])
        hits = (await client.post("/loom/ask", json={"text": QUESTION, "way": "retrieve", "context": False})).json()["hits"]
        assert old not in [each["id"] for each in hits] and new in [each["id"] for each in hits]
        undone = (await client.post(f"/loom/claims/{old}/supersede", json={**body, "undo": True})).json()
        assert undone["claim"]["standing"] != "superseded"


async def test_domains_bound_what_is_read_and_dimensions_take_a_contract(tmp_path: Path, store: str) -> None:
    async with slow_path(store), client_of(tmp_path, store) as client:
        for id, words in (("plant", "boiler pump valve depends"), ("music", "choir song concert organ sings")):
            reply = await client.post("/loom/domains", json={"id": id, "name": id.title(), "description": words, "wait": WAIT})
            assert reply.status_code == 200, reply.text
        assert {each["id"] for each in (await client.get("/loom/domains")).json()["domains"]} >= {"plant", "music"}
        await held(client)
        ask = {"text": QUESTION, "way": "retrieve", "context": False}
        assert (await client.post("/loom/ask", json={**ask, "domains": ["music"]})).json()["hits"] == []
        assert (await client.post("/loom/ask", json={**ask, "domains": ["plant"]})).json()["scope"] == ["plant"]
        assert (await client.post("/loom/ask", json={**ask, "domains": ["none"]})).status_code == 404
        given = {"id": "feasible", "domain": "plant", "wait": WAIT}
        wrong = await client.post("/loom/dimensions", json={**given, "contract": {}})
        assert wrong.status_code == 409 and "name is missing" in wrong.text
        assert (
            await client.post("/loom/dimensions", json={"id": "feasible", "contract": written(contract())})
        ).status_code == 400
        absent = await client.post("/loom/dimensions", json={**given, "domain": "nope", "contract": written(contract())})
        assert absent.status_code == 409 and "There is no domain nope" in absent.text
        assert (await client.get("/loom/dimensions")).json()["dimensions"] == []
        assert (await client.post("/loom/dimensions", json={**given, "contract": written(contract())})).status_code == 200
        assert (await client.post("/loom/dimensions", json={"id": "feasible", "state": "pin", "wait": WAIT})).status_code == 200
        (held_now,) = (await client.get("/loom/dimensions")).json()["dimensions"]
        assert (held_now["id"], held_now["state"], held_now["pinned"]) == ("feasible", "active", True)


async def test_pages_go_through_everything_once(tmp_path: Path, store: str) -> None:
    texts = {f"memo-{n}": f"The pump number {n} depends on the valve number {n}." for n in range(7)}
    async with slow_path(store), client_of(tmp_path, store) as client:
        assert (await client.post("/loom/entries", json=sent(texts))).status_code == 200
        found: list[str] = []
        after = None
        while True:
            page = (await client.get("/loom/entries", params={"limit": 3} | ({"after": after} if after else {}))).json()
            found += [each["source"] for each in page["entries"]]
            after = page["after"]
            if after is None:
                break
        assert sorted(found) == sorted(texts)
        assert (await client.get("/loom/claims", params={"after": "claim:none"})).status_code == 404


async def test_json_lines_are_taken_and_what_cannot_be_read_is_listed(tmp_path: Path, store: str) -> None:
    body = b'{"text": "The pump depends on the tap.", "source": "a"}\nnot json\n{"source": "b"}\n{"text": "So.", "observed_at": "soon"}'
    async with slow_path(store), client_of(tmp_path, store) as client:
        told = (await client.post("/loom/entries", content=body, params={"wait": WAIT})).json()
        assert [each["state"] for each in told["entries"]] == ["new", "new"]
        assert [each["line"] for each in told["faults"]] == [2, 3, 4]
        again = (await client.post("/loom/entries", content=body, params={"wait": WAIT})).json()
        assert [each["state"] for each in again["entries"]] == ["known", "known"]
        one = await client.post("/loom/entries", content=b'{"text": "A line alone depends on nothing."}', params={"wait": WAIT})
        assert one.json()["entries"][0]["state"] == "new"


async def test_what_is_sent_without_a_source_takes_the_place_of_nothing(tmp_path: Path, store: str) -> None:
    texts = ("The boiler depends on the tank.", "The boiler no longer depends on the tank.")
    async with slow_path(store), client_of(tmp_path, store) as client:
        for n, text in enumerate(texts):
            body = {"entries": [{"text": text, "observed_at": f"2026-05-0{n + 1}"}], "wait": WAIT}
            assert (await client.post("/loom/entries", json=body)).json()["entries"][0]["state"] == "new"
        await client.post(
            "/loom/entries", content=b'{"text": "The boiler no longer depends on the tank, it seems."}', params={"wait": WAIT}
        )
        entries = (await client.get("/loom/entries")).json()["entries"]
        assert len({each["source"] for each in entries}) == 3
        shown = [(await client.get(f"/loom/entries/{each['id']}")).json()["signals"] for each in entries]
        assert all(signal["supported"] for signals in shown for signal in signals)


BAD: list[tuple[str, str, Any, int, str]] = [
    ("POST", "/loom/ask", {}, 400, "as text"),
    ("POST", "/loom/ask", {"text": " "}, 400, "as text"),
    ("POST", "/loom/ask", {"text": "a\0b"}, 400, "NUL"),
    ("POST", "/loom/ask", {"text": "a", "way": "guess"}, 400, "retrieve, reason, author"),
    ("POST", "/loom/ask", {"text": "a", "k": 0}, 400, "as k"),
    ("POST", "/loom/ask", {"text": "a", "wait": "long"}, 400, "as wait"),
    ("POST", "/loom/ask", {"text": "a", "odd": 1}, 400, "odd"),
    ("POST", "/loom/entries", {"entries": []}, 400, "1 to 1,000 entries"),
    ("POST", "/loom/entries", {"entries": [{"text": "a"}, {"text": 3}]}, 400, "entries[1]"),
    ("POST", "/loom/entries", {"entries": [{"text": "a", "observed_at": "soon"}]}, 400, "2026-05-01"),
    ("POST", "/loom/entries", {"entries": [{"text": "a", "id": "x\0"}]}, 400, "NUL"),
    ("POST", "/loom/entries", [1], 400, "JSON object"),
    ("POST", "/loom/entries/withdraw", {"entries": ["none"]}, 404, "There is no entry"),
    ("POST", "/loom/entries/withdraw", {}, 400, "as entries"),
    ("GET", "/loom/entries/none", None, 404, "There is no entry"),
    ("GET", "/loom/claims/claim:none", None, 404, "There is no claim"),
    ("GET", "/loom/claims?limit=all", None, 400, "Expected a whole number as limit, not 'all'; give one."),
    ("GET", "/loom/claims?limit=0", None, 400, "Expected a number of at least 1 as limit, not '0'; give one."),
    ("GET", "/loom/claims?limit=501", None, 400, "Expected a number of at most 500 as limit, not '501'; give one."),
    ("GET", "/loom/asks/none", None, 404, "give the key"),
    ("GET", "/loom/asks/none?wait=nan", None, 400, "as wait, not 'nan'; give one."),
    ("GET", "/loom/claims?standing=odd", None, 400, "standing among"),
    ("GET", "/loom/claims/prov?format=xml", None, 400, "format among"),
    ("GET", "/loom/claims/prov?claim=claim:none", None, 404, "There is no claim"),
    ("POST", "/loom/claims", {"proposition": ""}, 400, "as proposition"),
    ("POST", "/loom/claims/claim:none/accept", {}, 404, "There is no claim"),
    ("POST", "/loom/domains", {"id": "a", "name": "a", "seconds": -1}, 400, "as seconds"),
    ("POST", "/loom/domains", {"id": "a", "name": "a", "seconds": True}, 400, "as seconds"),
    ("POST", "/loom/claims", {"proposition": "So it is.", "seconds": 86_401}, 400, "as seconds"),
    ("POST", "/loom/claims/claim:none/resolve", {}, 400, "spurious or reject"),
    ("POST", "/loom/claims/claim:none/resolve", {"yield": False}, 400, "spurious or reject"),
    ("POST", "/loom/claims/claim:none/resolve", {"yield": True, "reject": "x"}, 400, "spurious or reject"),
    ("POST", "/loom/claims/claim:none/supersede", {"new": "claim:other"}, 404, "There is no claim"),
    ("POST", "/loom/domains", {"id": "a"}, 400, "as name"),
    ("POST", "/loom/domains", {"id": "a\nb", "name": "a"}, 400, "printable"),
    ("POST", "/loom/dimensions", {"id": "a"}, 400, "contract or one of"),
    ("POST", "/loom/dimensions", {"id": "a\x1bb", "state": "pin"}, 400, "printable"),
]


async def test_what_is_wrong_is_refused_in_a_sentence(tmp_path: Path, store: str) -> None:
    async with client_of(tmp_path, store) as client:
        for method, path, body, status, sentence in BAD:
            reply = await client.request(method, path, json=body)
            assert (reply.status_code, sentence in reply.text) == (status, True), (path, body, reply.text)
    async with served(create_app(kiln_node(tmp_path))) as url, httpx.AsyncClient(base_url=url) as client:
        for method, path, body, _, _ in BAD:
            reply = await client.request(method, path, json=body)
            assert reply.status_code in (400, 404) and ("LOOM_CLAIMS" in reply.text or reply.status_code == 400), path


async def test_who_may_do_what(tmp_path: Path, store: str) -> None:
    keys = {scope: new_key(scope, (scope,), "2026-01-01") for scope in ("read", "write", "admin", "chat")}
    write_keys(tmp_path / "keys.json", {key.id: key for key, _ in keys.values()})
    body = {"text": QUESTION, "way": "retrieve", "context": False}
    paths: list[tuple[str, str, Any, str]] = [
        ("POST", "/loom/ask", body, "write"),
        ("POST", "/loom/entries", {"entries": [{"text": "a"}], "wait": 0}, "write"),
        ("POST", "/loom/claims", {"proposition": "So it is.", "wait": 0}, "write"),
        ("GET", "/loom/claims", None, "read"),
        ("GET", "/loom/entries", None, "read"),
        ("GET", "/loom/claims/prov", None, "read"),
        ("POST", "/loom/claims/claim:none/accept", {}, "admin"),
        ("POST", "/loom/claims/claim:none/resolve", {"yield": True}, "admin"),
        ("POST", "/loom/domains", {"id": "a", "name": "a", "wait": 0}, "admin"),
        ("POST", "/loom/dimensions", {"id": "a", "state": "pin", "wait": 0}, "admin"),
    ]
    async with client_of(tmp_path, store, LOOM_API_KEYS_FILE=str(tmp_path / "keys.json")) as client:
        for method, path, given, needed in paths:
            for scope, (_, secret) in keys.items():
                reply = await client.request(method, path, json=given, headers={"authorization": f"Bearer {secret}"})
                assert (reply.status_code == 403) is (scope not in (needed, "admin")), (path, scope, reply.text)
        who = {"authorization": f"Bearer {keys['write'][1]}"}
        key = keys["write"][0].id
        (await client.post("/loom/claims", json={"proposition": "It is so.", "by": "anna", "wait": 0}, headers=who)).json()
        async with desk(store) as claims:
            waiting = await (await claims.store()).look(lambda view: view.queue())
        assert f"anna ({key})" in [each.ask.body["by"] for each in waiting if each.ask.kind == "claim"]


async def test_provenance_as_prov_json_and_as_triples(tmp_path: Path, store: str) -> None:
    rdflib = pytest.importorskip("rdflib")
    async with slow_path(store), client_of(tmp_path, store) as client:
        id = (await held(client))["id"]
        made = (await client.get("/loom/claims/prov", params={"claim": id})).json()
        assert made["entity"][f"at:{id}"]["loom:standing"] == "proposed" and len(made["entity"]) == 5
        assert len(made["activity"]) == 1 and len(made["used"]) == 2
        lines = await client.get("/loom/claims/prov", params={"claim": id}, headers={"accept": "application/n-triples"})
        graph = rdflib.Graph().parse(data=lines.text, format="nt")
        asked = """PREFIX prov: <http://www.w3.org/ns/prov#>
        SELECT ?source WHERE { ?claim prov:wasGeneratedBy/prov:used/prov:wasQuotedFrom ?entry . ?entry <urn:loom:ns#source> ?source }"""
        assert {str(row[0]) for row in graph.query(asked)} == set(TEXTS)
        await client.post("/loom/claims", json={"proposition": "The choir sings.", "by": "anna", "wait": WAIT})
        first = await client.get("/loom/claims/prov", params={"limit": 1})
        second = await client.get(first.links["next"]["url"])
        assert "next" not in second.links and f"at:{id}" in first.json()["entity"] and f"at:{id}" not in second.json()["entity"]


async def test_how_long_a_person_took_is_kept_with_what_they_asked(tmp_path: Path, store: str) -> None:
    async with slow_path(store) as claims, client_of(tmp_path, store) as client:
        id = (await held(client))["id"]
        accepted = await client.post(f"/loom/claims/{id}/accept", json={"seconds": 12.5, "wait": WAIT})
        assert accepted.json()["ask"]["state"] == "done"
        await client.post(f"/loom/claims/{id}/reject", json={"wait": WAIT})
        entries = [each["id"] for each in (await client.get("/loom/entries")).json()["entries"]]
        await client.post("/loom/entries/withdraw", json={"entries": entries, "seconds": 9, "wait": WAIT})
        told = await logged(await claims.store())
    assert told.people["accept"] == Timed(1, (12.5 / 60,)) and told.people["reject"] == Timed(1, ())
    assert told.people["withdraw"] == Timed(2, (4.5 / 60, 4.5 / 60)) and told.untimed == ["reject"]


async def test_what_it_comes_to_is_on_the_metrics(tmp_path: Path, store: str) -> None:
    async with slow_path(store):
        async with client_of(tmp_path, store) as client:
            await held(client)
        async with client_of(tmp_path, store) as client:
            await client.post("/loom/ask", json={"text": QUESTION, "way": "retrieve", "context": False})
            for _ in range(200):
                told = (await client.get("/metrics")).text
                if "loom_claims_version 2.0" in told:
                    break
                await asyncio.sleep(0.05)
    assert 'loom_claims_standing{standing="proposed"} 1.0' in told and 'loom_claims_waiting{kind="entry"} 0.0' in told
    assert 'loom_claims_asks_total{outcome="found",way="retrieve"} 1.0' in told
