"""The benchmark on two dialogues written here, whose answers are known, and on the real set where it lies."""

import json
import lzma
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.real import FOLDER

from loom.core.errors import BadInput
from loom.core.memory.values import DECLINED
from loom.lab.locomo.arms import ARMS
from loom.lab.locomo.bench import Bench
from loom.lab.locomo.choosing import FLOORS, chosen, floor_for, silence_at
from loom.lab.locomo.dataset import PUBLISHED, dataset
from loom.lab.locomo.result import measured
from loom.lab.locomo.sweeps import matched
from loom.lab.unanswerable.measuring import measured as measured_alone
from loom.lab.unanswerable.sets import SEED, made

SMALL = Path(__file__).resolve().parents[2] / "fixtures" / "locomo" / "small.json"


@pytest.fixture(scope="module")
def bench() -> Bench:
    return Bench(dataset(SMALL))


def reply(bench: Bench, arm: str, question: str) -> str:
    outcome = bench.outcome(ARMS[arm])
    return next(said for each, said in zip(bench.data.questions, outcome.replies, strict=True) if each.text == question)


def test_the_set_is_read_as_it_is_released() -> None:
    data = dataset(SMALL)
    assert [len(talk.turns) for talk in data.talks] == [14, 12]
    assert data.talks[0].turns[4].date == "2024-03-03"
    assert data.talks[0].turns[4].caption == "a photo of jars on a wooden table"
    assert next(each for each in data.questions if "harbour" in each.text).evidence == ("D2:7",)


def test_a_packed_file_is_the_same_set(tmp_path: Path) -> None:
    packed = tmp_path / "small.json.xz"
    packed.write_bytes(lzma.compress(SMALL.read_bytes()))
    assert dataset(packed) == dataset(SMALL)


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[]", b"[1]", b'[{"conversation": {}}]', b"\xff\xfe", b'[{"conversation": {"session_1": [{}]}, "qa": []}]'],
)
def test_another_file_is_told_in_a_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.json"
    path.write_bytes(content)
    with pytest.raises(BadInput):
        dataset(path)


def test_a_category_that_is_none_is_told(tmp_path: Path) -> None:
    rows = json.loads(SMALL.read_text(encoding="utf-8"))
    rows[1]["qa"][0]["category"] = 9
    path = tmp_path / "other.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    with pytest.raises(BadInput, match="Conversation 2"):
        dataset(path)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("When did Petra harvest honey?", "2 March, 2024"),
        ("When did Ines plant a quince tree?", "1 September, 2023"),
        ("When did Osman move to the harbour?", "January, 2024"),
        ("Whose clock did Ines repair?", DECLINED),
        ("Where does Bo work as a nurse?", DECLINED),
        ("What did Petra buy to paddle down the river?", DECLINED),
    ],
)
def test_ours_answers_what_was_said_and_is_silent_on_the_wrong_person(bench: Bench, question: str, wanted: str) -> None:
    assert reply(bench, "ours", question) == wanted


def test_a_flat_index_falls_for_the_wrong_person(bench: Bench) -> None:
    assert reply(bench, "vector", "Where does Bo work as a nurse?") != DECLINED


def test_scope_never_returns_a_piece_of_somebody_else(bench: Bench) -> None:
    for arm in ("graph", "scoped", "ours"):
        for ranking in bench.rankings(ARMS[arm].policy):
            if ranking.question.subjects:
                assert {ranking.subjects[who] for who in ranking.who.tolist()} <= set(ranking.question.subjects)


def test_constant_silence_is_right_on_all_that_has_no_answer(bench: Bench) -> None:
    outcome = bench.outcome(ARMS["constant"])
    assert outcome.score[~bench.answerable].tolist() == [1.0] * 10
    assert outcome.silent.all()


def test_the_oracle_is_handed_the_evidence(bench: Bench) -> None:
    assert bench.outcome(ARMS["oracle"], k=50).reach.tolist() == [1.0] * len(bench.data.questions)


def test_a_higher_floor_is_never_less_silent_and_changes_no_reply_that_is_left(bench: Bench) -> None:
    before = bench.outcome(ARMS["ours"], floor=0.0)
    for floor in FLOORS[::10]:
        now = bench.outcome(ARMS["ours"], floor=floor)
        assert (now.silent >= before.silent).all()
        assert all(new in (old, DECLINED) for new, old in zip(now.replies, before.replies, strict=True))
        before = now


def test_matched_silence_is_the_nearest_that_there_is(bench: Bench) -> None:
    frank = bench.outcome(ARMS["ours"], floor=0.0)
    everything = np.ones(len(frank.score), dtype=bool)
    gaps = [abs(silence_at(frank, floor, everything) - 0.5) for floor in (*frank.confidence.tolist(), 0.0, 2.0)]
    assert abs(matched(bench, frank, 0.5)["silence"] - 0.5) == pytest.approx(min(gaps))


def test_the_choice_for_a_conversation_does_not_see_it(bench: Bench) -> None:
    """Other labels in the second conversation leave what was chosen for it as it was."""
    choices, _, _ = chosen(bench, ARMS["ours"])
    other = tuple(
        replace(each, category=5 if each.answerable else 4) if each.talk == 1 else each for each in bench.data.questions
    )
    turned, _, _ = chosen(Bench(replace(bench.data, questions=other)), ARMS["ours"])
    assert [each.without for each in choices] == [0, 1, -1]
    assert choices[1] == turned[1]


def test_the_floor_is_that_of_the_nearest_silence(bench: Bench) -> None:
    frank = bench.outcome(ARMS["ours"], floor=0.0)
    on = bench.talk == 0
    best = floor_for(frank, on, 0.315)
    assert all(abs(silence_at(frank, best, on) - 0.315) <= abs(silence_at(frank, each, on) - 0.315) for each in FLOORS)


def test_the_whole_result_is_there_and_the_same_twice() -> None:
    one, two = (measured(dataset(SMALL), list(ARMS.values())) for _ in range(2))
    assert one == two
    assert set(one["arms"]) == set(ARMS)
    for row in one["arms"].values():
        assert {"answerable", "adversarial", "auc", "silence", "reach"} <= row.keys()
    assert next(row for row in one["controls"] if row["control"] == "empty fact graph")["identical"]
    assert all(len(set(row)) > 2 for row in one["hits"]["ours"])


def test_without_a_second_conversation_there_is_no_interval(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps(json.loads(SMALL.read_text(encoding="utf-8"))[:1]), encoding="utf-8")
    result = measured(dataset(path), [ARMS["graph"], ARMS["vector"]], sweeps=False)
    assert result["differences"][0]["adversarial"]["ci"] is None


def test_the_second_set_is_measured_as_by_itself() -> None:
    few = made(SEED, 3)
    result = measured(dataset(SMALL), [ARMS["constant"]], sweeps=False, second=few)
    assert result["second"] == measured_alone(few)
    assert result["second"]["seed"] == SEED


@pytest.mark.slow
def test_the_published_figures_and_our_bars_on_the_real_set() -> None:
    path = FOLDER / "locomo" / "locomo10.json.xz"
    if not path.is_file():
        pytest.skip(f"needs {path}; set LOOM_TEST_DATA to the folder of the real corpus")
    data = dataset(path)
    assert data.sha256 == PUBLISHED
    result = measured(data, list(ARMS.values()), sweeps=False)
    points = [row for row in result["published"] if " − " not in row["figure"] and "factorial" not in row["figure"]]
    assert len(points) == 28
    assert all(row["within"] for row in points)
    ours = result["ours"]["left out"]
    assert ours["answerable"] >= 0.17
    assert ours["adversarial"] >= 0.60
    assert ours["auc"] >= 0.77
    assert ours["reach"]["answerable"] >= 0.54
    assert ours["reach"]["adversarial"] <= 0.20
    gap = next(row for row in result["differences"] if (row["of"], row["against"]) == ("ours", "graph"))
    assert gap["adversarial"]["ci"][0] > 0
    assert gap["answerable"]["ci"][0] > 0
