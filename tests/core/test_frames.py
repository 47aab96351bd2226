"""Splitting a byte stream into events, and writing events."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.frames import DONE, Frame, Splitter, event


def split(*chunks: bytes) -> list[Frame]:
    splitter = Splitter()
    frames = [frame for chunk in chunks for frame in splitter.feed(chunk)]
    return frames + splitter.close()


@pytest.mark.parametrize(
    ("raw", "data"),
    [
        (b"data: {}\n\n", b"{}"),
        (b"data:{}\n\n", b"{}"),
        (b"data: {}\r\n\r\n", b"{}"),
        (b"data:  two spaces\n\n", b" two spaces"),
        (b": keep-alive\n\n", b""),
        (b"event: error\ndata: {}\nid: 3\n\n", b"{}"),
        (b"data: {\ndata: }\n\n", b"{\n}"),
        (b"data: {\r\ndata: }\r\n\r\n", b"{\n}"),
        (b": note\ndata: {}\n\n", b"{}"),
        (b"data\n\n", b""),
        (b"database: no\n\n", b""),
        (b"data: a:b\n\n", b"a:b"),
        (b"data: [DONE]\n\n", b"[DONE]"),
        ("data: né→\n\n".encode(), "né→".encode()),
    ],
)
def test_one_event(raw: bytes, data: bytes) -> None:
    assert split(raw) == [Frame(data, raw)]


def test_an_event_is_seen_as_soon_as_its_blank_line_is() -> None:
    splitter = Splitter()
    assert splitter.feed(b"data: 1\n") == []
    assert [frame.data for frame in splitter.feed(b"\ndata: 2")] == [b"1"]
    assert [frame.data for frame in splitter.feed(b"\r\n\r\n")] == [b"2"]
    assert splitter.close() == []


def test_the_last_event_may_lack_its_blank_line() -> None:
    assert [frame.data for frame in split(b"data: 1\n\ndata: [DONE]")] == [b"1", b"[DONE]"]
    assert split(b"data: 1\n\ndata: [DONE]\n")[-1].done


def test_line_ends_may_be_mixed() -> None:
    assert [frame.data for frame in split(b"data: 1\n\r\ndata: 2\r\n\ndata: 3\n\n")] == [b"1", b"2", b"3"]


LINE = st.one_of(
    st.sampled_from([b"data: ", b"data:", b":", b"event: x", b"\r", b"[DONE]", b"{}", "né→😀".encode()]),
    st.binary(max_size=6),
)
STREAM = st.lists(st.one_of(LINE, st.sampled_from([b"\n", b"\r\n", b"\n\n", b"\r\n\r\n"])), max_size=40).map(b"".join)


@given(stream=STREAM, cuts=st.lists(st.integers(0, 300), max_size=12))
def test_any_chunking_gives_the_same_frames_and_loses_no_byte(stream: bytes, cuts: list[int]) -> None:
    places = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    chunks = [stream[start:end] for start, end in itertools.pairwise(places)]
    frames = split(*chunks)
    assert frames == split(stream) == split(*(stream[i : i + 1] for i in range(len(stream))))
    assert b"".join(frame.raw for frame in frames) == stream


@given(data=st.binary(max_size=80).filter(lambda data: b"\r" not in data))
def test_a_written_event_reads_back(data: bytes) -> None:
    assert split(event(data).raw) == [event(data)]
    assert split(event(data).raw, DONE.raw) == [event(data), DONE]
