"""Fields of the protocol with values of every kind: whatever a client sends, it is answered or refused, never a 5xx."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.nodes import kiln_node, running

from loom.core.values import Prompt
from loom.serve.app import create_app
from loom_adapters.scripted_model import FakeModel

CHAT = "/v1/chat/completions"
FIELDS = """model stream stream_options max_tokens max_completion_tokens temperature n stop seed user tools tool_choice functions
response_format logprobs metadata reasoning_effort modalities prediction loom_options ontology_budget chat_template_kwargs""".split()
ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    1.5,
    2**63,
    "",
    "x",
    [],
    [None],
    [[]],
    {},
    {"type": 5},
    {"include_usage": "yes"},
    {"type": "x"},
]
PARTS: list[Any] = [
    {"type": "text"},
    {"type": "text", "text": None},
    {"type": "text", "text": ["What is a kiln?"]},
    {"type": 7, "text": "What is a kiln?"},
    {"type": "image_url", "image_url": {"url": "data:image/png;base64,"}},
    {"type": "input_audio", "input_audio": None},
    {},
]


class Agreeable(FakeModel):
    """Answers anything: looks at nothing in a request but whether to stream."""

    def chat(self, prompt: Prompt, **more: Any) -> Any:
        assert orjson.dumps(prompt.body)
        return super().chat(
            replace(prompt, body={"model": "words", "messages": [], "stream": prompt.body.get("stream")}), **more
        )


@pytest.fixture(scope="module", params=["reader", "model"])
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    model = Agreeable() if request.param == "model" else None
    with (
        running(create_app(kiln_node(tmp_path_factory.mktemp("node"), model, LOOM_VERBATIM="1"))) as url,
        httpx.Client(base_url=url) as client,
    ):
        yield client


def answered(client: httpx.Client, body: dict[str, Any]) -> None:
    reply = client.post(CHAT, json=body)
    assert reply.status_code in (200, 400), (body, reply.text)
    if reply.status_code == 400:
        assert set(reply.json()["error"]) >= {"message", "type", "param", "code"}
    elif reply.headers["content-type"].startswith("text/event-stream"):
        assert reply.text.endswith("data: [DONE]\n\n")
    else:
        assert reply.json()["loom"]["decision"]


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("stream", [False, True])
def test_a_field_of_any_kind(client: httpx.Client, field: str, stream: bool) -> None:
    for value in ODD:
        answered(client, {"messages": [{"role": "user", "content": "What is a kiln?"}], "stream": stream, field: value})


@pytest.mark.parametrize("role", ["user", "assistant", "system", "developer", "tool", "function", "nobody"])
def test_content_of_any_kind(client: httpx.Client, role: str) -> None:
    for content in ([part] for part in PARTS):
        for more in ({}, {"tool_calls": None}, {"tool_calls": [{}]}, {"tool_calls": "x"}, {"name": 5}, {"tool_call_id": None}):
            answered(client, {"messages": [{"role": role, "content": content, **more}]})
    for content in (None, "", " ", "\x00", "\ufffd" * 100):
        answered(client, {"messages": [{"role": role, "content": content}, {"role": "user", "content": "What is a kiln?"}]})
        answered(client, {"messages": [{"role": "user", "content": "What is a kiln?"}, {"role": role, "content": content}]})


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def test_any_object_at_all(client: httpx.Client) -> None:
    names = st.sampled_from([*FIELDS, "messages", "loom"]) | st.text(max_size=6)

    @given(st.dictionaries(names, values, max_size=5))
    def posted(body: dict[str, Any]) -> None:
        answered(client, {"messages": [{"role": "user", "content": "kiln"}]} | body)

    posted()
