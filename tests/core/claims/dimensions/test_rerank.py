"""The score: what positions add, what they cannot do, and that without weights nothing moves."""

import random
from dataclasses import replace

import numpy as np
import pytest
from support.claims_axes import FEASIBLE, codes, contract, dimension, world
from support.trying import every_world

from loom.core.claims.dimensions.distance import Axes
from loom.core.claims.dimensions.positions import Positions, asked, opposed, positions
from loom.core.claims.dimensions.projection import Projection
from loom.core.claims.dimensions.rerank import Coefficients, phi, ranked, scores
from loom.core.claims.dimensions.rules import Rules
from loom.core.claims.dimensions.spaces import Category, Ordinal, Scalar
from loom.core.errors import BadInput

NAN = float("nan")
ONE = Axes.of([contract()])


def _at(code: float, relevance: float) -> Positions:
    return Positions(np.array([[code]]), np.array([[relevance]]))


def test_the_feature_of_an_axis() -> None:
    claims = Positions(np.array([[0.0], [1.0], [3.0], [NAN]]), np.array([[1.0], [0.6], [0.9], [NAN]]))
    assert phi(ONE, _at(0, 0.9), claims)[:, 0] == pytest.approx([1.0, 0.6 * 2 / 3, 0.0, 0.0])
    for nowhere in (_at(0, 0.49), _at(NAN, 0.9), _at(0, NAN)):
        assert phi(ONE, nowhere, claims)[:, 0].tolist() == [1.0, 0.6, 0.9, 0.0]


def _drawn(seed: int, draw: random.Random) -> tuple[Axes, Positions, Positions, np.random.Generator]:
    rng = np.random.default_rng(seed)
    spaces = [draw.choice((Ordinal(FEASIBLE), Scalar(-1, 1), Category(("a", "b", "c")))) for _ in range(draw.randrange(1, 6))]
    axes = Axes.of([contract(each) for each in spaces])
    size = draw.randrange(1, 12)
    table = np.column_stack([codes(each, size + 1, rng) for each in spaces])
    relevance = rng.random(table.shape)
    gone = rng.random(table.shape) < 0.2
    table, relevance = np.where(gone, NAN, table), np.where(gone, NAN, relevance)
    return axes, Positions(table[:1], relevance[:1]), Positions(table[1:], relevance[1:]), rng


@every_world
def test_the_score_is_the_sum_that_the_paper_writes(seed: int, draw: random.Random) -> None:
    axes, query, claims, rng = _drawn(seed, draw)
    size, wide, domains = len(claims), len(axes), draw.randrange(1, 4)
    base, unsettled = rng.normal(size=size), (rng.random(size) < 0.3).astype(np.float64)
    homes = rng.random((size, domains)) < 0.6
    scope = rng.random(domains) < 0.7 if draw.random() < 0.8 else None
    made = Coefficients(rng.random((domains, wide)) * (rng.random((domains, wide)) < 0.7), rng.random(domains))
    found = scores(base, phi(axes, query, claims), unsettled, homes, scope, made)
    for row in range(size):
        at = [domain for domain in range(domains) if homes[row, domain] and (scope is None or scope[domain])]
        expected = base[row] - max((made.penalties[each] for each in at), default=0.0) * unsettled[row]
        for axis in range(wide):
            if np.isnan(claims.codes[row, axis]):
                continue
            near = 1.0
            if not np.isnan(query.codes[0, axis]) and query.relevance[0, axis] >= 0.5:
                near = 1.0 - axes.delta(query.codes[0], claims.codes[row])[axis]
            weight = max((made.weights[each, axis] for each in at), default=0.0)
            expected += weight * claims.relevance[row, axis] * near
        assert found[row] == pytest.approx(expected, abs=1e-12)


@every_world
def test_without_weights_the_order_stays(seed: int, draw: random.Random) -> None:
    axes, query, claims, rng = _drawn(seed, draw)
    base = rng.integers(0, 3, len(claims)).astype(np.float64)
    none = Coefficients(np.zeros((1, len(axes))), np.zeros(1))
    everywhere = np.ones((len(claims), 1), np.bool_)
    found = scores(base, phi(axes, query, claims), np.ones(len(claims)), everywhere, None, none)
    assert found.tolist() == base.tolist()
    assert ranked(found, base).tolist() == sorted(range(len(base)), key=lambda at: (-base[at], at))


@every_world
def test_nearer_never_lowers_a_score(seed: int, draw: random.Random) -> None:
    axes, query, claims, rng = _drawn(seed, draw)
    made = Coefficients(rng.random((1, len(axes))), np.zeros(1))
    everywhere, zero = np.ones((len(claims), 1), np.bool_), np.zeros(len(claims))

    def score(given: Positions) -> np.ndarray:
        return scores(zero, phi(axes, query, given), zero, everywhere, None, made)

    axis = draw.randrange(len(axes))
    if np.isnan(query.codes[0, axis]):
        return
    # A part of the way to the query on ordered axes, all of it where there is no way.
    way = draw.choice((0.5, 1.0)) if axes.metrics[axis] == "difference" else 1.0
    moved = claims.codes.copy()
    moved[:, axis] += way * (query.codes[0, axis] - moved[:, axis])
    assert (score(Positions(moved, claims.relevance)) >= score(claims) - 1e-12).all()


def test_equal_scores_are_in_the_order_before() -> None:
    found, base = np.array([1.0, 1.0, 2.0, 1.0]), np.array([0.2, 0.9, 0.1, 0.9])
    assert ranked(found, base).tolist() == [2, 1, 3, 0]


def test_the_largest_weight_of_several_domains_counts() -> None:
    made = Coefficients(np.array([[0.2], [0.7], [9.0]]), np.array([0.1, 0.3, 9.0]))
    homes = np.array([[True, True, False], [True, False, False], [False, False, True]])
    features, base, unsettled = np.ones((3, 1)), np.zeros(3), np.ones(3)
    scoped = np.array([True, True, False])
    assert scores(base, features, unsettled, homes, scoped, made) == pytest.approx([0.4, 0.1, 0.0])
    assert scores(base, features, unsettled, homes, None, made) == pytest.approx([0.4, 0.1, 0.0])
    assert scores(base, features, np.zeros(3), homes, None, made) == pytest.approx([0.7, 0.2, 9.0])


@pytest.mark.parametrize("wrong", [np.array([[-0.1]]), np.array([[NAN]]), np.array([[float("inf")]]), np.zeros((2, 1))])
def test_weights_that_are_none(wrong: np.ndarray) -> None:
    with pytest.raises(BadInput):
        Coefficients(wrong, np.zeros(1))


def test_columns_from_records() -> None:
    axes = [dimension("a", weight=0.1), dimension("b", weight=0.9), replace(dimension("c"), version=2, valid_from=2)]
    axes.append(dimension("d", state="parked"))
    made = [
        Projection("x", "a", 1, "zeta", "ready", 0.9, "2026-01-01"), Projection("x", "a", 1, "small", "blocked", 0.8, "2026-01-02"),
        Projection("x", "b", 1, "small", "feasible", 0.7), Projection("x", "c", 1, "small", "ready", 0.9),
        Projection("x", "d", 1, "small", "ready", 0.9), Projection("y", "c", 2, "small", "constrained", 0.6),
        Projection("z", "a", 1, "small", "ready", 0.9), Projection("x", "gone", 1, "small", "ready", 0.9),
    ]  # fmt: skip
    found = positions(["x", "y"], axes, made)
    assert np.nan_to_num(found.codes, nan=-1).tolist() == [[0, 2, -1, -1], [-1, -1, 1, -1]]
    assert np.nan_to_num(found.relevance, nan=-1).tolist() == [[0.8, 0.7, -1, -1], [-1, -1, 0.6, -1]]
    tight = positions(["x", "y"], axes, made, Rules(active=1))
    assert np.nan_to_num(tight.codes, nan=-1).tolist() == [[-1, 2, -1, -1], [-1, -1, 1, -1]]


def test_a_trial_reads_validated_axes_beside_the_active() -> None:
    axes = [dimension("a", weight=0.1), dimension("b", weight=0.9), dimension("new", state="validated")]
    axes.append(replace(dimension("old", state="validated"), version=2, valid_from=2))
    made = [Projection("x", each.id, 1, "small", "ready", 0.9) for each in axes]
    tight = Rules(active=1)
    assert np.isnan(positions(["x"], axes, made, tight).codes).tolist() == [[True, False, True, True]]
    assert np.isnan(positions(["x"], axes, made, tight, trial=True).codes).tolist() == [[True, False, False, True]]


def test_a_query_is_nowhere_until_a_small_projector_will_do() -> None:
    axes = [dimension("a", distilled=True), dimension("b")]
    found = asked(axes, np.array([1.0, 1.0]), np.array([0.9, 0.9]))
    assert np.nan_to_num(found.codes, nan=-1).tolist() == [[1, -1]]


def test_close_in_topic_and_opposite_in_position() -> None:
    axes = Axes.of([contract(), contract(Category(("for", "against")))])
    one = Positions(np.array([[0.0, 0.0]]), np.array([[0.9, 0.5]]))
    others = Positions(
        np.array([[3.0, 0.0], [1.0, 0.0], [2.0, NAN], [3.0, 0.0], [0.0, 1.0], [NAN, NAN]]),
        np.array([[0.5, 0.9], [0.9, 0.9], [0.9, NAN], [0.4, 0.9], [0.9, 0.5], [NAN, NAN]]),
    )
    assert opposed(axes, one, others).tolist() == [True, False, True, False, True, False]
    assert opposed(axes, one, others, Rules(opposed=1.0)).tolist() == [True, False, False, False, True, False]


def test_a_rerank_reads_any_mixture_of_axes() -> None:
    given = world(3, queries=2, claims=300, candidates=200, axes=8)
    (judged, _) = given.judged()
    assert judged.features.shape == (200, 8)
    assert ((judged.features >= 0) & (judged.features <= 1)).all()
    unlike = Positions(np.zeros((2, 3)), np.zeros((2, 3)))
    with pytest.raises(BadInput, match="one shape"):
        Positions(unlike.codes, unlike.relevance[:1])
