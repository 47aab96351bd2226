"""Completions and embeddings: passed on byte for byte, errors in the envelope, and no failure that looks like success."""

import json
from typing import Any

import httpx
import pytest
from support.upstream_process import Exact, Scripted
from support.wire import Wire, check_error, events

PATHS = ("/v1/completions", "/v1/embeddings")


def post(wire: Wire, path: str, body: Any, **more: Any) -> httpx.Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return wire.client.post(path, content=content, headers={"content-type": "application/json"}, **more)


@pytest.mark.parametrize("path", [*PATHS, "/completions", "/embeddings", "//v1/embeddings/"])
def test_the_body_travels_as_it_is(wire: Wire, upstream: Scripted, path: str) -> None:
    sent = b'{"model": "m",  "input": "a", "prompt":"\\u00e9", "x": 1.50, "dimensions": 2}'
    assert post(wire, path, sent).status_code == 200
    (asked,) = upstream.requests()
    assert asked["text"].encode() == sent and asked["path"] == "/v1/" + path.strip("/").removeprefix("v1/")


@pytest.mark.parametrize("path", PATHS)
def test_the_nodes_own_key_stays_here(wire: Wire, upstream: Scripted, path: str) -> None:
    assert post(wire, path, {"model": "m", "input": "a", "loom": {"off": True}}).status_code == 200
    (asked,) = upstream.requests()
    assert json.loads(asked["text"]) == {"model": "m", "input": "a"}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("status", "body"),
    [
        ("400 Bad Request", b'{"error":{"message":"No.","type":"x","param":null,"code":null}}'),
        ("401 Unauthorized", b'{"detail":"No."}'),
        ("404 Not Found", b"No."),
        ("429 Too Many Requests", b'{"error":"No."}'),
        ("500 Internal Server Error", b'{"message":"No."}'),
    ],
)
def test_refusals(impatient: Wire, exact_model: Exact, path: str, status: str, body: bytes) -> None:
    exact_model.says("m", body, status=status, kind="application/json", retry_after="9")
    reply = post(impatient, path, {"model": "m", "input": "a"})
    assert reply.status_code == int(status[:3]) and reply.headers["retry-after"] == "9"
    check_error(reply.json()["error"])
    assert reply.json()["error"]["message"] == "No."


@pytest.mark.parametrize("path", PATHS)
def test_a_model_that_never_begins(impatient: Wire, exact_model: Exact, path: str) -> None:
    exact_model.says("m", "hang")
    reply = post(impatient, path, {"model": "m"})
    assert reply.status_code == 504 and reply.json()["error"]["code"] == "upstream_timeout"


@pytest.mark.parametrize("end", ["reset", "hang"])
def test_a_stream_that_breaks_does_not_look_whole(impatient: Wire, exact_model: Exact, end: str) -> None:
    """What came is passed on; then comes an error, which the official client raises."""
    first = b'data: {"id":"c","choices":[]}\n\n'
    exact_model.says("m", b"%x\r\n%b\r\n" % (len(first), first), 0.05, end, transfer_encoding="chunked")
    reply = post(impatient, "/v1/completions", {"model": "m", "stream": True})
    passed, error = events(reply.content)
    assert passed == {"id": "c", "choices": []}
    check_error(error["error"])
    assert error["error"]["code"] == ("upstream_timeout" if end == "hang" else "upstream_interrupted")


@pytest.mark.parametrize("path", PATHS)
def test_a_client_that_leaves(impatient: Wire, exact_model: Exact, path: str) -> None:
    exact_model.says("m", "hang")
    before = impatient.metric(f'loom_requests_total{{route="{path}",status="499"}}')
    with pytest.raises(httpx.ReadTimeout):
        post(impatient, path, {"model": "m"}, timeout=0.2)
    for _ in range(100):
        if impatient.metric(f'loom_requests_total{{route="{path}",status="499"}}') == before + 1:
            return
    raise AssertionError("the client's leaving was not noticed")
