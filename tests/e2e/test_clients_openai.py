"""The official `openai` package as a client of a node in front of a model, and of one that has only its reader."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.installed import Node, loom
from support.node_process import serving
from support.upstream_process import Exact, Scripted, exact, scripted

openai = pytest.importorskip("openai")
pydantic = pytest.importorskip("pydantic")

QUESTION = "What is the difference between braising and stewing?"
MESSAGES: Any = [{"role": "user", "content": QUESTION}]
TOOLS: Any = [
    {"type": "function", "function": {"name": f"tool_{n}", "parameters": {"type": "object", "properties": {}}}}
    for n in range(3)
]


@pytest.fixture(scope="module")
def upstream() -> Iterator[Scripted]:
    with scripted() as model:
        yield model


@pytest.fixture(scope="module")
def grounded(generations: Path, upstream: Scripted) -> Iterator[Node]:
    settings = {"LOOM_MODEL_URL": upstream.url, "LOOM_MODEL_ALIASES": "house/best=words?words=3"}
    with serving(generations, **settings) as started:
        yield started


@pytest.fixture(scope="module")
def literal(generations: Path) -> Iterator[tuple[Exact, str]]:
    """An upstream of exact bytes, and the address of a node in front of it."""
    with exact() as model, serving(generations, LOOM_MODEL_URL=model.url) as started:
        yield model, started.base


@pytest.fixture
def client(grounded: Node, upstream: Scripted) -> Iterator[Any]:
    upstream.forget()
    with openai.OpenAI(base_url=grounded.base + "/v1", api_key="none", max_retries=0) as made:
        yield made


@pytest.fixture
def reader(node: Node) -> Iterator[Any]:
    with openai.OpenAI(base_url=node.base + "/v1", api_key="none", max_retries=0) as made:
        yield made


def said(stream: Any) -> tuple[str, list[Any]]:
    chunks = list(stream)
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices), chunks


def test_a_whole_answer(client: Any) -> None:
    answer = client.chat.completions.create(model="echo", messages=MESSAGES)
    assert answer.choices[0].message.content == QUESTION and answer.choices[0].finish_reason == "stop"
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens
    account = answer.model_extra["loom"]
    assert account["decision"]["engaged"] and {unit["title"] for unit in account["units"]} >= {"Braising", "Stewing"}
    assert account["served"] == "delegated" and account["request_id"] == answer._request_id


def test_a_stream(client: Any) -> None:
    text, chunks = said(client.chat.completions.create(model="echo", messages=MESSAGES, stream=True))
    assert text == QUESTION and chunks[0].choices[0].delta.role == "assistant"
    assert ["loom" in (chunk.model_extra or {}) for chunk in chunks] == [False] * (len(chunks) - 1) + [True]
    assert chunks[-1].model_extra["loom"]["completion"]["class"] == "answered"
    assert all(chunk.choices for chunk in chunks) and all(chunk.usage is None for chunk in chunks)


def test_a_stream_with_usage(client: Any) -> None:
    stream = client.chat.completions.create(
        model="words?words=3", messages=MESSAGES, stream=True, stream_options={"include_usage": True}
    )
    _, chunks = said(stream)
    assert [bool(chunk.usage) for chunk in chunks] == [False] * (len(chunks) - 1) + [True]
    assert chunks[-1].choices == [] and chunks[-1].usage.completion_tokens == 3 and chunks[-1].model_extra["loom"]


def test_the_stream_helper_puts_it_together(client: Any) -> None:
    with client.chat.completions.stream(model="tools", messages=MESSAGES, tools=TOOLS, n=2) as stream:
        kinds = {event.type for event in stream}
        whole = stream.get_final_completion()
    assert "tool_calls.function.arguments.done" in kinds
    assert [len(choice.message.tool_calls) for choice in whole.choices] == [3, 3]


async def test_asynchronously(grounded: Node) -> None:
    async with openai.AsyncOpenAI(base_url=grounded.base + "/v1", api_key="none", max_retries=0) as made:
        whole = await made.chat.completions.create(model="echo", messages=MESSAGES)
        stream = await made.chat.completions.create(model="echo", messages=MESSAGES, stream=True)
        text = "".join([chunk.choices[0].delta.content or "" async for chunk in stream])
        models = [model.id async for model in made.models.list()]
    assert whole.choices[0].message.content == text == QUESTION and "echo" in models


def test_parallel_tool_calls(client: Any, upstream: Scripted) -> None:
    answer = client.chat.completions.create(
        model="tools", messages=MESSAGES, tools=TOOLS, tool_choice="auto", parallel_tool_calls=True
    )
    (choice,) = answer.choices
    calls = choice.message.tool_calls
    assert choice.message.content is None and choice.finish_reason == "tool_calls"
    assert [(call.id, call.function.name) for call in calls] == [(f"call_{n}", f"tool_{n}") for n in range(3)]
    assert [json.loads(call.function.arguments)["n"] for call in calls] == [0, 1, 2]
    sent = upstream.asked()["body"]
    assert sent["tools"] == TOOLS and sent["tool_choice"] == "auto" and sent["parallel_tool_calls"] is True


def test_interleaved_tool_calls_in_a_stream(client: Any) -> None:
    stream = client.chat.completions.create(model="tools?cut=3", messages=MESSAGES, tools=TOOLS, stream=True)
    held: dict[int, list[str]] = {}
    for chunk in stream:
        for call in chunk.choices[0].delta.tool_calls or ():
            if call.id:
                held[call.index] = [call.id, call.function.name, ""]
            held[call.index][2] += call.function.arguments
    assert [held[n][:2] for n in range(3)] == [[f"call_{n}", f"tool_{n}"] for n in range(3)]
    assert [json.loads(held[n][2]) for n in range(3)] == [{"place": f"é{n}", "n": n} for n in range(3)]


def test_the_turn_after_a_tool_call(client: Any, upstream: Scripted) -> None:
    """Grounding never stands between a call and its results."""
    first = client.chat.completions.create(model="tools", messages=MESSAGES, tools=TOOLS)
    results = [
        {"role": "tool", "tool_call_id": call.id, "content": "done"} for call in first.choices[0].message.tool_calls or ()
    ]
    upstream.forget()
    turn = [*MESSAGES, first.choices[0].message.model_dump(exclude_none=True), *results]
    answer = client.chat.completions.create(model="words?words=2", messages=turn, tools=TOOLS)
    sent = upstream.asked()["body"]["messages"]
    roles = [message["role"] for message in sent if message["role"] != "system"]
    assert roles == ["user", "assistant", "tool", "tool", "tool"] and [m["role"] for m in sent[-4:]] == roles[-4:]
    assert sent[-4]["tool_calls"][2]["id"] == "call_2" and answer.choices[0].message.content


def test_structured_output(client: Any, upstream: Scripted) -> None:
    class Dish(pydantic.BaseModel):
        name: str
        minutes: int

    model = 'echo?say={"name":"Stew","minutes":90}'
    answer = client.chat.completions.parse(model=model, messages=MESSAGES, response_format=Dish)
    assert answer.choices[0].message.parsed == Dish(name="Stew", minutes=90)
    form = upstream.asked()["body"]["response_format"]
    assert form["type"] == "json_schema" and form["json_schema"]["strict"] is True
    with client.chat.completions.stream(model=model, messages=MESSAGES, response_format=Dish) as stream:
        assert stream.get_final_completion().choices[0].message.parsed == Dish(name="Stew", minutes=90)


def test_a_form_stays_a_form_even_where_verbatim_is_asked(client: Any) -> None:
    answer = client.chat.completions.create(
        model='echo?say={"a":1}',
        messages=[{"role": "user", "content": "What is braising?"}],
        response_format={"type": "json_object"},
        extra_body={"loom": {"verbatim": True}},
    )
    assert json.loads(answer.choices[0].message.content) == {"a": 1} and answer.model_extra["loom"]["served"] == "delegated"


def test_several_choices(client: Any) -> None:
    answer = client.chat.completions.create(model="words?words=3", messages=MESSAGES, n=2)
    assert [choice.index for choice in answer.choices] == [0, 1]
    chunks = list(client.chat.completions.create(model="words?words=3", messages=MESSAGES, n=2, stream=True))
    texts = ["", ""]
    for chunk in chunks:
        for choice in chunk.choices:
            texts[choice.index] += choice.delta.content or ""
    assert texts == ["word0 word1 word2"] * 2


def test_sampling_fields_reach_the_model(client: Any, upstream: Scripted) -> None:
    fields: dict[str, Any] = {
        "temperature": 0.2,
        "top_p": 0.9,
        "seed": 7,
        "stop": ["\n"],
        "logprobs": True,
        "top_logprobs": 2,
        "logit_bias": {"50256": -100},
        "presence_penalty": 0.1,
        "frequency_penalty": 0.1,
        "user": "someone",
        "metadata": {"a": "b"},
        "store": False,
        "reasoning_effort": "low",
        "service_tier": "auto",
        "prompt_cache_key": "k",
        "safety_identifier": "s",
        "verbosity": "low",
    }
    others = {"top_k": 5, "min_p": 0.1, "chat_template_kwargs": {"enable_thinking": False}, "guided_json": {"type": "object"}}
    client.chat.completions.create(model="echo", messages=MESSAGES, **fields, extra_body={**others, "loom": {"budget": 300}})
    sent = upstream.asked()["body"]
    assert {name: sent[name] for name in fields} == fields and {name: sent[name] for name in others} == others
    assert set(sent) == {"model", "messages", *fields, *others}


def test_log_probabilities_come_back(literal: tuple[Exact, str]) -> None:
    token = {"token": "Hi", "logprob": -0.1, "bytes": [72, 105], "top_logprobs": []}
    body = {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": "Hi", "refusal": None},
                "logprobs": {"content": [token], "refusal": None},
                "finish_reason": "stop",
            }
        ],
    }
    model, base = literal
    model.says("m", json.dumps(body).encode(), kind="application/json")
    with openai.OpenAI(base_url=base + "/v1", api_key="none") as made:
        answer = made.chat.completions.create(model="m", messages=MESSAGES, logprobs=True)
    assert model.bodies[-1]["logprobs"] is True
    assert answer.choices[0].logprobs.content[0].logprob == -0.1


def test_raw_response_headers(client: Any) -> None:
    raw = client.chat.completions.with_raw_response.create(
        model="echo", messages=MESSAGES, extra_headers={"x-request-id": "mine-7"}
    )
    answer = raw.parse()
    assert raw.headers["x-request-id"] == "mine-7" == answer._request_id == answer.model_extra["loom"]["request_id"]
    assert raw.headers["x-loom-generation"] == answer.model_extra["loom"]["pin"]["generation"]
    assert int(raw.headers["x-loom-injected-tokens"]) == answer.model_extra["loom"]["injected_tokens"] > 0
    with client.chat.completions.with_streaming_response.create(model="echo", messages=MESSAGES, stream=True) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream") and stream.headers["x-loom-decision"]


def test_options_of_the_node(client: Any, upstream: Scripted) -> None:
    for options, seen in (
        ({"off": True}, lambda account: account["decision"]["reason"] == "disabled" and not account["units"]),
        ({"budget": 60}, lambda account: account["injected_tokens"] < 150),
        ({"policy": "reference"}, lambda account: account["policy"] == "reference"),
        ({"wrapper": "bare"}, lambda account: account["wrapper"] == "bare"),
        ({"verbatim": True}, lambda account: account["served"] == "verbatim"),
        ({"gold": ["Searing", "Heat"]}, lambda account: None not in account["exposure"]["counts"].values()),
    ):
        upstream.forget()
        asked = [{"role": "user", "content": "What is braising?"}]
        answer = client.chat.completions.create(model="echo?strict=1", messages=asked, extra_body={"loom": options})
        assert seen(answer.model_extra["loom"]), options


def test_models(client: Any) -> None:
    known = {model.id: model for model in client.models.list()}
    assert {"echo", "org/words?words=8", "house/best"} <= set(known)
    assert all(model.object == "model" and model.created >= 0 and model.owned_by for model in known.values())
    for name in ("echo", "org/words?words=8", "house/best"):
        assert client.models.retrieve(name).id == name
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("org/none")
    assert client.chat.completions.create(model="house/best", messages=MESSAGES).model == "words?words=3"


def test_embeddings_and_completions_pass_through(client: Any) -> None:
    assert client.embeddings.create(model="e", input="a", encoding_format="float").data[0].embedding == [0.25, -0.5]
    assert client.completions.create(model="c", prompt="hello").choices[0].text == "hello"
    assert [chunk.choices[0].text for chunk in client.completions.create(model="c", prompt="hi", stream=True)] == ["hi"]


@pytest.mark.parametrize(
    ("status", "name"),
    [
        (400, "BadRequestError"),
        (401, "AuthenticationError"),
        (403, "PermissionDeniedError"),
        (404, "NotFoundError"),
        (409, "ConflictError"),
        (422, "UnprocessableEntityError"),
        (429, "RateLimitError"),
        (500, "InternalServerError"),
        (503, "InternalServerError"),
    ],
)
def test_refusals_of_the_model_are_the_clients_own_errors(client: Any, status: int, name: str) -> None:
    for stream in (False, True):
        with pytest.raises(getattr(openai, name)) as raised:
            client.chat.completions.create(model=f"words?status={status}&retry_after=9", messages=MESSAGES, stream=stream)
        assert (
            raised.value.status_code == status and raised.value.message.endswith(f"Scripted {status}.")
        ) or raised.value.body
        assert raised.value.type and raised.value.request_id.startswith("req_")


@pytest.mark.parametrize("body", [{"messages": []}, {"messages": [{"role": "user", "content": 5}]}, {"loom": {"budget": 0}}])
def test_refusals_of_the_node_are_not_tried_again(grounded: Node, body: dict[str, Any]) -> None:
    calls: list[httpx.Response] = []
    http = httpx.Client(event_hooks={"response": [calls.append]}, trust_env=False)
    made = openai.OpenAI(base_url=grounded.base + "/v1", api_key="none", max_retries=2, http_client=http)
    with made, pytest.raises(openai.BadRequestError) as raised:
        made.chat.completions.create(model="echo", messages=body.get("messages", MESSAGES), extra_body=body)
    assert len(calls) == 1 and raised.value.code == "bad_input" and raised.value.param
    assert calls[0].headers["x-should-retry"] == "false"


def test_a_page_instead_of_an_answer_is_not_tried_again(grounded: Node, upstream: Scripted) -> None:
    upstream.forget()
    made = openai.OpenAI(base_url=grounded.base + "/v1", api_key="none", max_retries=3)
    with made, pytest.raises(openai.InternalServerError):
        made.chat.completions.create(model="html", messages=MESSAGES)
    assert len(upstream.requests()) == 1


@pytest.mark.parametrize("suffix", ["/v1", "/v1/", "//v1//", "", "/"])
def test_base_urls_of_every_habit(grounded: Node, suffix: str) -> None:
    with openai.OpenAI(base_url=grounded.base + suffix, api_key="none", max_retries=0) as made:
        assert made.chat.completions.create(model="echo", messages=MESSAGES).choices[0].message.content == QUESTION
        assert "echo" in {model.id for model in made.models.list()}
        assert made.models.retrieve("org/words?words=8").id == "org/words?words=8"
        assert made.embeddings.create(model="e", input="a", encoding_format="float").data


def test_the_reader(reader: Any) -> None:
    whole = reader.chat.completions.create(model="anything", messages=MESSAGES)
    text, chunks = said(reader.chat.completions.create(model="anything", messages=MESSAGES, stream=True))
    assert whole.choices[0].message.content == text and "brais" in text.lower()
    assert whole.model_extra["loom"]["served"] == chunks[-1].model_extra["loom"]["served"] == "reader"
    cited = {note.url_citation.url for note in whole.choices[0].message.annotations}
    assert cited and cited <= {unit["iri"] for unit in whole.model_extra["loom"]["units"]}
    assert [model.id for model in reader.models.list()] == ["loom-reader"] == [reader.models.retrieve("loom-reader").id]
    with pytest.raises(openai.NotFoundError, match="LOOM_MODEL_URL"):
        reader.embeddings.create(model="e", input="a")
    with pytest.raises(openai.BadRequestError, match="response_format"):
        reader.chat.completions.create(model="x", messages=MESSAGES, response_format={"type": "json_object"})


def test_keys(generations: Path, tmp_path: Path) -> None:
    file = str(tmp_path / "keys.json")
    made = loom("keys", "add", "tests", settings={"LOOM_API_KEYS_FILE": file})
    key = next(word for word in made.stdout.split() if word.startswith("loom-"))
    with serving(generations, LOOM_API_KEYS_FILE=file, LOOM_RATE_LIMIT="3") as started:
        url = started.base + "/v1"
        wrong = openai.OpenAI(base_url=url, api_key="wrong", max_retries=0)
        with wrong, pytest.raises(openai.AuthenticationError, match="loom keys add"):
            wrong.chat.completions.create(model="x", messages=MESSAGES)
        for header in ("Bearer", "Basic YTpi", ""):
            refused = httpx.post(f"{url}/chat/completions", json={}, headers={"authorization": header}, trust_env=False)
            assert refused.status_code == 401 and refused.headers["www-authenticate"] == "Bearer"
            assert "Authorization: Bearer <key>" in refused.json()["error"]["message"]
        with openai.OpenAI(base_url=url, api_key=key, max_retries=0) as client:
            assert client.chat.completions.create(model="x", messages=MESSAGES).choices
            with pytest.raises(openai.RateLimitError) as raised:
                for _ in range(4):
                    client.models.list()
            assert float(raised.value.response.headers["retry-after"]) > 0


def test_exact_bytes_of_a_body_are_kept(literal: tuple[Exact, str]) -> None:
    """Members that no client knows, in the order and spelling in which the model sent them."""
    sent = (
        b'{"id":"c","object":"chat.completion","created":1,"model":"m","x_odd":{"b":1.50,"a":"\\u00e9"},"choices":[{"index":0,'
        b'"message":{"role":"assistant","content":"Hi","refusal":null,"reasoning_content":"h"},"logprobs":null,"finish_reason":"stop"}]}'
    )
    model, base = literal
    model.says("m", sent, kind="application/json")
    got = httpx.post(f"{base}/v1/chat/completions", json={"model": "m", "messages": MESSAGES}, trust_env=False)
    assert got.content.startswith(sent[:-1] + b',"loom":')
