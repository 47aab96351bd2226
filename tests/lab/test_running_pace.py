"""How fast a model may be asked."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.lab.running.pace import Bucket, Pace
from loom_adapters.clock import FakeClock


def passed(per_minute: float, amounts: list[float], pauses: list[float]) -> list[tuple[float, float]]:
    """When each amount went, for one who waits as told and pauses in between."""
    clock = FakeClock()
    bucket = Bucket(per_minute, clock.monotonic)
    gone = []
    for amount, pause in zip(amounts, pauses, strict=True):
        clock.advance(pause)
        while (wait := bucket.wait(amount)) > 0:
            clock.advance(wait)
        gone.append((clock.monotonic(), amount))
    return gone


@given(
    st.integers(1, 600),
    st.lists(st.sampled_from([0.0, 0.0, 0.0, 0.1, 3.0, 70.0]), min_size=1, max_size=200),
)
def test_no_minute_sees_more_requests_than_it_may(per_minute: int, pauses: list[float]) -> None:
    gone = [at for at, _ in passed(per_minute, [1.0] * len(pauses), pauses)]
    for number, start in enumerate(gone):
        assert sum(start <= at < start + 59.999 for at in gone[number:]) <= per_minute


@given(
    st.integers(1200, 100_000),
    st.lists(st.tuples(st.floats(1, 100), st.sampled_from([0.0, 0.0, 1.0])), min_size=1, max_size=150),
)
def test_no_minute_sees_more_tokens_than_it_may(per_minute: int, steps: list[tuple[float, float]]) -> None:
    gone = passed(per_minute, [amount for amount, _ in steps], [pause for _, pause in steps])
    for number, (start, _) in enumerate(gone):
        assert sum(amount for at, amount in gone[number:] if at < start + 59.999) <= per_minute + 1.0 + 1e-6


def test_the_pace_is_most_of_what_is_allowed() -> None:
    gone = passed(60, [1.0] * 200, [0.0] * 200)
    assert 199 / (gone[-1][0] / 60) >= 0.9 * 60


def test_an_amount_larger_than_a_burst_goes_and_is_paid_for_after() -> None:
    gone = passed(1200, [1000.0, 1000.0, 1.0], [0.0] * 3)
    assert gone[0][0] == 0.0 and 40 < gone[1][0] < 70 and gone[2][0] > gone[1][0]


def test_no_limit_is_no_wait() -> None:
    assert passed(0, [1e9] * 5, [0.0] * 5)[-1][0] == 0.0


async def test_who_came_first_goes_first_and_a_pause_holds_for_all() -> None:
    clock = FakeClock()

    async def sleep(seconds: float) -> None:
        clock.advance(seconds)
        await asyncio.sleep(0)

    pace = Pace(4, 60, 0, monotonic=clock.monotonic, sleep=sleep)
    order: list[tuple[int, float]] = []

    async def one(number: int) -> None:
        await pace.turn(1)
        order.append((number, clock.monotonic()))

    pace.pause(30)
    await asyncio.gather(*map(one, range(12)))
    assert [number for number, _ in order] == list(range(12)) and order[0][1] == pytest.approx(30)


def test_what_was_estimated_too_high_is_given_back() -> None:
    clock = FakeClock()
    pace = Pace(1, 0, 1200, monotonic=clock.monotonic)
    asyncio.run(pace.turn(100))
    pace.correct(100, 10)
    asyncio.run(asyncio.wait_for(pace.turn(90), 1))
    pace.correct(90, None)
    assert clock.monotonic() == 0.0
