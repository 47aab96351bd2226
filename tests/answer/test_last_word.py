"""What a guard adds to an answer, or answers instead, keeps to the form of what the upstream sent."""

import json
from dataclasses import replace
from typing import Any

import pytest
from support.answers import Canned, frames_of
from support.asking import POLICIES, TESTER, pinned
from support.prompts import ask
from support.ratings import RatingsFinder
from support.worked import CLASSES

from loom.answer.answering import answering
from loom.answer.pipeline import prepare
from loom.answer.plan import Guard, Plan
from loom.answer.watches.exposure import ExposureWatch
from loom.answer.watches.numbers import ADDED, NAMED, REFUSED, Enforce, NumbersWatch
from loom.core.frames import DONE, Frame, event
from loom.core.values import Question

TEXT = "When did it peak?"
NOTE = "\n\n" + ADDED.format("39.2 %")


async def planned(**more: Any) -> Plan:
    return await prepare(Question(TEXT, TESTER, ask(text=TEXT, **more)), pinned(*CLASSES), (RatingsFinder(),), POLICIES)


def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> Frame:
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return event(json.dumps({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more}).encode())


def body_of(message: dict[str, Any]) -> Frame:
    data = json.dumps({"id": "c", "created": 1, "model": "m", "choices": [{"index": 0, "message": message}]}).encode()
    return Frame(data, data)


async def got(plan: Plan, backend: Canned, mode: Enforce) -> list[dict[str, Any]]:
    watches = [ExposureWatch(plan), NumbersWatch(plan, mode)]
    async with answering(plan, backend, watches, request_id="r") as reply:
        frames = [frame async for frame in reply.frames()]
    return [json.loads(frame.data) for frame in frames if frame.data and not frame.done]


def said(payloads: list[dict[str, Any]]) -> list[str]:
    return [choice["delta"].get("content") for each in payloads for choice in each["choices"] if choice["delta"].get("content")]


async def test_the_watch_is_a_guard() -> None:
    plan = await planned()
    assert isinstance(NumbersWatch(plan, "append"), Guard) and not isinstance(ExposureWatch(plan), Guard)
    modes: tuple[Enforce, ...] = ("flag", "append", "refuse")
    assert [NumbersWatch(plan, mode).holds for mode in modes] == ["", "end", "all"]
    several = replace(plan, question=replace(plan.question, body={**plan.question.body, "n": 3}))
    assert NumbersWatch(several, "refuse").holds == ""


async def test_what_a_finishing_frame_brings_comes_before_the_addition() -> None:
    plan = await planned(stream=True)
    sent = [
        chunk({"role": "assistant", "content": "It was "}),
        chunk({"content": "39.2 %."}, "stop", usage={"total_tokens": 9}),
        DONE,
    ]
    payloads = await got(plan, Canned(sent), "append")
    assert said(payloads) == ["It was ", "39.2 %.", NOTE]
    assert [each["choices"][0]["finish_reason"] for each in payloads] == [None, None, None, "stop"]
    assert payloads[-1]["usage"] == {"total_tokens": 9} and "usage" not in payloads[1]


async def test_a_finish_that_the_upstream_left_out_comes_after_the_addition() -> None:
    plan = await planned(stream=True)
    payloads = await got(plan, Canned([chunk({"content": "39.2 %"}), DONE]), "append")
    assert said(payloads) == ["39.2 %", NOTE]
    assert payloads[-1]["choices"][0]["finish_reason"] == "stop"


async def test_a_recorded_stream_of_shown_numbers_keeps_its_bytes() -> None:
    plan = await planned(stream=True)
    raw = b"".join(frame.raw for frame in (chunk({"content": "37.5"}), chunk({"content": " %"}), chunk({}, "stop"), DONE))
    for mode in ("append", "refuse"):
        async with answering(plan, Canned(frames_of(raw)), [NumbersWatch(plan, mode)], request_id="r") as reply:  # type: ignore[arg-type]
            frames = [frame.raw async for frame in reply.frames()]
        assert b"".join(frames[:2]) == raw[: len(b"".join(frames[:2]))]
        assert len(frames) == 4


@pytest.mark.parametrize("mode", ["append", "refuse"])
async def test_a_whole_body_becomes_a_stream_with_the_last_word(mode: Enforce) -> None:
    plan = await planned(stream=True)
    payloads = await got(plan, Canned([body_of({"role": "assistant", "content": "39.2 %"})], streamed=False), mode)
    text = "".join(said(payloads))
    assert text == "39.2 %" + NOTE if mode == "append" else text.startswith(REFUSED)


async def test_a_list_of_parts_gets_one_more() -> None:
    plan = await planned()
    parts = [{"type": "text", "text": "39.2 %"}]
    payloads = await got(plan, Canned([body_of({"role": "assistant", "content": parts})], streamed=False), "append")
    assert payloads[0]["choices"][0]["message"]["content"] == [*parts, {"type": "text", "text": NOTE}]


async def test_what_was_thought_is_withheld_with_what_was_said() -> None:
    plan = await planned()
    message = {"role": "assistant", "content": "39.2 %", "reasoning_content": "say 39.2", "refusal": None}
    payloads = await got(plan, Canned([body_of(message)], streamed=False), "refuse")
    answered = payloads[0]["choices"][0]["message"]
    assert "reasoning_content" not in answered and "39.2" not in answered["content"] and answered["refusal"] is None


async def test_many_numbers_are_counted_not_listed() -> None:
    plan = await planned()
    watch = NumbersWatch(plan, "append")
    watch.feed(", ".join(f"{number}.7" for number in range(500, 500 + NAMED + 5)))
    assert watch.addition().endswith("511.7 and 5 more.")
    assert watch.addition() == watch.addition()


async def test_a_second_word_of_the_stream_is_verified_too() -> None:
    watch = NumbersWatch(await planned(), "refuse")
    watch.feed("It was 37.")
    assert watch.instead() is not None
    watch.feed("5 %.")
    assert watch.instead() is None
