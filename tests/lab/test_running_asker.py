"""The asker: what it sends, keeps, sends again and gives up on."""

import asyncio
from typing import Any

import pytest
from support.lab_running import Rig, asking, member

from loom.core.errors import BadInput, UpstreamFailure
from loom.lab.study import Price
from loom_adapters.scripted_model import FakeModel


async def test_an_answer_with_all_that_is_known_of_it() -> None:
    rig = Rig([member(price=Price(1.0, 2.0), temperature=0.5, extra={"top_p": 0.9})])
    said = await rig.asker.ask("m", asking("two words"), purpose="answer")
    assert (said.text, said.completion, said.finish_reason, said.model_reported) == ("two words", "answered", "stop", "echo")
    (attempt,) = said.attempts
    assert (attempt.allowance, attempt.completion, attempt.usage.completion) == (1024, "answered", 2)
    (body,) = rig.bodies
    assert body == {"model": "echo", "temperature": 0.5, "top_p": 0.9, "max_tokens": 1024} | {
        "messages": [{"role": "user", "content": "two words"}]
    }
    (entry,) = rig.ledger
    assert (entry["key"], entry["purpose"], entry["model"], entry["status"]) == (said.key, "answer", "m", 200)
    assert entry["price"] == pytest.approx((entry["tokens"]["prompt"] * 1.0 + entry["tokens"]["completion"] * 2.0) / 1e6)


async def test_the_same_request_is_paid_once_by_whoever_asks() -> None:
    rig = Rig([member()])
    said = await asyncio.gather(*(rig.asker.ask("m", asking(), purpose=purpose) for purpose in ("answer", "judge", "answer")))
    assert len(rig.bodies) == 1 and len({each.key for each in said}) == 1
    assert (rig.asker.tally.asked, rig.asker.tally.kept, rig.asker.tally.sent) == (3, 2, 1)


@pytest.mark.parametrize(
    "other",
    [{"salt": "again"}, {"more": {"temperature": 1.0}}, {"more": {"seed": 1}}, {"more": {"max_tokens": 9}}],
    ids=lambda other: str(other),
)
async def test_what_differs_is_asked_anew(other: dict[str, Any]) -> None:
    rig = Rig([member()])
    first = await rig.asker.ask("m", asking(), purpose="answer")
    second = await rig.asker.ask("m", asking(), purpose="answer", **other)
    assert first.key != second.key and len(rig.bodies) == 2


async def test_what_only_the_bill_sees_is_no_difference() -> None:
    rig = Rig([member()])
    for user in ("a", "b"):
        await rig.asker.ask("m", asking(), purpose="answer", more={"user": user, "metadata": {"run": user}})
    assert len(rig.bodies) == 1


async def test_two_members_with_one_name_upstream_are_two_models_wherever_they_are() -> None:
    rig = Rig([member(name="a"), member(name="b")])
    await rig.asker.ask("a", asking(), purpose="answer")
    await rig.asker.ask("b", asking(), purpose="answer")
    assert len(rig.bodies) == 2
    moved = Rig([member(name="a", url="http://elsewhere/v1")], rig.book)
    await moved.asker.ask("a", asking(), purpose="answer")
    assert moved.bodies == []


async def test_a_limit_of_the_instrument_wins_and_keeps_its_name() -> None:
    rig = Rig([member("think?tokens=15&words=4")])
    said = await rig.asker.ask("m", asking(), purpose="extract", more={"max_completion_tokens": 10})
    assert [body.get("max_completion_tokens") for body in rig.bodies] == [10, 20]
    assert all("max_tokens" not in body for body in rig.bodies)
    assert [attempt.allowance for attempt in said.attempts] == [10, 20]


async def test_a_model_that_takes_no_temperature_is_sent_none() -> None:
    rig = Rig([member(temperature=None)])
    await rig.asker.ask("m", asking(), purpose="judge", more={"temperature": 0})
    assert "temperature" not in rig.bodies[0]


@pytest.mark.parametrize(
    ("script", "completions"),
    [
        ("think?tokens=150&words=4", ["budget_exhausted", "answered"]),
        ("think?tokens=900", ["budget_exhausted", "budget_exhausted"]),
        ("empty", ["empty_stop", "empty_stop"]),
        ("empty?tokens=20", ["reasoning_only", "reasoning_only"]),
        ("words?words=150", ["truncated"]),
        ("tools", ["tool_calls"]),
        ("refusal", ["refused"]),
        ("words?words=3", ["answered"]),
    ],
)
async def test_an_empty_answer_is_asked_for_once_more_with_twice_the_allowance(script: str, completions: list[str]) -> None:
    rig = Rig([member(script, allowance=100)])
    said = await rig.asker.ask("m", asking(), purpose="answer")
    assert [attempt.completion for attempt in said.attempts] == completions
    assert [body["max_tokens"] for body in rig.bodies] == [100, 200][: len(completions)]
    assert said.completion == completions[-1] and said.error is None
    again = rig.again()
    assert await again.asker.ask("m", asking(), purpose="answer") == said and again.bodies == []


async def test_a_second_try_that_is_refused_leaves_the_first_answer() -> None:
    rig = Rig([member("think?tokens=900&most=150", allowance=100)])
    said = await rig.asker.ask("m", asking(), purpose="answer")
    assert (said.error, said.completion, len(said.attempts), len(rig.bodies)) == (None, "budget_exhausted", 1, 2)


async def test_a_run_broken_off_between_the_tries_goes_on_with_the_second() -> None:
    rig = Rig([member("think?tokens=150&words=4", allowance=100)])
    unbroken = await rig.asker.ask("m", asking(), purpose="answer")
    rig.book.said.popitem()  # the second answer was not yet written
    rig.book.calls[-1].how = None
    again = rig.again()
    assert await again.asker.ask("m", asking(), purpose="answer") == unbroken
    assert [body["max_tokens"] for body in again.bodies] == [200]
    assert [entry["repeated"] for entry in again.ledger] == [False, False, True]


async def test_passing_failures_are_waited_out() -> None:
    rig = Rig([member("status?status=503&fails=3")])
    said = await rig.asker.ask("m", asking(), purpose="answer")
    assert said.error is None and said.completion == "answered" and len(said.attempts) == 1
    assert [entry["status"] for entry in rig.ledger] == [503, 503, 503, 200]
    assert len(rig.slept) == 3 and rig.slept == sorted(rig.slept)
    assert all(0.375 <= pause / 2**number <= 0.625 for number, pause in enumerate(rig.slept))
    assert not any(entry["repeated"] for entry in rig.ledger), "an answer that is an error was heard"


async def test_the_pause_that_a_model_asks_for_is_kept_by_all_its_calls() -> None:
    rig = Rig([member("status?status=429&fails=1&retry_after=7")])
    await asyncio.gather(*(rig.asker.ask("m", asking(f"q{number}"), purpose="answer") for number in range(3)))
    assert sum(rig.slept) == pytest.approx(7.0)
    assert [entry["status"] for entry in rig.ledger].count(429) == 1


async def test_more_patience_than_there_is_is_an_error_at_once() -> None:
    rig = Rig([member("status?status=429&retry_after=400")])
    said = await rig.asker.ask("m", asking(), purpose="answer")
    assert said.error == "The model answered with status 429: Scripted 429." and rig.slept == []


async def test_a_model_in_trouble_for_longer_than_patience_gets_one_try_each() -> None:
    rig = Rig([member("status?status=500")], patience=10.0)
    first = await rig.asker.ask("m", asking("a"), purpose="answer")
    tries = len(rig.ledger)
    assert first.error and tries > 2 and sum(rig.slept) <= 10.0
    for text in "bcd":
        assert (await rig.asker.ask("m", asking(text), purpose="answer")).error
    assert len(rig.ledger) == tries + 3


async def test_an_error_is_not_asked_again_in_this_run_and_is_in_the_next() -> None:
    rig = Rig([member("status?status=400")])
    for _ in range(2):
        assert (await rig.asker.ask("m", asking(), purpose="answer")).error
    assert len(rig.ledger) == 1 and rig.slept == []
    await rig.again().asker.ask("m", asking(), purpose="answer")
    assert len(rig.ledger) == 2


@pytest.mark.parametrize("status", [401, 402, 404])
async def test_what_an_upstream_would_say_to_every_request_is_heard_once(status: int) -> None:
    rig = Rig([member(f"status?status={status}"), member(name="other")], concurrency=1)
    said = [await rig.asker.ask("m", asking(f"q{number}"), purpose="answer") for number in range(5)]
    assert {each.error for each in said} == {f"The model answered with status {status}: Scripted {status}."}
    assert len(rig.ledger) == 1
    assert (await rig.asker.ask("other", asking(), purpose="answer")).error is None


async def test_a_model_that_was_never_reached_is_given_up_soon() -> None:
    class Absent:
        bodies = ()

        def chat(self, *_: object, **__: object) -> Any:
            raise UpstreamFailure("The model at nowhere cannot be reached.", code="upstream_unreachable")

    rig = Rig([member()], backends={"m": Absent()})
    said = await rig.asker.ask("m", asking(), purpose="answer")
    assert said.error == "The model at nowhere cannot be reached." and sum(rig.slept) <= 20.0


@pytest.mark.parametrize(("script", "error"), [("html", "Expected a chat completion"), ("error", None)])
async def test_a_body_that_is_no_completion(script: str, error: str | None) -> None:
    rig = Rig([member(script)], patience=2.0)
    said = await rig.asker.ask("m", asking(), purpose="answer")
    assert (said.error or "").startswith(error or "") and bool(said.error) == bool(error)


async def test_never_more_at_once_than_a_study_and_a_model_may() -> None:
    class Counting:
        def __init__(self) -> None:
            self.now = self.most = 0
            self.bodies: list[Any] = []

        def chat(self, prompt: Any, **options: Any) -> Any:
            return self._chat(prompt, **options)

        def _chat(self, prompt: Any, **options: Any) -> Any:
            from contextlib import asynccontextmanager

            model, counts = FakeModel(), self

            @asynccontextmanager
            async def counted() -> Any:
                counts.now += 1
                total.now += 1
                counts.most, total.most = max(counts.most, counts.now), max(total.most, total.now)
                await asyncio.sleep(0.002)
                async with model.chat(prompt, **options) as upstream:
                    yield upstream
                counts.now -= 1
                total.now -= 1

            return counted()

    total = Counting()
    backends = {name: Counting() for name in "abc"}
    members = [member(name="a", concurrency=2), member(name="b"), member(name="c", concurrency=50)]
    rig = Rig(members, backends=dict(backends), concurrency=5)
    await asyncio.gather(
        *(rig.asker.ask(name, asking(f"q{number}"), purpose="answer") for number in range(20) for name in "abc")
    )
    assert (backends["a"].most, total.most) == (2, 5) and max(backends["b"].most, backends["c"].most) <= 5


async def test_an_unknown_model_is_told() -> None:
    with pytest.raises(BadInput, match="Expected a model among m, but got 'n'"):
        await Rig([member()]).asker.ask("n", asking(), purpose="answer")


async def test_a_page_in_between_passes_once_the_model_has_answered() -> None:
    class Between:
        """The model, but for every second request, which something in between answers with a page."""

        def __init__(self) -> None:
            self.model, self.asked = FakeModel(), 0

        def chat(self, prompt: Any, **options: Any) -> Any:
            self.asked += 1
            if self.asked % 2 == 0:
                raise UpstreamFailure("Expected a chat completion, but got text/html.", code="upstream_not_openai", status=502)
            return self.model.chat(prompt, **options)

    rig = Rig([member()], backends={"m": Between()})
    said = [await rig.asker.ask("m", asking(f"kiln {number}"), purpose="answer") for number in range(3)]
    assert [each.error for each in said] == [None, None, None]
    assert [entry.get("status") for entry in rig.ledger] == [200, 502, 200, 502, 200]


async def test_an_address_that_only_serves_pages_is_left_at_once() -> None:
    class Pages:
        asked = 0

        def chat(self, *_: object, **__: object) -> Any:
            self.asked += 1
            raise UpstreamFailure("Expected a chat completion, but got text/html.", code="upstream_not_openai", status=502)

    pages = Pages()
    rig = Rig([member()], backends={"m": pages})
    said = [await rig.asker.ask("m", asking(f"kiln {number}"), purpose="answer") for number in range(3)]
    assert all(each.error for each in said) and pages.asked == 1
