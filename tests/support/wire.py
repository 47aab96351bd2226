"""A chat client that trusts nothing: every answer that it gets is held to the protocol before a test sees it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
from support.openai_schema import check

CHAT = "/v1/chat/completions"
QUESTION = "What is the difference between braising and stewing?"
CLASSES = {
    "answered",
    "empty_stop",
    "reasoning_only",
    "budget_exhausted",
    "truncated",
    "tool_calls",
    "refused",
    "interrupted",
}
REASONS = set(
    "exact lexical fused semantic address fact memory claim weak off_topic ambiguous no_text side_call disabled budget error".split()
)
SERVED = {"delegated", "reader", "verbatim", "passthrough"}


def ask(model: str = "echo", text: str = QUESTION, **more: Any) -> dict[str, Any]:
    """A request of one user message."""
    return {"model": model, "messages": [{"role": "user", "content": text}], **more}


@dataclass(frozen=True)
class Got:
    """One answer. `chunks` are the payloads of a stream without its end marker, or the one body; `raw` is all of its bytes."""

    status: int
    headers: httpx.Headers
    raw: bytes
    chunks: list[dict[str, Any]] = field(default_factory=list)

    @property
    def loom(self) -> dict[str, Any]:
        found: dict[str, Any] = self.chunks[-1]["loom"]
        return found

    @property
    def error(self) -> dict[str, Any]:
        found: dict[str, Any] = self.chunks[-1]["error"]
        return found

    @property
    def failed(self) -> bool:
        return "error" in self.chunks[-1]

    @property
    def completion(self) -> str:
        found: str = self.loom["completion"]["class"]
        return found

    def text(self, index: int = 0, key: str = "content") -> str:
        """What one choice says."""
        return "".join(
            said.get(key) or ""
            for chunk in self.chunks
            for choice in chunk.get("choices", ())
            for said in (choice.get("delta") or choice.get("message") or {},)
            if choice["index"] == index
        )

    def finishes(self) -> list[str]:
        return [choice["finish_reason"] for c in self.chunks for choice in c.get("choices", ()) if choice.get("finish_reason")]

    def usages(self) -> list[dict[str, Any]]:
        return [chunk["usage"] for chunk in self.chunks if chunk.get("usage")]


@dataclass
class Wire:
    """Asks one node."""

    client: httpx.Client

    def chat(self, body: Mapping[str, Any] | bytes, headers: Mapping[str, str] | None = None, path: str = CHAT) -> Got:
        """Ask, and hold the answer to what is true of every answer of its kind."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        reply = self.client.post(path, content=content, headers={"content-type": "application/json", **(headers or {})})
        if reply.headers["content-type"].startswith("text/event-stream"):
            got = Got(reply.status_code, reply.headers, reply.content, events(reply.content))
            check_stream(got, body if not isinstance(body, bytes) else {"stream": True})
        else:
            got = Got(reply.status_code, reply.headers, reply.content, [reply.json()])
            check_whole(got)
        return got

    def metric(self, name: str) -> float:
        """The value of one line of `/metrics`, 0 where it is not there yet."""
        lines = self.client.get("/metrics").text.splitlines()
        return next((float(line.rpartition(" ")[2]) for line in lines if line.startswith(name + " ")), 0.0)


def events(raw: bytes) -> list[dict[str, Any]]:
    """The payloads of a stream, which must end with its marker."""
    blocks = raw.decode("utf-8").replace("\r\n", "\n").split("\n\n")
    assert blocks.pop() == "", "the stream does not end with a blank line"
    data = []
    for block in blocks:
        lines = [line[5:].removeprefix(" ") for line in block.split("\n") if line.startswith("data:")]
        assert lines or all(line.startswith(":") for line in block.split("\n")), f"neither data nor comment: {block!r}"
        if lines:
            data.append("\n".join(lines))
    assert data.pop() == "[DONE]", "the stream does not end with its marker"
    assert "[DONE]" not in data
    return [json.loads(each) for each in data]


def check_account(account: Mapping[str, Any], headers: httpx.Headers) -> None:
    """The `loom` object, and the headers that say the same in short."""
    assert account["request_id"] == headers["x-request-id"]
    assert account["pin"]["generation"] == headers["x-loom-generation"]
    assert account["decision"]["reason"] == headers["x-loom-decision"] and account["decision"]["reason"] in REASONS
    assert account["injected_tokens"] == int(headers["x-loom-injected-tokens"])
    assert bool(account["units"]) == account["decision"]["engaged"] == (account["injected_tokens"] > 0)
    assert account["served"] in SERVED and account["completion"]["class"] in CLASSES
    assert "error" not in _keys(account)


def _keys(value: Any) -> set[str]:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    own = set(value) if isinstance(value, dict) else set()
    return own.union(*(_keys(item) for item in inside))


def check_error(error: Mapping[str, Any]) -> None:
    check("Error", error)
    assert {"message", "type", "param", "code"} <= set(error) and error["message"].strip() and "Traceback" not in str(error)


def check_whole(got: Got) -> None:
    """A body that is not streamed: a completion with its account, or an error in the envelope."""
    (body,) = got.chunks
    assert got.headers["content-type"].startswith("application/json") and got.headers["x-request-id"]
    if got.status != 200:
        check("ErrorResponse", body)
        check_error(body["error"])
        assert "loom" not in body
        return
    check("CreateChatCompletionResponse", body)
    assert body["choices"] and "error" not in body
    check_account(body["loom"], got.headers)


def check_stream(got: Got, body: Mapping[str, Any]) -> None:
    """A stream: one id, one role a choice, usage as asked for, one account on the last frame."""
    assert got.status == 200 and got.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert got.headers["cache-control"] == "no-cache" and got.headers["x-accel-buffering"] == "no"
    assert "content-encoding" not in got.headers and "content-length" not in got.headers
    chunks = list(got.chunks)
    if len(chunks) == 1 and "loom" not in chunks[0]:
        assert got.raw.startswith(b":"), "only a stream that a comment began may turn out to have no answer to account for"
        check("ErrorResponse", chunks[0])
        check_error(chunks[0]["error"])
        return
    assert ["loom" in chunk for chunk in chunks] == [False] * (len(chunks) - 1) + [True]
    check_account(chunks[-1]["loom"], got.headers)
    if "error" in chunks[-1]:
        check("ErrorResponse", chunks[-1])
        check_error(chunks.pop()["error"])
    asked = bool((body.get("stream_options") or {}).get("include_usage"))
    openers: set[int] = set()
    for place, chunk in enumerate(chunks):
        check("CreateChatCompletionStreamResponse", chunk)
        assert "error" not in chunk and chunk["object"] == "chat.completion.chunk"
        assert (chunk["id"], chunk["created"], chunk["model"]) == tuple(chunks[0][key] for key in ("id", "created", "model"))
        if not chunk["choices"]:
            assert asked and chunk["usage"] and place == len(chunks) - 1, (
                "a frame without choices is the usage, asked for and last"
            )
        for choice in chunk["choices"]:
            if choice["delta"].get("role"):
                assert choice["index"] not in openers, "the role is said once"
                openers.add(choice["index"])
