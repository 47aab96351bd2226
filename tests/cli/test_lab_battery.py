"""`loom lab battery`."""

import json
from pathlib import Path

import pytest

from loom.cli.main import main
from loom.lab.battery import BATTERY, read
from loom.lab.files import sha256_of


def test_it_writes_bases_truth_and_questions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "corpus"
    assert main(["lab", "battery", "generate", "--out", str(out), "--seed", "7", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    result = printed["result"]
    assert len(result["bases"]) == 10
    assert all((out / base / "kb.toml").is_file() for base in result["bases"])
    assert {path: sha256_of(out / path) for path in result["files"]} == result["files"]
    asked = list(read(out / "questions.jsonl"))
    assert list(result["questions"]) == list(BATTERY)
    assert sum(result["questions"].values()) == len(asked)
    assert min(result["questions"].values()) >= 1
    truth = json.loads((out / "truth.json").read_text(encoding="utf-8"))
    assert truth["seed"] == 7
    assert printed["seeds"] == {"corpus": 7}
    assert printed["rows_sha256"] == sha256_of(out / "questions.jsonl")


def test_no_base_has_errors_but_what_is_planted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "corpus"
    assert main(["lab", "battery", "generate", "--out", str(out)]) == 0
    assert "10 bases" in capsys.readouterr().out
    for base in sorted(path for path in out.iterdir() if path.is_dir()):
        planted = base.name == "rights"
        assert main(["kb", "check", str(base)]) == int(planted)
        said = capsys.readouterr().out
        assert f" {int(planted)} error" in said and said.count("error kb-contradiction") == int(planted)


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kept.txt").write_text("mine", encoding="utf-8")
    for given in (tmp_path, tmp_path / "kept.txt"):
        assert main(["lab", "battery", "generate", "--out", str(given)]) == 2
        assert "new or empty folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]
