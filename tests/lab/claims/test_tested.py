"""The tests that the experiments share, against scipy and against what has to hold."""

import math

import numpy as np
import pytest
from scipy import stats

from loom.lab.claims.tested import above, gain, share


def test_a_gain_needs_to_be_above_zero() -> None:
    random = np.random.default_rng(1)
    base = random.random(80)
    assert gain((base + 0.05 + 0.05 * random.standard_normal(80)).tolist(), base.tolist()).significant
    same = gain(base.tolist(), base.tolist())
    assert not same.significant and same.p == 1.0
    assert not gain((base - 0.1).tolist(), base.tolist()).significant


def test_the_bootstrap_is_near_the_t_test() -> None:
    random = np.random.default_rng(2)
    one, other = random.random(200) + 0.02, random.random(200)
    told = stats.ttest_rel(one, other, alternative="greater").pvalue
    assert gain(one.tolist(), other.tolist()).p == pytest.approx(told, abs=0.02)


@pytest.mark.parametrize(("hits", "n"), [(60, 60), (50, 60), (49, 60), (42, 60)])
def test_a_bar_is_the_exact_test(hits: int, n: int) -> None:
    told = bool(stats.binomtest(hits, n, 0.7, alternative="greater").pvalue <= 0.05)
    assert share(hits, n, 0.7, 0.8).met is told
    below = bool(stats.binomtest(n - hits, n, 0.1, alternative="less").pvalue <= 0.05)
    assert share(n - hits, n, 0.1, 0.05).met is below


def test_nothing_is_met_by_nothing() -> None:
    assert not share(0, 0, 0.1, 0.05).met and not share(0, 0, 0.7, 0.8).met


def test_one_proportion_against_another() -> None:
    z = (0.9 - 0.8) / math.sqrt(0.85 * 0.15 * 2 / 200)
    assert above(180, 200, 160, 200) == pytest.approx(stats.norm.sf(z))
    assert above(0, 0, 1, 2) == 1.0 and above(5, 5, 9, 9) == 1.0
