"""Made vectors, and how hard vectors are to search."""

import numpy as np

from loom.bench.vectors import difficulty, synthetic
from loom.core.retrieval.nearest import UnitVectors
from loom.core.retrieval.vectors import unit_rows


def test_made_vectors_are_unit_vectors_and_always_the_same() -> None:
    vectors, questions = synthetic(500, 20, 32)
    assert vectors.shape == (500, 32) and questions.shape == (20, 32)
    assert UnitVectors(vectors).live == 500
    assert np.array_equal(vectors, synthetic(500, 20, 32)[0])
    assert not {row.tobytes() for row in vectors} & {row.tobytes() for row in questions}


def test_difficulty_follows_the_dimensions_of_what_is_searched() -> None:
    chance = np.random.default_rng(2)
    found = []
    for dimensions in (2, 8, 32):
        rows = np.zeros((3000, 64))
        rows[:, :dimensions] = chance.normal(size=(3000, dimensions))
        vectors = unit_rows(rows)
        found.append(difficulty(UnitVectors(vectors[:-50]), vectors[-50:]))
    local, contrast = zip(*found, strict=True)
    assert 0.5 < local[0] < 1.6 and 5 < local[1] < 9 and local[2] > 12
    assert contrast[0] > contrast[1] > contrast[2] > 1


def test_vectors_that_are_all_one_have_a_difficulty_too() -> None:
    vectors = unit_rows(np.ones((30, 4)))
    local, contrast = difficulty(UnitVectors(vectors), vectors[:1])
    assert np.isfinite(local) and np.isfinite(contrast)
    assert difficulty(UnitVectors(vectors), vectors[:0]) == (0.0, 0.0)


def test_as_hard_as_the_questions_of_a_corpus() -> None:
    vectors, questions = synthetic(8_000, 60)
    local, contrast = difficulty(UnitVectors(vectors), questions)
    assert 18 < local < 34 and 1.3 < contrast < 1.9
