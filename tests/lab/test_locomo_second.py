"""The second set and the dense arms: twins differ in a word, the trap is handed to the oracle, what is embedded is embedded once."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from loom.core.errors import BadInput
from loom.core.memory.words import terms
from loom.lab.locomo.arms import ARMS
from loom.lab.locomo.bench import Bench
from loom.lab.locomo.dataset import dataset
from loom.lab.locomo.dense import DENSE, Vectors, rank_dense
from loom.lab.locomo.second import EACH, KINDS, second, shared
from loom.lab.locomo.second_result import BARS, second_arms, second_set


@pytest.fixture(scope="module")
def found() -> dict:
    return second_set(second_arms(["vector", "oracle", "ours"]))


def test_each_kind_has_two_hundred_pairs_that_share_three_fifths_of_their_stems() -> None:
    made = second()
    for kind in KINDS:
        assert made.kinds.count(kind) == 2 * EACH * len(made.data.talks) >= 400
    for twin, other in zip(made.data.questions[::2], made.data.questions[1::2], strict=True):
        assert twin.answerable and not other.answerable
        assert twin.evidence == other.evidence
        assert twin.text != other.text
        assert shared(twin.text, other.text) >= 0.6


def test_what_was_never_mentioned_is_nowhere_in_its_conversation() -> None:
    made = second()
    pairs = list(zip(made.data.questions[::2], made.data.questions[1::2], made.kinds[::2], strict=True))
    for twin, other, kind in pairs:
        said = {term for turn in made.data.talks[twin.talk].turns for term in terms(turn.text)}
        new = set(terms(other.text)) - set(terms(twin.text))
        assert len(new) <= 1  # "May" is a common word, too
        if kind == "never mentioned":
            assert new and not new & said


def test_the_answer_of_a_twin_stands_in_its_evidence() -> None:
    made = second()
    for question in made.data.questions[::2]:
        turns = {turn.id: turn.text for turn in made.data.talks[question.talk].turns}
        assert question.reference in turns[question.evidence[0]]


def test_the_set_is_the_same_for_a_seed_and_another_for_another() -> None:
    assert second().data == second().data
    assert second().data.sha256 != second(5).data.sha256


def test_ours_tells_each_kind_from_its_twins_better_than_a_flat_index(found: dict) -> None:
    ours, flat = found["arms"]["ours"]["kinds"], found["arms"]["vector"]["kinds"]
    for kind in KINDS:
        assert ours[kind]["auc"] >= BARS.get(kind, 0.5)
        assert ours[kind]["ci"][0] > 0.5
        assert ours[kind]["auc"] > flat[kind]["auc"]


def test_the_oracle_is_the_worse_for_its_evidence_where_there_is_no_answer(found: dict) -> None:
    assert found["arms"]["oracle"]["adversarial"] < found["arms"]["ours"]["adversarial"]
    assert found["inversion"]["adversarial"]["ci"][0] > 0


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
