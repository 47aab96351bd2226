"""What the node sends is what OpenAI's own description says, and the description is not read more loosely than it must be."""

import copy
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.installed import Node
from support.node_process import serving
from support.openai_schema import check, check_strictly, needed
from support.wire import CHAT, Wire, ask, events

MODELS = [
    "echo",
    "words?words=3",
    "tools",
    "refusal",
    "empty",
    "think?tokens=9",
    "think?tokens=9&style=tag",
    "think?tokens=9&style=billed",
]


@pytest.fixture(autouse=True)
def _described() -> None:
    needed()


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("more", [{}, {"n": 2}, {"stream_options": {"include_usage": True}}, {"loom": {"off": True}}])
def test_answers(wire: Wire, model: str, more: dict[str, Any]) -> None:
    """`Wire` validates each body and each chunk; whole bodies hold to the very letter."""
    got = wire.chat(ask(model, stream=True, **more))
    assert len(got.chunks) > 1
    more = {name: value for name, value in more.items() if name != "stream_options"}
    (whole,) = wire.chat(ask(model, **more)).chunks
    check_strictly("CreateChatCompletionResponse", whole)


def test_answers_of_the_reader(generations: Path) -> None:
    with serving(generations) as node, httpx.Client(base_url=node.base, trust_env=False) as client:
        reader = Wire(client)
        for text in ("What is braising?", "Who won the chess championship of 1972?"):
            for verbatim in (True, False):
                for n in (1, 2):
                    (whole,) = reader.chat(ask("x", text, n=n, loom={"verbatim": verbatim})).chunks
                    check_strictly("CreateChatCompletionResponse", whole)
                    more = {"stream_options": {"include_usage": True}}
                    streamed = reader.chat(ask("x", text, n=n, loom={"verbatim": verbatim}, stream=True, **more))
                    assert streamed.chunks[-1]["usage"]["total_tokens"] > 0
        check_strictly("ListModelsResponse", client.get("/v1/models").json())


def test_lists_and_what_is_passed_through(node: Node, wire: Wire) -> None:
    client = wire.client
    check_strictly("ListModelsResponse", client.get("/v1/models").json())
    check_strictly("Model", client.get("/v1/models/echo").json())
    check_strictly("CreateEmbeddingResponse", client.post("/v1/embeddings", json={"model": "e", "input": "a"}).json())
    whole = client.post("/v1/completions", json={"model": "c", "prompt": "a"})
    check_strictly("CreateCompletionResponse", whole.json())
    stream = client.post("/v1/completions", json={"model": "c", "prompt": "a", "stream": True})
    for chunk in events(stream.content):
        check_strictly("CreateCompletionResponse", chunk)


def test_errors(wire: Wire) -> None:
    for method, path, body in (
        ("POST", CHAT, {}),
        ("POST", CHAT, ask("words?status=400")),
        ("POST", CHAT, ask("html")),
        ("GET", CHAT, None),
        ("GET", "/v1/models/none", None),
        ("GET", "/v1/none", None),
        ("POST", "/v1/embeddings", []),
    ):
        reply = wire.client.request(method, path, content=None if body is None else json.dumps(body).encode())
        assert reply.status_code >= 400 and set(reply.json()) == {"error"}
        check_strictly("ErrorResponse", reply.json())


def test_only_what_the_table_lists_is_loosened(wire: Wire) -> None:
    """By the letter only the four places of the table fail, and what is loosened is nullness alone."""
    chunks = wire.chat(ask("words?words=2", stream=True, stream_options={"include_usage": True})).chunks
    for chunk in chunks:
        full = copy.deepcopy(chunk)
        full["usage"] = full["usage"] or {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        for choice in full["choices"]:
            choice["finish_reason"] = choice["finish_reason"] or "stop"
            choice["logprobs"] = {"content": [], "refusal": []}
        check_strictly("CreateChatCompletionStreamResponse", full)
    with pytest.raises(AssertionError, match="None is not"):
        check_strictly("CreateChatCompletionStreamResponse", chunks[0])


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": None},
        {"created": "1"},
        {"object": "chat.completion"},
        {"choices": None},
        {"choices": [{"index": 0, "delta": {}}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "abort"}]},
        {"choices": [{"index": 0, "delta": {"role": "bot"}, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {"content": 5}, "finish_reason": None}]},
        {"usage": {"prompt_tokens": 1}},
    ],
)
def test_the_validator_sees_faults(wrong: dict[str, Any]) -> None:
    right = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": []}
    check("CreateChatCompletionStreamResponse", {**right, "loom": {}})
    with pytest.raises(AssertionError):
        check("CreateChatCompletionStreamResponse", {**right, **wrong})
