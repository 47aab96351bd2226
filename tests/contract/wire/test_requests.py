"""What goes upstream: everything that the client said, the grounding in one place, and nothing of the node's own."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.node_process import serving
from support.upstream_process import Scripted
from support.wire import QUESTION, Wire, ask

USER = {"role": "user", "content": QUESTION}


def roles(upstream: Scripted) -> list[str]:
    return [message["role"] for message in upstream.asked()["body"]["messages"]]


@pytest.fixture(scope="module")
def strict(generations: Path, scripted_model: Scripted) -> Iterator[Wire]:
    """A node that was told of a server with one system message and no developer role."""
    settings = {"LOOM_MODEL_URL": scripted_model.url, "LOOM_MODEL_PROFILE": "vllm"}
    with serving(generations, **settings) as node, httpx.Client(base_url=node.base, trust_env=False) as client:
        yield Wire(client)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    "own",
    [
        {"loom": {"budget": 900, "policy": "default", "wrapper": "neutral", "gold": ["Heat"], "verbatim": False, "off": False}},
        {"loom": {"off": True}},
        {"loom": {}},
        {"loom": None},
        {"ontology_budget": 700},
        {"ontology_budget": 0, "ontology_prose": True},
        {"ontology_prose": False, "loom_options": {"verbatim": False, "other": 1}},
        {"loom_options": None},
    ],
)
def test_no_key_of_the_node_travels(wire: Wire, upstream: Scripted, own: dict[str, Any], stream: bool) -> None:
    """The upstream refuses every field that OpenAI does not name."""
    got = wire.chat(ask("echo?strict=1", stream=stream, **own))
    assert got.status == 200 and got.text() == QUESTION
    assert set(upstream.asked()["body"]) == {"model", "messages", "stream"}


def test_the_block_is_in_one_system_message_in_front(wire: Wire, upstream: Scripted) -> None:
    wire.chat(ask())
    sent = upstream.asked()["body"]["messages"]
    assert [message["role"] for message in sent] == ["system", "user"] and sent[1] == USER
    assert "Braising" in sent[0]["content"]


def test_the_clients_system_message_is_kept_whole(wire: Wire, upstream: Scripted) -> None:
    wire.chat({**ask(), "messages": [{"role": "system", "content": "You are a pirate."}, USER]})
    sent = upstream.asked()["body"]["messages"]
    assert [message["role"] for message in sent] == ["system", "user"]
    assert "You are a pirate." in sent[0]["content"] and "Braising" in sent[0]["content"]


def test_the_developer_role_towards_a_server_that_does_not_know_it(strict: Wire, upstream: Scripted) -> None:
    for messages in (
        [{"role": "developer", "content": "Be brief."}, USER],
        [{"role": "system", "content": "A."}, {"role": "developer", "content": "Be brief."}, USER],
        [USER, {"role": "assistant", "content": "Hm."}, {"role": "system", "content": "Be brief."}, USER],
    ):
        upstream.forget()
        got = strict.chat({**ask("echo?roles=system,user,assistant"), "messages": messages})
        assert got.status == 200, got.raw
        sent = upstream.asked()["body"]["messages"]
        assert [message["role"] for message in sent].count("system") == 1 and sent[0]["role"] == "system"
        assert "Be brief." in sent[0]["content"] and "Braising" in sent[0]["content"]


def test_grounding_never_parts_a_tool_call_from_its_result(wire: Wire, upstream: Scripted) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    turn = [
        USER,
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "42"},
    ]
    wire.chat({**ask("echo?strict=1"), "messages": turn, "tools": [{"type": "function", "function": {"name": "f"}}]})
    sent = upstream.asked()["body"]["messages"]
    assert sent[-3:] == turn and all(message["role"] == "system" for message in sent[:-3])


def test_parts_names_and_images_survive(wire: Wire, upstream: Scripted) -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    parts = [
        {"type": "text", "text": "What is braising?"},
        image,
        {"type": "input_audio", "input_audio": {"data": "", "format": "wav"}},
    ]
    message = {"role": "user", "name": "ann", "content": parts}
    got = wire.chat({**ask(), "messages": [message]})
    assert upstream.asked()["body"]["messages"][-1] == message and got.loom["decision"]["engaged"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ('"caf\\ud83d"', "caf\ufffd"),
        ('"\\udc00\\ud800"', "\ufffd\ufffd"),
        ('"\\ud83d\\ude00 \\ud83d"', "\U0001f600 \ufffd"),
        ('"\\u0000\\u2028"', "\u0000\u2028"),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_unpaired_surrogates(wire: Wire, upstream: Scripted, given: str, expected: str, stream: bool) -> None:
    body = f'{{"model": "echo", "stream": {json.dumps(stream)}, "messages": [{{"role": "user", "content": {given}}}]}}'
    got = wire.chat(body.encode())
    assert got.status == 200 and upstream.asked()["body"]["messages"][-1]["content"] == expected


def test_whatever_the_content_type_says(wire: Wire) -> None:
    body = json.dumps(ask()).encode()
    for kind in ("text/plain", "application/json; charset=utf-8", "application/x-www-form-urlencoded", "x"):
        assert wire.chat(body, {"content-type": kind}).text() == QUESTION


@pytest.mark.parametrize(
    "path", ["/chat/completions", "//v1//chat//completions", "/v1/chat/completions/", "/chat/completions///"]
)
def test_paths_of_every_habit(wire: Wire, path: str) -> None:
    assert wire.chat(ask(), path=path).text() == QUESTION


def test_the_same_request_gives_the_same_bytes_upstream(wire: Wire, upstream: Scripted) -> None:
    for _ in range(3):
        wire.chat(ask())
    first, *others = [each["text"] for each in upstream.requests()]
    assert others == [first, first]


def test_the_block_stands_still_through_a_conversation(wire: Wire, upstream: Scripted) -> None:
    """The prefix of the second turn is the first turn, so that a cache of it is good."""
    wire.chat({**ask(), "messages": [{"role": "system", "content": "Be brief."}, USER]})
    (first,) = [each["body"]["messages"] for each in upstream.requests()]
    upstream.forget()
    wire.chat(
        {**ask(), "messages": [{"role": "system", "content": "Be brief."}, USER, {"role": "assistant", "content": "So."}, USER]}
    )
    assert upstream.asked()["body"]["messages"][: len(first)] == first


def test_side_calls_of_chat_programs(wire: Wire, upstream: Scripted) -> None:
    text = '### Task:\nGenerate a concise title.\n### Output:\n{ "title": "…" }\n### Chat History:\n<chat_history>braising</chat_history>'
    before = wire.metric('loom_side_calls_total{kind="title"}')
    got = wire.chat(ask(text=text))
    assert got.loom["decision"]["reason"] == "side_call" and got.loom["served"] == "passthrough"
    assert upstream.asked()["body"]["messages"] == ask(text=text)["messages"]
    assert wire.metric('loom_side_calls_total{kind="title"}') == before + 1


def test_headers_of_the_client_stay_here(wire: Wire, upstream: Scripted) -> None:
    secrets = {
        "authorization": "Bearer secret",
        "cookie": "a=b",
        "x-api-key": "secret",
        "x-stainless-os": "x",
        "x-openwebui-user-id": "7",
    }
    wire.chat(ask(), secrets)
    sent = upstream.asked()["headers"]
    assert not {"authorization", "cookie", "x-api-key", "x-stainless-os", "x-openwebui-user-id"} & set(sent)
    assert sent["accept-encoding"] == "identity" and sent["content-type"] == "application/json"


def test_keys_aliases_and_forwarded_headers(generations: Path, upstream: Scripted) -> None:
    settings = {
        "LOOM_MODEL_URL": upstream.url + "/",
        "LOOM_MODEL_KEY": "upstream-key",
        "LOOM_MODEL_ALIASES": "house=echo?strict=1",
        "LOOM_MODEL_HEADERS": "X-Team: kitchen; X-Mode: fast",
        "LOOM_FORWARD_HEADERS": "X-OpenWebUI-User-Id",
    }
    with serving(generations, **settings) as node, httpx.Client(base_url=node.base, trust_env=False) as client:
        got = Wire(client).chat(ask("house"), {"x-openwebui-user-id": "7", "authorization": "Bearer mine"})
    assert got.loom["model"] == {"requested": "house", "sent": "echo?strict=1", "reported": "echo?strict=1"}
    sent = upstream.asked()["headers"]
    assert sent["authorization"] == "Bearer upstream-key" and sent["x-team"] == "kitchen" and sent["x-mode"] == "fast"
    assert sent["x-openwebui-user-id"] == "7"


def test_preflight_and_probes(generations: Path) -> None:
    with serving(generations, LOOM_CORS_ORIGINS="https://chat.example") as node, httpx.Client(base_url=node.base) as client:
        asked = {
            "origin": "https://chat.example",
            "access-control-request-method": "POST",
            "access-control-request-headers": "authorization,content-type,x-stainless-os",
        }
        reply = client.options("/v1/chat/completions", headers=asked)
        assert reply.status_code in (200, 204) and reply.headers["access-control-allow-origin"] == "https://chat.example"
        allowed = reply.headers["access-control-allow-headers"].lower()
        assert all(name in allowed for name in ("authorization", "content-type", "x-stainless-os")) or allowed == "*"
        assert (
            "access-control-allow-origin"
            not in client.options("/v1/models", headers={**asked, "origin": "https://evil.example"}).headers
        )
        for path in ("/", "/health", "/health/live", "/health/ready"):
            head = client.head(path)
            assert head.status_code == 200 and head.content == b""
        answered = client.post("/v1/chat/completions", json=ask(), headers={"origin": "https://chat.example"})
        shown = answered.headers["access-control-expose-headers"].lower()
        assert "x-request-id" in shown and "x-loom-generation" in shown
