"""Streams of every shape that upstreams are known to send, relayed as they came and made whole where they are not."""

import itertools
import json
import time
from pathlib import Path

import pytest
from support.upstream_process import Exact, Scripted
from support.wire import CHAT, QUESTION, Wire, ask

RECORDED = Path(__file__).resolve().parents[3] / "fixtures" / "upstream"
WHOLE = sorted(path.stem for path in RECORDED.glob("*.sse"))


def streamed(wire: Wire, model: str, **more: object):
    return wire.chat(ask(model, stream=True, **more))


def asks(usage: bool | None) -> dict[str, object]:
    return {} if usage is None else {"stream_options": {"include_usage": usage}}


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("usage", [None, True])
def test_recorded_streams(impatient: Wire, exact_model: Exact, name: str, usage: bool | None) -> None:
    """Each arrives in the class it should, whatever else is odd about it; nothing of its text or its tool calls is lost."""
    about = json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8"))["expect"]
    exact_model.says(name, (RECORDED / f"{name}.sse").read_bytes())
    got = streamed(impatient, name, **asks(usage))
    assert got.completion == about["class"]
    assert got.failed == (about["class"] == "interrupted")
    for index, text in about["choices"].items():
        assert got.text(int(index)) == (text or "")
    assert len(got.usages()) == (usage is True and bool(about.get("usage")))


@pytest.mark.parametrize("name", [name for name in WHOLE if name not in ("no-done", "error-mid-stream", "cut-short")])
def test_frames_pass_byte_for_byte(impatient: Wire, exact_model: Exact, name: str) -> None:
    """All bytes but those of the frame that carries the account, of the end marker, and of usage nobody asked for."""
    raw = (RECORDED / f"{name}.sse").read_bytes()
    exact_model.says(name, raw)
    got = streamed(impatient, name, **asks(True))
    blocks = raw.replace(b"\r\n\r\n", b"\n\n").split(b"\n\n")
    kept = [block for block in blocks if b"data:" in block and b"[DONE]" not in block][:-1]
    passed = got.raw.replace(b"\r\n\r\n", b"\n\n")
    assert len(kept) >= 1 and all(block + b"\n\n" in passed for block in kept)


def test_every_place_where_a_character_or_an_event_can_be_cut(impatient: Wire, exact_model: Exact) -> None:
    def chunk(delta: str, finish: str = "null") -> str:
        return (
            'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":'
            f'[{{"index":0,"delta":{delta},"finish_reason":{finish}}}]}}\n\n'
        )

    text = chunk('{"role":"assistant","content":"é—𝄞"}') + chunk('{"content":"\\u00e9出"}') + chunk("{}", '"stop"')
    raw = text.encode() + b"data: [DONE]\n\n"
    for at in range(1, len(raw)):
        exact_model.says("cut", raw[:at], 0.0005, raw[at:])
        got = streamed(impatient, "cut")
        assert got.text() == "é—𝄞é出" and got.completion == "answered", f"cut at byte {at}"


@pytest.mark.parametrize("line", ["lf", "crlf", "tight"])
@pytest.mark.parametrize("cut", [0, 1, 2, 3, 7])
def test_line_ends_and_small_pieces(wire: Wire, line: str, cut: int) -> None:
    got = streamed(wire, f"echo?line={line}&cut={cut}&comments=1", messages=[{"role": "user", "content": "Cafés — 出汁, 𝄞"}])
    assert got.text() == "Cafés — 出汁, 𝄞" and got.completion == "answered"


@pytest.mark.parametrize("told", ["asked", "always", "never", "inline"])
@pytest.mark.parametrize("usage", [None, False, True])
@pytest.mark.parametrize("model", ["words?words=3", "tools", "think?tokens=5", "empty"])
def test_usage_is_told_once_if_asked_and_never_otherwise(wire: Wire, told: str, usage: bool | None, model: str) -> None:
    got = streamed(wire, f"{model}{'&' if '?' in model else '?'}usage={told}", **asks(usage))
    if usage is not True:
        assert all(chunk["choices"] for chunk in got.chunks), "clients index choices[0] of every frame"
        assert len(got.usages()) == (told == "inline"), "what stands on a frame that passes anyway is left where it is"
        return
    alone = [chunk for chunk in got.chunks if not chunk["choices"]]
    assert len(alone) == (told != "never")
    if alone:
        assert alone == [got.chunks[-1]] and alone[0]["usage"]["total_tokens"] > 0


def test_reading_goes_on_behind_the_finish(wire: Wire, upstream: Scripted) -> None:
    """Usage follows the finish; the upstream's answer is read to its end, so that its connection can be used again."""
    got = streamed(wire, "words?words=3&delay=0.02", **asks(True))
    assert got.usages() and upstream.asked()["finished"] and not upstream.asked()["aborted"]


def test_three_interleaved_tool_calls_keep_their_indices_ids_and_names(wire: Wire) -> None:
    got = streamed(wire, "tools?cut=5", tools=[{"type": "function", "function": {"name": "tool_0"}}])
    calls: dict[int, dict[str, str]] = {}
    openers = []
    for chunk in got.chunks:
        for call in (chunk["choices"] or [{"delta": {}}])[0]["delta"].get("tool_calls", ()):
            if "id" in call:
                openers.append((call["index"], call["id"], call["function"]["name"]))
            held = calls.setdefault(call["index"], {"arguments": ""})
            held["arguments"] += call["function"]["arguments"]
    assert openers == [(n, f"call_{n}", f"tool_{n}") for n in range(3)]
    assert [json.loads(calls[n]["arguments"]) for n in range(3)] == [{"place": f"é{n}", "n": n} for n in range(3)]
    assert got.completion == "tool_calls" and got.finishes() == ["tool_calls"]


def test_tool_calls_that_all_say_index_0_are_not_mended(wire: Wire) -> None:
    """A relay that guessed would be worse than the fault: the client gets what the model sent."""
    got = streamed(wire, "tools?index0=1&finish=stop")
    indices = {call["index"] for chunk in got.chunks for c in chunk["choices"] for call in c["delta"].get("tool_calls", ())}
    assert indices == {0} and got.finishes() == ["stop"] and got.completion == "tool_calls"


def test_a_stream_without_its_marker_gets_one(wire: Wire) -> None:
    got = streamed(wire, "words?words=3&done=0")
    assert got.text() == "word0 word1 word2" and got.completion == "answered"


def test_a_stream_without_a_finish_gets_one(wire: Wire) -> None:
    assert streamed(wire, "words?words=3&finish=").finishes() == ["stop"]
    assert streamed(wire, "tools?finish=").finishes() == ["tool_calls"]


def test_a_stream_with_nothing_in_it_is_an_error(impatient: Wire, exact_model: Exact) -> None:
    for pieces in ((), (b": hello\n\n",), (b"data: [DONE]\n\n",)):
        exact_model.says("nothing", *pieces)
        got = streamed(impatient, "nothing")
        assert "error" in got.chunks[-1], pieces


@pytest.mark.parametrize("model", ["reasoning_content", "reasoning", "tag"])
def test_reasoning_passes_and_is_never_promoted_to_an_answer(wire: Wire, model: str) -> None:
    got = streamed(wire, f"think?tokens=40&style={model}&words=2")
    whole = wire.chat(ask(f"think?tokens=40&style={model}&words=2"))
    if model != "tag":
        assert got.text(key=model).startswith("hm hm") and whole.text(key=model) == got.text(key=model)
    assert got.text() == whole.text() and got.text().endswith("word0 word1")
    spent = streamed(wire, f"think?tokens=90000&style={model}&words=2", max_tokens=50)
    assert spent.completion == "budget_exhausted"
    if model != "tag":
        assert spent.text() == "" and spent.text(key=model)


def test_several_choices(wire: Wire) -> None:
    for n, stream in itertools.product((2, 3), (True, False)):
        got = wire.chat(ask("words?words=3", n=n, stream=stream))
        assert [got.text(index) for index in range(n)] == ["word0 word1 word2"] * n
        assert got.finishes() == ["stop"] * n


def test_the_first_frame_is_not_held_back(wire: Wire) -> None:
    """The stream's first text is there long before its second is sent."""
    started = time.monotonic()
    with wire.client.stream("POST", CHAT, json=ask("words?words=3&delay=1.5", stream=True)) as reply:
        for line in reply.iter_lines():
            if line.startswith("data: "):
                break
        assert time.monotonic() - started < 1.2


def test_one_text_frame_does_not_wait_for_the_next(wire: Wire) -> None:
    """Between two texts of a slow model, each is delivered when it is sent: no frame but the last two waits for another."""
    arrived = []
    with wire.client.stream("POST", CHAT, json=ask("words?words=4&delay=0.15", stream=True)) as reply:
        started = time.monotonic()
        for line in reply.iter_lines():
            if '"content":"word' in line:
                arrived.append(time.monotonic() - started)
    assert len(arrived) == 4
    for number, moment in enumerate(arrived, 1):
        assert moment < number * 0.15 + 0.12


def test_silence_is_filled_with_comments(impatient: Wire, exact_model: Exact) -> None:
    raw = (RECORDED / "plain.sse").read_bytes()
    exact_model.says("late", "hang")
    exact_model.says("slow", raw[:300], 0.45, raw[300:])
    slow = streamed(impatient, "slow")
    assert slow.raw.count(b": keep-alive\n\n") >= 1 and not slow.failed
    late = streamed(impatient, "late")
    assert late.raw.startswith(b": keep-alive\n\n") and late.error["code"] == "upstream_timeout"
    exact_model.says("quick", raw)
    assert b": keep-alive" not in streamed(impatient, "quick").raw


@pytest.mark.parametrize("accept", ["gzip", "gzip, deflate, br, zstd", "*"])
def test_nothing_is_compressed(wire: Wire, accept: str) -> None:
    got = wire.chat(ask("words?words=400", stream=True), {"accept-encoding": accept})
    assert got.raw.startswith(b"data: ")


def test_an_upstream_that_does_not_stream_is_streamed(impatient: Wire, exact_model: Exact) -> None:
    body = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hello"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }
    exact_model.says("whole", json.dumps(body).encode(), kind="application/json")
    got = streamed(impatient, "whole", **asks(True))
    assert got.text() == "Hello" and got.finishes() == ["stop"] and len(got.usages()) == 1
    plain = streamed(impatient, "whole")
    assert plain.text() == "Hello" and not plain.usages()


def test_the_same_text_streamed_and_whole(wire: Wire) -> None:
    whole, stream = wire.chat(ask()), streamed(wire, "echo", **asks(True))
    assert whole.text() == stream.text() == QUESTION
    for key in ("pin", "decision", "units", "injected_tokens", "exposure", "completion", "served", "model"):
        assert whole.loom[key] == stream.loom[key]
