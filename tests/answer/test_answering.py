"""From a plan to an accounted answer: what passes untouched, what is held, and how an answer may end."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.answers import Canned, answered, frames_of, planned
from support.prompts import ask

from loom.answer.allowance import Allowances
from loom.answer.answering import answering
from loom.core.errors import UpstreamFailure
from loom.core.frames import DONE, Frame, event
from loom.core.values import Json, Outcome, Usage
from loom_adapters.reader_model import ReaderModel
from loom_adapters.scripted_model import FakeModel

RECORDED = sorted((Path(__file__).parents[2] / "fixtures" / "upstream").glob("*.sse"))
USAGE = {"include_usage": True}


def chunk(index: int = 0, finish: str | None = None, id: str = "c1", **delta: Any) -> Frame:
    choice = {"index": index, "delta": delta, "finish_reason": finish}
    head = {"id": id, "object": "chat.completion.chunk", "created": 7, "model": "m"}
    return event(json.dumps({**head, "choices": [choice]}).encode())


def usage_chunk(**usage: int) -> Frame:
    return event(json.dumps({"id": "c1", "created": 7, "model": "m", "choices": [], "usage": usage}).encode())


def streaming(**more: Any) -> dict[str, Any]:
    return ask("m", "What is a Tide Kiln?", stream=True, **more)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
async def test_recorded_streams(path: Path) -> None:
    """Every recorded stream comes to the class it is filed under, and its frames pass byte for byte but for the last."""
    raw = path.read_bytes()
    expect = json.loads(path.with_suffix(".json").read_text())["expect"]
    recorded = frames_of(raw)
    got = await answered(Canned(recorded), streaming(stream_options=USAGE))
    assert got.loom["completion"]["class"] == expect["class"]
    assert got.reply.outcome is not None
    assert got.reply.outcome.text == "\n\n".join(text for _, text in sorted(expect["choices"].items()))
    assert got.reply.outcome.reasoning == expect.get("reasoning", "")
    assert got.reply.outcome.usage.completion == (expect["usage"] or {}).get("completion_tokens")
    told = [frame for frame in recorded if frame.data and not frame.done]
    passed = frames_of(got.raw)
    if expect["class"] == "interrupted":
        assert set(got.chunks[-1]) == {"error", "loom"}
        assert set(got.chunks[-1]["error"]) == {"message", "type", "param", "code"}
        whole = [frame.raw for frame in told if frame.raw.endswith(b"\n\n") and b'"error"' not in frame.data]
        assert [frame.raw for frame in passed if frame.data][:-2] == whole
    else:
        assert [frame.raw for frame in passed if frame.data][:-2] == [frame.raw for frame in told[:-1]]
        assert got.chunks[-1] == {**json.loads(told[-1].data), "loom": got.loom}
        assert sum(not frame.data for frame in passed) == expect.get("comments", 0)


async def test_a_grounded_answer_carries_its_account() -> None:
    got = await answered(FakeModel(), streaming())
    loom = got.loom
    assert list(loom) == [
        "request_id", "pin", "served", "model", "policy", "wrapper", "matcher", "decision", "units", "injected_tokens", "exposure",
        "completion",
    ]  # fmt: skip
    assert loom["served"] == "delegated" and loom["decision"]["engaged"]
    assert loom["units"][0]["title"] == "Tide Kiln" and loom["injected_tokens"] > 0
    assert loom["model"] == {"requested": "m", "sent": "m", "reported": "m"}
    assert loom["exposure"]["targets"] > 0
    assert loom["completion"] == {"class": "answered", "attempts": 1}
    assert got.reply.account == loom


async def test_what_is_ungrounded_is_passed_through() -> None:
    got = await answered(FakeModel(), plan=await planned(off=True))
    assert (got.loom["served"], got.loom["decision"]["reason"], got.loom["units"]) == ("passthrough", "disabled", [])


async def test_the_reader_answers_in_both_forms() -> None:
    for body in (ask(text="What is a Tide Kiln?"), streaming(stream_options=USAGE)):
        got = await answered(ReaderModel(), body)
        assert got.loom["served"] == "reader" and "tide table" in got.text


async def test_a_whole_body_is_kept_and_cited() -> None:
    body = ask("echo", "What is a Tide Kiln?", n=2)
    got = await answered(FakeModel(), body)
    assert len(got.chunks) == 1
    for choice in got.chunks[0]["choices"]:
        (annotation,) = choice["message"]["annotations"]
        citation = annotation["url_citation"]
        assert choice["message"]["content"][citation["start_index"] : citation["end_index"]] == "Tide Kiln"
        assert citation["url"] == "urn:ngm:class:tide-kiln" == got.loom["units"][0]["iri"]


async def test_a_body_that_names_no_unit_keeps_its_bytes() -> None:
    sent = b'{ "id":"x", "n": 1.50, "choices": [ {"index":0,"message":{"role":"assistant","content":"No."},"finish_reason":"stop"} ] }\n'
    got = await answered(Canned([Frame(sent, sent)], streamed=False), ask())
    assert got.raw.startswith(sent.rstrip()[:-1] + b',"loom":{')


async def test_an_account_of_another_node_is_replaced() -> None:
    sent = b'{"choices":[{"index":0,"message":{"content":"No."},"finish_reason":"stop"}],"loom":{"request_id":"other"}}'
    got = await answered(Canned([Frame(sent, sent)], streamed=False), ask())
    assert got.loom["request_id"] == "req_1" and got.raw.count(b'"loom"') == 1


@pytest.mark.parametrize(
    ("shape", "asked", "frames"),
    [
        ("asked", True, 1), ("asked", False, 0), ("always", True, 1), ("always", False, 0), ("never", True, 0), ("never", False, 0),
        ("inline", True, 1), ("inline", False, 0),
    ],
)  # fmt: skip
async def test_usage_frames(shape: str, asked: bool, frames: int) -> None:
    """One usage frame with empty choices where it was asked for and the counts are known; none where it was not asked for."""
    options = {"stream_options": USAGE} if asked else {}
    got = await answered(FakeModel(), ask(f"words?words=3&usage={shape}", stream=True, **options))
    told = [each for each in got.chunks if not each["choices"]]
    assert len(told) == frames and all(each["usage"]["completion_tokens"] == 3 for each in told)
    assert got.reply.outcome is not None
    known = 3 if asked or shape in ("always", "inline") else None
    assert got.reply.outcome.usage.completion == (None if shape == "never" else known)


async def test_what_follows_the_finish_is_read() -> None:
    late = [
        chunk(content="A"),
        chunk(finish="stop"),
        chunk(content=""),
        usage_chunk(prompt_tokens=1, completion_tokens=2),
        DONE,
    ]
    got = await answered(Canned(late), streaming(stream_options=USAGE))
    assert [frame.data for frame in frames_of(got.raw)][:3] == [frame.data for frame in late[:3]]
    assert got.reply.outcome is not None and got.reply.outcome.usage == Usage(prompt=1, completion=2)


async def test_frames_pass_at_once_and_only_the_last_waits() -> None:
    plan = await planned(ask("words?words=4&delay=0.02", stream=True))
    model = FakeModel()
    async with answering(plan, model, request_id="r") as reply:
        frames = reply.frames()
        first = json.loads((await anext(frames)).data)
        assert first["choices"][0]["delta"]["role"] == "assistant"
        assert model.cancelled == 0
        rest = [frame async for frame in frames]
    assert json.loads(rest[-2].data)["choices"][0]["finish_reason"] == "stop"
    assert rest[-1].done


async def test_three_interleaved_tool_calls_are_not_rebuilt() -> None:
    plain = FakeModel()
    upstream: list[Frame] = []
    body = ask("tools?index0=1", stream=True)
    async with plain.chat((await planned(body)).prompt) as direct:
        upstream = [frame async for frame in direct.frames()]
    got = await answered(FakeModel(), body)
    assert [frame.raw for frame in frames_of(got.raw)][:-2] == [frame.raw for frame in upstream[:-2]]
    assert got.loom["completion"]["class"] == "tool_calls" and got.loom["exposure"] is None
    whole = await answered(FakeModel(), ask("tools?finish=stop"))
    assert whole.loom["completion"]["class"] == "tool_calls"
    assert [call["id"] for call in whole.chunks[0]["choices"][0]["message"]["tool_calls"]] == ["call_0", "call_1", "call_2"]


@pytest.mark.parametrize("at", range(6))
async def test_a_stream_that_breaks_ends_with_an_error_and_its_marker(at: int) -> None:
    got = await answered(FakeModel(), ask(f"words?words=8&kill={at}", stream=True))
    error = got.chunks[-1]["error"]
    assert set(error) == {"message", "type", "param", "code"} and error["code"] == "upstream_interrupted"
    assert got.loom["completion"]["class"] == "interrupted"
    assert len(got.chunks) == at + 1


async def test_a_break_after_every_choice_has_finished_is_no_loss() -> None:
    broken = [chunk(content="A"), chunk(finish="stop"), UpstreamFailure("gone")]
    got = await answered(Canned(broken), streaming())
    assert got.loom["completion"]["class"] == "answered"
    half = [chunk(content="A"), chunk(1, content="B"), chunk(1, finish="stop"), UpstreamFailure("gone")]
    got = await answered(Canned(half), streaming(n=2))
    assert got.loom["completion"]["class"] == "interrupted" and "error" in got.chunks[-1]


@pytest.mark.parametrize(
    ("frames", "kind"),
    [
        ([chunk(content="A")], "interrupted"),
        ([], "interrupted"),
        ([DONE], "interrupted"),
        ([Frame(b"", b": only a comment\n\n"), DONE], "interrupted"),
        ([chunk(content="A"), chunk(finish="stop")], "answered"),
        ([chunk(content="A"), DONE], "answered"),
        ([chunk(content="A"), event(b"[]"), chunk(finish="stop"), DONE], "answered"),
        ([chunk(role="assistant", content=""), chunk(finish="stop"), DONE], "empty_stop"),
        ([chunk(content="A"), event(b'{"error": "out of memory"}')], "interrupted"),
        ([chunk(content="A"), chunk(finish="length"), DONE], "truncated"),
        ([chunk(refusal="No."), chunk(finish="stop"), DONE], "refused"),
        ([chunk(reasoning="Hm."), chunk(finish="stop"), DONE], "reasoning_only"),
    ],
)
async def test_how_streams_end(frames: list[Frame], kind: str) -> None:
    got = await answered(Canned(frames), streaming())
    assert got.loom["completion"]["class"] == kind
    assert ("error" in got.chunks[-1]) == (kind == "interrupted")


async def test_a_missing_finish_is_made_good() -> None:
    got = await answered(Canned([chunk(content="A"), chunk(1, content="B"), DONE]), streaming(n=2))
    last = got.chunks[-1]
    assert [(choice["index"], choice["finish_reason"]) for choice in last["choices"]] == [(0, "stop"), (1, "stop")]
    assert (last["id"], last["created"], last["model"]) == ("c1", 7, "m")


async def test_an_upstream_error_is_passed_on_as_it_is() -> None:
    for body in (ask("status?status=429&retry_after=7"), ask("status?status=429&retry_after=7", stream=True)):
        got = await answered(FakeModel(), body)
        assert (got.reply.status, got.reply.streamed, got.reply.headers["retry-after"]) == (429, False, "7")
        assert set(got.chunks[0]) == {"error"}
        assert got.reply.outcome is None and got.reply.account is None


@pytest.mark.parametrize(
    "sent",
    [b"<html>", b"[]", b"", b"{}", b'{"choices": []}', b'{"choices": [1]}', b'{"error": {"message": "No.", "code": 402}}'],
)
async def test_a_body_that_is_no_completion_is_a_failure(sent: bytes) -> None:
    with pytest.raises(UpstreamFailure) as failure:
        await answered(Canned([Frame(sent, sent)], streamed=False), ask())
    assert failure.value.status == (402 if b"402" in sent else 502)


@pytest.mark.parametrize("script", ["words?words=3", "tools", "refusal"])
async def test_an_upstream_that_does_not_stream_is_unrolled(script: str) -> None:
    async with FakeModel().chat((await planned(ask(script, n=2))).prompt) as direct:
        (whole,) = [frame async for frame in direct.frames()]
    got = await answered(Canned([whole], streamed=False), ask(script, stream=True, stream_options=USAGE, n=2))
    assert got.reply.streamed and got.chunks[-1]["choices"] == []
    message = json.loads(whole.data)["choices"][0]["message"]
    delta = got.chunks[0]["choices"][0]["delta"]
    assert delta["content"] == message["content"]
    assert [call["index"] for call in delta.get("tool_calls", ())] == [n for n, _ in enumerate(message.get("tool_calls", ()))]
    assert [chunk["choices"][0]["finish_reason"] for chunk in got.chunks if chunk["choices"]][:2] == [None, None]


async def test_leaving_early_cancels_the_call() -> None:
    model = FakeModel()
    plan = await planned(ask("words?words=50&delay=0.01", stream=True))
    async with answering(plan, model, request_id="r") as reply:
        async for _ in reply.frames():
            break
    assert model.cancelled == 1 and reply.outcome is None


async def test_being_cancelled_cancels_the_call() -> None:
    model = FakeModel()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await answered(model, ask("words?words=50&delay=0.02", stream=True))
    assert model.cancelled == 1


class Listening:
    """A watch that records what it is told."""

    key = "listening"

    def __init__(self, fails: bool = False) -> None:
        self.heard: list[str] = []
        self.told: list[Outcome] = []
        self._fails = fails

    def feed(self, text: str) -> None:
        self.heard.append(text)

    def report(self, outcome: Outcome) -> Json:
        return {"pieces": len(self.heard)}

    async def after(self, outcome: Outcome) -> None:
        self.told.append(outcome)
        if self._fails:
            raise RuntimeError("a watch that fails")


@pytest.mark.parametrize("stream", [False, True])
async def test_watches_hear_the_answer_and_are_told_after_it(stream: bool, caplog: pytest.LogCaptureFixture) -> None:
    first, second = Listening(fails=True), Listening()
    plan = await planned(ask("think?tokens=20&words=3&style=tag", stream=stream))
    async with answering(plan, FakeModel(), [first, second], request_id="r") as reply:
        assert [frame async for frame in reply.frames()]
        assert not second.told
    assert "".join(second.heard) == "word0 word1 word2"
    assert [outcome.reasoning.split()[:1] for outcome in second.told] == [["hm"]]
    assert reply.account is not None and reply.account["listening"]["pieces"] >= 1
    assert "failed after the answer" in caplog.text


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("part", ["feed", "report"])
async def test_a_watch_that_fails_costs_nobody_the_answer(part: str, stream: bool, caplog: pytest.LogCaptureFixture) -> None:
    listening = Listening()
    plan = await planned(ask("words?words=3", stream=stream))
    async with answering(plan, FakeModel(), [Failing(part), listening], request_id="r") as reply:
        assert [frame async for frame in reply.frames()]
    assert reply.account is not None and reply.account["listening"]["pieces"] and "failing" not in reply.account
    assert "".join(listening.heard) == "word0 word1 word2" and listening.told
    assert "failing" in caplog.text


class Failing:
    """A watch that fails in one of its parts."""

    key = "failing"

    def __init__(self, part: str) -> None:
        self._part = part

    def feed(self, text: str) -> None:
        if self._part == "feed":
            raise RuntimeError("cannot hear")

    def report(self, outcome: Outcome) -> Json:
        if self._part == "report":
            raise RuntimeError("cannot report")
        return {}

    async def after(self, outcome: Outcome) -> None:
        return None


async def test_several_choices_are_heard_one_after_another() -> None:
    listening = Listening()
    plan = await planned(ask("words?words=2", stream=True, n=2))
    async with answering(plan, FakeModel(), [listening], request_id="r") as reply:
        assert [frame async for frame in reply.frames()]
    assert "".join(listening.heard) == "word0 word1\n\nword0 word1"


@given(
    parts=st.lists(st.sampled_from(["content", "empty", "comment", "reasoning", "junk"]), max_size=6),
    ending=st.sampled_from([["finish"], ["finish", "usage"], ["usage"], ["finish", "content", "finish"], []]),
    done=st.booleans(),
    asked=st.booleans(),
)
def test_any_stream_ends_in_one_account(parts: list[str], ending: list[str], done: bool, asked: bool) -> None:
    """Whatever a stream is made of: no frame with empty choices unless asked for, one account, one end marker, no byte altered."""
    made = {
        "content": chunk(content="A"),
        "empty": chunk(content=""),
        "comment": Frame(b"", b": c\n\n"),
        "reasoning": chunk(reasoning_content="Hm."),
        "junk": event(b"junk"),
        "finish": chunk(finish="stop"),
        "usage": usage_chunk(completion_tokens=2),
    }
    sent = [made[part] for part in [*parts, *ending]] + ([DONE] if done else [])
    body = streaming(stream_options=USAGE) if asked else streaming()

    async def run() -> bytes:
        plan = await planned(body)
        async with answering(plan, Canned(sent), request_id="r") as reply:
            return b"".join([frame.raw async for frame in reply.frames()])

    passed = [frame for frame in frames_of(asyncio.run(run())) if frame.data]
    assert passed.pop().done and not any(frame.done for frame in passed)
    assert [b'"loom"' in frame.data for frame in passed] == [False] * (len(passed) - 1) + [True]
    chunks = [json.loads(frame.data) for frame in passed if frame.data != b"junk"]
    assert asked or all(chunk.get("choices") != [] for chunk in chunks)
    assert {frame.raw for frame in passed[:-1]} <= {frame.raw for frame in sent}


LEAF = st.one_of(st.none(), st.booleans(), st.integers(-2, 3), st.floats(-1, 1), st.sampled_from(["", "stop", "A", "<think>"]))
KEYS = st.sampled_from(
    [
        "choices",
        "delta",
        "message",
        "content",
        "index",
        "finish_reason",
        "usage",
        "tool_calls",
        "reasoning",
        "text",
        "thinking",
        "id",
    ]
)
PAYLOAD = st.recursive(
    LEAF, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=5)), max_leaves=12
)


@given(
    payloads=st.lists(st.dictionaries(KEYS, PAYLOAD, min_size=1, max_size=5), min_size=1, max_size=3),
    streamed=st.booleans(),
    asked=st.booleans(),
)
def test_no_answer_of_an_upstream_is_too_odd(payloads: list[dict[str, Any]], streamed: bool, asked: bool) -> None:
    """Whatever JSON an upstream sends where an answer should be: an accounted answer, an error frame, or an UpstreamFailure."""
    encoded = [json.dumps(payload).encode() for payload in payloads]
    sent = [event(data) for data in encoded] + [DONE] if streamed else [Frame(encoded[0], encoded[0])]

    async def run() -> list[Frame]:
        plan = await planned(streaming(stream_options=USAGE) if asked else streaming() if streamed else ask())
        async with answering(plan, Canned(sent, streamed=streamed), request_id="r", allowances=Allowances()) as reply:
            return [frame async for frame in reply.frames()]

    try:
        frames = asyncio.run(run())
    except UpstreamFailure:
        assert not streamed
    else:
        account = frames[-2 if frames[-1].done else -1]
        assert json.loads(account.data)["loom"]["completion"]["class"]
