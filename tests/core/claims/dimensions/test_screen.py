"""The Useful screen and the controls: what tells is kept, what does not is seen."""

from dataclasses import replace

import numpy as np
import pytest
from support.claims_axes import world

from loom.core.claims.dimensions.controls import Permutation, oracle_gain, permutation, with_oracle
from loom.core.claims.dimensions.fit import fit, solved, steepened, steepness
from loom.core.claims.dimensions.gain import gains, mean
from loom.core.claims.dimensions.judged import Judged, Seen, pairs
from loom.core.claims.dimensions.positions import Positions
from loom.core.claims.dimensions.rules import DEFAULT, Rules
from loom.core.claims.dimensions.screen import folds, screen
from loom.core.errors import BadInput


def test_useful_axes_pass_and_others_do_not() -> None:
    for seed in range(4):
        found = screen(world(seed).judged(), [0, 2, 3], [1, 4, 5])
        assert found is not None
        assert {column for column, each in found.items() if each.useful} == {0, 1}
        assert found[0].weight > 0.3 and found[5].weight < 0.1


def test_the_screen_is_five_fits_with_and_without() -> None:
    """Every figure of the screen again, from fits of their own."""
    judged = world(7, queries=60, axes=5, telling=3).judged()
    rules = Rules(sparsity=0.001)
    active, candidates = [0, 1, 4], [2, 3]
    found = screen(judged, active, candidates, rules)
    assert found is not None
    fold = folds([each.query for each in judged], 5)
    wide = [replace(each, features=each.features[:, active + candidates]) for each in judged]
    steep = steepness(pairs(wide), wide, rules.sparsity)

    def reached(columns: list[int], at: int) -> tuple[np.ndarray, float]:
        def only(queries: list[Judged]) -> list[Judged]:
            return [Judged(q.query, q.base, q.features[:, columns], q.unsettled, q.labels) for q in queries]

        train = [each for each, where in zip(judged, fold, strict=True) if where != at]
        held = [each for each, where in zip(judged, fold, strict=True) if where == at]
        theta = solved(steepened(pairs(only(train)), steep), rules.sparsity)[0] / steep
        return theta, mean(gains(only(held), theta[:-1], theta[-1]))

    for column in active + candidates:
        more = active if column in active else [*active, column]
        less = [each for each in active if each != column]
        weights, better = [], 0
        for at in range(5):
            theta, with_it = reached(more, at)
            _, without = reached(less, at)
            weights.append(theta[more.index(column)])
            better += with_it > without + 1e-9
        each = found[column]
        assert each.weight == pytest.approx(np.mean(weights), abs=1e-5)
        assert (each.nonzero, each.higher) == (sum(weight > 0 for weight in weights), better)
        assert each.useful == (each.nonzero >= 3 and each.higher >= 3)
    assert found[2].useful and any(each.nonzero > 0 for each in found.values())


def test_an_axis_that_repeats_another_ties_and_fails() -> None:
    judged = [
        Judged(each.query, each.base, np.column_stack((each.features, each.features[:, 0])), each.unsettled, each.labels)
        for each in world(1).judged()
    ]
    found = screen(judged, [0, 1], [6])
    assert found is not None and not found[6].useful


def test_a_weight_that_moves_no_query_is_a_tie() -> None:
    """Where s₀ orders all by label already, an axis that agrees has a weight and nothing to gain."""
    judged = [
        Judged(each.query, each.labels, np.column_stack((each.labels / 3, each.labels / 6)), each.unsettled * 0, each.labels)
        for each in world(1, queries=40).judged()
    ]
    for active, candidates in (([0], []), ([], [0])):
        found = screen(judged, active, candidates, Rules(sparsity=0.0))
        assert found is not None and (found[0].nonzero, found[0].higher, found[0].useful) == (5, 0, False)


def test_folds_are_even_and_the_same_in_any_order() -> None:
    names = [f"q{at}" for at in range(52)]
    found = dict(zip(names, folds(names, 5).tolist(), strict=True))
    assert sorted(np.bincount(list(found.values())).tolist()) == [10, 10, 10, 11, 11]
    turned = dict(zip(reversed(names), folds(names[::-1], 5).tolist(), strict=True))
    assert turned == found


def test_too_few_queries_and_repeats() -> None:
    judged = world(1, queries=30).judged()
    assert screen(judged[:29], [0], [1]) is None
    with pytest.raises(BadInput, match="column once"):
        screen(judged, [0], [0])
    with pytest.raises(BadInput, match="query and every column once"):
        screen([*judged, judged[0]], [0], [1])


def test_shuffled_positions_keep_no_more_than_half_of_the_gain() -> None:
    for seed in range(8):
        given = world(seed, queries=120)
        found = permutation(given.axes, given.claims, given.queries[:60], given.queries[60:], seeds=(1, 2))
        assert found.met and found.gain > 0.02 and found.kept < found.gain / 4


def test_positions_that_a_shuffle_cannot_spoil_fail_the_control() -> None:
    """An axis that only says how much a claim is worth to every query, the same for all claims of a kind: no geometry is lost."""
    given = world(3)
    same = Positions(np.zeros_like(given.claims.codes), np.ones_like(given.claims.relevance))
    found = permutation(given.axes, same, given.queries[:60], given.queries[60:])
    assert found.full == found.shuffled and not found.met


def test_positions_shuffled_already_gain_nothing() -> None:
    kept = []
    for seed in range(8):
        given = world(seed)
        turned = given.claims.of(np.random.default_rng(99).permutation(len(given.claims)))
        found = permutation(given.axes, turned, given.queries[:60], given.queries[60:])
        kept.append(found.gain)
    assert abs(float(np.mean(kept))) < 0.005


def test_what_the_control_asks_for() -> None:
    assert Permutation(0.25, 0.75, 0.5).met and not Permutation(0.25, 0.75, 0.51).met
    assert not Permutation(0.5, 0.5, 0.5).met and not Permutation(0.5, 0.4, 0.3).met
    given = world(1, queries=40)
    with pytest.raises(BadInput, match="at least 30"):
        permutation(given.axes, given.claims, given.queries[:29], given.queries[29:])


def test_an_axis_that_knows_the_labels_wins() -> None:
    for seed in range(4):
        judged = world(seed, telling=0).judged()
        assert oracle_gain(judged[:60], judged[60:]) > 0.1
        knowing = fit(with_oracle(judged[:60]))
        assert knowing.weights[-1] > 1.0 and (knowing.weights[:-1] < 0.2).all()
    with pytest.raises(BadInput, match="at least 30"):
        oracle_gain(judged[:29], judged[29:])


def test_features_are_made_of_the_rows_that_came() -> None:
    given = world(1, queries=1, claims=10, candidates=4)
    (query,) = given.queries
    again = Seen(query.query, query.rows[::-1], query.position, query.base[::-1], query.unsettled[::-1], query.labels[::-1])
    one, other = query.judged(given.axes, given.claims), again.judged(given.axes, given.claims, DEFAULT)
    assert one.features.tolist() == other.features[::-1].tolist()
