"""`loom generations diff --retrieval`: the example corpus and its next version."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.sources import ROOT

from loom.cli.main import main

FIXTURES = ROOT / "fixtures"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The example corpus as `previous`, its next version as `current`."""
    folder = tmp_path_factory.mktemp("drift")
    edited = folder / "kitchen"
    shutil.copytree(FIXTURES / "kitchen", edited)
    shutil.copytree(FIXTURES / "edits" / "pages", edited, dirs_exist_ok=True)
    for page in (FIXTURES / "edits" / "removed.txt").read_text("utf-8").splitlines():
        (edited / page).unlink()
    out = folder / "generations"
    for source in (FIXTURES / "kitchen", edited):
        assert main(["build", str(source), "--out", str(out), "--quiet", "--use"]) == 0
    yield out


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    file = tmp_path / "questions.jsonl"
    file.write_text(
        json.dumps({"id": "new", "prompt": "What is a Yorkshire pudding?"})
        + "\n"
        + json.dumps({"id": "more", "prompt": "What do Yorkshires require?", "gold": ["Yorkshire Pudding"]})
        + "\nWhat does Coq au Vin require?\n"
        + json.dumps({"id": "thanks", "messages": [{"role": "user", "content": "Thanks, that was all!"}]})
        + "\n",
        encoding="utf-8",
    )
    return file


def diff(store: Path, questions: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    capsys.readouterr()
    code = main(["generations", "diff", *words, "--store", str(store), "--retrieval", str(questions)])
    return code, capsys.readouterr().out


def diff_json(store: Path, questions: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    code, text = diff(store, questions, capsys, *words, "--json")
    return code, json.loads(text)


def test_new_pages_and_relations_show(store: Path, questions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, document = diff_json(store, questions, capsys, "previous", "current")
    assert code == 0
    changed = {each["id"]: each for each in document["questions"]}
    assert {"new", "more"} <= set(changed) and "thanks" not in changed
    assert "urn:loom:kitchen:yorkshire-pudding" in changed["new"]["added"]
    assert (changed["more"]["before"]["ceiling"], changed["more"]["after"]["ceiling"]) == (0.0, 1.0)
    assert document["summary"]["questions"] == 4
    assert (document["summary"]["changed"], document["summary"]["gained"] >= 1) == (len(changed), True)
    code, text = diff(store, questions, capsys, "previous", "current")
    assert code == 0 and text.splitlines()[-1].endswith("another confidence") and "ceiling 0.00 → 1.00" in text


def test_going_back_loses_what_was_won(store: Path, questions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, document = diff_json(store, questions, capsys, "current", "previous", "--summary")
    assert code == 0 and "questions" not in document
    worse = document["summary"]["worse"]
    assert worse >= 1
    assert diff(store, questions, capsys, "current", "previous", "--fail-over", str(worse))[0] == 0
    code, text = diff(store, questions, capsys, "current", "previous", "--fail-over", str(worse - 1))
    assert code == 3 and "- more" in text


def test_a_generation_beside_itself_has_not_changed(store: Path, questions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, document = diff_json(store, questions, capsys, "current", "current", "--fail-over", "0", "--exit-code")
    assert code == 0 and document["questions"] == [] and document["summary"]["changed"] == 0
    assert diff(store, questions, capsys, "previous", "current", "--exit-code")[0] == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--fail-over", "1"], "--retrieval"),
        (["--retrieval", "nowhere.jsonl"], "nowhere.jsonl"),
        (["--retrieval", str(FIXTURES / "questions.jsonl"), "--fail-over", "-1"], "0 or more"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(
    store: Path, given: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["generations", "diff", "previous", "current", "--store", str(store), *given]) == 2
    error = capsys.readouterr().err
    assert said in error and len(error.strip().splitlines()) == 1
