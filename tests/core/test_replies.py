"""Answers that the node writes itself: a stream says what the whole body says."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.frames import Frame, Splitter
from loom.core.replies import limited, stopped, streamed, usage_of, whole

HEAD = {"id": "chatcmpl-1", "created": 1, "model": "loom-reader"}
said = st.text(max_size=120).filter(lambda text: text.strip() or not text)


@given(said, st.integers(1, 3), st.booleans())
def test_a_stream_comes_to_the_whole_answer(text: str, choices: int, counted: bool) -> None:
    usage = usage_of(3, 4)
    body = json.loads(whole(HEAD, text, usage=usage, choices=choices).data)
    assert [choice["index"] for choice in body["choices"]] == list(range(choices))
    frames = list(streamed(HEAD, text, usage=usage if counted else None, choices=choices))
    assert Splitter().feed(b"".join(frame.raw for frame in frames)) == frames
    assert frames[-1].done
    chunks = [json.loads(frame.data) for frame in frames[:-1]]
    texts = dict.fromkeys(range(choices), "")
    finished = []
    for chunk in chunks:
        assert {key: chunk[key] for key in HEAD} == HEAD and chunk["object"] == "chat.completion.chunk"
        for choice in chunk["choices"]:
            texts[choice["index"]] += choice["delta"].get("content", "")
            finished += [choice["index"]] if choice["finish_reason"] else []
    assert finished == list(range(choices))
    for choice in body["choices"]:
        assert choice["message"]["content"] == texts[choice["index"]] == text.encode("utf-8", "replace").decode()
    assert body["usage"] == usage and (
        [chunk["usage"] for chunk in chunks if chunk.get("usage")] == [usage] if counted else True
    )
    if counted:
        assert chunks[-1]["choices"] == [] and all(chunk["usage"] is None for chunk in chunks[:-1])
    else:
        assert all("usage" not in chunk for chunk in chunks)


def test_a_whole_body_is_one_frame() -> None:
    frame = whole(HEAD, "Hello", usage=usage_of(1, 2))
    assert isinstance(frame, Frame) and frame.data == frame.raw


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [(None, ("abcdefgh", "stop")), (2, ("abcdefgh", "stop")), (1, ("abcd", "length")), (100, ("abcdefgh", "stop"))],
)
def test_a_limit_of_tokens_is_kept(tokens: int | None, expected: tuple[str, str]) -> None:
    assert limited("abcdefgh", tokens) == expected


@pytest.mark.parametrize(
    ("stop", "expected"),
    [("d", "abc"), (["h", "ef"], "abcd"), (["x"], "abcdefgh"), ("a", ""), ("", "abcdefgh"), ([], "abcdefgh"), (None, "abcdefgh"), ([5], "abcdefgh")],
)  # fmt: skip
def test_a_stop_sequence_ends_a_text(stop: Any, expected: str) -> None:
    assert stopped("abcdefgh", stop) == expected
