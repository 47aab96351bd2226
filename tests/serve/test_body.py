"""Request bodies: what is understood, what is refused, and with which words."""

import json

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.errors import BadInput
from loom.serve.body import MOST_DEEP, BodyLimit, ClientGone, parse_object, read_body
from loom.serve.errors import TooLarge


def receiving(*messages):
    waiting = list(messages)

    async def receive():
        return waiting.pop(0)

    return receive


def part(body: bytes, more: bool = False):
    return {"type": "http.request", "body": body, "more_body": more}


async def test_a_body_in_pieces():
    assert await read_body(receiving(part(b"{}"))) == b"{}"
    assert await read_body(receiving(part(b'{"a"', True), part(b"", True), part(b":1}"))) == b'{"a":1}'


async def test_a_client_that_leaves_in_the_middle():
    with pytest.raises(ClientGone):
        await read_body(receiving(part(b"{", True), {"type": "http.disconnect"}))
    with pytest.raises(ClientGone):
        await read_body(receiving({"type": "http.disconnect"}))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"  \n", "empty"),
        (b"{", "cannot be parsed"),
        (b"{'a': 1}", "cannot be parsed"),
        (b'{"a": NaN}', "cannot be parsed"),
        (b'{"a": 1} x', "cannot be parsed"),
        (b"\xff\xfe{}", "cannot be parsed"),
        (b'{"a": "\xff"}', "cannot be parsed"),
        (b'\xef\xbb\xbf{"a":', "cannot be parsed"),
        (b"[]", "not a list"),
        (b'"text"', "not text"),
        (b"3", "not a number"),
        (b"true", "not a boolean"),
        (b"null", "not null"),
        (b'{"a":' * 300 + b"1" + b"}" * 300, "nested more than"),
        (b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}", "cannot be parsed"),
        (b'{"a": "\\ud800", "b": [', "cannot be parsed"),
        (b'{"a": "\\ud800", "b":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "cannot be parsed"),
    ],
)
def test_refusals(data: bytes, words: str):
    with pytest.raises(BadInput, match=words):
        parse_object(data)


def test_unpaired_surrogates_become_the_replacement_character():
    data = b'{"messages": [{"role": "user", "content": "a \\ud83d b \\ude00\\ud83d c \\ud83d\\ude00"}], "big": 1.5}'
    value = parse_object(data)
    assert value["messages"][0]["content"] == "a \ufffd b \ufffd\ufffd c \U0001f600"
    assert orjson.loads(orjson.dumps(value)) == value


def test_many_braces_are_not_deep():
    wide = {"messages": [{"role": "user", "content": [{"type": "text", "text": "x"}]}] * 500}
    assert parse_object(json.dumps(wide).encode()) == wide


def test_what_is_accepted_can_be_written_again():
    data = b'{"a":' + b"[" * (MOST_DEEP - 1) + b"]" * (MOST_DEEP - 1) + b"}"
    orjson.dumps(parse_object(data))


@given(st.binary())
def test_any_bytes_are_an_object_or_a_sentence(data: bytes):
    try:
        assert isinstance(parse_object(data), dict)
    except BadInput as error:
        assert error.message.startswith("Expected")


async def passed(scope, receive, send):
    await read_body(receive)


async def test_the_limit_by_stated_length_and_by_count():
    limit = BodyLimit(passed, 10)
    stated = {"headers": [(b"content-length", b"11")]}
    with pytest.raises(TooLarge, match="LOOM_MAX_BODY_BYTES"):
        await limit(stated, receiving(part(b"x" * 11)), None)
    for length in (b"99999999999999999999999999", b"1" * 400):
        with pytest.raises(TooLarge):
            await limit({"headers": [(b"content-length", length)]}, receiving(part(b"")), None)
    with pytest.raises(TooLarge):
        await limit({"headers": []}, receiving(part(b"x" * 6, True), part(b"x" * 6)), None)
    with pytest.raises(TooLarge):
        await limit({"headers": [(b"content-length", b"many")]}, receiving(part(b"x" * 11)), None)
    await limit({"headers": [(b"content-length", b"10")]}, receiving(part(b"x" * 10)), None)
    await limit({"headers": []}, receiving(part(b"x" * 5, True), part(b"x" * 5)), None)
