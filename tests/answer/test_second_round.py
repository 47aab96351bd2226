"""A model that answers with directives alone is asked once more, and the directives are never shown; every other answer is not touched."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.answers import frames_of
from support.rounds import DIRECTIVE, PREFIX, Answered, Rounds, body, chunk, planned, spoken, told, watches

from loom.answer.allowance import Allowances
from loom.answer.answering import answering
from loom.answer.second_round import Hold, Second
from loom.answer.wording import summed
from loom.core.errors import BudgetError, UpstreamFailure
from loom.core.frames import DONE, Frame, event
from loom.core.policy.merge import merge
from loom.core.values import Contract, Options

OFFERED, SILENT = Contract("facts", PREFIX, True), Contract("facts", PREFIX, False)
GONE = UpstreamFailure("gone", code="upstream_interrupted")
TRUE = "It peaked at 37.5 %."
KEEP = Frame(b"", b": keep-alive\n\n")


def whole(got: Answered) -> None:
    """A finished answer: one role, one id, one finish, one account, and no directive."""
    assert b"error" not in b"".join(key.encode() for each in got.chunks for key in each)
    assert "HYDRATE" not in got.text and got.text
    if got.reply.streamed:
        assert got.frames[-1].done
        assert [bool(delta.get("role")) for delta in got.deltas].count(True) == 1
        finishes = [choice["finish_reason"] for each in got.chunks for choice in each["choices"] if choice["finish_reason"]]
        assert finishes == ["stop"] and len({each["id"] for each in got.chunks}) == 1


def cut(text: str, size: int = 3) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


@pytest.mark.parametrize("stream", [False, True])
async def test_directives_alone_are_asked_for_and_answered_in_a_second_round(stream: bool) -> None:
    asked: list[str] = []
    steps = (
        [spoken(*cut(DIRECTIVE)), spoken("It ", "peaked at 37.5 %.", id="c2")]
        if stream
        else [body(DIRECTIVE), body(TRUE, "c2")]
    )
    model = Rounds(list(steps))
    got = await told(model, asked=asked, stream=stream)
    whole(got)
    assert got.text == TRUE and asked == [DIRECTIVE] and len(model.prompts) == 2
    assert got.reply.plan.question.fetch == DIRECTIVE
    told_of = got.hydration
    assert told_of is not None and told_of["fetched"] == [] and told_of["asked"] == ["ratings/tide.csv@120-150"]
    assert (told_of["rounds"], told_of["spontaneous"], told_of["outcome"]) == (2, False, "hydrated")
    assert got.loom["facts"]["numbers"]["counts"]["shown"] == 1
    assert got.reply.outcome is not None and got.reply.outcome.text == TRUE and got.loom["completion"]["class"] == "answered"


@pytest.mark.parametrize("stream", [False, True])
async def test_both_calls_are_billed_as_one(stream: bool) -> None:
    options = {"stream": True, "stream_options": {"include_usage": True}} if stream else {}
    steps = [spoken(DIRECTIVE, usage=True), spoken(TRUE, usage=True)] if stream else [body(DIRECTIVE), body(TRUE)]
    got = await told(Rounds(list(steps)), **options)
    twice = {"prompt_tokens": 20, "completion_tokens": 6, "total_tokens": 26, "prompt_tokens_details": {"cached_tokens": 8}}
    assert [each["usage"] for each in got.chunks if each.get("usage")] == [twice]
    assert got.hydration is not None and got.hydration["usage"] == twice
    assert got.reply.outcome is not None and got.reply.outcome.usage.completion == 6 and got.reply.outcome.usage.cached == 8
    broken = [spoken(DIRECTIVE, usage=True), GONE] if stream else [body(DIRECTIVE), GONE]
    got = await told(Rounds(broken), **options)
    assert [each["usage"]["total_tokens"] for each in got.chunks if each.get("usage")] == [13]


async def test_usage_that_nobody_asked_for_is_only_in_the_account() -> None:
    got = await told(Rounds([spoken(DIRECTIVE, usage=True), spoken(TRUE)]), stream=True)
    assert not any(each.get("usage") for each in got.chunks) and got.hydration is not None
    assert got.hydration["usage"]["total_tokens"] == 13


FAULTS: dict[str, tuple[list[Any], Any]] = {
    "the fetch raises": ([], RuntimeError("no")),
    "the fetch does not fit": ([], BudgetError("too small")),
    "the second call is refused": ([400], None),
    "the second call is refused twice": ([503], None),
    "the second call fails": ([GONE], None),
    "the second call raises": ([RuntimeError("no")], None),
    "the second breaks at once": ([[GONE]], None),
    "the second raises at once": ([[RuntimeError("no")]], None),
    "the second breaks after its role": ([[chunk({"role": "assistant", "content": ""}), GONE]], None),
    "the second breaks in a directive": ([[chunk({"content": "HYD"}), GONE]], None),
    "the second ends without an end": ([[chunk({"content": "HYDRATE: x"})]], None),
    "the second is an error": ([[event(b'{"error": {"message": "No."}}')]], None),
    "the second is directives again": ([spoken(*cut(DIRECTIVE))], None),
    "the second is many directives": ([spoken(*["HYDRATE: a\n"] * 3000)], None),
    "the second is junk": ([[Frame(b"<html>", b"<html>")]], None),
    "the second is a whole body of directives": ([body(DIRECTIVE)], None),
    "the second is an empty body": ([[Frame(b"{}", b"{}")]], None),
}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("enforce", ["flag", "append", "refuse"])
@pytest.mark.parametrize("fault", FAULTS)
async def test_whatever_fails_the_reader_answers_over_the_facts(fault: str, stream: bool, enforce: Any) -> None:
    steps, second = FAULTS[fault]
    first: list[Frame] = spoken(*cut(DIRECTIVE)) if stream else body(DIRECTIVE)
    got = await told(Rounds([first, *steps]), enforce=enforce, second=second, stream=stream)
    whole(got)
    assert "37.5" in got.text and got.hydration is not None and got.hydration["outcome"] == "degraded"
    assert got.hydration["rounds"] == 1 + bool(steps)
    assert got.loom["completion"]["class"] == "answered" and got.loom["facts"]["numbers"]["counts"]["unsupported"] == 0
    assert got.reply.outcome is not None and got.reply.outcome.text == got.text


@pytest.mark.parametrize("stream", [False, True])
async def test_there_may_be_no_second_plan(stream: bool) -> None:
    plan = await planned(OFFERED, stream=stream)

    async def again(reply: str) -> Second | None:
        return None

    model = Rounds([spoken(DIRECTIVE) if stream else body(DIRECTIVE)])
    async with answering(plan, model, watches(plan), request_id="r", again=again) as reply:
        got = Answered(reply, [frame async for frame in reply.frames()])
    whole(got)
    assert got.hydration is not None and got.hydration["outcome"] == "degraded"


@pytest.mark.parametrize("stream", [False, True])
async def test_a_second_plan_without_evidence_is_no_second_round(stream: bool) -> None:
    bare = await planned(OFFERED, text="Hello.", stream=stream)
    assert not bare.block.served
    got = await told(Rounds([spoken(DIRECTIVE) if stream else body(DIRECTIVE)]), second=bare, stream=stream)
    whole(got)
    assert "37.5" in got.text and got.hydration is not None and got.hydration["outcome"] == "degraded"


@pytest.mark.parametrize("stream", [False, True])
async def test_a_second_plan_with_nothing_new_is_no_second_round(stream: bool) -> None:
    model = Rounds([spoken(DIRECTIVE) if stream else body(DIRECTIVE)])
    got = await told(model, second=await planned(OFFERED, stream=stream), stream=stream)
    whole(got)
    assert "HYDRATE" not in got.text
    assert got.hydration is not None and got.hydration["outcome"] == "degraded"


async def test_a_first_round_that_breaks_off_in_a_directive_shows_none_of_it() -> None:
    got = await told(Rounds([[chunk({"role": "assistant", "content": ""}), chunk({"content": "HYDR"}), GONE]]), stream=True)
    whole(got)
    assert got.hydration is not None and got.hydration["outcome"] == "degraded" and got.hydration["rounds"] == 1
    got = await told(Rounds([[chunk({"content": DIRECTIVE}), GONE], spoken(TRUE)]), stream=True)
    assert got.text == TRUE


async def test_a_second_round_that_breaks_in_the_middle_is_an_error_as_ever() -> None:
    got = await told(Rounds([spoken(DIRECTIVE), [chunk({"content": "It peaked"}), GONE]]), stream=True)
    assert got.text == "It peaked" and "error" in got.chunks[-1] and got.frames[-1].done
    assert got.loom["completion"]["class"] == "interrupted"


ANSWERS = [
    TRUE,
    "",
    " ",
    "\n\nIt peaked.",
    "H",
    "HY",
    "Hydration is what plants need.",
    "HYDRATE is a word.",
    "- one\n- two",
    "```\ncode\n```",
    "I would say:\nHYDRATE: a.csv",
    "HYDRATE: a.csv\nand now the answer: it peaked at 37.5 %.",
    "```\nHYDRATE: a.csv\n```\nThat is how one asks.",
    "<think>HYDRATE: a?</think>It peaked.",
    "<thorn> is no thought",
]


def pieces(text: str, cuts: list[int]) -> list[str]:
    marks = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    return [text[start:end] for start, end in pairwise(marks)]


@given(
    text=st.sampled_from(ANSWERS),
    cuts=st.lists(st.integers(0, 80), max_size=8),
    role=st.sampled_from(["alone", "first", "none"]),
    thought=st.booleans(),
    breaks=st.booleans(),
    usage=st.booleans(),
    enforce=st.sampled_from(["flag", "append"]),
)
@settings(deadline=None)
def test_an_answer_keeps_its_bytes_under_a_contract(
    text: str, cuts: list[int], role: str, thought: bool, breaks: bool, usage: bool, enforce: Any
) -> None:
    """Whatever the chunks, the frames of an answer that is none of directives alone are those of a node without a contract."""
    frames = [chunk({"content": piece}) for piece in pieces(text, cuts)]
    if thought:
        frames.insert(0, chunk({"reasoning_content": "HYDRATE: hm"}))
    if role == "alone":
        frames.insert(0, chunk({"role": "assistant", "content": ""}))
    elif role == "first" and frames:
        first = json.loads(frames[0].data)
        frames[0] = chunk({"role": "assistant", **first["choices"][0]["delta"]})
    told_usage = event(
        json.dumps({"id": "c1", "created": 1, "model": "m", "choices": [], "usage": {"total_tokens": 3}}).encode()
    )
    ending: list[Any] = [GONE] if breaks and len(text) > 2 else [chunk({}, "stop"), told_usage, DONE]
    if breaks and text in ("H", "HY", " ", "", ANSWERS[13]):
        return

    async def both() -> tuple[Answered, Answered]:
        options: dict[str, Any] = {"stream_options": {"include_usage": True}} if usage else {}
        without = await told(Rounds([[*frames, *ending]]), None, enforce=enforce, stream=True, **options)
        return without, await told(Rounds([[*frames, *ending]]), enforce=enforce, stream=True, **options)

    without, under = asyncio.run(both())
    assert [frame.raw for frame in under.frames[:-2]] == [frame.raw for frame in without.frames[:-2]]
    last, other = under.chunks[-1], without.chunks[-1]
    hydration = last["loom"]["facts"].pop("hydration") if last["loom"].get("facts") else None
    if not last["loom"].get("facts"):
        last["loom"].pop("facts", None)
    assert last == other and (hydration is None or hydration["outcome"] == "answered")
    assert len(without.frames) == len(under.frames)


@given(
    text=st.sampled_from(
        [
            DIRECTIVE,
            f"\n\n{DIRECTIVE}\n",
            f"{DIRECTIVE}\nHYDRATE: b\n\nHYDRATE: c",
            f"```\n{DIRECTIVE}\n```",
            "hydrate: a",
            "- HYDRATE: a\n- HYDRATE: b",
            f"<think>hm</think>{DIRECTIVE}",
            f"<think>hm</think>\n\n{DIRECTIVE}\n",
        ]
    ),
    cuts=st.lists(st.integers(0, 80), max_size=10),
    role=st.booleans(),
    comments=st.booleans(),
)
@settings(deadline=None)
def test_a_directive_is_never_shown_whatever_its_chunks(text: str, cuts: list[int], role: bool, comments: bool) -> None:
    frames = [chunk({"content": piece}) for piece in pieces(text, cuts)]
    first = json.loads(frames[0].data)["choices"][0]["delta"]
    if role:
        frames.insert(0, chunk({"role": "assistant", "content": ""}))
    else:
        frames[0] = chunk({"role": "assistant", **first})
    if comments:
        frames = [each for frame in frames for each in (frame, KEEP)]
    got = asyncio.run(told(Rounds([[*frames, chunk({}, "stop"), DONE], spoken(TRUE, id="c2")]), stream=True))
    whole(got)
    shown = got.text
    if "<think>" in text:
        thoughts, _, shown = shown.partition("</think>")
        assert thoughts == "<think>hm"
    assert shown.lstrip() == TRUE and got.hydration is not None and got.hydration["outcome"] == "hydrated"
    assert sum(frame.raw == KEEP.raw for frame in got.frames) == (len(frames) // 2 if comments else 0)


async def test_what_comes_before_an_answer_passes_at_once() -> None:
    """Roles, reasoning and comments pass before the answer begins; of an answer only what may be a directive waits."""
    gate = asyncio.Event()

    async def frames() -> Any:
        yield chunk({"role": "assistant", "content": ""})
        yield KEEP
        yield chunk({"reasoning_content": "hm"})
        yield chunk({"content": "It"})
        await gate.wait()
        yield chunk({"content": " peaked."})
        yield chunk({}, "stop")
        yield DONE

    plan = await planned(OFFERED, stream=True)

    @asynccontextmanager
    async def chat(*given: Any, **more: Any) -> AsyncIterator[Any]:
        yield SimpleNamespace(status=200, headers={}, streamed=True, sent="m", frames=frames)

    async def again(reply: str) -> Second | None:
        raise AssertionError("nothing is fetched for an answer")

    model: Any = SimpleNamespace(served_as="delegated", chat=chat)
    async with answering(plan, model, [], request_id="r", again=again) as reply:
        given = reply.frames()
        seen = [await anext(given) for _ in range(4)]
        assert json.loads(seen[3].data)["choices"][0]["delta"] == {"content": "It"}
        gate.set()
        assert len([frame async for frame in given]) == 3


async def test_a_directive_in_prose_is_left_alone() -> None:
    for text in ANSWERS[10:13]:
        got = await told(Rounds([spoken(*cut(text))]), stream=True)
        assert got.text == text and got.hydration is not None and got.hydration["outcome"] == "answered"
        assert (await told(Rounds([body(text)]))).text == text


@pytest.mark.parametrize("stream", [False, True])
async def test_a_directive_that_nobody_offered_is_a_second_round_too(stream: bool) -> None:
    got = await told(
        Rounds([spoken(DIRECTIVE), spoken(TRUE)] if stream else [body(DIRECTIVE), body(TRUE)]), SILENT, stream=stream
    )
    assert got.text == TRUE and got.hydration is not None
    assert got.hydration["spontaneous"] and got.hydration["outcome"] == "hydrated"
    got = await told(Rounds([spoken(TRUE) if stream else body(TRUE)]), SILENT, stream=stream)
    assert got.hydration is None


@pytest.mark.parametrize("stream", [False, True])
async def test_without_a_contract_a_directive_is_an_answer(stream: bool) -> None:
    got = await told(Rounds([spoken(DIRECTIVE) if stream else body(DIRECTIVE)]), None, stream=stream)
    assert got.text == DIRECTIVE and got.hydration is None


@pytest.mark.parametrize("more", [{"n": 2}, {"tools": [{"type": "function"}]}, {"response_format": {"type": "json_object"}}])
async def test_several_choices_and_forms_have_one_round(more: dict[str, Any]) -> None:
    from support.prompts import ask

    from loom.answer.shape import shape_of

    plan = await planned(OFFERED, stream=True, **more)
    shaped = replace(plan, question=replace(plan.question, shape=shape_of(ask(**more), plan.question.text)))
    async with answering(shaped, Rounds([spoken(DIRECTIVE)]), [], request_id="r", again=_never) as reply:
        got = Answered(reply, [frame async for frame in reply.frames()])
    assert got.text == DIRECTIVE and got.hydration is None


async def _never(reply: str) -> Second | None:
    raise AssertionError("asked for a second round")


async def test_a_tool_call_lets_the_beginning_out() -> None:
    call = chunk({"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]})
    got = await told(Rounds([[chunk({"content": "HYDRATE: a"}), call, chunk({}, "tool_calls"), DONE]]), stream=True)
    assert got.text == "HYDRATE: a" and got.loom["completion"]["class"] == "tool_calls"


async def test_a_flood_is_cut_off() -> None:
    asked: list[str] = []
    flood = spoken(*["HYDRATE: a\n"] * 10_000)
    model = Rounds([flood, spoken(TRUE)])
    got = await told(model, asked=asked, stream=True)
    assert got.text == TRUE and len(asked[0]) < 5000 and model.left == 1
    assert got.hydration is not None and got.hydration["asked"] == ["a"] * 4
    got = await told(Rounds([spoken(*["\n"] * 9000), spoken(TRUE)]), stream=True)
    assert got.text == "\n" * 9000 and got.hydration is not None and got.hydration["outcome"] == "answered"
    got = await told(Rounds([body("HYDRATE: a\n" * 100_000), body(TRUE)]))
    assert got.text == TRUE


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("said", ["HY", "HYDR", "HYDRATE", "- HYD", "HYDRATE: a\nHYDRA", "HYDRATE: a\nH"])
async def test_a_directive_that_an_allowance_cut_off_is_never_shown(said: str, stream: bool) -> None:
    first = spoken(*cut(said, 2), finish="length") if stream else body(said, finish="length")
    got = await told(Rounds([first, spoken(TRUE) if stream else body(TRUE)]), stream=stream, max_tokens=3)
    whole(got)
    assert got.text == TRUE and got.hydration is not None and got.hydration["outcome"] == "hydrated"


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("said", "finish"),
    [("H", "length"), ("Hy", "length"), ("Harbour", "length"), ("HYDRAULIC", "length"), ("HYDRATE", "stop"), ("1", "length")],
)
async def test_another_answer_that_was_cut_off_is_shown(said: str, finish: str, stream: bool) -> None:
    first = spoken(said, finish=finish) if stream else body(said, finish=finish)
    got = await told(Rounds([first]), stream=stream)
    assert got.text == said


@pytest.mark.parametrize("roles", [[0], [1], [0, 1], [2], [0, 1, 2]])
async def test_a_role_is_told_once_wherever_the_first_round_had_it(roles: list[int]) -> None:
    """In a frame before, in the only frame of content, in the last."""
    deltas: list[dict[str, Any]] = [{"content": ""}, {"content": DIRECTIVE[:9]}, {"content": DIRECTIVE[9:]}]
    for at in roles:
        deltas[at] = {"role": "assistant", **deltas[at]}
    frames = [chunk(delta, "stop" if at == 2 else None) for at, delta in enumerate(deltas)]
    whole(await told(Rounds([[*frames, DONE], spoken(TRUE, id="c2")]), stream=True))
    only = chunk({"role": "assistant", "content": DIRECTIVE}, "stop")
    whole(await told(Rounds([[only, DONE], spoken(TRUE, id="c2")]), stream=True))


@pytest.mark.parametrize("stream", [False, True])
async def test_the_empty_retry_stays_inside_each_round(stream: bool) -> None:
    empty = [chunk({"reasoning_content": "hm"}), chunk({}, "length"), DONE] if stream else body("", finish="length")
    say = (lambda text: spoken(text)) if stream else (lambda text: body(text))
    plan = await planned(OFFERED, stream=stream, max_tokens=20)
    further = await planned(OFFERED, fetch=DIRECTIVE, stream=stream, max_tokens=20)

    async def again(reply: str) -> Second | None:
        return Second(further, [])

    model = Rounds([empty, say(DIRECTIVE), empty, say(TRUE)])
    async with answering(plan, model, [], request_id="r", again=again, allowances=Allowances("on")) as reply:
        got = Answered(reply, [frame async for frame in reply.frames()])
    assert got.text == TRUE and len(model.prompts) == 4
    assert got.loom["completion"]["attempts"] == 3 and got.hydration is not None and got.hydration["rounds"] == 2


@pytest.mark.parametrize("at", range(7))
async def test_leaving_early_cancels_either_round(at: int) -> None:
    model = Rounds([[*spoken("HYDRATE: ", "a")], spoken(*["word "] * 20)])
    plan, further = await planned(OFFERED, stream=True), await planned(OFFERED, fetch=DIRECTIVE, stream=True)

    async def again(reply: str) -> Second | None:
        return Second(further, [])

    async with answering(plan, model, [], request_id="r", again=again) as reply:
        seen = 0
        async for _ in reply.frames():
            if seen == at:
                break
            seen += 1
    assert reply.outcome is None and model.left == 1
    assert len(model.prompts) == (1 if at == 0 else 2)


async def test_being_cancelled_between_the_rounds_is_no_failure_of_theirs() -> None:
    plan = await planned(OFFERED, stream=True)
    model = Rounds([spoken(DIRECTIVE)])

    async def again(reply: str) -> Second | None:
        await asyncio.sleep(60)
        return None

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05), answering(plan, model, [], request_id="r", again=again) as reply:
            assert [frame async for frame in reply.frames()]
    assert len(model.prompts) == 1


@pytest.mark.parametrize("enforce", ["append", "refuse"])
@pytest.mark.parametrize("stream", [False, True])
async def test_numbers_are_verified_over_the_second_plan(stream: bool, enforce: Any) -> None:
    say = spoken if stream else body
    false = "It peaked at 39.2 %."
    got = await told(Rounds([say(DIRECTIVE), say(false)]), enforce=enforce, stream=stream)
    assert got.loom["facts"]["numbers"]["enforced"] == enforce and got.loom["facts"]["hydration"]["outcome"] == "hydrated"
    assert ("39.2" in got.text) == (enforce == "append") and "HYDRATE" not in got.text
    if stream:
        assert got.frames[-1].done
    got = await told(Rounds([say(DIRECTIVE), say(TRUE)]), enforce=enforce, stream=stream)
    assert got.text == TRUE and "enforced" not in got.loom["facts"]["numbers"]


async def test_streams_and_bodies_may_change_places() -> None:
    for first, second in ((spoken(DIRECTIVE), body(TRUE, "c2")), (body(DIRECTIVE), spoken(TRUE, id="c2"))):
        got = await told(Rounds([first, second]), stream=True)
        whole(got)
        assert got.text == TRUE


async def test_a_verbatim_answer_has_one_round() -> None:
    plan = await planned(OFFERED, text="What is a Tide Kiln?")
    plan = replace(plan, question=replace(plan.question, shape="lookup", options=Options(verbatim=True)))
    async with answering(plan, Rounds([body(TRUE)]), [], request_id="r", again=_never) as reply:
        assert [frame async for frame in reply.frames()]


def test_a_hold_without_a_prefix_holds_nothing() -> None:
    hold = Hold()
    assert not hold.closed and hold.hear("HYDRATE: a") == "HYDRATE: a" and hold.free(spoken("a")) == spoken("a")
    assert hold.text == "" and not hold.directives and not hold.full


def test_counts_are_summed_wherever_both_tell_them() -> None:
    assert summed({"a": 1, "b": {"c": 2}, "d": None}, {"a": 2, "b": {"c": 3, "e": 1}, "d": 4}) == {
        "a": 3,
        "b": {"c": 5, "e": 1},
        "d": 4,
    }
    assert summed(None, {"a": 1}) == {"a": 1} and summed({"a": 1}, None) == {"a": 1} and summed(1, "x") == "x"


async def test_a_model_that_only_asks_is_called_twice() -> None:
    model = Rounds([spoken(DIRECTIVE)] * 50)
    got = await told(model, stream=True)
    assert len(model.prompts) == 2 and got.hydration is not None and got.hydration["rounds"] == 2
    assert frames_of(got.raw)[-1].done


@pytest.mark.parametrize(
    ("steps", "sent", "status", "remembered"),
    [
        ([400, "ok"], [0, None], 200, True),
        ([422, 400, "ok"], [0, None, None], 200, False),
        ([400, 400, 400], [0, None, None], 400, False),
        ([500], [0], 500, False),
        (["ok"], [0], 200, False),
    ],
)
async def test_a_refused_temperature_goes_before_a_refused_limit(
    steps: list[Any], sent: list[Any], status: int, remembered: bool
) -> None:
    plan = await planned(max_tokens=20)
    tempered = merge(plan.question, plan.block, "neutral", temperature=0)
    allowances = Allowances("on")
    model = Rounds([body(TRUE) if step == "ok" else step for step in steps])
    async with answering(replace(plan, prompt=tempered), model, request_id="r", allowances=allowances) as reply:
        assert [frame async for frame in reply.frames()]
    assert [prompt.body.get("temperature") for prompt in model.prompts] == sent and reply.status == status
    assert allowances.tempers(str(plan.question.body.get("model") or "")) is not remembered
