"""JSON of sources: whatever a strict reader accepts comes back whole, and every loss is named."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.pages.blocks import load

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
)


def fast(text: str):
    return json.loads(text)


@given(VALUES, st.sampled_from([None, fast]), st.sampled_from([None, 1, "\t"]))
def test_sound_json_comes_back_without_remarks(value, decoder, indent) -> None:
    assert load(json.dumps(value, indent=indent), fast=decoder) == (value, [])
    assert load(json.dumps(value, ensure_ascii=False), fast=decoder) == (value, [])


@pytest.mark.parametrize("decoder", [None, fast])
def test_a_key_stated_twice_is_said_at_its_line(decoder) -> None:
    text = '{\n"a": {"b": 1,\n"b": 2},\n"c\\":": "x\\": y", "c": [{}]}'
    assert load(text, 10, decoder) == (json.loads(text), [("duplicate-json-key", "the key 'b' is stated twice", 12)])


@pytest.mark.parametrize("decoder", [None, fast])
@pytest.mark.parametrize(("text", "line"), [("{\n}}", 6), ("", 5), ('{"a": "\n"}', 5), ('\n{"a" 1}', 6)])
def test_what_is_no_json_is_said_at_its_line(decoder, text: str, line: int) -> None:
    value, found = load(text, 5, decoder)
    assert value is None
    assert [(kind, at) for kind, _, at in found] == [("bad-json-block", line)]


def test_numbers_that_are_none_and_endless_nesting_are_refused() -> None:
    for text in ('{"a": NaN}', "[-Infinity]", "[" * 100_000):
        value, found = load(text)
        assert (value, found[0][0]) == (None, "bad-json-block")


def test_half_of_a_surrogate_pair_is_mended() -> None:
    value, found = load(r'{"a": ["x\ud83d", "\ud83c\udffa"], "\udc00": 1}')
    assert value == {"a": ["x\ufffd", "\U0001f3fa"], "\ufffd": 1}
    assert [kind for kind, _, _ in found] == ["lone-surrogate"]
