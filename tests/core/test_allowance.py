"""Raising the client's limit on completion tokens."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.allowance import LIMIT_KEYS, limit_of, states_limit, with_least


@pytest.mark.parametrize(
    ("sent", "raised"),
    [
        ({"max_tokens": 200}, {"max_tokens": 4096}),
        ({"max_completion_tokens": 1536}, {"max_completion_tokens": 4096}),
        ({"max_tokens": 200, "max_completion_tokens": 9000}, {"max_tokens": 4096, "max_completion_tokens": 9000}),
        ({"max_tokens": 5000}, {"max_tokens": 5000}),
        ({"max_tokens": "200"}, {"max_tokens": "200"}),
        ({"max_tokens": 200.0}, {"max_tokens": 200.0}),
        ({"max_tokens": None}, {"max_tokens": None}),
        ({"max_tokens": True}, {"max_tokens": True}),
        ({"max_tokens": -1}, {"max_tokens": -1}),
        ({"max_tokens": 0}, {"max_tokens": 0}),
        ({}, {}),
    ],
)
def test_a_floor(sent: dict[str, Any], raised: dict[str, Any]) -> None:
    assert with_least(sent, 4096) == raised


@pytest.mark.parametrize(
    ("sent", "raised"),
    [
        ({}, {"max_tokens": 8192}),
        ({"max_completion_tokens": None}, {"max_completion_tokens": 8192}),
        ({"max_tokens": 200}, {"max_tokens": 8192}),
        ({"max_completion_tokens": 200}, {"max_completion_tokens": 8192}),
        ({"max_completion_tokens": "200"}, {"max_completion_tokens": "200"}),
    ],
)
def test_a_limit_is_inserted_only_where_none_is_stated(sent: dict[str, Any], raised: dict[str, Any]) -> None:
    assert with_least(sent, 8192, insert="max_tokens") == raised


def test_what_limit_a_body_states() -> None:
    assert limit_of({"max_tokens": 7, "max_completion_tokens": 5}) == 5
    assert limit_of({"max_tokens": "7"}) is None and states_limit({"max_tokens": "7"})
    assert limit_of({"max_tokens": None}) is None and not states_limit({"max_tokens": None})


LIMIT = st.one_of(st.integers(-5, 20000), st.none(), st.floats(allow_nan=False), st.text(max_size=3), st.booleans())


@given(body=st.dictionaries(st.sampled_from([*LIMIT_KEYS, "temperature"]), LIMIT), least=st.integers(1, 10000))
def test_never_lower_never_another_key_never_in_place(body: dict[str, Any], least: int) -> None:
    before = dict(body)
    after = with_least(body, least)
    assert body == before and after.keys() == body.keys()
    assert all(after[key] == value or (key in LIMIT_KEYS and value < after[key] == least) for key, value in body.items())
