"""The criteria of validation over planted repeats, and whether a small projector will do."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score
from support.claims_axes import FEASIBLE, SPACES, codes
from support.trying import many

from loom.core.claims.dimensions.agreement import agreement, association, kappa, ranks, spearman
from loom.core.claims.dimensions.contract import Criterion, Value
from loom.core.claims.dimensions.distilling import distilled, returned
from loom.core.claims.dimensions.rules import Rules
from loom.core.claims.dimensions.spaces import Category, Ordinal, Scalar, Space
from loom.core.claims.dimensions.validation import (
    Neighbour,
    Readings,
    discriminating,
    distinct,
    measurable,
    relevant,
    sampled,
    stable,
    validation,
)
from loom.core.errors import BadInput

ORDER, SIDES = Ordinal(FEASIBLE), Category(("a", "b", "c"))
NAN = float("nan")


def _readings(values: object, relevance: object = 0.9) -> Readings:
    codes = np.asarray(values, np.float64)
    return Readings(codes, np.broadcast_to(np.asarray(relevance, np.float64), codes.shape).copy())


def _noisy(first: Readings, wrong: float, seed: int = 1) -> Readings:
    """Another run that assigns a value by chance to this share."""
    rng = np.random.default_rng(seed)
    moved = np.where(rng.random(len(first.codes)) < wrong, rng.integers(0, 4, len(first.codes)), first.codes)
    return Readings(moved.astype(np.float64), first.relevance)


def _first(size: int = 100, seed: int = 0) -> Readings:
    return _readings(np.random.default_rng(seed).integers(0, 4, size))


@many(SPACES)
def test_agreement_is_that_of_the_textbooks(space: Space) -> None:
    rng = np.random.default_rng(len(repr(space)))
    a, b = codes(space, 40, rng), codes(space, 40, rng)
    b = np.where(rng.random(40) < 0.5, a, b)
    if len(np.unique(a)) < 2 or len(np.unique(b)) < 2:
        return
    if space.ordered:
        assert agreement(space, a, b) == pytest.approx(stats.spearmanr(a, b).statistic)
        assert association(space, a, space, b) == pytest.approx(abs(stats.spearmanr(a, b).statistic))
    else:
        assert agreement(space, a, b) == pytest.approx(cohen_kappa_score(a, b))
    assert association(space, a, space, a) == pytest.approx(1.0)
    assert ranks(a).tolist() == stats.rankdata(a).tolist()


def test_agreement_that_cannot_be_told() -> None:
    one, two = np.ones(5), np.arange(5.0)
    assert spearman(one, two) is None and kappa(one, one) is None and association(ORDER, one, SIDES, two) is None
    assert spearman(two[:1], two[:1]) is None and kappa(two[:0], two[:0]) is None
    assert kappa(one, two) == 0.0


def test_association_between_an_order_and_labels() -> None:
    """The correlation ratio: here labels tell two of three groups of ranks apart."""
    labels = np.repeat([0.0, 1.0, 2.0], 30)
    values = np.concatenate([np.zeros(30), np.ones(30), np.full(30, 3.0)])
    assert association(ORDER, values, SIDES, labels) == pytest.approx(1.0)
    assert association(SIDES, labels, SIDES, (labels + 1) % 3) == pytest.approx(1.0)
    draw = np.random.default_rng(0)
    assert (association(ORDER, values, SIDES, draw.permutation(labels)) or 0) < 0.5


def test_repeats_that_agree_are_measurable() -> None:
    first = _first()
    good, bad = measurable(ORDER, [first, _noisy(first, 0.1)]), measurable(ORDER, [first, _noisy(first, 0.6)])
    assert good.met and good.figure is not None and good.figure >= 0.7
    assert not bad.met and bad.figure is not None and bad.figure < 0.7
    assert measurable(ORDER, [first, _noisy(first, 0.1), _noisy(first, 0.6)]).figure == pytest.approx(bad.figure)
    assert not measurable(SIDES, [first, _readings(1.0 - (first.codes > 1))]).met


def test_only_what_both_find_relevant_is_compared() -> None:
    first = _first(60)
    relevance = np.where(np.arange(60) < 40, 0.9, 0.1)
    other = Readings(np.where(relevance > 0.5, first.codes, 3.0 - first.codes), relevance)
    found = measurable(ORDER, [first, other])
    assert found.figure == 1.0 and "40 claims" in found.said
    few = Readings(first.codes, np.where(np.arange(60) < 9, 0.9, 0.1))
    assert (measurable(ORDER, [first, few]).figure, measurable(ORDER, [first, few]).met) == (None, False)
    gone = Readings(np.where(np.arange(60) < 9, first.codes, NAN), first.relevance)
    assert not measurable(ORDER, [first, gone]).met
    some = Readings(np.where(np.arange(60) < 40, first.codes, NAN), first.relevance)
    found = measurable(ORDER, [first, some])
    assert found.figure == 1.0 and "40 claims" in found.said and relevant(some).figure == pytest.approx(2 / 3)


def test_one_value_for_all_agrees_about_nothing() -> None:
    same = _readings(np.zeros(50))
    found = measurable(ORDER, [same, same])
    assert (found.figure, found.met) == (None, False) and "one value" in found.said
    assert not discriminating(ORDER, same).met


def test_discriminating_is_over_relevant_claims() -> None:
    values = np.where(np.arange(100) < 90, 1.0, 2.0)
    assert discriminating(ORDER, _readings(values)) == Criterion(
        "discriminating", 0.9, 0.9, True, "the most frequent value has 90% of 100 relevant claims"
    )
    assert not discriminating(ORDER, _readings(values, np.where(values > 1, 0.1, 0.9))).met
    spread = np.linspace(0, 10, 50)
    assert discriminating(Scalar(0, 10), _readings(spread)).met
    assert not discriminating(Scalar(0, 1000), _readings(spread)).met


def test_stable_asks_for_more_than_measurable() -> None:
    first = _first()
    between = _noisy(first, 0.25)
    assert measurable(ORDER, [first, between]).met and not stable(ORDER, first, between).met
    assert stable(ORDER, first, _noisy(first, 0.05)).met


def test_an_axis_that_another_tells_is_redundant() -> None:
    first = _first()
    others = [Neighbour("far", ORDER, _first(seed=9)), Neighbour("turned", ORDER, _readings(3 - _noisy(first, 0.05).codes))]
    found = distinct(ORDER, first, others)
    assert not found.met and "turned" in found.said
    assert distinct(ORDER, first, others[:1]).met
    elsewhere = Neighbour("elsewhere", ORDER, Readings(first.codes, np.where(np.arange(100) < 9, 0.9, 0.1)))
    assert distinct(ORDER, first, [elsewhere]).figure == 0.0


def test_few_claims_of_many_labels_are_not_redundant_by_chance() -> None:
    rng = np.random.default_rng(3)
    wide = Category(tuple("abcdefgh"))
    one, other = (_readings(rng.permutation(np.repeat(np.arange(8.0), 2))) for _ in range(2))
    assert (association(wide, one.codes, wide, other.codes) or 0) > 0.8
    assert distinct(wide, one, [Neighbour("other", wide, other)]).met


def test_relevant_is_a_share_of_the_sample() -> None:
    assert relevant(_readings(np.zeros(50), np.where(np.arange(50) < 5, 0.5, 0.49))).met
    assert not relevant(_readings(np.zeros(50), np.where(np.arange(50) < 4, 0.5, 0.49))).met
    assert not relevant(_readings(np.zeros(0))).met


def test_the_record() -> None:
    first = _first()
    made = validation(ORDER, [first, _noisy(first, 0.05)], _noisy(first, 0.05, 2), [Neighbour("far", ORDER, _first(seed=9))],
                      version=3, projectors=["large", "small"], at="2026-01-01")  # fmt: skip
    assert made.met and [each.name for each in made.criteria] == [
        "measurable", "discriminating", "stable", "non-redundant", "relevant",
    ]  # fmt: skip
    assert (made.version, made.sample, made.projectors) == (3, 100, ("large", "small"))
    assert not validation(ORDER, [first, _noisy(first, 0.05)], _noisy(first, 0.9)).met
    few = validation(ORDER, [_first(29), _first(29)], _first(29))
    assert not few.met and "29 claims are sampled, fewer than 30" in few.criteria[0].said
    assert validation(ORDER, [_first(29), _first(29)], _first(29), rules=Rules(minimum=29)).met


def test_readings_of_other_samples() -> None:
    with pytest.raises(BadInput, match="same 100 claims"):
        validation(ORDER, [_first(), _first(99)], _first())
    with pytest.raises(BadInput, match="two runs"):
        validation(ORDER, [_first()], _first())
    with pytest.raises(BadInput, match="a code and a relevance"):
        Readings(np.zeros(3), np.zeros(4))


def test_a_sample_is_the_same_in_any_order() -> None:
    claims = [f"claim:{at}" for at in range(500)]
    drawn = sampled(claims)
    assert len(drawn) == 200 and drawn == sampled(reversed(claims)) and drawn != sampled(claims, seed=7)
    assert sampled(claims[:40]) == tuple(sorted(claims[:40]))
    assert len(set(drawn) - set(sampled([*claims, "claim:new"]))) <= 1


def test_a_small_projector_that_agrees_and_is_cheap_will_do() -> None:
    large = _first(60)
    found = distilled(ORDER, _noisy(large, 0.1), large, (0.001, 0.01))
    assert found.met and found.ratio == pytest.approx(0.1)
    dear = distilled(ORDER, _noisy(large, 0.1), large, (0.002, 0.01))
    assert dear.agrees and not dear.cheap and not dear.met
    assert not distilled(ORDER, _noisy(large, 0.7), large, (0.0, 0.01)).met
    assert distilled(ORDER, _readings(large.codes, 0.1), large, (0.0, 0.01)).agreement is None
    for size in (29, 201):
        with pytest.raises(BadInput, match="30 to 200"):
            distilled(ORDER, _first(size), _first(size), (0.001, 0.01))
    with pytest.raises(BadInput, match="prices"):
        distilled(ORDER, large, large, (0.001, 0.0))


def test_prototypes_return_their_values() -> None:
    given: list[Value] = list(FEASIBLE)
    assert returned(ORDER, given, given) == 1.0
    assert returned(ORDER, given, [*given[:3], "blocked"]) == 0.75
    assert returned(Scalar(0, 10), [0.0, 10.0], [0.9, 8.5]) == 0.5
    with pytest.raises(BadInput, match="each prototype"):
        returned(ORDER, given, given[:2])
