"""One request to a model: kept by its content, priced, asked once more where the reply is malformed."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

import orjson

from loom.core.claims.judging.calls import Call, Outcome, Unjudged
from loom.core.completion import Transcript
from loom.core.errors import BadInput, BadSettings, UpstreamFailure
from loom.core.policy.merge import merge
from loom.core.policy.packing import NOTHING
from loom.core.values import Json, Question, Scope, Usage, tokens_of
from loom.ports import AnswerBook, Clock, ModelBackend
from loom_adapters.judges_url.fenced import RULE, fenced
from loom_adapters.judges_url.replies import Malformed, object_of
from loom_adapters.judges_url.tasks import Task

T = TypeVar("T")

FORMS = ("schema", "object of a schema", "object", "none")
"""How a server is told to reply in JSON, from the strictest; the next one where it refuses. The second is llama.cpp's."""
REFUSED = frozenset({400, 404, 415, 422, 501})
NAMED = ("response_format", "schema", "json_object", "temperature")
"""What the reason names where a server that fails (500) rather than refuses, as some do, meant a part of the request."""
CALLER = Scope("claims")


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost, in and out; 0 for a model of one's own."""

    prompt: float
    completion: float

    def __post_init__(self) -> None:
        if not (0 <= self.prompt < float("inf") and 0 <= self.completion < float("inf")):
            raise BadSettings(f"Expected prices of 0 or more, but got {self.prompt} and {self.completion}.", param="price")

    def of(self, tokens_in: int, tokens_out: int) -> float:
        return (tokens_in * self.prompt + tokens_out * self.completion) / 1e6


@dataclass(frozen=True, slots=True)
class Heard(Generic[T]):
    """A judgement, None where every reply was malformed, with the calls that it took and why the last reply was refused."""

    value: T | None
    calls: tuple[Call, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class _Reply:
    text: str
    tokens_in: int
    tokens_out: int


class Asking:
    """Asks one model. Each distinct request is paid for once, however many ask at once; all of it is in the book before and after."""

    def __init__(
        self, backend: ModelBackend, book: AnswerBook, clock: Clock, *, model: str, tier: str, prices: Prices, concurrency: int
    ) -> None:
        self.model, self.tier, self._prices = model, tier, prices
        self._backend, self._book, self._clock = backend, book, clock
        self._slots = asyncio.Semaphore(concurrency)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._form = 0
        self._tempered = True

    async def ask(self, task: Task, read: Callable[[Mapping[str, Json]], T]) -> Heard[T]:
        """What `read` makes of the reply. Raises Unjudged where none comes."""
        messages = _messages(task)
        key = self._key(task, messages)
        lock = self._locks.setdefault(key, asyncio.Lock())
        async with lock, self._slots:
            return await self._heard(task, read, messages, key)

    def _key(self, task: Task, messages: list[dict[str, Json]]) -> str:
        content = {"model": self.model, "messages": messages, "schema": task.schema, "allowance": task.allowance}
        return sha256(b"claims\n" + orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()

    async def _heard(
        self, task: Task, read: Callable[[Mapping[str, Json]], T], messages: list[dict[str, Json]], key: str
    ) -> Heard[T]:
        kept = await self._book.answers(key)
        calls: list[Call] = []
        why = ""
        for attempt in range(task.tries):
            cached = attempt < len(kept)
            reply = _reply(kept[attempt]) if cached else await self._sent(task, messages, why, key, attempt, calls)
            outcome: Outcome = "used"
            value: T | None = None
            try:
                value = read(object_of(reply.text))
            except Malformed as malformed:
                outcome, why = "malformed", str(malformed)
            spent = (0, 0) if cached else (reply.tokens_in, reply.tokens_out)
            calls.append(Call(task.component, self.model, self.tier, *spent, self._prices.of(*spent), cached, key, outcome))
            if outcome == "used":
                return Heard(value, tuple(calls))
        return Heard(None, tuple(calls), why)

    async def _sent(
        self, task: Task, messages: list[dict[str, Json]], why: str, key: str, attempt: int, calls: list[Call]
    ) -> _Reply:
        """One reply, in the book before it is asked for and after; told less strictly to be JSON where the server refuses that."""
        if why:
            again = (
                f"Your last reply could not be used: {why}. Reply with one JSON object that fits the schema, and nothing else."
            )
            messages = [*messages, {"role": "user", "content": again}]
        while True:
            stated = {"purpose": f"claims {task.component}", "model": self.model, "started": self._clock.now().isoformat()}
            number, _ = await self._book.sending(key, attempt, stated)
            began = self._clock.monotonic()
            form, tempered = self._form, self._tempered
            try:
                status, told = await self._answered(task, messages, form, tempered)
            except (UpstreamFailure, BadInput) as failure:
                await self._book.heard(number, {"error": failure.message})
                calls.append(self._failed(task, key))
                code = failure.status if isinstance(failure, UpstreamFailure) else 502
                raise Unjudged(failure.message, status=code, calls=tuple(calls)) from failure
            how: dict[str, Json] = {"seconds": round(self._clock.monotonic() - began, 4), "status": status}
            if isinstance(told, _Reply):
                tokens = {"prompt": told.tokens_in, "completion": told.tokens_out}
                how |= {"tokens": tokens, "price": self._prices.of(told.tokens_in, told.tokens_out)}
                await self._book.heard(number, how, {"text": told.text, "tokens": tokens})
                return told
            await self._book.heard(number, {**how, "error": told})
            calls.append(self._failed(task, key))
            if not self._eased(status, told, form, tempered):
                raise Unjudged(f"The model {self.model} answered with status {status}: {told}", calls=tuple(calls))

    def _failed(self, task: Task, key: str) -> Call:
        return Call(task.component, self.model, self.tier, key=key, outcome="failed")

    def _eased(self, status: int, told: str, form: int, tempered: bool) -> bool:
        """Ask for less of the server where it refused a request that was so made; false where there is nothing left to do without."""
        if status not in REFUSED and not (status == 500 and any(name in told.lower() for name in NAMED)):
            return False
        if tempered and "temperature" in told.lower():
            self._tempered = False
            return True
        self._form = max(self._form, min(form + 1, len(FORMS) - 1))
        return form + 1 < len(FORMS)

    async def _answered(
        self, task: Task, messages: list[dict[str, Json]], form: int, tempered: bool
    ) -> tuple[int, _Reply | str]:
        body: dict[str, Json] = {"model": self.model, "messages": messages}
        if tempered:
            body["temperature"] = 0
        if FORMS[form] == "schema":
            schema = {"name": task.component, "strict": True, "schema": task.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif FORMS[form] == "object of a schema":
            body["response_format"] = {"type": "json_object", "schema": task.schema}
        elif FORMS[form] == "object":
            body["response_format"] = {"type": "json_object"}
        prompt = merge(Question(str(messages[-1]["content"]), CALLER, body), NOTHING, "bare")
        async with self._backend.chat(prompt, allowance=task.allowance, insist=True) as upstream:
            data = b"".join([frame.data async for frame in upstream.frames()])
            status = upstream.status
        try:
            payload = orjson.loads(data)
        except orjson.JSONDecodeError:
            payload = None
        if status != 200:
            return status, _reason(payload)
        if not isinstance(payload, dict) or not isinstance(payload.get("choices"), list):
            raise UpstreamFailure(
                f"Expected a chat completion from {self.model}, but got {data[:60]!r}.", code="upstream_not_openai"
            )
        said = Transcript(ended=True)
        said.add(payload)
        said.close()
        return status, _Reply(said.text, *_spent(said.usage, messages, said.text))


def _messages(task: Task) -> list[dict[str, Json]]:
    shape = orjson.dumps(task.schema, option=orjson.OPT_SORT_KEYS).decode()
    told = f"{task.told}\n\n{RULE}\n\nReply with one JSON object that fits this schema, and nothing else:\n{shape}"
    return [{"role": "system", "content": told}, {"role": "user", "content": fenced(task.data)}]


def _reply(kept: Mapping[str, Json]) -> _Reply:
    text = kept.get("text")
    if not isinstance(text, str):
        raise BadInput(
            "Expected a kept judgement with its text; move the book of answers away: it is then asked for again.",
            param="answers",
        )
    return _Reply(text, 0, 0)


def _reason(payload: Json) -> str:
    error = payload.get("error") if isinstance(payload, Mapping) else None
    reason = error.get("message") if isinstance(error, Mapping) else error
    return str(reason or "no reason given")[:200]


def _spent(usage: Usage, messages: list[dict[str, Json]], text: str) -> tuple[int, int]:
    """Tokens in and out, as the server counts them, else as the node does."""
    asked = sum(tokens_of(str(message["content"])) for message in messages)
    return (
        usage.prompt if usage.prompt is not None else asked,
        usage.completion if usage.completion is not None else tokens_of(text),
    )
