"""`loom kb init` and `loom kb check`, through the command itself."""

import json
import shutil
from pathlib import Path

import pytest
from support.kb import folder
from support.sources import ROOT

from loom.cli.main import main

KB = ROOT / "fixtures" / "kb"


def test_check_explains_a_sound_base_with_its_skipped_rows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kb", "check", str(KB / "choir")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        'levels/carols.csv:9: warning kb-skipped-row: Expected a number for "loudness", but row 8 has "n/a"; mend or remove the row.',
        'levels/harvest.csv:10: warning kb-skipped-row: Expected a number for "loudness", but row 9 has ""; mend or remove the row.',
        "choir: 4 files, 2 entities, 1 metric; 0 errors, 2 warnings",
    ]


def test_check_ends_with_1_where_there_are_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kb", "check", str(folder(tmp_path, swap={'"series"': '"serie"'}))]) == 1
    out = capsys.readouterr().out
    assert (
        'kb.toml:38: error kb-value: Expected one of series, transcript, document, text, table for `kind`, but got "serie"'
        in out
    )
    assert out.splitlines()[-1].startswith("tides: 1 file, 2 entities, 2 metrics; ")


def test_check_prints_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kb", "check", str(folder(tmp_path, {"lock.md": None})), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["base"], document["files"], document["errors"]) == ("tides", 1, 1)
    remark = document["remarks"][0] if document["remarks"][0]["severity"] == "error" else document["remarks"][1]
    assert (remark["kind"], remark["file"], remark["line"]) == ("kb-missing-file", "kb.toml", 46)
    assert set(remark) == {"kind", "severity", "file", "line", "message", "meaning"}


def test_check_of_a_manifest_that_is_no_toml_ends_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kb", "check", str(folder(tmp_path, {"kb.toml": b"id = [\n"}))]) == 1
    assert capsys.readouterr().out.startswith("kb.toml:1: error kb-manifest: Expected TOML")
    assert main(["kb", "check", str(tmp_path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["base"] is None


def test_remarks_of_one_kind_are_cut_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(1003):
        (tmp_path / f"{number}.txt").write_text("x\n")
    (tmp_path / "kb.toml").write_text('id = "many"\n[[file]]\npath = "0.txt"\nkind = "text"\n')
    assert main(["kb", "check", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1002 and lines[-2] == "kb-unlisted-file: 2 more"


@pytest.mark.parametrize("action", ["init", "check"])
def test_a_folder_that_is_none_is_one_sentence(action: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kb", action, str(tmp_path / "none")]) == 2
    assert "check the path" in capsys.readouterr().err


def test_init_proposes_a_manifest_whose_check_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(KB / "kiln", tmp_path / "kiln")
    path = tmp_path / "kiln" / "kb.toml"
    path.unlink()
    assert main(["kb", "init", str(path.parent), "--print"]) == 0
    printed = capsys.readouterr().out
    assert not path.exists()
    assert main(["kb", "init", str(path.parent)]) == 0
    assert f"loom kb check {path.parent}" in capsys.readouterr().out
    assert path.read_text(encoding="utf-8") == printed
    assert main(["kb", "check", str(path.parent)]) == 0
    assert ", 0 " not in capsys.readouterr().out.splitlines()[-1].split(";")[0]


def test_init_leaves_a_manifest_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder(tmp_path) / "kb.toml"
    before = path.read_bytes()
    assert main(["kb", "init", str(tmp_path)]) == 2
    assert "left as it is" in capsys.readouterr().err
    assert path.read_bytes() == before
    assert main(["kb", "init", str(tmp_path), "--print"]) == 0, "what would be proposed is shown beside a manifest too"


def test_init_without_files_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kb", "init", str(tmp_path)]) == 2
    assert "put some there" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
