"""Serving the block itself, without a model."""

from typing import Any

import pytest
from support.answers import answered, planned
from support.prompts import ask

from loom.answer.verbatim import fits
from loom_adapters.scripted_model import FakeModel

USAGE = {"include_usage": True}


@pytest.mark.parametrize("stream", [False, True])
async def test_the_block_is_the_answer(stream: bool) -> None:
    model = FakeModel()
    body = ask(text="What is a Tide Kiln?", stream=stream, **({"stream_options": USAGE} if stream else {}))
    first = await answered(model, body, verbatim=True)
    second = await answered(model, body, verbatim=True)
    assert model.bodies == []
    assert first.loom["served"] == "verbatim" and first.loom["completion"]["class"] == "answered"
    assert first.text.startswith("*From the corpus, sha256:")
    assert "A kiln whose firing schedule follows the tide table." in first.text and "[ONTOLOGY" not in first.text
    assert first.chunks[0]["id"] != second.chunks[0]["id"]
    assert first.chunks[-1]["usage"]["completion_tokens"] > 0
    assert first.loom["exposure"]["counts"]["n10"] == 0


@pytest.mark.parametrize(
    ("on", "option", "expected"), [(False, None, False), (True, None, True), (False, True, True), (True, False, False)]
)
async def test_the_requests_option_wins_over_the_setting(on: bool, option: bool | None, expected: bool) -> None:
    assert fits(await planned(verbatim=option), on) is expected


@pytest.mark.parametrize(
    "body",
    [
        ask(text="What is a Tide Kiln?", tools=[{"type": "function", "function": {"name": "f"}}]),
        ask(text="What is a Tide Kiln?", response_format={"type": "json_object"}),
        ask(text="What is a Tide Kiln?", n=2),
        ask(text="Plan a week of firing with a Tide Kiln, day by day, and say why each step matters to the glaze."),
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "What is a Tide Kiln?"}, {"type": "image_url", "image_url": {}}]}]},
    ],
)  # fmt: skip
async def test_other_shapes_go_to_the_model(body: dict[str, Any]) -> None:
    text = body["messages"][-1]["content"]
    assert not fits(await planned(body, text=text if isinstance(text, str) else "What is a Tide Kiln?"), True)


@pytest.mark.parametrize(
    "text",
    ["What is a Tide Kiln?", "what are Tide Kilns", "Define “tide-kiln”.", "the definition of TIDE KILN", "How is a Tide Kiln related to a kiln?"],
)  # fmt: skip
async def test_a_lookup_of_what_the_block_shows_is_answered(text: str) -> None:
    assert fits(await planned(text=text), True)


@pytest.mark.parametrize(
    "text",
    [
        "What is the weather like at the Tide Kiln?",
        "What is wrong with this Tide Kiln?",
        "What is a Tide Kiln in French?",
        "What is a Tide Kiln, and write a poem about it?",
        "What are the steps to build a Tide Kiln?",
        "How is a Tide Kiln related to a zeppelin?",
    ],
)
async def test_a_question_that_only_mentions_it_goes_to_the_model(text: str) -> None:
    plan = await planned(text=text)
    assert plan.decision.engaged and plan.question.shape == "lookup"
    assert not fits(plan, True)


async def test_what_is_not_grounded_goes_to_the_model() -> None:
    assert not fits(await planned(text="What is a zeppelin?"), True)


async def test_a_limit_holds() -> None:
    got = await answered(FakeModel(), ask(text="What is a Tide Kiln?", max_tokens=5), verbatim=True)
    assert len(got.text) <= 20 and got.loom["completion"]["class"] == "truncated"
