"""Rate limits: bursts, refilling, and one table for several processes."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from loom.serve.buckets import ROWS, Buckets


def test_a_minute_of_requests_then_a_wait():
    buckets = Buckets()
    assert [buckets.take("a", 3, 100.0) for _ in range(3)] == [0.0, 0.0, 0.0]
    assert buckets.take("a", 3, 100.0) == 20.0
    assert buckets.take("b", 3, 100.0) == 0.0
    assert buckets.take("a", 3, 119.0) > 0
    assert buckets.take("a", 3, 121.0) == 0.0


def test_two_workers_share_a_limit(tmp_path: Path):
    one, other = Buckets(tmp_path / "limits"), Buckets(tmp_path / "limits")
    taken = [bucket.take("a", 4, 5.0) for bucket in (one, other) * 3]
    assert [wait == 0.0 for wait in taken] == [True] * 4 + [False] * 2


def test_a_full_table_still_limits_the_busiest():
    buckets = Buckets()
    for number in range(2 * ROWS):
        buckets.take(f"caller {number}", 1, 1.0)
    assert buckets.take("busy", 1, 2.0) == 0.0
    assert buckets.take("busy", 1, 2.0) > 0.0


def test_a_table_of_an_earlier_boot_does_not_lock_anyone_out(tmp_path: Path):
    before = Buckets(tmp_path / "limits")
    for _ in range(2):
        before.take("a", 1, 1_000_000.0)
    assert Buckets(tmp_path / "limits").take("a", 1, 5.0) == 0.0


@given(st.lists(st.floats(0, 30), max_size=60), st.integers(1, 20))
def test_never_more_than_the_limit_in_any_minute_beyond_the_burst(gaps: list[float], limit: int):
    buckets, now, allowed = Buckets(), 0.0, []
    for gap in gaps:
        now += gap
        if buckets.take("a", limit, now) == 0.0:
            allowed.append(now)
    for start in allowed:
        assert sum(start <= time < start + 60 for time in allowed) <= 2 * limit
    buckets.close()
