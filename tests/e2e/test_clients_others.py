"""Clients that are not the official one, as their users call them: LangChain's and LiteLLM's."""

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.installed import Node, environment
from support.node_process import serving
from support.upstream_process import Scripted, scripted

QUESTION = "What is the difference between braising and stewing?"


@pytest.fixture(scope="module")
def upstream() -> Iterator[Scripted]:
    with scripted() as model:
        yield model


@pytest.fixture(scope="module")
def grounded(generations: Path, upstream: Scripted) -> Iterator[Node]:
    with serving(generations, LOOM_MODEL_URL=upstream.url) as started:
        yield started


@pytest.fixture(scope="module")
def chat(grounded: Node) -> Any:
    """Makes LangChain's chat model for a model name. It drops what it does not know of an answer; what it keeps must be right."""
    module = pytest.importorskip("langchain_openai")

    def made(model: str, **more: Any) -> Any:
        return module.ChatOpenAI(base_url=grounded.base + "/v1", api_key="none", model=model, max_retries=0, **more)

    return made


def test_langchain_invoke(chat: Any, upstream: Scripted) -> None:
    upstream.forget()
    answer = chat("echo").invoke(QUESTION)
    assert answer.content == QUESTION and answer.response_metadata["finish_reason"] == "stop"
    assert answer.usage_metadata["total_tokens"] > 0
    sent = upstream.asked()["body"]["messages"]
    assert [message["role"] for message in sent] == ["system", "user"] and "Braising" in sent[0]["content"]


def test_langchain_stream(chat: Any) -> None:
    chunks = list(chat("echo", stream_usage=True).stream(QUESTION))
    assert "".join(chunk.content for chunk in chunks) == QUESTION
    assert sum(bool(chunk.usage_metadata) for chunk in chunks) == 1
    assert "".join(chunk.content for chunk in chat("echo", stream_usage=False).stream(QUESTION)) == QUESTION


async def test_langchain_asynchronously(chat: Any) -> None:
    async with httpx.AsyncClient(trust_env=False) as client:
        model = chat("echo", http_async_client=client)
        assert (await model.ainvoke(QUESTION)).content == QUESTION
        assert "".join([chunk.content async for chunk in model.astream(QUESTION)]) == QUESTION


def test_langchain_tools(chat: Any) -> None:
    tools = [{"type": "function", "function": {"name": f"tool_{n}", "parameters": {"type": "object"}}} for n in range(3)]
    bound = chat("tools").bind_tools(tools)
    whole, gathered = bound.invoke(QUESTION), None
    for chunk in bound.stream(QUESTION):
        gathered = chunk if gathered is None else gathered + chunk
    expected = [(f"tool_{n}", {"place": f"é{n}", "n": n}, f"call_{n}") for n in range(3)]
    for message in (whole, gathered):
        assert message is not None
        assert [(call["name"], call["args"], call["id"]) for call in message.tool_calls] == expected


@pytest.mark.parametrize("method", ["json_schema", "json_mode"])
def test_langchain_structured_output(chat: Any, method: str) -> None:
    from pydantic import BaseModel

    class Dish(BaseModel):
        name: str
        minutes: int

    model = chat('echo?say={"name":"Stew","minutes":90}').with_structured_output(Dish, method=method)
    assert model.invoke(QUESTION) == Dish(name="Stew", minutes=90)


def test_langchain_a_conversation(chat: Any, upstream: Scripted) -> None:
    upstream.forget()
    turns = [("system", "Be brief."), ("human", "Hello"), ("ai", "Hello!"), ("human", QUESTION)]
    assert chat("echo?roles=system,user,assistant").invoke(turns).content == QUESTION
    sent = upstream.asked()["body"]["messages"]
    assert [message["role"] for message in sent] == ["system", "user", "assistant", "user"]
    assert sent[0]["content"].startswith("Be brief.") or sent[0]["content"].endswith("Be brief.")


def test_langchain_a_model_that_dies(chat: Any) -> None:
    openai = pytest.importorskip("openai")
    with pytest.raises(openai.APIError, match="broke off"):
        list(chat("words?kill=4").stream(QUESTION))


def test_langchain_the_reader(node: Node) -> None:
    module = pytest.importorskip("langchain_openai")
    answer = module.ChatOpenAI(base_url=node.base + "/v1", api_key="none", model="loom-reader").invoke(QUESTION)
    assert "brais" in answer.content.lower()


LITELLM = """
import asyncio, json, litellm, sys

base, question = sys.argv[1:]
asked = {"api_base": base, "api_key": "none", "messages": [{"role": "user", "content": question}], "num_retries": 0}
tools = [{"type": "function", "function": {"name": f"tool_{n}", "parameters": {"type": "object", "properties": {}}}} for n in range(3)]
found = {}

whole = litellm.completion(model="openai/echo", **asked)
found["whole"] = whole.choices[0].message.content
found["usage"] = whole.usage.total_tokens
found["loom"] = whole.model_extra.get("loom", {}).get("served")
chunks = list(litellm.completion(model="openai/echo", stream=True, stream_options={"include_usage": True}, **asked))
found["stream"] = "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)
found["stream_usage"] = [c.usage.total_tokens for c in chunks if getattr(c, "usage", None)]
calls = litellm.completion(model="openai/tools", tools=tools, **asked).choices[0].message.tool_calls
found["tools"] = [(c.id, c.function.name, json.loads(c.function.arguments)["n"]) for c in calls]
chunks = list(litellm.completion(model="openai/tools", tools=tools, stream=True, **asked))
built = litellm.stream_chunk_builder(chunks, messages=asked["messages"]).choices[0]
found["stream_tools"] = [(c.id, c.function.name, json.loads(c.function.arguments)["n"]) for c in built.message.tool_calls]
thought = litellm.completion(model="openai/think?tokens=9&words=1", **asked).choices[0].message
found["thought"] = [thought.content, thought.reasoning_content[:5]]
found["schema"] = litellm.completion(
    model='openai/echo?say={"a":1}', response_format={"type": "json_object"}, **asked
).choices[0].message.content


async def later():
    answer = await litellm.acompletion(model="openai/echo", stream=True, **asked)
    return "".join([c.choices[0].delta.content or "" async for c in answer])


found["async"] = asyncio.run(later())
errors = {}
for status in (400, 401, 404, 429, 500):
    try:
        litellm.completion(model=f"openai/words?status={status}", max_retries=0, **asked)
    except Exception as error:
        errors[status] = type(error).__name__
found["errors"] = errors
try:
    list(litellm.completion(model="openai/words?kill=4", stream=True, max_retries=0, **asked))
    found["killed"] = "nothing raised"
except Exception as error:
    found["killed"] = type(error).__name__
vector = litellm.embedding(model="openai/e", input=["a"], api_base=base, api_key="none", encoding_format="float")
found["embedding"] = vector.data[0]["embedding"]
print("FOUND" + json.dumps(found))
"""


def test_litellm(grounded: Node) -> None:
    """In a process of its own: it is slow to import and leaves threads behind."""
    if importlib.util.find_spec("litellm") is None:
        pytest.skip("needs litellm")
    ran = subprocess.run(
        [sys.executable, "-c", LITELLM, grounded.base + "/v1", QUESTION],
        env=environment() | {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    line = next((line for line in ran.stdout.splitlines() if line.startswith("FOUND")), None)
    assert line is not None, ran.stdout + ran.stderr
    found = json.loads(line.removeprefix("FOUND"))
    calls = [[f"call_{n}", f"tool_{n}", n] for n in range(3)]
    assert found["whole"] == found["stream"] == found["async"] == QUESTION and found["usage"] > 0
    assert found["loom"] in ("delegated", None), "an account that it does not drop is the account"
    assert len(found["stream_usage"]) == 1
    assert found["tools"] == found["stream_tools"] == calls
    assert found["thought"] == ["word0", "hm hm"] and found["schema"] == '{"a":1}'
    assert found["errors"] == {
        "400": "BadRequestError",
        "401": "AuthenticationError",
        "404": "NotFoundError",
        "429": "RateLimitError",
        "500": "InternalServerError",
    }
    assert found["killed"] != "nothing raised" and found["embedding"] == [0.25, -0.5]
