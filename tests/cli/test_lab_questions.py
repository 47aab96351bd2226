"""`loom lab questions`."""

import json
from pathlib import Path

import pytest
from support.kitchen import built_in

from loom.cli.main import main
from loom.lab.files import sha256_of


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(built_in(tmp_path_factory.mktemp("store")))


def test_it_prints_counts_by_template_and_domain(store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "q.jsonl"
    assert main(["lab", "questions", "--out", str(out), "--store", store, "--check", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    result = printed["result"]
    written = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert result["questions"] == len(written) == sum(result["templates"].values())
    assert result["domains"]["bread"]["all"] == sum(each["domain"] == "bread" for each in written)
    assert result["check"]["engaged"] == len(written)
    assert printed["rows_sha256"] == sha256_of(out)
    assert printed["seeds"] == {"questions": 42}
    assert {"id", "set", "key", "domain", "template", "class_slugs", "prompt", "gold", "gold_type"} <= written[0].keys()


def test_the_table_says_what_was_left_out(store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["lab", "questions", "--out", str(tmp_path / "q.jsonl"), "--store", store]
    assert main([*given, "--template", "T-TAX", "--per-domain", "2"]) == 0
    text = capsys.readouterr().out
    assert "target is named by the question" in text
    assert "T-REL" not in text


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--per-domain", "0"], "Expected per_domain to be 1 or more"),
        (["--relation", "cooks"], "but got 'cooks'"),
        (["--min-definition", "99999"], "none is left"),
        (["--min-quality", "nan"], "between 0 and 1"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], said: str
) -> None:
    assert main(["lab", "questions", "--out", str(tmp_path / "q.jsonl"), "--store", store, *more]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "q.jsonl").exists()
