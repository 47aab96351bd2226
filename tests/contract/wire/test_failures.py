"""What a client sees when the model, the network or the client itself fails."""

import json
import threading
import time
from pathlib import Path

import httpx
import openai
import pytest
from support.installed import Node
from support.node_process import serving
from support.upstream_process import Exact, Scripted, free_port
from support.wire import CHAT, Wire, ask

WORDS = 8
FRAMES = 1 + WORDS + 1
"""The role, the words, the finish; the end marker follows."""


@pytest.mark.parametrize("kill", range(FRAMES + 1))
def test_a_model_that_dies_before_frame(wire: Wire, kill: int) -> None:
    got = wire.chat(ask(f"words?words={WORDS}&kill={kill}", stream=True))
    if kill == FRAMES:
        assert got.completion == "answered" and got.finishes() == ["stop"], "all was said; only the marker is missing"
        return
    assert got.failed and got.error["code"] == "upstream_interrupted"
    if kill == 0:
        assert got.status == 502, "nothing was sent yet, so the status can still say it"
        return
    assert got.completion == "interrupted"
    assert got.text().split() == [f"word{n}" for n in range(kill - 1)], "what came before the end was passed on"
    assert not got.finishes()


@pytest.mark.parametrize("kill", [1, 3, FRAMES - 1])
def test_the_official_client_raises(node: Node, kill: int) -> None:
    with openai.OpenAI(base_url=node.base + "/v1", api_key="none", max_retries=0) as client:
        stream = client.chat.completions.create(**ask(f"words?words={WORDS}&kill={kill}"), stream=True)
        said = []
        with pytest.raises(openai.APIError) as raised:
            for chunk in stream:
                said.append(chunk.choices[0].delta.content or "")
    assert len(said) == kill and raised.value.code == "upstream_interrupted"
    assert "broke off" in raised.value.message


@pytest.mark.parametrize("kill", [0, 5, 200])
def test_a_whole_answer_that_breaks_off(wire: Wire, kill: int) -> None:
    got = wire.chat(ask(f"words?words=20&kill={kill}"))
    assert got.status == 502 and got.error["code"] == "upstream_interrupted"


def test_a_reset_connection(impatient: Wire, exact_model: Exact) -> None:
    exact_model.says("reset", b'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":'
                              b'[{"index":0,"delta":{"role":"assistant","content":"a"},"finish_reason":null}]}\n\n', 0.05, "reset")  # fmt: skip
    got = impatient.chat(ask("reset", stream=True))
    assert got.failed and got.completion == "interrupted" and got.text() == "a"


def test_an_error_in_the_stream_is_passed_on_as_one(wire: Wire) -> None:
    got = wire.chat(ask("error?words=2", stream=True))
    assert got.failed and got.error["message"] == "The GPU fell over." and got.error["code"] == "500"
    assert got.text() == "word0 word1" and got.completion == "interrupted"


@pytest.mark.parametrize(
    ("model", "stream"),
    [("hang", False), ("hang", True), ("words?first=30", False), ("words?first=30", True)],
)
def test_a_client_that_leaves_ends_the_call_upstream(
    node: Node, upstream: Scripted, wire: Wire, model: str, stream: bool
) -> None:
    before = wire.metric(f'loom_requests_total{{route="{CHAT}",status="499"}}')
    with httpx.Client(base_url=node.base, timeout=0.4, trust_env=False) as client, pytest.raises(httpx.ReadTimeout):
        client.post(CHAT, json=ask(model, stream=stream), timeout=0.4)
    assert upstream.aborted_within(1.0)
    until = time.monotonic() + 2
    while time.monotonic() < until and wire.metric(f'loom_requests_total{{route="{CHAT}",status="499"}}') == before:
        time.sleep(0.02)
    assert wire.metric(f'loom_requests_total{{route="{CHAT}",status="499"}}') == before + 1


def test_a_client_that_leaves_in_the_middle_of_a_stream(node: Node, upstream: Scripted) -> None:
    body = ask("words?words=900&delay=0.02", stream=True)
    with httpx.Client(base_url=node.base, trust_env=False) as client, client.stream("POST", CHAT, json=body) as reply:
        next(reply.iter_bytes())
    assert upstream.aborted_within(1.0)


def test_an_answer_that_is_complete_was_not_left(impatient: Wire, exact_model: Exact) -> None:
    """The client has its end marker and goes, while the upstream still holds its connection open."""
    left, answered = f'loom_requests_total{{route="{CHAT}",status="499"}}', 'loom_completions_total{class="answered"}'
    raw = (Path(__file__).resolve().parents[3] / "fixtures" / "upstream" / "plain.sse").read_bytes()
    exact_model.says("lingers", raw, "hang")
    before = impatient.metric(left), impatient.metric(answered)
    for _ in range(3):
        assert impatient.chat(ask("lingers", stream=True)).completion == "answered"
    time.sleep(0.4)
    assert (impatient.metric(left), impatient.metric(answered)) == (before[0], before[1] + 3)


def test_a_model_that_never_begins(impatient: Wire, exact_model: Exact) -> None:
    exact_model.says("hangs", "hang")
    started = time.monotonic()
    got = impatient.chat(ask("hangs"))
    assert (
        got.status == 504
        and got.error["code"] == "upstream_timeout"
        and "did not begin to answer within 0.6 s" in got.error["message"]
    )
    assert 0.5 < time.monotonic() - started < 2
    assert got.headers["x-should-retry"] == "false"


def test_a_model_that_falls_silent(impatient: Wire, exact_model: Exact) -> None:
    begun = b'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"a"},"finish_reason":null}]}\n\n'
    exact_model.says("silent", begun, "hang")
    got = impatient.chat(ask("silent", stream=True))
    assert got.failed and got.error["code"] == "upstream_timeout" and got.text() == "a"


def test_a_model_that_is_not_there(generations: Path) -> None:
    with (
        serving(generations, LOOM_MODEL_URL=f"http://127.0.0.1:{free_port()}/v1") as node,
        httpx.Client(base_url=node.base, timeout=20, trust_env=False) as client,
    ):
        wire = Wire(client)
        for stream in (False, True):
            got = wire.chat(ask(stream=stream))
            assert got.status in (502, 503) and got.error["code"] == "upstream_unreachable"
            assert "cannot be reached" in got.error["message"] and got.headers["x-should-retry"] == "false"
        models = client.get("/v1/models")
        assert models.status_code == 502 and models.json()["error"]["code"]
        began = time.monotonic()
        assert client.get("/health/ready").status_code == 200 and client.get("/health").json()["status"] == "degraded"
        assert time.monotonic() - began < 1
        assert client.post("/loom/scaffold", json={"prompt": "What is braising?"}).status_code == 200


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422, 429, 500, 503])
@pytest.mark.parametrize("stream", [False, True])
def test_a_refusal_keeps_its_status(wire: Wire, status: int, stream: bool) -> None:
    got = wire.chat(ask(f"words?status={status}&retry_after=7", stream=stream))
    assert got.status == status and got.error["message"] == f"Scripted {status}."
    assert got.headers["retry-after"] == "7"
    assert got.headers["x-loom-decision"] == "exact"


def test_a_busy_model_is_tried_again_before_anything_was_sent(wire: Wire, upstream: Scripted) -> None:
    got = wire.chat(ask("words?status=503&fails=2&words=3", stream=True))
    assert got.status == 200 and got.text() == "word0 word1 word2" and len(upstream.requests()) == 3


def test_errors_of_every_shape_come_in_the_envelope(impatient: Wire, exact_model: Exact) -> None:
    shapes: list[tuple[bytes, str, str]] = [
        (b'{"error":{"message":"No.","type":"x","param":null,"code":7}}', "application/json", "No."),
        (b'{"error":"No."}', "application/json", "No."),
        (b'{"detail":"No."}', "application/json", "No."),
        (b'{"detail":[{"loc":["body","n"],"msg":"No."}]}', "application/json", "No."),
        (b'{"message":"No."}', "application/json", "No."),
        (b"No.", "text/plain", "No."),
        (b"<html><h1>Bad gateway</h1></html>", "text/html", "a web page"),
        (b"", "application/json", "gave no reason"),
        (b"\xff\xfe", "application/json", ""),
        (b"[]", "application/json", "gave no reason"),
        (b'{"error":{"message":"No.","loom":1}}', "application/json", "No."),
    ]
    for body, kind, words in shapes:
        for stream in (False, True):
            exact_model.says("refuses", body, status="418 Teapot", kind=kind)
            got = impatient.chat(ask("refuses", stream=stream))
            assert got.status == 418 and words in got.error["message"], body
            assert got.error["code"] is None or isinstance(got.error["code"], str)


@pytest.mark.parametrize("stream", [False, True])
def test_a_page_instead_of_an_answer(wire: Wire, stream: bool) -> None:
    got = wire.chat(ask("html", stream=stream))
    assert got.status == 502 and got.error["code"] == "upstream_not_openai" and "/v1" in got.error["message"]


@pytest.mark.parametrize(
    "body", [b"", b"hello", b"[]", b"null", b'"x"', b"{}", b'{"choices":[]}', b'{"object":"x","choices":null}']
)
@pytest.mark.parametrize("stream", [False, True])
def test_a_body_that_is_no_completion(impatient: Wire, exact_model: Exact, body: bytes, stream: bool) -> None:
    exact_model.says("odd", body, kind="application/json")
    got = impatient.chat(ask("odd", stream=stream))
    assert got.status == 502 and got.error["code"] == "upstream_not_openai", got.raw


def test_an_error_under_status_200(impatient: Wire, exact_model: Exact) -> None:
    exact_model.says("lies", json.dumps({"error": {"message": "No.", "code": 429}}).encode(), kind="application/json")
    for stream in (False, True):
        got = impatient.chat(ask("lies", stream=stream))
        assert got.error["message"] == "No." and got.status == 429
    exact_model.says("lies", b'data: {"error":{"message":"No.","code":429}}\n\ndata: [DONE]\n\n')
    assert impatient.chat(ask("lies", stream=True)).error["message"] == "No."


def test_redirects_are_not_followed(impatient: Wire, exact_model: Exact) -> None:
    exact_model.says("moved", b"", status="307 Temporary Redirect", location="http://127.0.0.1:1/v1")
    got = impatient.chat(ask("moved"))
    assert got.status == 502 and got.error["code"] == "upstream_redirect"


def test_many_that_leave_do_not_harm_those_that_stay(node: Node, wire: Wire) -> None:
    def leave() -> None:
        with (
            httpx.Client(base_url=node.base, trust_env=False) as client,
            client.stream("POST", CHAT, json=ask("words?words=300&delay=0.01", stream=True)) as reply,
        ):
            next(reply.iter_bytes())

    leaving = [threading.Thread(target=leave) for _ in range(10)]
    for thread in leaving:
        thread.start()
    for _ in range(20):
        assert wire.chat(ask("words?words=5", stream=True)).completion == "answered"
    for thread in leaving:
        thread.join()
