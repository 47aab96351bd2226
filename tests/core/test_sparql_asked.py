"""Requests of the protocol, read without a server."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.errors import LoomError
from loom.core.sparql.asked import DIRECT, FORM, QUERY_MOST, Asked, read, restored
from loom.core.sparql.errors import BadQuery, NoUpdates, WrongMedia


def test_the_forms_of_the_protocol() -> None:
    url = b"default-graph-uri=urn%3Aa&default-graph-uri=urn:b&named-graph-uri=urn:c"
    wanted = Asked("ASK {}", ("urn:a", "urn:b"), ("urn:c",), "text/csv")
    assert read("GET", b"query=ASK+%7B%7D&" + url, None, b"", accept="text/csv") == wanted
    assert read("POST", url, DIRECT, b"ASK {}", accept="text/csv") == wanted
    assert read("POST", b"", FORM, b"query=ASK%20{}&" + url, accept="text/csv") == wanted
    assert read("POST", url, FORM + "; charset=UTF-8", b"query=ASK%20{}", accept="text/csv") == wanted


def test_an_empty_get_asks_for_the_description() -> None:
    assert read("GET", b"", None, b"", endpoint="http://x/sparql") == Asked(None, endpoint="http://x/sparql")
    assert read("HEAD", b"format=turtle", None, b"").format == "turtle"


def test_json_is_a_convenience_and_says_so() -> None:
    body = b'{"query": "ASK {}", "default-graph-uri": "urn:a", "named-graph-uri": ["urn:b"], "format": "csv", "limit": 3}'
    for kind in (None, FORM, "application/json", "application/json; charset=utf-8", "application/ld+json"):
        assert read("POST", b"", kind, body) == Asked("ASK {}", ("urn:a",), ("urn:b",), None, "csv", True)


@pytest.mark.parametrize(
    ("kind", "body", "error"),
    [
        (FORM, b"query=ASK%7B%7D&query=ASK%7B%7D", BadQuery),
        (FORM, b"update=CLEAR+ALL", NoUpdates),
        (FORM, b"query=ASK%7B%7D&using-graph-uri=urn:x", NoUpdates),
        (FORM, b"query=%FF", BadQuery),
        (FORM, b"&".join(b"x=1" for _ in range(2000)), BadQuery),
        (FORM, b"", BadQuery),
        (DIRECT, b" \n ", BadQuery),
        (DIRECT, b"\xff", BadQuery),
        (DIRECT, b"x" * (QUERY_MOST + 1), BadQuery),
        (DIRECT + "; charset=utf-16", b"ASK {}", WrongMedia),
        ("application/sparql-update", b"", NoUpdates),
        ("multipart/form-data; boundary=x", b"", WrongMedia),
        (None, b"ASK {}", WrongMedia),
    ],
)
def test_others_are_refused(kind: str | None, body: bytes, error: type[LoomError]) -> None:
    with pytest.raises(error):
        read("POST", b"", kind, body)


@given(st.binary(max_size=60), st.binary(max_size=60), st.sampled_from([None, FORM, DIRECT, "application/json", "x", ";;="]))
def test_any_bytes_are_a_request_or_an_error_of_ours(query: bytes, body: bytes, kind: str | None) -> None:
    for method in ("GET", "POST"):
        try:
            asked = read(method, query, kind, body)
        except LoomError:
            continue
        assert restored(asked.as_json()) == asked
