"""The fit is optimal: by its own conditions, by another solver, and by what must follow."""

import random
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize
from support.claims_axes import problem, world
from support.trying import every_world

from loom.core.claims.dimensions.fit import fit, gradient, kkt, objective, solved, steepened
from loom.core.claims.dimensions.gain import gains, mean, ndcg
from loom.core.claims.dimensions.judged import Judged, pairs
from loom.core.claims.dimensions.rules import Rules
from loom.core.errors import BadInput
from loom.lab.statistics.ranking import ndcg as lab_ndcg

BAR = 1e-6


def _conditions(value: float, slope: float) -> float:
    """The conditions of §7 as they are written there: at 0 the gradient with α is not below 0, above it it is 0."""
    return max(0.0, -slope) if value == 0 else abs(slope)


@every_world
def test_the_fit_is_optimal(seed: int, draw: random.Random) -> None:
    made, sparsity = problem(draw)
    theta, residual, steps = solved(made, sparsity)
    assert steps <= 40
    assert (theta >= 0).all() and np.isfinite(theta).all()
    assert residual == kkt(made, theta, sparsity) <= BAR
    # The gradient of the loss by hand, pair by pair.
    lead = made.ahead + made.features @ theta
    slope = -((made.mass / (1 + np.exp(np.clip(lead, -700, 700))))[:, None] * made.features).sum(axis=0)
    slope[:-1] += sparsity
    assert max(map(_conditions, theta.tolist(), slope.tolist()), default=0.0) <= BAR


@every_world
def test_a_gradient_is_that_of_the_objective(seed: int, draw: random.Random) -> None:
    made, sparsity = problem(draw)
    theta = np.array([draw.uniform(0.1, 2) for _ in range(made.axes + 1)])
    slope = gradient(made, theta, sparsity)
    for at in range(len(theta)):
        step = np.zeros(len(theta))
        step[at] = 1e-5
        around = objective(made, theta + step, sparsity) - objective(made, theta - step, sparsity)
        assert slope[at] == pytest.approx(around / 2e-5, abs=1e-5, rel=1e-4)


def test_another_solver_finds_nothing_better() -> None:
    for seed in range(40):
        made, sparsity = problem(random.Random(seed))
        theta, _, _ = solved(made, sparsity)
        other = minimize(
            lambda x, made=made, sparsity=sparsity: objective(made, x, sparsity),
            np.full(made.axes + 1, 0.5),
            jac=lambda x, made=made, sparsity=sparsity: gradient(made, x, sparsity),
            bounds=[(0, None)] * (made.axes + 1),
            method="L-BFGS-B",
        )
        assert objective(made, theta, sparsity) <= other.fun + 1e-8


def test_a_wrong_solution_is_seen() -> None:
    made = pairs(world(0, queries=30).judged())
    theta, _, _ = solved(made, 0.01)
    assert kkt(made, np.zeros(made.axes + 1), 0.01) > 1e-3
    for at in np.flatnonzero(theta):
        moved = theta.copy()
        moved[at] *= 1.01
        assert kkt(made, moved, 0.01) > 1e-6
        moved[at] = 0.0
        assert kkt(made, moved, 0.01) > 1e-3


def test_axes_that_tell_get_weights_and_others_none() -> None:
    found = fit(world(1, queries=200).judged())
    assert (found.weights[:2] > 0.3).all() and (found.weights[2:] == 0.0).all() and found.penalty > 0.3
    assert not found.unfit and found.queries == 200 and found.residual <= BAR
    dear = fit(world(1, queries=60).judged(), Rules(sparsity=10.0))
    assert (dear.weights == 0.0).all() and dear.penalty > 0


def test_an_axis_that_counts_against_gets_nothing() -> None:
    judged = [
        Judged(each.query, each.base, 1.0 - each.features[:, :1], each.unsettled, each.labels) for each in world(2).judged()
    ]
    assert fit(judged, Rules(sparsity=0.0)).weights.tolist() == [0.0]


def test_the_penalty_alone() -> None:
    judged = world(1).judged()
    alone = fit(judged, axes=False)
    assert (alone.weights == 0.0).all() and len(alone.weights) == 6 and alone.penalty > 0
    bare = [Judged(each.query, each.base, each.features[:, :0], each.unsettled, each.labels) for each in judged]
    assert fit(bare).penalty == pytest.approx(alone.penalty, abs=1e-6)


def test_under_thirty_queries_a_domain_is_unfit() -> None:
    judged = world(1, queries=30).judged()
    assert not fit(judged).unfit
    few = fit(judged[:29])
    assert few.unfit and few.queries == 29 and (few.weights == 0.0).all() and few.penalty == 0.0
    assert fit([]).unfit


def test_pairs_weigh_by_the_gap_of_their_labels() -> None:
    labels = np.array([3.0, 0.0, 1.0, 1.0])
    made = pairs([Judged("q", np.arange(4.0), np.arange(4.0)[:, None], np.zeros(4), labels)])
    found = {(ahead, mass) for ahead, mass in zip(made.ahead.tolist(), (made.mass * 9).round(9).tolist(), strict=True)}
    assert len(made.mass) == 5 and made.mass.sum() == pytest.approx(1.0)
    assert found == {(-1.0, 3.0), (-2.0, 2.0), (-3.0, 2.0), (1.0, 1.0), (2.0, 1.0)}


def test_queries_without_pairs_move_nothing() -> None:
    flat = [Judged(f"q{at}", np.zeros(3), np.ones((3, 2)), np.ones(3), np.ones(3)) for at in range(40)]
    found = fit(flat)
    assert not found.unfit and found.weights.tolist() == [0.0, 0.0] and found.penalty == 0.0


@pytest.mark.parametrize("wrong", ["labels", "nan", "shape"])
def test_judgements_that_are_none(wrong: str) -> None:
    labels = np.array([0.0, 4.0 if wrong == "labels" else 1.0])
    base = np.array([0.0, float("nan") if wrong == "nan" else 1.0])
    with pytest.raises(BadInput):
        Judged("q", base, np.zeros((1 if wrong == "shape" else 2, 1)), np.zeros(2), labels)


def test_queries_over_other_axes() -> None:
    one, two = (Judged(f"q{wide}", np.zeros(2), np.zeros((2, wide)), np.zeros(2), np.array([0.0, 1.0])) for wide in (1, 2))
    with pytest.raises(BadInput, match="same axes"):
        pairs([one, two])
    with pytest.raises(BadInput, match="no query"):
        pairs([])


@every_world
def test_ndcg_is_that_of_the_lab(seed: int, draw: random.Random) -> None:
    rng = np.random.default_rng(seed)
    size = draw.randrange(1, 25)
    labels = rng.integers(0, 4, size).astype(np.float64)
    judged = Judged("q", rng.random(size), np.zeros((size, 0)), np.zeros(size), labels)
    found = ndcg(judged.base, judged)
    if not labels.any():
        assert np.isnan(found)
        return
    order = sorted(range(size), key=lambda at: -judged.base[at])
    assert found == pytest.approx(lab_ndcg(order, dict(enumerate(labels.tolist())), 10))


def test_gains_are_by_query() -> None:
    given = world(4, queries=5).judged()
    flat = Judged("flat", np.zeros(2), np.zeros((2, 6)), np.zeros(2), np.zeros(2))
    found = gains([*given, flat], np.zeros(6), 0.0)
    assert len(found) == 6 and np.isnan(found[5]) and mean(found) == pytest.approx(found[:5].mean())
    assert mean(found[5:]) == 0.0


def test_coefficients_are_in_units_of_the_score_that_they_are_added_to() -> None:
    for seed in range(40):
        given = world(seed, queries=30, claims=60, candidates=8, axes=3).judged()
        scale = 10.0 ** random.Random(seed).uniform(-3, 2)
        scaled = [replace(each, base=each.base * scale) for each in given]
        one, other = fit(given), fit(scaled)
        assert other.steep * scale == pytest.approx(one.steep, rel=1e-9)
        assert other.weights == pytest.approx(one.weights * scale, rel=1e-4, abs=1e-6 * scale)
        assert other.penalty == pytest.approx(one.penalty * scale, rel=1e-4, abs=1e-6 * scale)


def test_scores_that_differ_by_hundredths_are_not_forgotten() -> None:
    """s₀ as reciprocal ranks give it, which says most, and axes that say little: a loss of unit width gives the ranking to the axes."""
    lost = []
    for seed in range(8):
        judged = world(seed, queries=60).judged()
        ranks = [np.argsort(np.argsort(-(each.labels + np.random.default_rng(seed).normal(0, 0.6, 30)))) for each in judged]
        judged = [replace(each, base=1 / (60.0 + rank)) for each, rank in zip(judged, ranks, strict=True)]
        train, held = judged[:40], judged[40:]

        def reached(weights: np.ndarray, penalty: float, held: list[Judged] = held) -> float:
            return mean(gains(held, weights, penalty))

        made = fit(train)
        theta, _, _ = solved(pairs(train), Rules().sparsity)
        alone = reached(np.zeros(6), 0.0)
        assert reached(theta[:-1], float(theta[-1])) < alone - 0.02
        lost.append(alone - reached(made.weights, made.penalty))
        assert kkt(steepened(pairs(train), made.steep), np.array([*made.weights, made.penalty]) * made.steep, 0.01) <= BAR
    assert float(np.mean(lost)) < 0.005
