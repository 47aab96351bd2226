"""`loom lab battery run` and `report`."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from loom.cli.main import main
from loom.lab.battery import read
from loom.lab.files import sha256_of
from loom.lab.lines import lines

FEW = ("--questions", "S1-1,S3-2,X1-1-en,N4-1,S5-1,L1", "--quiet")


def ran(out: Path, *flags: str) -> int:
    return main(["lab", "battery", "run", "--out", str(out), *flags])


def results(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "results.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module", params=[1, pytest.param(2, marks=pytest.mark.slow)])
def seeds(request: pytest.FixtureRequest) -> int:
    count: int = request.param
    return count


@pytest.fixture(scope="module")
def run(seeds: int, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("battery") / "out"
    assert ran(out, "--seeds", str(seeds), "--arms", "full,readout-off,budget-900,addressing-off,flat", *FEW) == 0
    return out


def test_every_question_has_a_context_under_every_arm(run: Path, seeds: int) -> None:
    found = results(run)
    assert list(found["arms"]) == ["full", "readout-off", "budget-900", "addressing-off", "flat"]
    rows = [row for _, row in lines(run / "rows.jsonl", "rows")]
    assert len(rows) == seeds * 5 * 6 == sum(arm["questions"] for arm in found["arms"].values())
    for name in ("full", "readout-off", "budget-900"):
        assert (found["arms"][name]["passed"], found["arms"][name]["forbidden"]) == (6 * seeds, 0)
    assert found["arms"]["flat"]["passed"] < 6 * seeds and not found["arms"]["flat"]["held"]
    assert all(one["met"] for one in found["verdicts"])
    assert found["arms"]["full"]["ids"] == {id: [seeds, seeds] for id in ("S1", "S3", "S5", "X1", "N4", "L1")}


def test_no_chunk_block_is_larger_than_the_context_beside_it(run: Path) -> None:
    tokens = {(row["seed"], row["id"], row["arm"]): row["tokens"] for _, row in lines(run / "rows.jsonl", "rows")}
    assert all(size <= tokens[seed, id, "full"] for (seed, id, arm), size in tokens.items() if arm == "flat")
    assert any(size for (*_, arm), size in tokens.items() if arm == "flat")


def test_load_and_repetition_are_counted(run: Path, seeds: int) -> None:
    found = results(run)
    assert found["concurrent"] == {"assemblies": seeds * 64 * 4, "different": 0}
    assert (found["determinism"]["repeated"], found["determinism"]["same"]) == (seeds, seeds)


def test_times_stand_apart(run: Path, seeds: int) -> None:
    assert results(run).keys().isdisjoint({"timings", "assembly_ms"})
    times = json.loads((run / "timings.json").read_text(encoding="utf-8"))["assembly_ms"]
    assert times["full"]["count"] == 6 * seeds and 0 < times["full"]["p50"] <= times["full"]["p95"]


def test_the_report_says_what_the_run_said(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (run / "report.md").read_text(encoding="utf-8")
    (run / "report.md").unlink()
    assert main(["lab", "battery", "report", str(run)]) == 0
    assert capsys.readouterr().out == page == (run / "report.md").read_text(encoding="utf-8")
    assert main(["lab", "battery", "report", str(run), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert {name: value for name, value in printed["result"].items() if name not in ("timings", "models")} == results(run)
    assert printed["rows_sha256"] == sha256_of(run / "rows.jsonl")


def test_a_missed_bar_ends_with_1_and_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    flags = ("--seeds", "1", "--questions", "S5", "--arms", "skeleton", "--once", "--quiet")
    assert ran(out, *flags) == 0
    assert ran(out, *flags, "--must", "skeleton") == 1
    said = capsys.readouterr()
    assert "MISSED: skeleton: every needle: 0 of 4" in said.err
    assert "**missed**" in (out / "report.md").read_text(encoding="utf-8")
    (verdict,) = [one for one in results(out)["verdicts"] if not one["met"]]
    assert verdict["bar"] == "skeleton: every needle"
    assert len(results(out)["arms"]["skeleton"]["faults"]) == 4


def test_results_are_the_same_bytes_under_any_hash_seed(tmp_path: Path) -> None:
    digests = set()
    for seed in ("0", "4242"):
        out = tmp_path / seed
        subprocess.run(
            [sys.executable, "-m", "loom", "lab", "battery", "run", "--seeds", "1", "--out", str(out), "--once", "--quiet",
             "--questions", "S1-1,S6,C1,M1,N3", "--arms", "full,uniform,flat"],
            env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True,
        )  # fmt: skip
        digests.add((sha256_of(out / "results.json"), sha256_of(out / "rows.jsonl")))
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--arms", "best"), "Expected arms among all, full"),
        (("--questions", "Z9"), "Expected ids of the battery"),
        (("--must", "best"), "Expected arms among all"),
        (("--seeds", "0"), "Expected --seeds to be 1 or more"),
        (("--budget", "0"), "Expected --budget to be 1 or more"),
    ],
)
def test_what_there_is_not_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: tuple[str, str], said: str
) -> None:
    assert ran(tmp_path / "out", "--seeds", "1", "--quiet", *flags) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out" / "results.json").exists()


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kept.txt").write_text("mine", encoding="utf-8")
    assert ran(tmp_path, "--seeds", "1", "--quiet") == 2
    assert "new or empty folder" in capsys.readouterr().err
    assert main(["lab", "battery", "report", str(tmp_path)]) == 2
    assert "results.json" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]


def test_a_refused_budget_is_no_pass(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert ran(out, "--seeds", "1", "--questions", "S1-1", "--arms", "full", "--budget", "20", "--once", "--quiet") == 1
    (row,) = [row for _, row in lines(out / "rows.jsonl", "rows")]
    assert not row["passed"] and "Raise the budget" in row["refused"]


def test_generated_questions_are_those_that_are_run(tmp_path: Path, run: Path) -> None:
    assert main(["lab", "battery", "generate", "--out", str(tmp_path / "corpus"), "--seed", "0", "--json"]) == 0
    known = {one.id for one in read(tmp_path / "corpus" / "questions.jsonl")}
    assert {row["id"] for _, row in lines(run / "rows.jsonl", "rows")} <= known


def test_whole_runs_measure_routes_of_many_bases(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert ran(out, "--seeds", "1", "--arms", "full,readout-off,uniform", "--once", "--answers", "0", "--quiet") == 0
    wide = results(out)["wide"]
    assert wide["questions"] == 2 and wide["routed"]["least"] >= 5
    assert wide["starved"]["full"] == 0 and wide["without_a_line"]["uniform"] > 0
    shares = {one["name"]: one for one in wide["sizes"]}
    assert shares["readout off"]["block"][2] < 1 and shares["outlines by score beside a uniform cut"]["outlines"][2] < 1
    assert "no model is called for a context" in {one["bar"] for one in results(out)["verdicts"] if one["met"]}


def test_models_that_are_meant_to_fail_are_not_remarked_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    out = tmp_path / "out"
    assert ran(out, "--seeds", "1", "--questions", "S5-1", "--arms", "hydrate", "--once", "--answers", "1", "--quiet") == 0
    rows = {row["model"]: row for _, row in lines(out / "answers.jsonl", "rows")}
    assert rows["asks-then-fails"]["outcome"] == "degraded" and rows["fails"]["error"]
    assert caplog.records == []
