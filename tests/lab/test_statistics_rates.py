"""Rates, bars, rankings, raters, calibration and power: each against a library or the sum over all outcomes."""

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, ndcg_score, roc_auc_score

from loom.core.errors import BadInput
from loom.lab.statistics import (
    auc,
    auc_difference,
    auc_interval,
    bar,
    design,
    detectable,
    ece,
    fleiss,
    kappa,
    mcnemar,
    mcnemar_of,
    mrr,
    ndcg,
    pairs,
    power,
    recall_at,
    reciprocal_rank,
    signed_rank,
    trials,
    wilson,
)
from loom.lab.statistics.powering import critical


def test_wilson_is_the_published_and_statsmodels() -> None:
    from statsmodels.stats.proportion import proportion_confint

    assert wilson(233, 240) == pytest.approx((0.941, 0.986), abs=5e-4)
    assert wilson(0, 60) == pytest.approx((0, 0.060), abs=5e-4)
    for successes, n, confidence in ((1, 9, 0.95), (9, 9, 0.9), (50, 70, 0.99)):
        wanted = proportion_confint(successes, n, 1 - confidence, method="wilson")
        assert wilson(successes, n, confidence) == pytest.approx(wanted, abs=1e-12)
    for wrong in ((3, 2), (-1, 2), (0, 0), (1.5, 2)):
        with pytest.raises(BadInput):
            wilson(*wrong)  # type: ignore[arg-type]


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_statsmodels(only_a: int, only_b: int) -> None:
    from statsmodels.stats.contingency_tables import mcnemar as theirs

    wanted = theirs([[5, only_a], [only_b, 7]], exact=True).pvalue if only_a + only_b else 1.0
    assert mcnemar(only_a, only_b).p == pytest.approx(wanted, rel=1e-9)


def test_mcnemar_counts_discordant_outcomes() -> None:
    found = mcnemar_of([1, 1, 0, True, 0], [0, 1, 1, False, 0])
    assert (found.only_a, found.only_b, found.p) == (2, 1, 1.0)
    with pytest.raises(BadInput, match="0 and 1"):
        mcnemar_of([1, 2], [0, 1])


def at_least(count: int, n: int, p: float) -> float:
    return sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(count, n + 1))


@settings(deadline=None)
@given(st.integers(1, 40), st.sampled_from([0.1, 0.5, 0.8]), st.sampled_from([0.05, 0.6, 0.95]), st.sampled_from([0.05, 0.2]))
def test_a_bar_is_the_least_count_whose_chance_is_at_most_alpha(n: int, p0: float, p1: float, alpha: float) -> None:
    found = bar(p0, p1, n, alpha)
    up = p1 > p0
    # A bar from above is the mirrored bar of failures.
    low, high = (p0, p1) if up else (1 - p0, 1 - p1)
    fitting = [count for count in range(n + 1) if at_least(count, n, low) <= alpha]
    if not fitting:
        assert (found.successes, found.size, found.power) == (None, 0.0, 0.0)
        return
    assert found.successes == (fitting[0] if up else n - fitting[0])
    assert found.size == pytest.approx(at_least(fitting[0], n, low), rel=1e-9)
    assert found.power == pytest.approx(at_least(fitting[0], n, high), rel=1e-9)


def test_trials_for_a_power_are_the_fewest() -> None:
    assert bar(0.5, 0.6, 225, 0.05 / 3).successes == 129
    found = trials(0.8, 0.9)
    assert (found.n, found.power >= 0.8) == (82, True)
    assert all(bar(0.8, 0.9, n).power < 0.8 for n in range(1, found.n))
    lasting = trials(0.8, 0.9, lasting=True).n
    assert bar(0.8, 0.9, lasting - 1).power < 0.8
    assert all(bar(0.8, 0.9, n).power >= 0.8 for n in range(lasting, lasting + 100))
    assert trials(0.2, 0.1).n == found.n
    assert trials(0.5, 1.0).n == 5
    with pytest.raises(BadInput, match="further apart"):
        trials(0.5, 0.500001)
    with pytest.raises(BadInput, match="differ"):
        bar(0.5, 0.5, 10)


@given(st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=2, max_size=30))
def test_auc_is_sklearns(rows: list[tuple[int, bool]]) -> None:
    scores, truth = [score for score, _ in rows], [positive for _, positive in rows]
    if len(set(truth)) == 1:
        with pytest.raises(BadInput, match="both positives and negatives"):
            auc(scores, truth)
    else:
        assert auc(scores, truth) == pytest.approx(roc_auc_score(truth, scores))


def test_auc_intervals_cover_and_widen_with_clusters() -> None:
    random = np.random.default_rng(4)
    clusters = np.repeat(np.arange(20), 15)
    truth = random.random(300) < 0.5
    scores = truth * 0.7 + random.normal(size=300) + random.normal(size=20)[clusters] * truth
    plain, clustered = auc_interval(scores, truth), auc_interval(scores, truth, clusters=clusters)
    assert plain.auc == clustered.auc == pytest.approx(roc_auc_score(truth, scores))
    assert plain.ci[0] < plain.auc < plain.ci[1]
    assert clustered.ci[1] - clustered.ci[0] > plain.ci[1] - plain.ci[0]
    part = auc_interval([1, 2, 3, 4], [0, 1, 0, 1], clusters=["a", "a", "b", "c"], resamples=500)
    assert part.skipped > 0


def test_what_two_aucs_differ_by_is_surer_than_either() -> None:
    random = np.random.default_rng(6)
    clusters, truth = np.repeat(np.arange(20), 15), random.random(300) < 0.5
    common = random.normal(size=300)
    worse, better = truth * 0.3 + common, truth * 0.6 + common
    found = auc_difference(better, worse, truth, clusters=clusters)
    assert found.difference == pytest.approx(auc(better, truth) - auc(worse, truth))
    assert 0 < found.ci[0] < found.difference < found.ci[1]
    alone = auc_interval(better, truth, clusters=clusters).ci
    assert found.ci[1] - found.ci[0] < alone[1] - alone[0]
    back = auc_difference(worse, better, truth, clusters=clusters)
    assert back.difference == pytest.approx(-found.difference) and back.ci[0] == pytest.approx(-found.ci[1])
    assert auc_difference(better, better, truth).ci == (0.0, 0.0)
    with pytest.raises(BadInput, match="other"):
        auc_difference(better, worse[1:], truth)


def test_ranking_measures() -> None:
    random = np.random.default_rng(5)
    for k in (1, 3, 10):
        gains, scores = random.integers(0, 4, 10), random.permutation(10)
        if not gains.any():
            continue
        ranked = [int(place) for place in np.argsort(-scores)]
        relevant = {place: float(gain) for place, gain in enumerate(gains)}
        assert ndcg(ranked, relevant, k) == pytest.approx(ndcg_score([gains], [scores], k=k))
    assert recall_at(["a", "b", "c"], ["c", "z"], 2) == 0
    assert recall_at(["a", "b", "c"], ["c", "z"]) == 0.5
    assert reciprocal_rank(["a", "b"], {"b"}) == 0.5
    assert mrr([(["a"], ["a"]), (["a"], ["b"])]) == 0.5
    for ranked, relevant, k in ((["a", "a"], ["a"], 1), (["a"], [], 1), (["a"], ["a"], 0), (["a"], {"a": -1.0}, 1)):
        with pytest.raises(BadInput):
            ndcg(ranked, relevant, k)


def test_calibration_error() -> None:
    found = ece([0.95, 0.95, 0.95, 0.55, 0.0], [1, 1, 0, 1, 0])
    assert [(each.n, round(each.accuracy, 4)) for each in found.bins] == [(1, 0.0), (1, 1.0), (3, 0.6667)]
    assert found.error == pytest.approx((0 + 0.45 + 3 * (0.95 - 2 / 3)) / 5)
    assert found.greatest == pytest.approx(0.45)
    mass = ece([0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [0, 0, 0, 1, 1, 1], bins=3, kind="mass")
    assert [each.n for each in mass.bins] == [2, 2, 2]
    assert [each.n for each in ece([0.5] * 7, [1] * 7, kind="mass").bins] == [7]
    for confidences, kind in (([1.2], "width"), ([0.5], "other")):
        with pytest.raises(BadInput):
            ece(confidences, [1], kind=kind)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=40),
    st.sampled_from(["none", "linear", "quadratic"]),
)
def test_kappa_is_sklearns(rows: list[tuple[int, int]], weights: str) -> None:
    first, second = [a for a, _ in rows], [b for _, b in rows]
    found = kappa(first, second, weights=weights, categories=range(5), resamples=50)
    if len({*first, *second}) == 1:
        assert found.kappa is None and found.agreement == 1
        return
    wanted = cohen_kappa_score(first, second, weights=None if weights == "none" else weights, labels=range(5))
    assert found.kappa == pytest.approx(wanted, abs=1e-12)


def test_kappa_orders_labels_by_number_and_gives_an_interval() -> None:
    first = ["2", "10", "10", "2", "3", "3"] * 10
    second = ["2", "10", "3", "2", "3", "10"] * 10
    found = kappa(first, second, weights="linear")
    assert found.categories == ("2", "3", "10")
    assert found.ci is not None and found.kappa is not None and found.ci[0] < found.kappa < found.ci[1]
    for a, b in ((["x"], ["x", "y"]), ([], []), (["x", ""], ["x", "x"]), ("xy", "xy")):
        with pytest.raises(BadInput):
            kappa(a, b)
    with pytest.raises(BadInput, match="labels among"):
        kappa(["x"], ["y"], categories=["x"])


def test_fleiss_is_statsmodels() -> None:
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    ratings = np.random.default_rng(6).integers(0, 3, (30, 4))
    assert fleiss(ratings.tolist()).kappa == pytest.approx(fleiss_kappa(aggregate_raters(ratings)[0]))
    assert fleiss([["x", "x", "x"]]).kappa is None
    with pytest.raises(BadInput, match="same number"):
        fleiss([["x", "y"], ["x"]])


def test_power_by_formula_is_statsmodels() -> None:
    from statsmodels.stats.power import TTestPower

    made = design(0.99)
    for effect, n in ((0.27, 114), (0.1, 20), (1.5, 10)):
        assert power(made, effect, n).power == pytest.approx(TTestPower().power(effect / 0.99, n, 0.05), abs=1e-9)
    found = pairs(made, 0.27)
    assert found.power >= 0.8 > power(made, 0.27, found.n - 1).power
    least = detectable(made, 114)
    assert least.power >= 0.8 > power(made, least.effect - 0.001, 114).power
    assert power(made, 50.0, 100).power == 1.0


def test_power_by_simulation_holds_its_size_and_follows_the_formula() -> None:
    pilot = list(np.random.default_rng(7).normal(0.4, 1, 400))
    normal, rank = design(1.0), design(1.0, test="rank")
    assert power(design(pilot=pilot), 0.3, 60).power == pytest.approx(
        power(design(float(np.std(pilot, ddof=1))), 0.3, 60).power, abs=0.04
    )
    assert power(rank, 0.0, 40).power == pytest.approx(0.05, abs=0.015)
    assert 0 < power(normal, 0.4, 50).power - power(rank, 0.4, 50).power < 0.06
    found = pairs(rank, 0.5)
    assert found.power >= 0.8 and 30 < found.n < 45
    tied = design(pilot=[0, 0, 0, 1, -1, 2, 1, 0], test="rank", draws=300)
    assert 0.3 < power(tied, 0.5, 40).power < 1


def test_the_critical_rank_sum_is_the_greatest_that_the_test_rejects() -> None:
    for n in (3, 8, 25):
        bound = critical(n, 0.05)
        for smaller in (bound, bound + 1):
            if smaller < 0:
                continue
            signs, left = [], smaller
            for rank in range(n, 0, -1):
                signs.append(1 if rank <= left else -1)
                left -= rank if rank <= left else 0
            differences = [sign * rank for sign, rank in zip(signs, range(n, 0, -1), strict=True)]
            assert (signed_rank(differences).p <= 0.05) == (smaller <= bound)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: design(), "standard deviation"),
        (lambda: design(0.0), "standard deviation"),
        (lambda: design(pilot=[1.0, 1.0]), "standard deviation"),
        (lambda: design(1.0, test="sign"), "one of mean, rank"),
        (lambda: power(design(1.0), 0.1, 1), "n to be"),
        (lambda: pairs(design(1.0), 0.0), "larger effect"),
        (lambda: pairs(design(1.0), 1e-6), "larger effect"),
        (lambda: power(design(1.0, test="rank"), 0.1, 100_000), "n to be"),
    ],
)
def test_designs_that_make_no_sense_are_refused(make: object, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        make()  # type: ignore[operator]
