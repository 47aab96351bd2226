"""A table of malformed requests: each is refused with one sentence in the wire form of its route, and nothing is lost."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.nodes import kiln_node, running

from loom.serve.app import create_app
from loom_adapters.scripted_model import FakeModel

CHAT = "/v1/chat/completions"
USER = [{"role": "user", "content": "What is a kiln?"}]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder: Path = tmp_path_factory.mktemp("node")
    app = create_app(kiln_node(folder, FakeModel(), LOOM_MAX_BODY_BYTES="20000"))
    with running(app) as url, httpx.Client(base_url=url) as client:
        yield client


CHATS: list[tuple[Any, str, str]] = [
    (b"", "bad_input", "it is empty"),
    (b"{", "bad_input", "cannot be parsed"),
    (b"\xff\xfe", "bad_input", "cannot be parsed"),
    (b'{"messages": "\xc3"}', "bad_input", "cannot be parsed"),
    (b"[]", "bad_input", "not a list"),
    (b"null", "bad_input", "not null"),
    (b'"hi"', "bad_input", "not text"),
    ({}, "bad_input", "messages; it is missing"),
    ({"messages": None}, "bad_input", "it is null"),
    ({"messages": "hi"}, "bad_input", "it is text"),
    ({"messages": {}}, "bad_input", "it is an object"),
    ({"messages": []}, "bad_input", "the list is empty"),
    ({"messages": ["hi"]}, "bad_input", "messages[0], not text"),
    ({"messages": [*USER, None]}, "bad_input", "messages[1], not null"),
    ({"messages": [{}]}, "bad_input", "a role in messages[0], not null"),
    ({"messages": [{"role": 1}]}, "bad_input", "a role in messages[0], not a number"),
    ({"messages": [{"role": ""}]}, "bad_input", "a role in messages[0]"),
    ({"messages": [{"role": "user", "content": 3}]}, "bad_input", "messages[0].content, not a number"),
    ({"messages": [{"role": "user", "content": {}}]}, "bad_input", "messages[0].content, not an object"),
    ({"messages": [{"role": "user", "content": ["hi"]}]}, "bad_input", "messages[0].content[0], not text"),
    ({"messages": USER, "stream": "yes"}, "bad_input", "as stream, not text"),
    ({"messages": USER, "stream": 1}, "bad_input", "as stream, not a number"),
    ({"messages": USER, "model": 5}, "bad_input", "as model, not a number"),
    ({"messages": USER, "loom": 5}, "bad_input", "as loom, not a number"),
    ({"messages": USER, "loom": {"budget": -1}}, "bad_input", "as loom.budget, not -1"),
    ({"messages": USER, "loom": {"polcy": "default"}}, "bad_input", "did you mean policy?"),
    ({"messages": USER, "loom": {"gold": [1]}}, "bad_input", "as loom.gold"),
    (b'{"messages":' + b"[" * 3000 + b"]" * 3000 + b"}", "bad_input", "cannot be parsed"),
    (b'{"a":' * 250 + b"1" + b"}" * 250, "bad_input", "nested more than"),
    ({"messages": USER, "pad": "x" * 20000}, "too_large", "LOOM_MAX_BODY_BYTES"),
]


@pytest.mark.parametrize(("body", "code", "words"), CHATS)
def test_chat(client: httpx.Client, body: Any, code: str, words: str) -> None:
    reply = client.post(CHAT, content=body if isinstance(body, bytes) else json.dumps(body).encode())
    error = reply.json()["error"]
    assert reply.status_code == (413 if code == "too_large" else 400)
    assert set(reply.json()) == {"error"} and set(error) == {"message", "type", "param", "code"}
    assert error["code"] == code and words in error["message"] and error["type"] == "invalid_request_error"
    assert reply.headers["x-should-retry"] == "false" and reply.headers["x-request-id"].startswith("req_")
    assert "Traceback" not in reply.text and len(error["message"]) < 300


OTHERS: list[tuple[str, str, Any, int, str]] = [
    ("POST", "/v1/completions", b"{", 400, "cannot be parsed"),
    ("POST", "/v1/embeddings", b"[]", 400, "not a list"),
    ("GET", "/v1/chat/completions", None, 405, "it takes POST"),
    ("DELETE", "/v1/models", None, 405, "it takes GET"),
    ("GET", "/v1/models/nobody/here", None, 404, "no model 'nobody/here'"),
    ("GET", "/v1/nothing", None, 404, "There is no /v1/nothing"),
    ("POST", "/loom/scaffold", {}, 400, "or a conversation as messages; there is neither"),
    ("POST", "/loom/scaffold", {"prompt": None}, 400, "prompt, not null"),
    ("POST", "/loom/scaffold", {"prompt": "kiln", "messages": USER}, 400, "or a conversation as messages, not both"),
    ("POST", "/loom/scaffold", {"query": "kiln", "messages": USER}, 400, "or a conversation as messages, not both"),
    ("POST", "/loom/scaffold", {"messages": None}, 400, "a list as messages; it is null"),
    ("POST", "/loom/scaffold", {"messages": []}, 400, "at least one message"),
    ("POST", "/loom/scaffold", {"messages": [{"role": "user", "content": 5}]}, 400, "messages[0].content, not a number"),
    ("POST", "/loom/scaffold", {"prompt": ""}, 400, "it is empty"),
    ("POST", "/loom/scaffold", {"prompt": ["kiln"]}, 400, "not a list"),
    ("POST", "/loom/scaffold", {"prompt": "kiln", "budget": 0}, 400, "as budget, not 0"),
    ("POST", "/loom/scaffold", {"prompt": "kiln", "colour": 1}, 400, "Unknown option colour"),
    ("POST", "/loom/scaffold", {"prompt": "kiln", "loom": {"budget": 0}}, 400, "as loom.budget, not 0"),
    ("POST", "/loom/context", {"messages": USER, "loom": "off"}, 400, "an object as loom"),
    ("POST", "/loom/scaffold", b"prompt=kiln", 400, "cannot be parsed"),
    ("POST", "/loom/context", {"messages": "kiln"}, 400, "it is text"),
    ("POST", "/loom/context", {"messages": USER, "hops": 7}, 400, "as hops, not 7"),
    ("POST", "/loom/search", {}, 400, "as text, not null"),
    ("POST", "/loom/search", {"text": "..."}, 400, "at least one letter or digit"),
    ("POST", "/loom/search", {"text": "kiln", "limit": 0}, 400, "between 1 and"),
    ("POST", "/loom/search", {"text": "kiln", "limit": "5"}, 400, "as limit, not text"),
    ("POST", "/loom/exposure", {"answer": "a"}, 400, "as block, not null"),
    ("POST", "/loom/exposure", {"answer": "a", "block": "b", "gold": "c"}, 400, "a list of names as gold"),
    ("POST", "/loom/exposure", {"answer": "a", "block": "b", "matcher": "mine"}, 400, "as matcher"),
    ("GET", "/loom/units", None, 400, "Expected a value as iri, but there is none; give one."),
    ("GET", "/loom/units?iri=", None, 400, "Expected text of at least 1 character as iri, not ''; give"),
    ("GET", "/loom/units/urn:test:nothing", None, 404, "has no concept"),
    ("GET", "/loom/units/urn:test:kiln?format=pdf", None, 400, "one of the formats"),
    ("POST", "/loom/admin/generation", {}, 400, "an id, or rollback"),
    ("POST", "/loom/admin/generation", {"id": "x", "rollback": True}, 400, "an id, or rollback"),
    ("POST", "/loom/admin/generation", {"id": 5}, 400, "as id, not a number"),
    ("POST", "/loom/admin/generation", {"rollback": "yes"}, 400, "as rollback, not text"),
    ("POST", "/loom/admin/generation", {"rollback": True, "wait": 999}, 400, "as wait"),
    ("POST", "/loom/admin/generation", {"rollback": True}, 409, "no previous generation"),
    ("POST", "/loom/admin/generation", {"id": "sha256:" + "0" * 64}, 404, "generation"),
    ("PATCH", "/loom/scaffold", {}, 405, "it takes POST"),
    ("POST", "/health", {}, 405, "it takes GET"),
    ("GET", "/nothing", None, 404, "/openapi.json"),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "words"), OTHERS)
def test_other_routes(client: httpx.Client, method: str, path: str, body: Any, status: int, words: str) -> None:
    content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    reply = client.request(method, path, content=content)
    said = reply.json()
    assert reply.status_code == status, reply.text
    if path.startswith("/v1"):
        assert set(said["error"]) == {"message", "type", "param", "code"} and words in said["error"]["message"]
        assert reply.headers["content-type"] == "application/json"
    else:
        assert reply.headers["content-type"] == "application/problem+json"
        assert said["status"] == status and words in said["detail"] and isinstance(said["error"], str)
        assert said["request_id"] == reply.headers["x-request-id"]
    if status == 405:
        assert reply.headers["allow"]


def test_the_node_answers_as_before(client: httpx.Client) -> None:
    reply = client.post(CHAT, json={"model": "echo", "messages": USER})
    assert reply.status_code == 200 and reply.json()["loom"]["decision"]["engaged"]


def test_a_body_in_chunks_is_counted(client: httpx.Client) -> None:
    def pieces() -> Iterator[bytes]:
        yield b'{"messages": "'
        for _ in range(100):
            yield b"x" * 1000
        yield b'"}'

    for path in (CHAT, "/loom/scaffold", "/v1/embeddings"):
        assert client.post(path, content=pieces()).status_code == 413


@pytest.mark.parametrize("given", ["", "x" * 129, "ä", "a b", "a\tb", '"'])
def test_a_strange_request_id_is_replaced(client: httpx.Client, given: str) -> None:
    reply = client.get("/health/live", headers={"x-request-id": given.encode("latin-1")})
    assert reply.headers["x-request-id"].startswith("req_")
