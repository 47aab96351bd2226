"""What every clock does."""

from datetime import timedelta

import pytest

from loom_adapters.clock import FakeClock, SystemClock

Clock = SystemClock | FakeClock


@pytest.fixture(params=[SystemClock, FakeClock])
def clock(request: pytest.FixtureRequest) -> Clock:
    made: Clock = request.param()
    return made


def test_now_is_in_utc(clock: Clock) -> None:
    assert clock.now().utcoffset() == timedelta(0)


def test_time_never_runs_backwards(clock: Clock) -> None:
    times = [clock.monotonic() for _ in range(100)]
    assert times == sorted(times)


def test_the_fake_moves_both_scales_alike() -> None:
    clock = FakeClock()
    before = clock.now()
    clock.advance(2.5)
    assert clock.now() - before == timedelta(seconds=2.5)
    assert clock.monotonic() == 2.5
