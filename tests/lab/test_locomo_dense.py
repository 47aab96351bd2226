"""The dense arms: what is embedded is embedded once, and scope holds whatever ranks."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from loom.core.errors import BadInput
from loom.lab.locomo.arms import ARMS
from loom.lab.locomo.bench import Bench
from loom.lab.locomo.dataset import dataset
from loom.lab.locomo.dense import DENSE, Vectors, rank_dense


class Bags:
    """An embedder of bags of letters, which counts what it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += texts
        return np.array([[text.lower().count(letter) + 0.1 for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts])


def test_every_text_is_embedded_once_and_kept(bench_small: Bench) -> None:
    bags = Bags()
    vectors = Vectors(bags, "bags")
    for arm in DENSE:
        rank_dense(bench_small, arm, vectors)
    assert len(bags.asked) == len(set(bags.asked)) == len(vectors.kept)
    again = Bags()
    for arm in DENSE:
        rank_dense(bench_small, arm, Vectors(again, "bags", dict(vectors.kept)))
    assert not again.asked


def test_dense_arms_keep_scope_and_reach_all_without_it(bench_small: Bench) -> None:
    for arm in DENSE:
        rank_dense(bench_small, arm, Vectors(Bags(), "bags"))
    flat = bench_small.outcome(DENSE[0], k=2000, floor=0.0)
    scoped = bench_small.outcome(DENSE[3], k=2000, floor=0.0)
    assert flat.reach.tolist() == [1.0] * len(flat.reach)
    assert scoped.reach[~bench_small.answerable].mean() < 0.5
    assert DENSE[0].policy == ARMS["vector"].policy


@pytest.mark.parametrize("rows", [np.zeros((3, 4)), np.zeros(4), np.full((2, 4), np.nan)])
def test_what_is_no_vector_a_text_is_told(rows: np.ndarray) -> None:
    with pytest.raises(BadInput, match="vectors of broken"):
        Vectors(lambda texts: rows, "broken").of(["one", "two"])


@pytest.fixture
def bench_small() -> Bench:
    return Bench(dataset(Path(__file__).resolve().parents[2] / "fixtures" / "locomo" / "small.json"))
