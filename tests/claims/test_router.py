"""Who says what a request wants: the part `router`; and when a request is passed on to a slower way."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from support.claims_desk import Desk, judges
from support.trying import many

from loom.claims.asks import Derive, Withdraw
from loom.claims.stated import stated
from loom.claims.workspace import Claims
from loom.compose_claims import judges as composed
from loom.core.claims.judging.asked import WAYS, Request
from loom.core.claims.judging.calls import Judged
from loom.core.claims.judging.given import Way
from loom.core.claims.judging.routing import read_requests, slower
from loom.core.claims.parts import Parts
from loom.core.claims.stored import Wanted
from loom.core.errors import BadInput, BadSettings
from loom_adapters.claims.kept import FakeClaims
from loom_adapters.judges_scripted import FakeJudges

BOILER = "What does the boiler depend on?"
THIN = "Which pump feeds the swimming pool of the mayor?"
NOW = datetime(2026, 5, 4, 9, tzinfo=UTC)


class Author:
    """A judge for whom every request wants a document."""

    async def route(self, requests: list[Request]) -> Judged[list[Way]]:
        return Judged([Way("author", (("author", 1.0),)) for _ in requests])


class Told(FakeJudges):
    """A model that gives every request the same probabilities."""

    told: dict[str, float]

    async def route(self, requests: Any) -> Judged[Any]:
        way = max(self.told, key=lambda each: self.told[each])
        return Judged([Way(way, tuple(self.told.items())) for _ in requests])


def workspace(store: Any, routing: Any = None, router: str = "rules", **more: Any) -> Claims:
    held = judges() if routing is None else replace(judges(), routing=routing)
    return Claims(lambda: store, held, lambda: NOW, holder="test", parts=Parts(router=router), penalty=0.0, **more)  # type: ignore[arg-type]


async def escalated(store: Any) -> list[Any]:
    return [told for _, _, told in await store.look(lambda view: view.escalated())]


@pytest.fixture
async def desk() -> Desk:
    made = Desk()
    await made.read("The boiler depends on the pump.", "The pump depends on the valve.")
    await made.slow.aclose()
    return made


@pytest.mark.parametrize(("router", "way"), [("rules", "reason"), ("model", "author"), ("user", "retrieve")])
async def test_the_part_decides_who_routes(router: str, way: str) -> None:
    claims = workspace(FakeClaims(), Author(), router)
    assert (await claims.way(Request("Why should we replace the boiler?"))).way == way
    assert (await claims.way(Request("Why should we replace the boiler?"), "author")).way == "author"


@pytest.mark.parametrize(
    ("told", "below", "way"),
    [
        ({"retrieve": 0.5, "reason": 0.4, "author": 0.1}, 0.6, "reason"),
        ({"retrieve": 0.1, "reason": 0.5, "author": 0.4}, 0.6, "author"),
        ({"retrieve": 0.2, "reason": 0.3, "author": 0.5}, 0.6, "author"),
        ({"retrieve": 0.5, "reason": 0.4, "author": 0.1}, 0.5, "retrieve"),
        ({"retrieve": 0.5, "reason": 0.4, "author": 0.1}, 0.0, "retrieve"),
    ],
)
async def test_a_model_that_is_unsure_gives_way_to_the_next_slower_one(told: dict[str, float], below: float, way: str) -> None:
    store, model = FakeClaims(), Told()
    model.told = told
    taken = await workspace(store, model, "model", unsure=below).way(Request("Who?"))
    likeliest = max(told, key=lambda each: told[each])
    assert (taken.way, taken.escalated, dict(taken.probabilities)) == (way, way != likeliest, told)
    logged = await escalated(store)
    assert [(each["escalation"], each["to"], each["of"]) for each in logged] == (
        [("router", way, told)] if taken.escalated else []
    )
    assert "Who?" not in str(logged)


async def test_the_numbers_of_words_are_no_probabilities() -> None:
    taken = await workspace(FakeClaims(), unsure=1.0).way(Request("Who runs the kiln?"))
    assert (taken.way, taken.escalated) == ("retrieve", False)


@many(st.sampled_from(WAYS), st.floats(0, 1), st.floats(0, 1))
def test_slower_is_one_step_and_only_below_the_threshold(way: str, sure: float, threshold: float) -> None:
    given = Way(way, tuple((each, sure if each == way else 0.0) for each in WAYS))
    made = slower(given, threshold)
    step = WAYS.index(made.way) - WAYS.index(way)
    assert step == int(made.escalated) == int(sure < threshold and way != "author")


@pytest.mark.parametrize(
    ("text", "how", "asked"),
    [
        (THIN, {"thin": 0.5}, True),
        (THIN, {}, False),
        (THIN, {"thin": 0.5, "router": "user"}, False),
        (BOILER, {"thin": 0.5}, False),
    ],
    ids=["thin", "off", "user", "enough"],
)
async def test_what_is_found_too_thin_is_reasoned_about(desk: Desk, text: str, how: dict[str, Any], asked: bool) -> None:
    answer = await workspace(desk.store, **how).answer(Request(text))
    waiting = await desk.store.look(lambda view: view.queue())
    assert bool(answer.asked) == bool(waiting) == asked and answer.reading is not None
    assert (answer.way.way, answer.way.escalated) == (("reason", True) if asked else ("retrieve", False))
    assert [each["escalation"] for each in await escalated(desk.store)] == ["thin"] * asked


async def test_a_way_that_is_stated_stays(desk: Desk) -> None:
    answer = await workspace(desk.store, thin=1.0).answer(Request(THIN), way="retrieve")
    assert answer.way.way == "retrieve" and answer.asked is None


async def test_what_is_reasoned_about_at_once_is_in_the_answer(desk: Desk) -> None:
    answer = await workspace(desk.store, thin=0.9).answer(Request("What does the boiler depend on in winter?"), at_once=True)
    assert answer.flushed is not None and answer.asked is None and answer.reading is not None
    assert "The boiler depends on the valve." in [each.text for each in answer.reading.hits if each.claim]


@pytest.mark.parametrize("shown", [True, False])
async def test_a_claim_that_an_answer_showed_is_derived_anew_when_it_loses_its_standing(desk: Desk, shown: bool) -> None:
    claims = workspace(desk.store)
    await desk.do(Derive(BOILER))
    if shown:
        await claims.answer(Request(BOILER))
    (claim,) = await desk.store.look(lambda view: view.list_claims(Wanted()))
    (entry,) = await desk.store.look(lambda view: view.list_entries("memo-1"))
    assert (await desk.do(Withdraw(entry.id, "anna"))).again == ((claim.claim.id,) if shown else ())


LABELLED = [
    *({"text": f"Who runs kiln {at}?", "label": "retrieve"} for at in range(12)),
    *({"text": f"Why should we replace boiler {at}?", "label": "reason"} for at in range(12)),
    *({"kind": "request", "text": f"Write memo {at} on tiles.", "label": "author"} for at in range(12)),
    {"kind": "signal", "text": "The kiln is hot.", "label": "plant"},
]
SMALL = {"models": {"small": {"url": "http://127.0.0.1:1/v1"}}, "judges": {"filing": "small", "routing": "small"}}


async def test_a_router_is_learned_from_labelled_requests(tmp_path: Path) -> None:
    (tmp_path / "labels.jsonl").write_text("\n".join(json.dumps(each) for each in LABELLED) + "\n", encoding="utf-8")
    said = stated({"requests": "labels.jsonl", "parts": {"router": "embedding"}, **SMALL})
    made = composed(said, tmp_path)
    claims = Claims(FakeClaims, made, lambda: NOW, holder="test", parts=said.parts, penalty=0.0)
    asked = {"Who runs the old kiln?": "retrieve", "Why should we replace it?": "reason", "Write memo 40.": "author"}
    assert {text: (await claims.way(Request(text))).way for text in asked} == asked
    assert made.deciding is None, "it files nothing, so that the model is asked for that alone"


def test_one_model_for_both_decides_at_once(tmp_path: Path) -> None:
    assert composed(stated(SMALL), tmp_path / "both").deciding is not None
    assert composed(stated({**SMALL, "judges": {"filing": "small"}}), tmp_path / "one").deciding is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("no json", "Line 1: expected JSON"),
        ("[]", "Line 1: expected an object"),
        ('{"text": "Who?", "label": "answer"}', "Line 1: expected a text, and a label"),
        ('{"text": " ", "label": "reason"}', "Line 1: expected a text"),
        ("", "at least 10 requests labelled retrieve"),
    ],
)
def test_requests_that_cannot_be_learned_from_are_refused_with_the_reason(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "labels.jsonl").write_text(text, encoding="utf-8")
    said = stated({"requests": "labels.jsonl", "parts": {"router": "embedding"}})
    with pytest.raises(BadSettings) as raised:
        composed(said, tmp_path)
    assert why in raised.value.message and "labels.jsonl" in raised.value.message
    if text:
        with pytest.raises(BadInput):
            read_requests(text)


def test_a_model_that_routes_is_named() -> None:
    for given in ({}, {**SMALL, "judges": {"filing": "small"}}):
        with pytest.raises(BadSettings, match=r"under \[judges\] routing"):
            stated({**given, "parts": {"router": "model"}})
    assert stated({**SMALL, "parts": {"router": "model"}}).parts.router == "model"


def test_a_learned_router_wants_its_file(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="requests"):
        stated({"parts": {"router": "embedding"}})
    with pytest.raises(BadSettings, match="cannot be read"):
        composed(stated({"requests": "none.jsonl", "parts": {"router": "embedding"}}), tmp_path)
