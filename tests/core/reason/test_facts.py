"""Growing sets of numbers and joins over them, against sets and loops."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from loom.core.reason.facts import Facts, Join, NodeJoin, distinct, spans

BATCHES = st.lists(st.lists(st.integers(0, 60), max_size=30), max_size=12)
ROWS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 5)), max_size=30)


def numbers(values: object) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    return np.array(values, np.int64).reshape(-1)


@given(BATCHES)
def test_each_number_keeps_the_round_in_which_it_came(batches: list[list[int]]) -> None:
    facts, came = Facts(), dict[int, int]()
    for round, batch in enumerate(batches):
        new = facts.add([numbers(batch[:7]), numbers(batch[7:])], round)
        assert new.tolist() == sorted(set(batch) - set(came))
        came.update(dict.fromkeys(new.tolist(), round))
        assert len(facts) == len(came)
        asked = numbers(range(61))
        assert facts.has(asked).tolist() == [one in came for one in range(61)]
    keys, rounds = facts.columns()
    assert dict(zip(keys.tolist(), rounds.tolist(), strict=True)) == came
    assert keys.tolist() == sorted(came)


@given(BATCHES, st.lists(st.tuples(st.integers(0, 61), st.integers(0, 61)), max_size=5))
def test_what_lies_between_bounds(batches: list[list[int]], bounds: list[tuple[int, int]]) -> None:
    facts = Facts()
    for batch in batches:
        facts.add([numbers(batch)], 0)
    ordered = [(min(pair), max(pair)) for pair in bounds]
    which, found = facts.between(numbers([low for low, _ in ordered]), numbers([high for _, high in ordered]))
    wanted = [
        (at, one) for at, (low, high) in enumerate(ordered) for one in set().union(*map(set, batches)) if low <= one < high
    ]
    assert sorted(zip(which.tolist(), found.tolist(), strict=True)) == sorted(wanted)


@given(ROWS, st.lists(st.integers(0, 9), max_size=12))
def test_a_join_gives_every_match(rows: list[tuple[int, int]], asked: list[int]) -> None:
    keys, values = numbers([key for key, _ in rows]), numbers([value for _, value in rows])
    wanted = sorted((at, value) for at, one in enumerate(asked) for key, value in rows if key == one)
    for join in (Join(keys, values), NodeJoin(10, keys, values)):
        which, at = join.rows_of(numbers(asked))
        assert sorted(zip(which.tolist(), join.columns[0][at].tolist(), strict=True)) == wanted


def test_spans_and_distinct_of_nothing() -> None:
    assert distinct([]).size == 0
    assert [part.size for part in spans(numbers([3, 5]), numbers([3, 5]))] == [0, 0]
