"""Bootstrap intervals: drawn, over clusters, over the whole distribution, and of a rate over strata."""

from collections.abc import Sequence
from itertools import product
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.core.errors import BadInput
from loom.lab.statistics import Stratum, bootstrap, enumerated, interval, weighted_rate
from loom.lab.statistics.enumerating import multisets
from loom.lab.statistics.gridded import gridded


def every_draw(values: Sequence[float], confidence: float = 0.95) -> tuple[float, float]:
    """The bounds over all n^n equally likely draws: more than the tail lies at or beyond each."""
    sums = np.sort([sum(draw) for draw in product(values, repeat=len(values))]) / len(values)
    tail = int((1 - confidence) / 2 * len(sums) + 1e-9)
    return float(sums[tail]), float(sums[len(sums) - 1 - tail])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-5, 5), min_size=2, max_size=6), st.sampled_from([0.5, 0.8, 0.9, 0.95]))
def test_the_whole_distribution_is_that_of_every_draw(values: list[int], confidence: float) -> None:
    wanted = pytest.approx(every_draw(values, confidence), abs=1e-12)
    found = enumerated(values, confidence=confidence)
    assert (found.low, found.high) == wanted
    assert gridded(np.array(values, dtype=float), confidence) == wanted
    assert interval(values, confidence=confidence).bounds == wanted


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from([0, 1 / 3, 0.5, 2 / 3, 0.25, 1]), min_size=2, max_size=9))
def test_fractions_lie_on_a_grid(values: list[float]) -> None:
    found = enumerated(values)
    assert gridded(np.array(values), 0.95) == pytest.approx((found.low, found.high), abs=1e-9)


def test_ten_units_have_92378_multisets_whose_probabilities_sum_to_one() -> None:
    counts, chance = multisets(10)
    assert counts.shape == (92_378, 10) and (counts.sum(axis=1) == 10).all()
    assert chance.sum() == pytest.approx(1, abs=1e-12)
    assert counts.T @ chance == pytest.approx(np.ones(10), abs=1e-9)
    assert enumerated(range(10)).draws == 92_378


def test_enumeration_over_clusters_is_what_drawing_them_tends_to() -> None:
    random = np.random.default_rng(5)
    clusters = np.repeat(np.arange(6), [3, 40, 12, 7, 25, 13])
    values = random.normal(size=100) + random.normal(size=6)[clusters]
    found = enumerated(values, clusters=clusters)
    assert found.mean == pytest.approx(values.mean())
    assert bootstrap(values, clusters=clusters, resamples=200_000) == pytest.approx((found.low, found.high), abs=0.01)
    assert interval(values, clusters=clusters).method == "enumerated"


def test_drawn_intervals_are_the_bootstrap_of_scipy() -> None:
    from scipy.stats import bootstrap as theirs

    values = np.random.default_rng(6).exponential(size=80)
    found = theirs((values,), np.mean, n_resamples=50_000, method="percentile", rng=np.random.default_rng(0))
    wanted = (found.confidence_interval.low, found.confidence_interval.high)
    assert bootstrap(values, resamples=50_000) == pytest.approx(wanted, abs=0.01)
    assert interval(values).method == "resampled"


def test_the_same_seed_draws_the_same_and_another_another() -> None:
    values = np.random.default_rng(7).normal(size=40)
    assert bootstrap(values, seed=3) == bootstrap(list(values), seed=3) != bootstrap(values, seed=4)


def test_a_cluster_a_row_is_no_clustering_and_one_cluster_tells_nothing() -> None:
    values = np.random.default_rng(8).normal(size=40)
    assert bootstrap(values, clusters=range(40)) == bootstrap(values)
    assert np.isnan(bootstrap(values, clusters=["one"] * 40)).all()
    assert interval(values, clusters=["one"] * 40).method == "none"


def test_weights_count_rows_as_often_as_they_weigh() -> None:
    values, weights = [1.0, 2.0, 5.0, 3.5], [1, 3, 2, 1]
    clusters = ["a", "b", "c", "d"]
    repeated = [value for value, weight in zip(values, weights, strict=True) for _ in range(weight)]
    labels = [label for label, weight in zip(clusters, weights, strict=True) for _ in range(weight)]
    found = enumerated(values, weights=weights)
    assert (found.low, found.high) == pytest.approx(
        (enumerated(repeated, clusters=labels).low, enumerated(repeated, clusters=labels).high)
    )
    assert bootstrap(values, weights=weights) == pytest.approx(bootstrap(repeated, clusters=labels))


@pytest.mark.parametrize("many", [2, 60, 5_000])
def test_five_thousand_rows_in_clusters_take_less_than_two_seconds(many: int) -> None:
    values = np.random.default_rng(9).normal(size=5_000)
    start = perf_counter()
    low, high = bootstrap(values, clusters=np.arange(5_000) % many, resamples=10_000)
    assert perf_counter() - start < 2
    assert low < values.mean() < high


@pytest.mark.parametrize(
    ("values", "more", "told"),
    [
        ([], {}, "at least 1"),
        ([1.0], {"confidence": 1.0}, "confidence"),
        ([1.0], {"resamples": 0}, "resamples"),
        ([1.0], {"seed": -1}, "seed"),
        ([1.0, 2.0], {"clusters": ["a"]}, "equally long"),
        ([1.0, 2.0], {"weights": [1, 0]}, "above 0"),
        ([float("nan")], {}, "finite"),
    ],
)
def test_what_cannot_be_drawn_is_refused(values: list[float], more: dict[str, object], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        bootstrap(values, **more)  # type: ignore[arg-type]


def test_too_many_units_are_not_enumerated() -> None:
    with pytest.raises(BadInput, match="2 to 12 units"):
        enumerated(range(13))


def test_the_rate_of_a_sampled_frame_is_weighted_by_what_the_strata_stand_for() -> None:
    credited, omitted = [1] * 233 + [0] * 7, [1] * 3 + [0] * 117
    found = weighted_rate([Stratum(9_865, credited), Stratum(735, omitted)])
    assert found.rate == pytest.approx((9_865 * 233 / 240 + 735 * 3 / 120) / 10_600, abs=1e-15)
    assert round(found.rate, 4) == 0.9052
    # Independent units: the interval is that of the normal approximation, near enough.
    error = ((9_865 / 10_600) ** 2 * (233 * 7 / 240**3) + (735 / 10_600) ** 2 * (3 * 117 / 120**3)) ** 0.5
    assert found.ci == pytest.approx((found.rate - 1.96 * error, found.rate + 1.96 * error), abs=0.003)
    assert found.strata == ((9_865, 240, 233, 240), (735, 120, 3, 120))
    assert weighted_rate([Stratum(9_865, credited), Stratum(735, omitted)]) == found


def test_clusters_within_strata_widen_the_interval_and_one_cluster_leaves_it_undefined() -> None:
    outcomes = [1] * 50 + [0] * 50
    alone = weighted_rate([Stratum(100, outcomes)])
    together = weighted_rate([Stratum(100, outcomes, [place // 10 for place in range(100)])])
    assert together.ci[1] - together.ci[0] > 2 * (alone.ci[1] - alone.ci[0])
    assert np.isnan(weighted_rate([Stratum(100, outcomes, ["a"] * 100)]).ci).all()
    assert weighted_rate([Stratum(100, outcomes, ["a"] * 100)]).as_json()["ci"] is None


@pytest.mark.parametrize("strata", [[], [Stratum(0, [1])], [Stratum(5, [])], [Stratum(5, [2])], [Stratum(5, [1, 0], ["a"])]])
def test_strata_that_cannot_be_weighted_are_refused(strata: list[Stratum]) -> None:
    with pytest.raises(BadInput):
        weighted_rate(strata)


@pytest.mark.parametrize("values", [[0] * 4_999 + [5], [0, 1] * 3_000, [-5] + [0, 1, 2, 3] * 2_500])
def test_the_middle_of_a_long_distribution_is_the_whole_of_it(values: list[int]) -> None:
    many, found = len(values), interval(values)
    assert found.method == "exact"
    assert found.bounds == pytest.approx(bootstrap(values), abs=6 * np.std(values) / many**0.5 / 100**0.5 + 6 / many)
    if set(values) == {0, 1}:
        from scipy.stats import binom

        assert found.bounds[0] == pytest.approx(binom.ppf(0.025, many, 0.5) / many)
        assert found.bounds[1] == pytest.approx(binom.ppf(0.975, many, 0.5) / many)
    if set(values) == {0, 5}:
        # One row of 5,000: how often it comes is nearly Poisson with mean 1, and 3 is its 97.5th percentile.
        assert found.bounds == (0.0, 15 / many)
