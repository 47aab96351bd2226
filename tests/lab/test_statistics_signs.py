"""The exact signed-rank test against every sign assignment, and against scipy."""

from fractions import Fraction
from itertools import product
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata, wilcoxon

from loom.core.errors import BadInput
from loom.lab.statistics import holm, holm_of, rank_biserial, signed_rank

SCORES = st.integers(-5, 5)


def brute_force(differences: list[int]) -> tuple[Fraction, Fraction | None]:
    """p and effect size from all 2^n signs, in exact arithmetic."""
    kept = [each for each in differences if each]
    if not kept:
        return Fraction(1), None
    ranks = [Fraction(float(rank)) for rank in rankdata(np.abs(kept))]
    middle = sum(ranks) / 2
    seen = abs(sum(rank for rank, each in zip(ranks, kept, strict=True) if each > 0) - middle)
    signs = np.array(list(product((0, 1), repeat=len(kept))), dtype=np.int64)
    doubled = np.array([int(2 * rank) for rank in ranks])
    as_far = int((np.abs(signs @ doubled - float(2 * middle)) >= float(2 * seen)).sum())
    plus = sum(rank for rank, each in zip(ranks, kept, strict=True) if each > 0)
    return Fraction(as_far, 2 ** len(kept)), (2 * plus - sum(ranks)) / sum(ranks)


@settings(max_examples=200, deadline=None)
@given(st.lists(SCORES, min_size=1, max_size=14))
def test_p_and_effect_are_those_of_every_sign_assignment(differences: list[int]) -> None:
    p, effect = brute_force(differences)
    found = signed_rank(differences)
    assert found.p == float(p)
    assert found.rank_biserial == (None if effect is None else pytest.approx(float(effect), abs=1e-15))
    assert found.rank_biserial == rank_biserial(differences)


@settings(max_examples=25, deadline=None)
@given(st.lists(SCORES.filter(bool), min_size=14, max_size=14))
def test_fourteen_differences_with_ties(differences: list[int]) -> None:
    assert signed_rank(differences).p == float(brute_force(differences)[0])


@settings(max_examples=50, deadline=None)
@given(st.lists(SCORES, min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_swapping_arms_order_and_unit_change_nothing(differences: list[int], random: object) -> None:
    found = signed_rank(differences)
    assert signed_rank([-each for each in differences]).p == found.p
    assert signed_rank(differences[::-1]).p == found.p
    assert signed_rank([each / 10 for each in differences]).p == found.p
    assert signed_rank([each * 0.1 + 0 for each in differences]) == signed_rank([each / 10 for each in differences])


@pytest.mark.parametrize("n", [5, 20, 50])
def test_without_ties_it_is_scipys_exact_test(n: int) -> None:
    for seed in range(5):
        differences = np.random.default_rng(seed).normal(0.3, 1, n)
        assert signed_rank(differences).p == pytest.approx(wilcoxon(differences, method="exact").pvalue, rel=1e-12)


def test_scores_that_differ_by_rounding_alone_are_tied() -> None:
    assert signed_rank([0.1 + 0.2, -0.3, 1.0]).w_plus == signed_rank([3, -3, 10]).w_plus == 4.5
    assert signed_rank([0.1 + 0.2 - 0.3, 1.0, 2.0]).nonzero == 2


def test_a_tiny_p_is_exact() -> None:
    assert signed_rank([1.0] * 500).p == 2.0**-499
    assert signed_rank(range(1, 1001)).p == pytest.approx(2.0**-999, rel=1e-12)
    assert signed_rank([-1, *range(2, 301)]).p == pytest.approx(4 * 2.0**-300, rel=1e-12)


def test_five_hundred_differences_take_less_than_a_second() -> None:
    random = np.random.default_rng(1)
    for differences in (random.normal(0.02, 1, 500), random.integers(-5, 6, 500)):
        start = perf_counter()
        assert 0 < signed_rank(differences).p <= 1
        assert perf_counter() - start < 1


def test_past_the_exact_test_p_is_close_and_says_that_it_is_not_exact() -> None:
    differences = np.random.default_rng(2).normal(0.03, 1, 2_000)
    exact, near = signed_rank(differences), signed_rank(np.append(differences, [1e-6]))
    assert exact.exact and not near.exact
    assert near.p == pytest.approx(exact.p, abs=1e-3)


@pytest.mark.parametrize("given", [[], [1, float("nan")], [float("inf")], "12", [1, "x"], {"a": 1}, 5, [None]])
def test_what_is_no_list_of_numbers_is_refused(given: object) -> None:
    with pytest.raises(BadInput, match="differences"):
        signed_rank(given)  # type: ignore[arg-type]


def test_holm_is_statsmodels_and_keeps_untested_groups_out_of_the_family() -> None:
    from statsmodels.stats.multitest import multipletests

    random = np.random.default_rng(3)
    for size in (1, 2, 3, 10):
        p = list(random.random(size) ** 3)
        assert holm(p) == pytest.approx(list(multipletests(p, method="holm")[1]), abs=1e-15)
    assert holm_of({"a": 0.02, "b": None, "c": 0.5}) == {"a": 0.04, "b": None, "c": 0.5}
    assert holm([0.04, 0.03, 0.9]) == [0.09, 0.09, 0.9]
    assert holm([]) == []
    with pytest.raises(BadInput, match="between 0 and 1"):
        holm([1.5])
