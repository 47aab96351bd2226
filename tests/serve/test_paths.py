"""Which path a request means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.serve.paths import CHAT, canonical, route_of


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("/v1/chat/completions", CHAT),
        ("/v1/chat/completions/", CHAT),
        ("//v1//chat///completions", CHAT),
        ("/chat/completions", CHAT),
        ("/chat/completions/", CHAT),
        ("//chat/completions", CHAT),
        ("/models", "/v1/models"),
        ("/models/", "/v1/models"),
        ("/models/org/name", "/v1/models/org/name"),
        ("/v1/models/org/name/", "/v1/models/org/name"),
        ("/embeddings", "/v1/embeddings"),
        ("/completions", "/v1/completions"),
        ("/v1/", "/v1"),
        ("/loom/units/https://example.org//a/", "/loom/units/https://example.org//a/"),
        ("/loom//scaffold", "/loom//scaffold"),
        ("/health/", "/health/"),
        ("/", "/"),
        ("", ""),
        ("//", "//"),
        ("/v1x/chat", "/v1x/chat"),
    ],
)
def test_canonical(path: str, meant: str):
    assert canonical(path) == meant


@given(st.text())
def test_canonical_is_stable_and_labels_are_few(path: str):
    assert canonical(canonical(path)) == canonical(path)
    assert len(route_of(path)) < 30
