"""Two looks at one primary: sizes before tests, and no more false successes than five in a hundred."""

import numpy as np
import pytest
from hypothesis import strategies as st
from support.trying import many

from loom.core.errors import BadInput
from loom.lab.claims.looks import CAP, EFFECT, NOMINAL, PILOT, PLANNED, looked, planned


def drawn(random: np.random.Generator, mean: float, count: int, sd: float = 0.2) -> tuple[list[float], list[float]]:
    base = random.normal(0.5, 0.1, count)
    return (base + random.normal(mean, sd, count)).tolist(), base.tolist()


def test_the_planned_size_is_the_papers() -> None:
    pilot = np.concatenate([np.full(25, 0.2), np.full(25, -0.2)])
    pilot *= 0.2 / pilot.std(ddof=1)
    made = planned(pilot.tolist() * 10)
    assert made.deviation == pytest.approx(0.2) and made.size == PLANNED == 275 and made.detects == EFFECT


@many(st.lists(st.floats(-1, 1), min_size=2, max_size=400), st.floats(-0.4, 0.4))
def test_sizes_do_not_know_the_mean_and_stay_between_the_plan_and_its_cap(differences: list[float], shift: float) -> None:
    made, moved = planned(differences), planned([each + shift for each in differences])
    assert PLANNED <= made.size <= CAP * PLANNED
    assert abs(moved.deviation - made.deviation) < 1e-9 and abs(moved.size - made.size) <= 1
    assert made.detects >= EFFECT


def test_items_that_are_too_few_raise_what_can_be_found() -> None:
    one, two = drawn(np.random.default_rng(1), 0.1, 100)
    made = looked(one, two, 1)
    assert len(made.looks) == 1 and made.looks[0].n == 100 and made.plan.detects > 0.04 and made.passed


def test_a_positive_result_is_looked_at_once_more_and_none_at_zero_is() -> None:
    random = np.random.default_rng(5)
    seen = {1: 0, 2: 0}
    for _ in range(40):
        one, two = drawn(random, 0.015, 600)
        made = looked(one, two, 1)
        seen[len(made.looks)] += 1
        first = made.looks[0]
        if len(made.looks) == 2:
            assert first.mean > 0 and first.p > NOMINAL and made.looks[1].n == min(600, 2 * made.plan.size)
        else:
            assert first.mean <= 0 or first.p <= NOMINAL
    assert min(seen.values()) > 3
    one, two = drawn(random, -0.05, 600)
    made = looked(one, two, 1)
    assert len(made.looks) == 1 and not made.passed


@pytest.mark.slow
def test_both_looks_together_err_five_times_in_a_hundred() -> None:
    random = np.random.default_rng(7)
    passed = sum(looked(*drawn(random, 0.0, 2 * 30), 1, size=15, effect=0.5).passed for _ in range(1000))
    assert 20 <= passed <= 80
    found = sum(looked(*drawn(random, EFFECT, 2 * PLANNED), 1).passed for _ in range(100))
    assert found >= 75


@pytest.mark.parametrize("differences", [[], [0.1]])
def test_too_few_differences_are_refused(differences: list[float]) -> None:
    with pytest.raises(BadInput):
        planned(differences)


def test_the_pilot_is_the_first_of_a_drawn_order() -> None:
    one, two = drawn(np.random.default_rng(3), 0.05, 300)
    assert looked(one, two, 1) == looked(one, two, 1) and PILOT == 50
    assert looked(one, two, 1).plan.deviation != looked(one, two, 2).plan.deviation
