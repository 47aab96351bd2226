"""What is gathered from a completion's chunks, and the class it falls in."""

from typing import Any

import pytest

from loom.core.completion import CLASSES, Transcript, classify, usage_of
from loom.core.values import Usage


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"text": "Yes.", "finishes": ["stop"]}, "answered"),
        ({"text": "Yes.", "finishes": []}, "answered"),
        ({"text": "Yes.", "finishes": ["stop"], "reasoned": True}, "answered"),
        ({"text": "Ye", "finishes": ["length"]}, "truncated"),
        ({"text": "Ye", "finishes": ["stop", "length"]}, "truncated"),
        ({"finishes": ["stop"]}, "empty_stop"),
        ({"text": " \n", "finishes": ["stop"]}, "empty_stop"),
        ({"finishes": []}, "empty_stop"),
        ({"finishes": ["stop"], "reasoned": True}, "reasoning_only"),
        ({"finishes": ["length"], "reasoned": True}, "budget_exhausted"),
        ({"finishes": ["length"]}, "budget_exhausted"),
        ({"finishes": ["tool_calls"], "tools": True}, "tool_calls"),
        ({"finishes": ["stop"], "tools": True}, "tool_calls"),
        ({"finishes": ["function_call"]}, "tool_calls"),
        ({"finishes": ["stop"], "tools": True, "text": "Let me look."}, "tool_calls"),
        ({"finishes": ["stop"], "refused": True}, "refused"),
        ({"finishes": ["content_filter"]}, "refused"),
        ({"finishes": ["content_filter"], "text": "I was"}, "refused"),
        ({"text": "I was", "ended": False}, "interrupted"),
        ({"ended": False}, "interrupted"),
    ],
)
def test_classes(facts: dict[str, Any], expected: str) -> None:
    assert classify(**facts) == expected


def test_every_class_has_a_case() -> None:
    cases = test_classes.pytestmark[0].args[1]  # type: ignore[attr-defined]
    assert {expected for _, expected in cases} == set(CLASSES)


def chunk(index: int = 0, finish: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"id": "c", "model": "m", "choices": [{"index": index, "delta": delta, "finish_reason": finish}]}


def test_a_stream_is_gathered() -> None:
    transcript = Transcript()
    said = [transcript.add(each) for each in (chunk(role="assistant", content=""), chunk(content="A "), chunk(content="kiln."))]
    transcript.add(chunk(finish="stop"))
    transcript.add({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}})
    transcript.ended = True
    assert said == ["", "A ", "kiln."]
    assert (transcript.text, transcript.reasoning, transcript.model) == ("A kiln.", "", "m")
    assert transcript.usage == Usage(prompt=3, completion=2)
    assert transcript.completion() == "answered" and transcript.answering


def test_a_body_is_one_chunk() -> None:
    transcript = Transcript(ended=True)
    body = {
        "model": "m",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "Yes."}, "finish_reason": "stop"}],
    }
    assert transcript.add(body) == "Yes."
    assert transcript.completion() == "answered"


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning"])
def test_reasoning_is_not_the_answer(key: str) -> None:
    transcript = Transcript(ended=True)
    assert transcript.add(chunk(**{key: "Hm."})) == ""
    transcript.add(chunk(finish="length"))
    assert (transcript.text, transcript.reasoning) == ("", "Hm.")
    assert transcript.reasoned and not transcript.answering
    assert transcript.completion() == "budget_exhausted"


def test_reasoning_stated_under_both_keys_counts_once() -> None:
    transcript = Transcript()
    transcript.add(chunk(reasoning="Hm.", reasoning_content="Hm."))
    assert transcript.reasoning == "Hm."


def test_tagged_reasoning_and_content_parts() -> None:
    tagged, parts = Transcript(), Transcript()
    assert [tagged.add(chunk(content=text)) for text in ("<thi", "nk>Hm.</thi", "nk>", "Yes.")] == ["", "", "", "Yes."]
    assert tagged.reasoning == "Hm."
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}
    assert parts.add(chunk(content=[thinking, {"type": "text", "text": "Yes."}])) == "Yes."
    assert parts.reasoning == "Hm."


def test_text_that_only_looked_like_a_tag_is_settled_at_the_end() -> None:
    transcript = Transcript()
    assert transcript.add(chunk(content="<thi")) == ""
    assert transcript.close() == "<thi" == transcript.text


def test_billed_reasoning_counts_as_reasoning() -> None:
    transcript = Transcript(ended=True)
    transcript.add(
        {
            "choices": [{"index": 0, "message": {"content": ""}, "finish_reason": "stop"}],
            "usage": {"completion_tokens_details": {"reasoning_tokens": 9}},
        }
    )
    assert transcript.completion() == "reasoning_only"


def test_several_choices_are_kept_apart() -> None:
    transcript = Transcript(ended=True)
    for each in (
        chunk(1, content="B"),
        chunk(0, content="A"),
        chunk(1, content="b"),
        chunk(0, finish="stop"),
        chunk(1, finish="length"),
    ):
        transcript.add(each)
    assert transcript.text == "A\n\nBb"
    assert transcript.completion() == "truncated"


@pytest.mark.parametrize(
    "payload",
    [{}, {"choices": None}, {"choices": [3]}, {"choices": [{"delta": "x"}]}, {"choices": [{"delta": {"content": [1, {}]}}]}],
)
def test_odd_chunks_are_let_pass(payload: dict[str, Any]) -> None:
    assert Transcript().add(payload) == ""


def test_usage_of_odd_shapes() -> None:
    assert usage_of(None) == usage_of([]) == usage_of({"prompt_tokens": "3"}) == Usage()
    full = {
        "prompt_tokens": 9,
        "completion_tokens": 4,
        "completion_tokens_details": {"reasoning_tokens": 3},
        "prompt_tokens_details": {"cached_tokens": 8},
    }
    assert usage_of(full) == Usage(prompt=9, completion=4, reasoning=3, cached=8)


def test_what_cannot_be_a_count_is_none() -> None:
    assert usage_of({"prompt_tokens": -5, "completion_tokens": True}) == Usage()
