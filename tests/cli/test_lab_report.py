"""`loom lab report`, through the command line."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import lab_rows

from loom.cli.main import main
from loom.lab.files import sha256_of, write_json, write_lines
from loom.lab.row import write_rows

MADE = ("report.html", "results.json", "manifest.json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_rows(tmp_path / "rows.jsonl", lab_rows.rows(lab_rows.questions(20), ("copier", "silent")))
    return tmp_path


def test_a_folder_gets_its_page_results_and_manifest(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "report", str(folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["rows_sha256"] == sha256_of(folder / "rows.jsonl")
    assert told["generation"] == "sha256:" + "0" * 64
    assert told["seeds"] == {"study": 42, "statistics": 42}
    assert told["result"]["files"] == {name: sha256_of(folder / name) for name in MADE}
    assert [each["model"] for each in told["result"]["headline"]] == ["copier", "silent"]
    assert "headline" in told["result"]["figures"]


def test_the_table_has_a_line_for_every_model(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "report", str(folder)]) == 0
    out = capsys.readouterr().out
    assert "copier" in out and "silent" in out and "report.html" in out
    assert "[0.000, 0.000]" in out


def test_a_file_of_rows_and_another_place_will_do(folder: Path) -> None:
    out = folder / "elsewhere" / "page.html"
    assert main(["lab", "report", str(folder / "rows.jsonl"), "--out", str(out), "--cluster", "none", "--seed", "7"]) == 0
    results = json.loads((out.parent / "results.json").read_text())
    assert results["study"]["cluster"] == "none" and results["study"]["seeds"]["statistics"] == 7
    assert results["study"]["command"] == "loom lab report rows.jsonl --seed 7 --cluster none --out page.html"


def test_the_same_rows_give_the_same_bytes_wherever_they_lie(folder: Path, tmp_path: Path) -> None:
    digests = []
    for seed in ("0", "4242"):
        place = tmp_path / f"under {seed}"
        place.mkdir()
        (place / "rows.jsonl").write_bytes((folder / "rows.jsonl").read_bytes())
        subprocess.run(
            [sys.executable, "-m", "loom", "lab", "report", str(place), "--resamples", "100"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        )
        digests.append([sha256_of(place / name) for name in MADE])
    assert digests[0] == digests[1]


def test_verdicts_may_lie_elsewhere(folder: Path, tmp_path: Path) -> None:
    verdicts = tmp_path / "mine.jsonl"
    write_lines(
        verdicts,
        [
            {"set": "made", "id": f"q{at:04}", "arm": arm, "model": "copier", "judge": "one", "score": 3}
            for at in range(20)
            for arm in ("raw", "scaffold")
        ],
    )
    assert main(["lab", "report", str(folder), "--judged", str(verdicts)]) == 0
    results = json.loads((folder / "results.json").read_text())
    assert "judged" in {each["outcome"] for each in results["contrasts"]}
    assert results["files"]["judged.jsonl"] == sha256_of(verdicts)


def test_a_page_is_opened_where_it_lies(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {seen}\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    code = "import sys; from loom.cli.main import main; sys.exit(main(sys.argv[1:]))"
    subprocess.run([sys.executable, "-c", code, "lab", "report", str(folder), "--open"], check=True, capture_output=True)
    assert seen.read_text() == (folder / "report.html").resolve().as_uri()


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--resamples", "0"], "--resamples"),
        (["--seed", "-1"], "--seed"),
        (["--margin", "nan"], "--margin"),
        (["--margin", "0"], "--margin"),
        (["--judged", "nowhere.jsonl"], "--judged"),
    ],
)
def test_a_flag_that_is_none_is_one_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str], more: list[str], told: str
) -> None:
    assert main(["lab", "report", str(folder), *more]) != 0
    error = capsys.readouterr().err
    assert told in error and "Traceback" not in error
    assert not (folder / "report.html").exists()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"{",
        b"[1]\n",
        b'{"arm": "raw"}\n',
        b"\xff\xfe\n",
        b'{"arm":"a","model":"m","status":"moon","question":{"prompt":"x"}}\n',
        b'{"arm":"a","model":"m","status":"answered","question":[]}\n',
        b'{"arm":"a","model":"m","status":"answered","question":{"prompt":"x"},"showing":[1],"said":7}\n',
        b'{"arm":"a","model":"m","status":"answered","question":{"prompt":"x"},"said":{"answer":"a"},"showing":{"messages":[1]}}\n',
    ],
)
def test_rows_that_are_none_are_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes) -> None:
    (tmp_path / "rows.jsonl").write_bytes(data)
    assert main(["lab", "report", str(tmp_path)]) != 0
    error = capsys.readouterr().err
    assert "Traceback" not in error and "xpected" in error
    assert not (tmp_path / "report.html").exists()


def test_a_study_with_a_broken_file_is_one_sentence(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_json(folder / "study.json", {"matcher": "default"})
    assert main(["lab", "report", str(folder)]) != 0
    assert "study.json" in capsys.readouterr().err


def test_rows_may_be_packed_once_they_are_to_be_kept(folder: Path) -> None:
    assert main(["lab", "report", str(folder), "--resamples", "100"]) == 0
    results, listed = (folder / "results.json").read_bytes(), json.loads((folder / "manifest.json").read_bytes())
    (folder / "rows.jsonl.gz").write_bytes(gzip.compress((folder / "rows.jsonl").read_bytes(), mtime=0))
    (folder / "rows.jsonl").unlink()
    assert main(["lab", "report", str(folder), "--resamples", "100"]) == 0
    again = json.loads((folder / "manifest.json").read_bytes())
    assert (folder / "results.json").read_bytes() == results
    assert again["read"] == listed["read"]
    assert 'href="rows.jsonl.gz"' in (folder / "report.html").read_text(encoding="utf-8")
