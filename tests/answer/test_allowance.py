"""The allowance of models that think: floors, one retry, and what is learned."""

import random
from typing import Any

import pytest
from support.answers import Canned, answered
from support.prompts import ask

from loom.answer.allowance import Allowances
from loom.core.errors import UpstreamFailure
from loom_adapters.scripted_model import FakeModel

STYLES = ("reasoning_content", "reasoning", "tag", "hidden", "billed")
SENT: tuple[dict[str, int], ...] = ({"max_tokens": 200}, {"max_tokens": 1536}, {"max_completion_tokens": 1536}, {})


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("style", STYLES)
async def test_a_scripted_upstream_that_thinks_up_to_6000_tokens(style: str, stream: bool) -> None:
    """At most one answer in a hundred is empty under the defaults, the first one ever asked included; every loss has a class."""
    draw = random.Random(f"{style} {stream}")
    lost: dict[str, int] = {}
    rounds = 100
    for sent in SENT:
        allowances = Allowances()
        for _ in range(rounds):
            script = f"think?tokens={draw.randrange(6001)}&words=20&style={style}&model=m"
            got = await answered(FakeModel(), ask(script, stream=stream, **sent), allowances=allowances)
            kind = got.loom["completion"]["class"]
            assert (kind in ("answered", "truncated")) == bool(got.reply.outcome and got.reply.outcome.text.strip())
            if kind not in ("answered", "truncated"):
                lost[kind] = lost.get(kind, 0) + 1
    assert sum(lost.values()) <= rounds * len(SENT) // 100, lost


@pytest.mark.parametrize("stream", [False, True])
async def test_a_first_answer_lost_to_thinking_is_tried_again_and_told(stream: bool) -> None:
    model, allowances = FakeModel(), Allowances()
    script = "think?tokens=3000&words=3"
    got = await answered(model, ask(script, stream=stream, max_tokens=200), allowances=allowances)
    assert [body["max_tokens"] for body in model.bodies] == [200, 8192]
    assert got.loom["completion"] == {"class": "answered", "attempts": 2, "allowance": 8192}
    again = await answered(model, ask(script, stream=stream, max_tokens=200), allowances=allowances)
    assert [body["max_tokens"] for body in model.bodies] == [200, 8192, 4096]
    assert again.loom["completion"] == {"class": "answered", "attempts": 1, "allowance": 4096}


async def test_a_stream_goes_on_under_its_first_id_with_one_role_and_one_finish() -> None:
    body = ask("think?tokens=3000&words=3", stream=True, stream_options={"include_usage": True}, max_tokens=100)
    got = await answered(FakeModel(), body, allowances=Allowances())
    assert len({(chunk["id"], chunk["created"], chunk["model"]) for chunk in got.chunks}) == 1
    deltas = [choice for chunk in got.chunks for choice in chunk["choices"]]
    assert sum("role" in choice["delta"] for choice in deltas) == 1
    assert [choice["finish_reason"] for choice in deltas if choice["finish_reason"]] == ["stop"]
    assert [chunk["usage"]["completion_tokens"] for chunk in got.chunks if not chunk["choices"]] == [3003]
    assert got.text == "word0 word1 word2"


async def test_a_retry_never_adds_a_second_limit_and_inserts_one_only_where_none_was_sent() -> None:
    for sent, expected in [
        ({"max_completion_tokens": 100}, {"max_completion_tokens": 8192}),
        ({}, {"max_tokens": 8192}),
        ({"max_tokens": None}, {"max_tokens": 8192}),
    ]:
        model = FakeModel()
        await answered(model, ask("think?tokens=3000&limit=100", **sent), allowances=Allowances())
        assert len(model.bodies) == 2
        assert {key: value for key, value in model.bodies[1].items() if key.startswith("max")} == expected


@pytest.mark.parametrize(
    ("allowances", "body"),
    [
        (Allowances("off"), ask("think?tokens=3000", max_tokens=200)),
        (Allowances(retry=0), ask("think?tokens=3000", max_tokens=200)),
        (Allowances(), ask("think?tokens=3000&limit=100", max_tokens="200")),
        (Allowances(), ask("think?tokens=9000", max_tokens=8192)),
        (Allowances(), ask("think?tokens=3000", max_tokens=200, n=2)),
        (Allowances(), ask("words?words=9", max_tokens=4)),
        (Allowances(), ask("empty")),
        (Allowances(), ask("think?tokens=190&words=20", max_tokens=200)),
        (Allowances(), ask("tools?tokens=20&finish=length", max_tokens=200)),
    ],
)
async def test_what_is_not_tried_again(allowances: Allowances, body: dict[str, Any]) -> None:
    for stream in (False, True):
        model = FakeModel()
        got = await answered(model, {**body, "stream": stream}, allowances=allowances)
        assert len(model.bodies) == 1 and got.loom["completion"]["attempts"] == 1


@pytest.mark.parametrize("stream", [False, True])
async def test_where_the_second_try_fails_the_first_stands(stream: bool) -> None:
    for script in ("think?tokens=3000&status=500&fails=0", "think?tokens=3000"):
        model = FlakyModel(fail=UpstreamFailure("gone") if "status" in script else None, status=500)
        got = await answered(model, ask("think?tokens=3000", stream=stream, max_tokens=200), allowances=Allowances())
        assert got.loom["completion"]["class"] == "budget_exhausted" and got.loom["completion"]["attempts"] == 2
        assert "error" not in got.chunks[-1]
        finishes = [choice["finish_reason"] for chunk in got.chunks for choice in chunk["choices"] if choice["finish_reason"]]
        assert finishes == ["length"]


class FlakyModel(FakeModel):
    """Answers the first call; the second fails, or is refused with a status."""

    def __init__(self, fail: UpstreamFailure | None, status: int) -> None:
        super().__init__()
        self._fail = fail
        self._refusal = f"status?status={status}"

    def chat(self, prompt: Any, **options: Any) -> Any:
        if self.bodies and self._fail:
            raise self._fail
        if self.bodies:
            options["headers"] = {"x-script": self._refusal}
        return super().chat(prompt, **options)


async def test_a_second_stream_that_breaks_before_it_says_anything_leaves_the_first() -> None:
    model = BreakingModel(kill=0)
    got = await answered(model, ask("think?tokens=3000", stream=True, max_tokens=200), allowances=Allowances())
    assert got.loom["completion"]["class"] == "budget_exhausted" and got.chunks[-1]["choices"][0]["finish_reason"] == "length"
    model = BreakingModel(kill=12)
    got = await answered(model, ask("think?tokens=3000", stream=True, max_tokens=200), allowances=Allowances())
    assert got.loom["completion"]["class"] == "interrupted" and "error" in got.chunks[-1]


class BreakingModel(FakeModel):
    """Answers the first call; the second breaks in its stream."""

    def __init__(self, kill: int) -> None:
        super().__init__()
        self._script = f"think?tokens=3000&kill={kill}"

    def chat(self, prompt: Any, **options: Any) -> Any:
        if self.bodies:
            options["headers"] = {"x-script": self._script}
        return super().chat(prompt, **options)


async def test_a_floor_holds_for_models_that_are_marked_known_or_were_seen() -> None:
    assert Allowances("on").floor("any") == 4096
    assert Allowances("off", known=lambda name: True).floor("m") is None
    assert Allowances(known=lambda name: name == "m").floor("m") == 4096
    assert Allowances(known=lambda name: name == "m").floor("n") is None
    assert Allowances("on", floor=0).floor("m") is None
    for sent, kept in [
        ({"max_tokens": 200}, 4096),
        ({"max_tokens": 5000}, 5000),
        ({"max_tokens": "9"}, "9"),
        ({"max_tokens": 0.5}, 0.5),
    ]:
        model = FakeModel()
        await answered(model, ask("words", **sent), allowances=Allowances("on"))
        assert model.bodies[0]["max_tokens"] == kept


@pytest.mark.parametrize("stream", [False, True])
async def test_a_model_too_small_for_the_floor_is_asked_as_the_client_asked(stream: bool) -> None:
    model, allowances = FakeModel(), Allowances("on")
    for expected in ([4096, 200], [200]):
        model.bodies.clear()
        got = await answered(model, ask("words?most=2048", stream=stream, max_tokens=200), allowances=allowances)
        assert [body["max_tokens"] for body in model.bodies] == expected
        assert got.loom["completion"] == {"class": "answered", "attempts": 1}


async def test_a_request_that_is_refused_either_way_stays_refused() -> None:
    model, allowances = FakeModel(), Allowances("on")
    got = await answered(model, ask("words?roles=system", max_tokens=200), allowances=allowances)
    assert got.reply.status == 400 and allowances.floor("words?roles=system") == 4096


async def test_a_second_try_that_is_too_much_leaves_the_first() -> None:
    got = await answered(FakeModel(), ask("think?tokens=3000&most=2048", max_tokens=200), allowances=Allowances())
    assert got.loom["completion"] == {"class": "budget_exhausted", "attempts": 2}


async def test_what_is_learned_is_of_one_model() -> None:
    allowances = Allowances()
    await answered(FakeModel(), ask("think?tokens=20"), allowances=allowances)
    assert allowances.thinks("think?tokens=20") and not allowances.thinks("words")


async def test_a_model_that_spends_little_on_nothing_does_not_count_as_thinking() -> None:
    allowances = Allowances()
    await answered(FakeModel(), ask("think?tokens=3000&style=hidden&usage=never", max_tokens=1), allowances=allowances)
    assert not allowances.thinks("think?tokens=3000&style=hidden&usage=never")


async def test_an_upstream_that_refuses_is_not_learned_from() -> None:
    canned = Canned([], status=400)
    allowances = Allowances()
    got = await answered(canned, ask("m"), allowances=allowances)
    assert got.reply.status == 400 and not allowances.thinks("m") and canned.asked == [(None, False)]


def test_models_that_take_no_temperature_are_remembered() -> None:
    allowances = Allowances("off")
    assert allowances.tempers("m")
    allowances.own_temperature("m")
    assert not allowances.tempers("m") and allowances.tempers("n")
