"""A model that follows a script: what it says, how it says it and how it fails are part of the request.

One script serves the in-memory `FakeModel` (the fake of the `ModelBackend` port) and the real HTTP server in
`scripted_server`. A script is a word with options, as in `think?tokens=3000&style=hidden`, taken from the model's name, from the
header `x-script` or from the body field `script` (the last one found wins).
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, fields
from urllib.parse import parse_qsl

import orjson

from loom.core.allowance import limit_of, with_least
from loom.core.errors import UpstreamFailure
from loom.core.frames import DONE, Frame, event
from loom.core.values import Json, ModelCard, Prompt, tokens_of

CREATED = 1_700_000_000
KINDS = ("echo", "words", "think", "tools", "empty", "status", "html", "hang", "refusal", "error")


@dataclass(frozen=True, slots=True)
class Script:
    """What to do with one request. Times are seconds, `tokens` is what is thought before the answer of `words` words.

    `style`: where thinking shows (reasoning_content, reasoning, tag, or hidden; billed: hidden, but counted in the usage).
    `usage`: asked (as OpenAI does), always, never, inline (on the frame that finishes). `kill` breaks the connection before
    that frame; `fails` lets the first so many requests of this very script fail with `status`, the later ones succeed.
    `done`: whether the stream ends with its marker; `finish` overrides the finish reason ("" leaves it out); `line` is the
    line end; `cut` sends the bytes in pieces of that size. `strict` refuses fields that OpenAI does not name, `roles` those
    outside the list, `most` a limit above it, `warm` any temperature; `limit` stands where the request states no limit of its own.
    `then` is the script of every second request with this very script.
    """

    kind: str = "echo"
    say: str = ""
    words: int = 8
    tokens: int = 0
    style: str = "reasoning_content"
    usage: str = "asked"
    status: int = 0
    fails: int = 0
    retry_after: str = ""
    first: float = 0.0
    delay: float = 0.0
    kill: int = -1
    done: bool = True
    finish: str | None = None
    line: str = "lf"
    cut: int = 0
    strict: bool = False
    roles: str = ""
    limit: int = 0
    most: int = 0
    warm: bool = False
    then: str = ""
    index0: bool = False
    comments: bool = False
    model: str = ""

    @classmethod
    def parse(cls, text: str) -> "Script":
        """Read `kind?option=value&…`; any other name is an echo. Raises ValueError on an unknown option or a bad value."""
        kind, _, options = text.partition("?")
        if kind not in KINDS:
            return cls()
        kinds = {each.name: each.type for each in fields(cls)}
        given: dict[str, Json] = {}
        for name, value in parse_qsl(options, keep_blank_values=True, strict_parsing=bool(options)):
            if name not in kinds:
                raise ValueError(f"Expected one of the options {', '.join(kinds)}, but got {name!r}.")
            kind_of = kinds[name]
            given[name] = value in ("1", "true") if kind_of is bool else kind_of(value) if kind_of in (int, float) else value
        return cls(**{**given, "kind": kind})


def script_of(body: Mapping[str, Json], headers: Mapping[str, str] | None = None) -> Script:
    """The script that a request carries."""
    text = body.get("script") or (headers or {}).get("x-script") or str(body.get("model") or "")
    return Script.parse(text if isinstance(text, str) else "")


KNOWN_FIELDS = frozenset(
    """model messages stream stream_options max_tokens max_completion_tokens temperature top_p n stop seed user tools tool_choice
    parallel_tool_calls response_format logprobs top_logprobs logit_bias presence_penalty frequency_penalty metadata store
    reasoning_effort verbosity service_tier modalities audio prediction web_search_options prompt_cache_key safety_identifier
    functions function_call script""".split()
)


def refusal_of(script: Script, body: Mapping[str, Json]) -> str | None:
    """Why this upstream would not take the request; None if it does."""
    if script.strict and (unknown := sorted(set(body) - KNOWN_FIELDS)):
        return f"Unrecognized request argument supplied: {unknown[0]}"
    if script.most and (limit_of(body) or 0) > script.most:
        return f"max_tokens is too large: this model has {script.most} tokens."
    if script.warm and "temperature" in body:
        return "Unsupported parameter: temperature."
    if script.roles:
        allowed = script.roles.split(",")
        for message in body.get("messages") or ():
            if message.get("role") not in allowed:
                return f"Unexpected role {message.get('role')!r}; this template knows {script.roles}."
    return None


def last_user_text(body: Mapping[str, Json]) -> str:
    for message in reversed(body.get("messages") or ()):
        if message.get("role") == "user":
            content = message.get("content")
            if isinstance(content, str):
                return content
            return " ".join(part.get("text", "") for part in content or () if part.get("type") == "text")
    return ""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What the script lets the model say within the request's limit."""

    thought: tuple[str, ...]
    said: tuple[str, ...]
    finish: str
    usage: Mapping[str, Json]


def speak(script: Script, body: Mapping[str, Json]) -> Spoken:
    limit = limit_of(body) or script.limit or 1_000_000
    text = script.say or (last_user_text(body) if script.kind == "echo" else "")
    words = [word + " " for word in text.split(" ")] if text else [f"word{n} " for n in range(script.words)]
    words[-1] = words[-1].rstrip(" ")
    if script.kind in ("empty", "tools", "refusal"):
        words = []
    thinking = script.tokens if script.kind == "think" or script.tokens else 0
    thought = min(thinking, limit)
    said = words[: limit - thought]
    finish = "length" if thought < thinking or len(said) < len(words) else "tool_calls" if script.kind == "tools" else "stop"
    step = max(1, thought // 16)
    shown = thought if script.style not in ("hidden", "billed") else 0
    pieces = tuple("hm " * min(step, shown - at) for at in range(0, shown, step))
    prompt = sum(tokens_of(orjson.dumps(message).decode()) for message in body.get("messages") or ())
    spent = thought + len(said)
    usage: dict[str, Json] = {"prompt_tokens": prompt, "completion_tokens": spent, "total_tokens": prompt + spent}
    if thinking and script.style != "hidden":
        usage["completion_tokens_details"] = {"reasoning_tokens": thought}
    return Spoken(pieces, tuple(said), finish if script.finish is None else script.finish, usage)


def _calls(script: Script) -> list[dict[str, Json]]:
    return [
        {
            "index": 0 if script.index0 else n,
            "id": f"call_{n}",
            "type": "function",
            "function": {"name": f"tool_{n}", "arguments": f'{{"place": "é{n}", "n": {n}}}'},
        }
        for n in range(3)
    ]


def _call_deltas(script: Script) -> Iterator[dict[str, Json]]:
    """Three calls: the openers first, then their arguments in turns of five characters."""
    calls = _calls(script)
    for call in calls:
        yield {"tool_calls": [{**call, "function": {"name": call["function"]["name"], "arguments": ""}}]}
    for at in range(0, max(len(call["function"]["arguments"]) for call in calls), 5):
        for call in calls:
            if piece := call["function"]["arguments"][at : at + 5]:
                yield {"tool_calls": [{"index": call["index"], "function": {"arguments": piece}}]}


def _thought_fields(script: Script, text: str) -> dict[str, Json]:
    return {"content": text} if script.style == "tag" else {script.style: text}


def deltas(script: Script, spoken: Spoken) -> Iterator[dict[str, Json]]:
    """The deltas of one choice, without the one that finishes."""
    yield {"role": "assistant", "content": ""}
    if spoken.thought:
        if script.style == "tag":
            yield {"content": "<think>"}
        for piece in spoken.thought:
            yield _thought_fields(script, piece)
        if script.style == "tag" and (spoken.said or spoken.finish != "length"):
            yield {"content": "</think>"}
    if script.kind == "tools":
        yield from _call_deltas(script)
    if script.kind == "refusal":
        yield {"refusal": "I will not."}
    for word in spoken.said:
        yield {"content": word}


def stream_of(script: Script, body: Mapping[str, Json], id: str) -> Iterator[Frame]:
    """The frames of a streamed answer, in order."""
    spoken = speak(script, body)
    asked = bool((body.get("stream_options") or {}).get("include_usage"))
    head = {"id": id, "object": "chat.completion.chunk", "created": CREATED, "model": script.model or str(body.get("model"))}
    shared: dict[str, Json] = {"usage": None} if asked and script.usage == "asked" else {}
    choices = range(body.get("n") or 1)

    def frame(index: int, delta: Mapping[str, Json], finish: str | None = None, **more: Json) -> Frame:
        choice = {"index": index, "delta": delta, "logprobs": None, "finish_reason": finish}
        return event(orjson.dumps({**head, "choices": [choice], **shared, **more}))

    if script.comments:
        yield Frame(b"", b": thinking about it\n\n")
    for delta in deltas(script, spoken):
        for index in choices:
            yield frame(index, delta)
    if script.kind == "error":
        yield event(
            orjson.dumps({"error": {"message": "The GPU fell over.", "type": "server_error", "param": None, "code": 500}})
        )
        return
    inline = {"usage": spoken.usage} if script.usage == "inline" else {}
    if spoken.finish:
        for index in choices:
            yield frame(index, {}, spoken.finish, **inline)
    if script.usage == "always" or (script.usage == "asked" and asked):
        yield event(orjson.dumps({**head, "choices": [], "usage": spoken.usage}))
    if script.done:
        yield DONE


def body_of(script: Script, body: Mapping[str, Json], id: str) -> bytes:
    """A whole answer."""
    spoken = speak(script, body)
    content = "".join(spoken.said)
    message: dict[str, Json] = {"role": "assistant", "content": content, "refusal": None}
    if spoken.thought:
        thought = "".join(spoken.thought)
        if script.style == "tag":
            closed = "" if spoken.finish == "length" and not content else "</think>"
            message["content"] = f"<think>{thought}{closed}{content}"
        else:
            message[script.style] = thought
    if script.kind == "tools":
        calls = [{key: call[key] for key in ("id", "type", "function")} for call in _calls(script)]
        message |= {"content": None, "tool_calls": calls}
    if script.kind == "refusal":
        message |= {"content": None, "refusal": "I will not."}
    said = {"message": message, "logprobs": None, "finish_reason": spoken.finish or None}
    choices = [{"index": index, **said} for index in range(body.get("n") or 1)]
    head = {"id": id, "object": "chat.completion", "created": CREATED, "model": script.model or str(body.get("model"))}
    answer: dict[str, Json] = {**head, "choices": choices}
    if script.usage != "never":
        answer["usage"] = spoken.usage
    return orjson.dumps(answer)


def error_of(status: int, message: str) -> bytes:
    kind = "rate_limit_error" if status == 429 else "invalid_request_error" if status < 500 else "server_error"
    return orjson.dumps({"error": {"message": message, "type": kind, "param": None, "code": None}})


@dataclass(frozen=True, slots=True)
class Answer:
    """What the script answers: frames still to be made, so that one left early has not been said to its end."""

    script: Script
    status: int
    headers: Mapping[str, str]
    streamed: bool
    frames: Iterator[Frame]


class Actor:
    """Answers chat requests by their scripts, and remembers how often each has failed."""

    def __init__(self) -> None:
        self._number = 0
        self._failed: dict[Script, int] = {}
        self._turns: dict[Script, int] = {}

    def turn(self, script: Script) -> Script:
        """The script of this request: the one that it carries, or at every second request what that says is next. Raises ValueError
        where that is none."""
        if not script.then:
            return script
        turns = self._turns[script] = self._turns.get(script, 0) + 1
        return script if turns % 2 else Script.parse(script.then)

    def _status(self, script: Script) -> int:
        if not script.status:
            return 200
        failed = self._failed.get(script, 0)
        if script.fails and failed >= script.fails:
            return 200
        self._failed[script] = failed + 1
        return script.status

    def answer(self, script: Script, body: Mapping[str, Json]) -> Answer:
        self._number += 1
        id = f"chatcmpl-{self._number}"
        refusal = refusal_of(script, body)
        status = 400 if refusal else self._status(script)
        headers = {"content-type": "application/json"}
        if script.kind == "html":
            page = b"<!doctype html><title>Welcome</title>"
            return Answer(script, status, {"content-type": "text/html"}, False, iter([Frame(page, page)]))
        if status != 200:
            if script.retry_after:
                headers["retry-after"] = script.retry_after
            error = error_of(status, refusal or f"Scripted {status}.")
            return Answer(script, status, headers, False, iter([Frame(error, error)]))
        if body.get("stream") is True:
            return Answer(script, 200, {"content-type": "text/event-stream"}, True, stream_of(script, body, id))
        whole = body_of(script, body, id)
        return Answer(script, 200, headers, False, iter([Frame(whole, whole)]))


MODELS = ("echo", "think?tokens=3000", "org/words?words=8")


@dataclass(slots=True)
class FakeUpstream:
    """An answer that a `FakeModel` has begun."""

    answer: Answer
    sent: str

    @property
    def status(self) -> int:
        return self.answer.status

    @property
    def headers(self) -> Mapping[str, str]:
        return self.answer.headers

    @property
    def streamed(self) -> bool:
        return self.answer.streamed

    async def frames(self) -> AsyncIterator[Frame]:
        script = self.answer.script
        for number, frame in enumerate(self.answer.frames):
            if number == script.kill:
                raise UpstreamFailure(
                    "The model closed the connection in the middle of its answer.", code="upstream_interrupted"
                )
            if number and script.delay:
                await asyncio.sleep(script.delay)
            yield frame


class FakeModel:
    """The in-memory `ModelBackend`: follows the script in the model's name and records what it was asked.

    `bodies` are the requests as they would go upstream; `cancelled` counts answers that were left before their end.
    """

    served_as = "delegated"

    def __init__(self, insert: str = "max_tokens") -> None:
        self.bodies: list[Mapping[str, Json]] = []
        self.cancelled = 0
        self.closed = False
        self._insert = insert
        self._actor = Actor()

    @asynccontextmanager
    async def chat(
        self,
        prompt: Prompt,
        *,
        allowance: int | None = None,
        insist: bool = False,
        headers: Mapping[str, str] | None = None,
    ) -> AsyncIterator[FakeUpstream]:
        body = with_least(prompt.body, allowance, self._insert if insist else None) if allowance else prompt.body
        self.bodies.append(body)
        script = self._actor.turn(script_of(body, headers))
        if script.first:
            await asyncio.sleep(script.first)
        if script.kind == "hang":
            await asyncio.Event().wait()
        answer = self._actor.answer(script, body)
        try:
            yield FakeUpstream(answer, str(body.get("model")))
        finally:
            self.cancelled += next(answer.frames, None) is not None

    @asynccontextmanager
    async def forward(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> AsyncIterator[FakeUpstream]:
        asked = orjson.loads(body) if body else {}
        self.bodies.append(asked)
        echo = orjson.dumps({"object": "echo", "method": method, "path": path, "body": asked})
        answer = Answer(Script(), 200, {"content-type": "application/json"}, False, iter([Frame(echo, echo)]))
        yield FakeUpstream(answer, str(asked.get("model")))

    async def models(self) -> Sequence[ModelCard]:
        return [ModelCard(id=name, owned_by="script", created=CREATED) for name in MODELS]

    async def aclose(self) -> None:
        self.closed = True
