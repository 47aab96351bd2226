"""Bad requests to a running node: each row states the status that it gets and words of the sentence; nothing is lost by any.

The faults of pages, generations and settings are in `test_bad_sources`, `test_bad_generations` and `test_bad_settings`.
"""

import json
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from support.installed import Answer, Node, loom
from support.node_process import serving

CHAT = "/v1/chat/completions"
USER = {"role": "user", "content": "What is braising?"}
MOST = 50_000


@pytest.fixture(scope="module")
def subject(generations: Path) -> Iterator[Node]:
    """A node with its reader that takes small bodies only."""
    with serving(generations, LOOM_MAX_BODY_BYTES=str(MOST)) as started:
        yield started


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A key file, and a key of each scope in it."""
    file = str(tmp_path_factory.mktemp("keys") / "keys.json")
    found = {"file": file}
    for scope in ("chat", "read", "admin"):
        made = loom("keys", "add", scope, "--scopes", scope, "--file", file)
        assert made.returncode == 0, made.stderr
        found[scope] = made.stdout.split()[0]
    return found


@pytest.fixture(scope="module")
def locked(generations: Path, keys: dict[str, str]) -> Iterator[Node]:
    with serving(generations, LOOM_API_KEYS_FILE=keys["file"]) as started:
        yield started


def send(node: Node, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Answer:
    """One request; bytes go as they are, anything else as JSON."""
    data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        node.base + path, data, {"content-type": "application/json", **(headers or {})}, method=method
    )
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=30) as reply:
            return Answer(reply.status, {k.lower(): v for k, v in reply.headers.items()}, reply.read())
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, {k.lower(): v for k, v in error.headers.items()}, error.read())


def refused(answer: Answer, path: str, status: int, words: str) -> None:
    """Hold a refusal to the form of its family of paths."""
    assert answer.status == status, answer.body
    said = answer.json()
    assert "Traceback" not in answer.body.decode() and "pydantic" not in answer.body.decode()
    assert answer.headers["x-request-id"] and answer.headers["x-should-retry"] in ("true", "false")
    if path.lstrip("/").startswith(("v1", "chat", "models", "embeddings", "completions")):
        assert answer.headers["content-type"] == "application/json" and set(said) == {"error"}
        error = said["error"]
        assert set(error) == {"message", "type", "param", "code"} and isinstance(error["code"], str)
        sentence = error["message"]
    else:
        assert answer.headers["content-type"] == "application/problem+json" and said["status"] == status
        assert said["request_id"] == answer.headers["x-request-id"] and said["error"]
        sentence = said["detail"]
    assert words in sentence and len(sentence) < 1200 and sentence.endswith((".", "?")), sentence


def chat(**more: Any) -> dict[str, Any]:
    return {"messages": [USER], **more}


deep = b'{"messages":[{"role":"user","content":"a"}],"x":' + b"[" * 900 + b"]" * 900 + b"}"

CHATS: list[tuple[str, Any, int, str]] = [
    ("no body", b"", 400, "it is empty"),
    ("blanks", b" \n ", 400, "it is empty"),
    ("broken JSON", b'{"messages": [', 400, "cannot be parsed"),
    ("two objects", b"{}{}", 400, "cannot be parsed"),
    ("trailing comma", b'{"messages": [],}', 400, "cannot be parsed"),
    ("NaN", b'{"messages": NaN}', 400, "cannot be parsed"),
    ("form fields", b"messages=hello", 400, "cannot be parsed"),
    ("UTF-16", '{"messages": []}'.encode("utf-16"), 400, "cannot be parsed"),
    ("Latin-1", '{"messages": "é"}'.encode("latin-1"), 400, "cannot be parsed"),
    ("compressed", b"\x1f\x8b\x08\x00\x00", 400, "cannot be parsed"),
    ("a list", [USER], 400, "not a list"),
    ("a text", "hello", 400, "not text"),
    ("a number", 5, 400, "not a number"),
    ("null", b"null", 400, "not null"),
    ("true", b"true", 400, "not a boolean"),
    ("too deep", deep, 400, "nested"),
    ("no messages", {"model": "x"}, 400, "messages; it is missing"),
    ("a prompt instead", {"prompt": "x"}, 400, "messages; it is missing"),
    ("messages an object", chat(messages=USER), 400, "it is an object"),
    ("no message at all", chat(messages=[]), 400, "the list is empty"),
    ("a message that is text", chat(messages=["hello"]), 400, "messages[0], not text"),
    ("a message that is null", chat(messages=[USER, None]), 400, "messages[1], not null"),
    ("no role", chat(messages=[{"content": "a"}]), 400, "a role in messages[0]"),
    ("a role that is a list", chat(messages=[{"role": ["user"], "content": "a"}]), 400, "a role in messages[0], not a list"),
    ("content a number", chat(messages=[{"role": "user", "content": 1}]), 400, "messages[0].content, not a number"),
    (
        "content an object",
        chat(messages=[{"role": "user", "content": {"text": "a"}}]),
        400,
        "messages[0].content, not an object",
    ),
    ("parts that are text", chat(messages=[{"role": "user", "content": ["a"]}]), 400, "messages[0].content[0], not text"),
    ("stream a text", chat(stream="true"), 400, "as stream, not text"),
    ("stream a list", chat(stream=[]), 400, "as stream, not a list"),
    ("model a number", chat(model=4), 400, "as model, not a number"),
    ("model null", chat(model=None), 400, "as model, not null"),
    ("loom a text", chat(loom="off"), 400, "as loom, not text"),
    ("loom a list", chat(loom=[]), 400, "as loom, not a list"),
    ("an unknown option", chat(loom={"budgets": 1}), 400, "did you mean budget?"),
    ("an option nobody knows", chat(loom={"zzz": 1}), 400, "known are budget"),
    ("budget 0", chat(loom={"budget": 0}), 400, "from 1 to 100000 as loom.budget, not 0"),
    ("budget a fraction", chat(loom={"budget": 1.5}), 400, "as loom.budget, not 1.5"),
    ("budget true", chat(loom={"budget": True}), 400, "as loom.budget, not True"),
    ("budget a text", chat(loom={"budget": "1500"}), 400, "as loom.budget, not '1500'"),
    ("budget huge", chat(loom={"budget": 10**30}), 400, "as loom.budget"),
    ("an unknown policy", chat(loom={"policy": "strict"}), 400, "one of default, reference as loom.policy, not 'strict'"),
    ("an unknown wrapper", chat(loom={"wrapper": "loud"}), 400, "as loom.wrapper, not 'loud'"),
    ("gold a text", chat(loom={"gold": "Heat"}), 400, "a list of at most 1000 names as loom.gold"),
    ("gold with a blank", chat(loom={"gold": ["Heat", " "]}), 400, "as loom.gold"),
    ("too much gold", chat(loom={"gold": ["a"] * 1001}), 400, "as loom.gold"),
    ("off a number", chat(loom={"off": 1}), 400, "true or false as loom.off, not 1"),
    ("verbatim a text", chat(loom={"verbatim": "yes"}), 400, "as loom.verbatim, not 'yes'"),
    ("max_units 0", chat(loom={"max_units": 0}), 400, "from 1 to 64 as loom.max_units, not 0"),
    ("hops 2", chat(loom={"hops": 2}), 400, "from 0 to 1 as loom.hops, not 2"),
    ("the peer's budget negative", chat(ontology_budget=-1), 400, "as ontology_budget, not -1"),
    ("the peer's budget a text", chat(ontology_budget="1500"), 400, "as ontology_budget, not text"),
    ("the peer's prose a text", chat(ontology_prose="on"), 400, "as ontology_prose, not text"),
    ("the peer's options a list", chat(loom_options=[]), 400, "as loom_options, not a list"),
    ("n 0 of the reader", chat(n=0.5), 400, "`n`"),
    ("n many of the reader", chat(n=99), 400, "from 1 to 16"),
    ("a form of the reader", chat(response_format={"type": "json_object"}), 400, "response_format"),
    ("too large", chat(pad="x" * MOST), 413, "LOOM_MAX_BODY_BYTES"),
]


@pytest.mark.parametrize(("body", "status", "words"), [row[1:] for row in CHATS], ids=[row[0] for row in CHATS])
def test_chat(subject: Node, body: Any, status: int, words: str) -> None:
    refused(send(subject, "POST", CHAT, body), CHAT, status, words)


OTHERS: list[tuple[str, str, Any, int, str]] = [
    ("GET", CHAT, None, 405, "it takes POST"),
    ("PUT", CHAT, {}, 405, "it takes POST"),
    ("DELETE", "/v1/models/loom-reader", None, 405, "it takes GET"),
    ("POST", "/v1/models", {}, 405, "it takes GET"),
    ("GET", "/chat/completions", None, 405, "it takes POST"),
    ("GET", "/v1", None, 404, "There is no /v1"),
    ("GET", "/v1/responses", None, 404, "There is no /v1/responses"),
    ("POST", "/v1/chat/completions/x", {}, 404, "There is no"),
    ("GET", "/v1/models/a/b/c", None, 404, "'a/b/c'"),
    ("GET", "/v1/models/%00", None, 404, "no model"),
    ("GET", "/v1/models/" + "x" * 4000, None, 404, "no model"),
    ("POST", "/v1/embeddings", {"input": "a"}, 404, "LOOM_MODEL_URL"),
    ("POST", "/v1/completions", {"prompt": "a"}, 404, "LOOM_MODEL_URL"),
    ("POST", "/v1/embeddings", b"", 400, "it is empty"),
    ("POST", "/v1/embeddings", [], 400, "not a list"),
    ("POST", "/loom/scaffold", {}, 400, "Expected a question as prompt"),
    ("POST", "/loom/scaffold", {"prompt": 5}, 400, "as prompt, not a number"),
    ("POST", "/loom/scaffold", {"prompt": "a", "lom": {"budget": 1}}, 400, "Unknown option lom"),
    ("POST", "/loom/scaffold", {"prompt": "a", "policy": 1}, 400, "as policy, not 1"),
    ("POST", "/loom/scaffold", {"query": 5}, 400, "as prompt, not a number"),
    ("POST", "/loom/scaffold", {"query": "a", "max_seeds": -1}, 400, "max_seeds"),
    ("POST", "/loom/scaffold", b"<xml/>", 400, "cannot be parsed"),
    ("POST", "/loom/scaffold", {"prompt": "x" * MOST}, 413, "LOOM_MAX_BODY_BYTES"),
    ("POST", "/loom/context", {}, 400, "there is neither"),
    ("POST", "/loom/context", {"messages": [{"role": ""}]}, 400, "a role in messages[0]"),
    ("POST", "/loom/search", {}, 400, "as text, not null"),
    ("POST", "/loom/search", {"text": "!!!"}, 400, "at least one letter or digit"),
    ("POST", "/loom/search", {"text": "a" * 600}, 400, "512"),
    ("POST", "/loom/search", {"text": "a", "limit": 100_000}, 400, "200"),
    ("POST", "/loom/search", {"text": "a", "limit": True}, 400, "as limit, not a boolean"),
    ("POST", "/loom/search", {"q": ""}, 400, "it is empty"),
    ("POST", "/loom/exposure", {}, 400, "as answer, not null"),
    ("POST", "/loom/exposure", {"answer": "a", "block": 4}, 400, "as block, not a number"),
    ("POST", "/loom/exposure", {"answer": "a", "block": "b", "targets": [1]}, 400, "as targets"),
    ("POST", "/loom/exposure", {"answer": "a", "block": "b", "matcher": "best"}, 400, "matcher"),
    ("GET", "/loom/units", None, 400, "iri"),
    ("GET", "/loom/units/", None, 400, "IRI"),
    ("GET", "/loom/units/urn:none", None, 404, "no concept"),
    ("GET", "/loom/units?iri=" + "x" * 3000, None, 404, "no concept"),
    ("GET", "/loom/units/urn:loom:kitchen:braising?format=pdf", None, 400, "one of the formats"),
    ("GET", "/loom/units/urn:loom:kitchen:braising?format=", None, 400, "one of the formats"),
    ("POST", "/loom/units/urn:loom:kitchen:braising", {}, 405, "it takes GET"),
    ("POST", "/loom/admin/generation", {}, 400, "either an id, or rollback"),
    ("POST", "/loom/admin/generation", {"id": ""}, 400, "either an id, or rollback"),
    ("POST", "/loom/admin/generation", {"id": "current", "rollback": True}, 400, "either an id, or rollback"),
    ("POST", "/loom/admin/generation", {"id": "../../etc"}, 404, "no generation"),
    ("POST", "/loom/admin/generation", {"id": "sha256:" + "f" * 64}, 404, "no generation"),
    ("POST", "/loom/admin/generation", {"id": 1}, 400, "as id, not a number"),
    ("POST", "/loom/admin/generation", {"rollback": 1}, 400, "as rollback, not a number"),
    ("POST", "/loom/admin/generation", {"rollback": True, "wait": -1}, 400, "as wait"),
    ("POST", "/loom/admin/generation", {"rollback": True}, 409, "no previous generation"),
    ("GET", "/loom/admin/generation", None, 405, "it takes POST"),
    ("POST", "/loom/search/semantic", {"q": "a"}, 404, "Semantic search"),
    ("POST", "/health", {}, 405, "it takes GET"),
    ("POST", "/metrics", {}, 405, "it takes GET"),
    ("GET", "/favicon.ico", None, 404, "There is no /favicon.ico"),
    ("GET", "/../../etc/passwd", None, 404, "There is no"),
    ("GET", "/loom", None, 404, "There is no /loom"),
    ("TRACE", "/loom/scaffold", None, 405, "it takes POST"),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "words"), OTHERS)
def test_other_routes(subject: Node, method: str, path: str, body: Any, status: int, words: str) -> None:
    answer = send(subject, method, path, body)
    refused(answer, path, status, words)
    assert status != 405 or answer.headers["allow"] in words or answer.headers["allow"]


KEYED: list[tuple[str, str, dict[str, str], int, str]] = [
    ("POST", CHAT, {}, 401, "Authorization: Bearer"),
    ("POST", CHAT, {"authorization": "Bearer nobody"}, 401, "loom keys add"),
    ("POST", CHAT, {"authorization": "Bearer "}, 401, "Authorization: Bearer"),
    ("POST", CHAT, {"authorization": "Basic YTpi"}, 401, "Authorization: Bearer"),
    ("POST", CHAT, {"authorization": "Bearer {read}"}, 403, "this path needs chat"),
    ("GET", "/v1/models", {}, 401, "Authorization: Bearer"),
    ("GET", "/v1/none", {}, 401, "Authorization: Bearer"),
    ("POST", "/loom/scaffold", {"x-api-key": "nobody"}, 401, "loom keys add"),
    ("POST", "/loom/scaffold", {"authorization": "Bearer {chat}"}, 403, "this path needs read"),
    ("POST", "/loom/admin/generation", {"authorization": "Bearer {read}"}, 403, "this path needs admin"),
    ("POST", "/scaffold", {}, 401, "Authorization: Bearer"),
    ("POST", "//v1/chat/completions", {}, 401, "Authorization: Bearer"),
    ("GET", "/metrics", {}, 401, "Authorization: Bearer"),
]


@pytest.mark.parametrize(("method", "path", "headers", "status", "words"), KEYED)
def test_keys(
    locked: Node, keys: dict[str, str], method: str, path: str, headers: dict[str, str], status: int, words: str
) -> None:
    given = {name: value.format(**keys) for name, value in headers.items()}
    answer = send(locked, method, path, chat() if method == "POST" else None, given)
    refused(answer, path, status, words)
    assert status != 401 or answer.headers["www-authenticate"] == "Bearer"
    assert not any(value in answer.body.decode() for value in keys.values())


HEADERS: list[dict[str, str]] = [
    {"x-request-id": "a" * 500},
    {"x-request-id": "<script>"},
    {"accept": "image/png"},
    {"accept": "text/markdown;q=abc, ;;,"},
    {"content-type": "application/xml"},
    {"origin": "https://evil.example"},
    {"traceparent": "garbage"},
    {"range": "bytes=0-1"},
    {"if-none-match": "*"},
    {"expect": "200-maybe"},
    {"accept-encoding": "unheard-of"},
    {"x-forwarded-for": "a, b, c", "forwarded": "for=;;"},
    {"loom": "x", "x-loom-generation": "sha256:0"},
]


@pytest.mark.parametrize("headers", HEADERS, ids=str)
def test_odd_headers_do_no_harm(subject: Node, headers: dict[str, str]) -> None:
    for path, body in ((CHAT, chat()), ("/loom/scaffold", {"prompt": "What is braising?"})):
        answer = send(subject, "POST", path, body, headers)
        assert answer.status == 200 and len(answer.headers["x-request-id"]) <= 128
        assert "<script>" not in str(answer.headers)


RAW = [
    b"hello\r\n\r\n",
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET / HTTP/1.1\r\nhost\r\n\r\n",
    b"POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\ncontent-length: -5\r\n\r\n",
    b"POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nabcde",
    b"POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n",
    b"POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\ncontent-length: 500\r\n\r\n{",
    b"POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\ncontent-length: 99999999999999999999999\r\n\r\n{}",
    b"GET /%ff%fe%00 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
    b"GET /loom/units/%ED%A0%80 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
    b"GET /loom/units?iri=%ff HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
    b"GET /?a=%zz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
    b"GET http://elsewhere/health HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
    b"GET / HTTP/1.1\r\nhost: a\r\nx: " + b"y" * 200_000 + b"\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
]


@pytest.mark.parametrize("raw", RAW, ids=lambda raw: repr(raw[:60]))
def test_what_is_hardly_http(subject: Node, raw: bytes) -> None:
    """The server may cut the connection or answer with any 4xx, as long as it goes on."""
    parts = urlsplit(subject.base)
    with closing(socket.create_connection((parts.hostname, parts.port), timeout=5)) as connection:
        connection.sendall(raw)
        connection.shutdown(socket.SHUT_WR)
        try:
            first = connection.recv(4096).split(b"\r\n")[0]
        except ConnectionResetError:
            first = b""
    assert first == b"" or first.split(b" ")[1][:1] in (b"2", b"4"), first
    assert subject.call("/health/live").status == 200


def test_afterwards_everything_is_as_before(subject: Node, locked: Node, keys: dict[str, str], generations: Path) -> None:
    """Healthy, the same generation, no error in the log, and answers like a node that nobody abused."""
    id = (generations / "current").read_text().strip()
    state = subject.call("/health").json()
    assert state["status"] == "ok" and state["generation"] == id and state["refused"] is None
    for node, headers in ((subject, {}), (locked, {"authorization": f"Bearer {keys['chat']}"})):
        answer = send(node, "POST", CHAT, chat(), headers)
        assert answer.status == 200 and answer.json()["loom"]["decision"]["engaged"]
        assert not any("Traceback" in line or '"event":"unexpected"' in line for line in node.lines)
    assert not (generations / "previous").exists() and subject.process.poll() is None
    metrics = subject.call("/metrics").body.decode()
    assert 'status="500"' not in metrics and 'route="other",status="404"' in metrics
