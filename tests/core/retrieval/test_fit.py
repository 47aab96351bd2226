"""Fits of confidence: known answers, and how far probabilities are from what was right."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.retrieval.confidence import Model
from loom.core.retrieval.fit import expected_error, logistic, reliability, sigmoid, solved


def test_without_features_the_intercept_is_the_log_odds() -> None:
    (intercept,) = logistic([()] * 10, [True] * 8 + [False] * 2, [1.0] * 10, ridge=0.0)
    assert abs(intercept - math.log(8 / 2)) < 1e-6


def test_weights_count_as_repeats() -> None:
    rows = [(0.0,), (1.0,), (1.0,), (0.0,)]
    labels = [False, True, False, True]
    once = logistic([*rows, rows[1], rows[1]], [*labels, True, True], [1.0] * 6)
    assert logistic(rows, labels, [1.0, 3.0, 1.0, 1.0]) == pytest.approx(once, abs=1e-9)


def test_a_feature_that_tells_gets_its_sign() -> None:
    rows = [(float(at),) for at in range(20)]
    _, slope = logistic(rows, [at > 9 for at in range(20)], [1.0] * 20)
    assert slope > 0.2


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60))
def test_bins_hold_everything_and_the_error_is_a_share(said: list[tuple[float, bool]]) -> None:
    probabilities, labels = [each for each, _ in said], [right for _, right in said]
    weights = [1.0] * len(said)
    assert abs(sum(weight for weight, _, _ in reliability(probabilities, labels, weights)) - 1.0) < 1e-9
    assert 0.0 <= expected_error(probabilities, labels, weights) <= 1.0


def test_certain_and_wrong_is_an_error_of_one() -> None:
    assert expected_error([1.0] * 4, [False] * 4, [1.0] * 4) == 1.0
    assert expected_error([0.5] * 40, [True, False] * 20, [1.0] * 40) == 0.0


def test_a_system_is_solved() -> None:
    assert solved([[4.0, 1.0], [1.0, 3.0]], [1.0, 2.0]) == pytest.approx([1 / 11, 7 / 11])


@given(st.floats(-800, 800))
def test_the_sigmoid_never_overflows(value: float) -> None:
    assert 0.0 <= sigmoid(value) <= 1.0


STATED = {"features": ["everyday", "held"], "weights": [-1.0, -2.0, 3.0], "scale": [0.0, 1.0], "part": 0.3, "everyday": 0.6}


def test_a_model_reads_back_and_an_everyday_name_has_to_earn_more() -> None:
    model = Model.read(STATED, ("everyday", "held"))
    assert model is not None
    assert model.probability((0.0, 1.0)) == round(sigmoid(2.0), 6)
    assert model.bands((0.0, 1.0)) == (0.3, 0.5) and model.bands((0.4, 1.0)) == (0.6, 0.6)


@pytest.mark.parametrize("change", [{"weights": [1.0]}, {"scale": [1.0]}, {"part": "much"}])
def test_a_model_that_does_not_fit_itself_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        Model.read({**STATED, **change}, ("everyday", "held"))


def test_a_model_of_other_features_is_as_if_there_were_none() -> None:
    assert Model.read(STATED, ("held", "left")) is None
