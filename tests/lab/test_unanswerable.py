"""The second unanswerable set: what it is made of, and that it is what it says."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from loom.cli.lab.unanswerable import table
from loom.cli.main import main
from loom.core.errors import BadInput
from loom.core.memory.words import terms
from loom.lab.files import sha256_of
from loom.lab.locomo.dataset import dataset
from loom.lab.unanswerable.facts import EVENT, worlds
from loom.lab.unanswerable.measuring import measured
from loom.lab.unanswerable.questions import KINDS, PERSON, RELATION, SHARED, TIME, TOPIC, pairs
from loom.lab.unanswerable.sets import Made, made, write
from loom.lab.unanswerable.writing import written


@pytest.fixture(scope="module")
def whole() -> Made:
    return made(42)


def test_there_are_enough_of_every_kind_and_each_twin_is_near(whole: Made) -> None:
    assert len(whole.data.talks) >= 10
    assert {len(talk.speakers) for talk in whole.data.talks} == {2, 3, 4, 5}
    assert all(talk.sessions >= 5 for talk in whole.data.talks)
    many = Counter(pair.kind for pair in whole.pairs)
    assert set(many) == set(KINDS) and min(many.values()) >= 200
    assert min(pair.shared for pair in whole.pairs) >= SHARED


def test_a_topic_never_mentioned_has_a_stem_that_is_nowhere(whole: Made) -> None:
    spoken = [{stem for turn in talk.turns for stem in terms(turn.text)} for talk in whole.data.talks]
    for pair in whole.pairs:
        said = spoken[pair.talk]
        if pair.kind == TOPIC:
            new = set(terms(pair.question)) - set(terms(pair.twin))
            assert new and not new & said, pair


def test_a_pair_differs_in_nothing_but_what_its_kind_names(whole: Made) -> None:
    for pair in whole.pairs:
        names = {stem for name in whole.data.talks[pair.talk].speakers for stem in terms(name)}
        differ = set(terms(pair.question)) ^ set(terms(pair.twin))
        assert differ, pair
        assert (differ <= names) == (pair.kind == PERSON), pair


def test_nothing_told_answers_a_question() -> None:
    talks = [written(7, world) for world in worlds(7, 14)]
    for pair in pairs(7, talks):
        told = [fact for fact in talks[pair.talk].world.facts if fact.sort == EVENT and fact.act]
        if pair.kind in (PERSON, RELATION):
            asked = set(terms(pair.question))
            assert not any(
                {*terms(fact.who), *terms(fact.thing)} <= asked and asked & {*terms(fact.word), *terms(fact.act.past)}
                for fact in told
                if fact.act
            ), pair
        if pair.kind == TIME:
            assert any(char.isdigit() for char in pair.question)


def test_the_evidence_of_a_twin_holds_its_answer(whole: Made) -> None:
    for pair in whole.pairs:
        turns = {turn.id: turn.text for turn in whole.data.talks[pair.talk].turns}
        told = " ".join(turns[each] for each in pair.evidence).lower()
        assert pair.answer.lower() in told, pair


def test_a_seed_gives_the_same_bytes_under_any_hash_seed(whole: Made) -> None:
    code = "from loom.lab.unanswerable.sets import made; print(made(42).data.sha256)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "1"})
    assert done.stdout.strip() == whole.data.sha256
    assert made(43).data.sha256 != whole.data.sha256


def test_the_files_are_read_as_they_were_written(tmp_path: Path, whole: Made) -> None:
    digests = write(whole, tmp_path)
    assert sorted(digests) == ["pairs.jsonl", "set.json"]
    read = dataset(tmp_path / "set.json")
    assert read.talks == whole.data.talks
    assert read.questions == whole.data.questions
    assert len((tmp_path / "pairs.jsonl").read_text(encoding="utf-8").splitlines()) == len(whole.pairs)


def test_the_command_prints_what_it_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "unanswerable", "--conversations", "3", "--json", "--out", str(tmp_path)]) == 0
    printed = json.loads(capsys.readouterr().out)
    result = printed["result"]
    assert printed["seeds"] == {"set": 42}
    assert set(result["arms"]) == {"ours", "graph", "flat", "speaker", "oracle"}
    assert result["files"]["set.json"] == sha256_of(tmp_path / "set.json")
    for kinds in result["arms"].values():
        assert all(row["ci"][0] <= row["auc"] <= row["ci"][1] for row in kinds.values())
    over = [row["over-abstention"] for row in result["floors"]]
    assert over == sorted(over)
    for kind, gap in result["over flat"].items():
        assert gap["difference"] == pytest.approx(result["arms"]["ours"][kind]["auc"] - result["arms"]["flat"][kind]["auc"])
        assert gap["ci"][0] <= gap["difference"] <= gap["ci"][1]
    failing = [row["bar"] for row in result["bars"] if not row["holds"]]
    assert {f"{kind}: pairs" for kind in KINDS} <= set(failing)
    table(result)
    shown = capsys.readouterr().out
    assert "FAILS  wrong time: pairs" in shown and "ours − flat" in shown


@pytest.mark.slow
@pytest.mark.parametrize("seed", [42, 1, 7])
def test_every_bar_holds_and_finding_all_is_not_knowing_what_is_missing(seed: int) -> None:
    result = measured(made(seed))
    assert [row["bar"] for row in result["bars"] if not row["holds"]] == []
    assert all(gap["ci"][0] > 0 for gap in result["over flat"].values())
    assert result["inversion"]["inverted"] and "ours" in result["inversion"]["tell better than the oracle"]


@pytest.mark.parametrize("many", [-1, 0, 1, 501])
def test_too_few_conversations_are_told_in_a_sentence(many: int) -> None:
    with pytest.raises(BadInput):
        made(42, many)
