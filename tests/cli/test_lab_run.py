"""`loom lab run`: studies over the example vault, through the command."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.lab_study import RUN, read_lines, vault, write_study
from support.upstream_process import scripted as scripted_server

from loom.cli.main import main
from loom.core.exposure import READERS
from loom.lab.row import Row, read_rows
from loom.lab.showing import visible

SCRIPTS = """
[[models]]
name = "reader"
kind = "reader"
[[models]]
name = "input"
script = "copies-all?of=input"
[[models]]
name = "copier"
script = "copies-all"
[[models]]
name = "nobody"
script = "empty"
[[models]]
name = "thinker"
script = "thinks?tokens=1500"
[[models]]
name = "drowned"
script = "thinks?tokens=2048"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return vault(tmp_path_factory.mktemp("studies"))


def run(*arguments: str | Path) -> int:
    return main(["lab", "run", *map(str, arguments)])


def result(capsys: pytest.CaptureFixture[str], *arguments: str | Path, code: int = 0) -> dict[str, Any]:
    capsys.readouterr()
    assert run(*arguments, "--json") == code
    stated: dict[str, Any] = json.loads(capsys.readouterr().out)
    return stated


@pytest.fixture(scope="module")
def scripted(folder: Path) -> list[Row]:
    """A whole study of scripted models, with every arm there is."""
    path = write_study(folder, SCRIPTS, "scripts.toml", arms="all", concurrency=8)
    assert run(path, "--questions", "12", "--quiet") == 0
    return list(read_rows(folder / "scripts" / "rows.jsonl"))


def test_every_row_is_there_in_the_plan_s_order(folder: Path, scripted: list[Row]) -> None:
    plan = read_lines(folder / "scripts" / "plan.jsonl")
    models = ["reader", "input", "copier", "nobody", "thinker", "drowned"]
    assert [(row.question.id, row.arm, row.model) for row in scripted] == [
        (line["id"], line["arm"], model) for line in plan for model in models
    ]
    assert len(plan) == 12 * 12 and {line["arm"] for line in plan} >= {"raw", "scaffold", "graph-query", "flat-bm25"}


def test_the_scripted_models_show_the_known_truth(scripted: list[Row]) -> None:
    for row in scripted:
        if row.status in ("no_donor", "no_block"):
            assert row.answer == "" and row.messages == [] and row.said == {}
        elif row.model == "input":
            shown = READERS["default"](visible(row.messages))
            said = READERS["default"](row.answer)
            assert [said.names(name) for name in row.question.titles] == [shown.names(name) for name in row.question.titles]
        elif row.model == "copier":
            assert row.answer == row.showing["block"]
        elif row.model == "nobody":
            assert (row.status, row.said["completion"], len(row.said["attempts"])) == ("empty", "empty_stop", 2)
        elif row.model == "thinker":
            assert [each["completion"] for each in row.said["attempts"]][:1] == ["budget_exhausted"]
            assert row.answer == row.showing["block"] and len(row.said["attempts"]) == 2
        elif row.model == "drowned":
            assert (row.status, row.said["completion"]) == ("empty", "budget_exhausted")
            assert [each["allowance"] for each in row.said["attempts"]] == [1024, 2048]


def test_rows_hold_what_scoring_again_needs_and_no_place_or_time(folder: Path, scripted: list[Row]) -> None:
    row = next(row for row in scripted if row.arm == "scaffold" and row.model == "reader")
    assert {"generation", "version", "policy", "wrapper", "matcher", "budget", "seeds", "model", "request"} <= set(row.study)
    assert row.study["generation"].startswith("sha256:") and row.said["model_reported"] == "loom-reader"
    text = (folder / "scripts" / "rows.jsonl").read_text(encoding="utf-8")
    assert str(folder) not in text and not re.search(r"20\d\d-\d\d-\d\dT", text) and '"seconds":' not in text


def test_run_again_it_sends_nothing_and_leaves_the_same(
    folder: Path, scripted: list[Row], capsys: pytest.CaptureFixture[str]
) -> None:
    before = {
        name: (folder / "scripts" / name).read_bytes() for name in ("plan.jsonl", "rows.jsonl", "study.json", "ledger.jsonl")
    }
    stated = result(capsys, folder / "scripts.toml", "--questions", "12")["result"]
    assert stated["sent"] == 0 and stated["kept"] == sum(bool(row.messages) for row in scripted)
    assert before == {name: (folder / "scripts" / name).read_bytes() for name in before}


def test_a_dry_run_says_what_would_be_sent_and_sends_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    models = '[[models]]\nname = "far"\nurl = "http://127.0.0.1:1/v1"\nprice = { prompt = 2.0, completion = 10.0 }\n' + SCRIPTS
    path = write_study(folder, models, "dry.toml", concurrency=8)
    stated = result(capsys, path, "--questions", "5", "--dry-run")["result"]
    far = stated["models"][0]
    assert (far["model"], far["rows"], far["calls"], far["kept"], far["to_send"]) == ("far", 10, 10, 0, 10)
    assert far["completion_tokens_at_most"] == 10 * 1024
    assert far["price_at_most"] == pytest.approx((far["prompt_tokens"] * 2.0 + 10 * 1024 * 10.0) / 1e6)
    assert not (folder / "dry").exists()
    assert run(path, "--questions", "5", "--dry-run") == 0
    assert "Nothing was sent." in capsys.readouterr().out


def test_a_dry_run_counts_what_is_kept(folder: Path, scripted: list[Row], capsys: pytest.CaptureFixture[str]) -> None:
    stated = result(capsys, folder / "scripts.toml", "--questions", "12", "--dry-run")["result"]
    assert all(each["kept"] == each["calls"] and each["price_at_most"] == 0.0 for each in stated["models"])


def test_a_part_of_a_study(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_study(folder, SCRIPTS, "part.toml", arms=["raw", "scaffold", "true"])
    stated = result(capsys, path, "--models", "copier,nobody", "--arms", "true,raw", "--questions", "3")["result"]
    assert (stated["arms"], list(stated["statuses"]), stated["rows"]) == (["raw", "true"], ["copier", "nobody"], 12)


def test_another_plan_needs_another_folder_or_fresh(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_study(folder, '[[models]]\nname = "reader"\n', "again.toml")
    assert run(path, "--questions", "4", "--quiet") == 0
    assert run(path, "--questions", "6", "--quiet") == 2
    said = capsys.readouterr().err
    assert "but questions changed" in said and "--out" in said and "--fresh" in said
    assert len(read_lines(folder / "again" / "rows.jsonl")) == 8, "what is there stays"
    stated = result(capsys, path, "--questions", "6", "--fresh")["result"]
    assert (stated["rows"], stated["sent"], stated["kept"]) == (12, 4, 8), "answers that fit are kept"
    assert run(path, "--questions", "6", "--quiet", "--out", folder / "other") == 0


def test_errors_are_rows_and_are_asked_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    models = '[[models]]\nname = "gone"\nurl = "http://127.0.0.1:1/v1"\n[[models]]\nname = "reader"\n'
    path = write_study(folder, models, "gone.toml", patience=0.1)
    stated = result(capsys, path, "--questions", "2", "--quiet", code=1)["result"]
    assert stated["statuses"]["gone"]["error"] == 4 and stated["statuses"]["reader"]["answered"] == 4
    rows = [row for row in read_rows(folder / "gone" / "rows.jsonl") if row.model == "gone"]
    assert all("cannot be reached" in row.said["error"] for row in rows)
    again = result(capsys, path, "--questions", "2", "--quiet", code=1)["result"]
    assert (again["kept"], again["sent"]) == (4, 4)


def test_without_a_file_the_reader_answers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    questions = folder / "few.jsonl"
    assert (
        main(["lab", "questions", "--generations", str(folder / "generations"), "--out", str(questions), "--per-domain", "1"])
        == 0
    )
    stated = result(capsys, "--questions-file", questions, "--generations", folder / "generations")["result"]
    assert stated["arms"] == ["raw", "scaffold"] and list(stated["statuses"]) == ["reader"]
    assert (folder / "few-study" / "rows.jsonl").exists()


def test_progress_is_told_in_lines(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_study(
        folder,
        '[[models]]\nname = "slow"\nscript = "copies-all?wait=0.05"\nprice = { prompt = 1, completion = 1 }\n',
        "slow.toml",
    )
    assert run(path, "--questions", "30") == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("answers:")]
    assert 3 <= len(lines) <= 12
    assert re.search(r"answers: \d+ of 60 · \d+\.\d/s · \d+ s left · \d\.\d{4} spent, about \d\.\d{4} in all", "\n".join(lines))
    assert lines[-1].startswith("answers: 60 of 60")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Expected a study, a TOML file, or --questions-file"),
        (["none.toml"], "cannot be read"),
        (["{study}", "--models", "nobody"], "Expected --models among reader, but got 'nobody'"),
        (["{study}", "--arms", "masked"], "Expected --arms to be among raw, scaffold, but got 'masked'"),
        (["{study}", "--questions", "0"], "Expected --questions to be 1 or more"),
        (["{study}", "--model", "x"], "Expected --model-url where --model is given"),
        (["--questions-file", "none.jsonl"], "Expected a file of questions"),
        (["--questions-file", "{study}", "--model", "x"], "Expected --model-url where --model is given"),
        (["--questions-file", "{study}", "--model-url", "http://127.0.0.1:1"], "Expected --model with the name"),
        (["--questions-file", "{study}", "--model-url", "nowhere", "--model", "x"], "Expected url to be the base"),
        (["{keyed}"], "Expected the key of far in LOOM_NO_SUCH_KEY, but it is not set"),
        (["{odd}"], "but got 'per_domian'"),
        (["{scripted}"], "Expected a scripted model among copies-all"),
    ],
)
def test_a_fault_is_one_sentence(folder: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    reader = '[[models]]\nname = "reader"\n'
    paths = {
        "study": write_study(folder, reader, "faults.toml"),
        "keyed": write_study(
            folder, '[[models]]\nname = "far"\nurl = "http://x"\nkey_env = "LOOM_NO_SUCH_KEY"\n', "keyed.toml"
        ),
        "odd": write_study(folder, f"per_domian = 3\n{reader}", "odd.toml"),
        "scripted": write_study(folder, '[[models]]\nname = "m"\nscript = "copies-none"\n', "scripted.toml"),
    }
    assert run(*(each.format(**paths) for each in arguments), "--quiet") == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1 and "Traceback" not in error


JUDGES = """
[[judges]]
name = "first"
script = "judge"
[[judges]]
name = "second"
script = "invents-quotes?then=right"
[judging]
audit = true
second_share = 0.5
sizes = { n11 = 6, n10 = 6, n00 = 3 }
"""
WRITERS = '[[models]]\nname = "copier"\nscript = "copies-all"\n[[models]]\nname = "dropper"\nscript = "drops-third"\n'
FILES = ("plan.jsonl", "rows.jsonl", "judged.jsonl", "audited.jsonl", "results.json", "report.html", "manifest.json")


def files(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES if (folder / name).exists()}


@pytest.mark.parametrize(
    ("models", "more"),
    [
        (WRITERS, ()),
        (WRITERS + JUDGES.replace("audit = true", "audit = false"), ()),
        (WRITERS + JUDGES, ("--models", "dropper")),
        (WRITERS + JUDGES.replace('script = "judge"', 'script = "judge?always=2"'), ()),
        (WRITERS + JUDGES.replace("n11 = 6", "n11 = 2").replace("second_share = 0.5", "second_share = 0"), ()),
    ],
    ids=["no judges", "no audit", "fewer models", "another judge of the name", "fewer verdicts"],
)
def test_a_study_that_changed_leaves_what_it_would_have_left_at_once(
    folder: Path, tmp_path: Path, models: str, more: tuple[str, ...]
) -> None:
    before = write_study(folder, WRITERS + JUDGES, "judged.toml")
    assert run(before, "--questions", "4", "--quiet", "--out", tmp_path / "used") == 0
    assert set(files(tmp_path / "used")) == set(FILES)
    after = write_study(folder, models, "judged.toml")
    assert run(after, "--questions", "4", "--quiet", "--out", tmp_path / "used", *more) == 0
    assert run(after, "--questions", "4", "--quiet", "--out", tmp_path / "new", *more) == 0
    assert files(tmp_path / "used") == files(tmp_path / "new")


def test_answers_that_come_later_leave_what_an_unbroken_run_leaves(folder: Path, tmp_path: Path) -> None:
    late = '[[models]]\nname = "late"\nurl = "{url}"\nmodel = "echo"\n'
    with scripted_server() as server:
        for port, out, code in (("http://127.0.0.1:1/v1", "broken", 1), (server.url, "broken", 0), (server.url, "unbroken", 0)):
            path = write_study(folder, WRITERS + late.format(url=port) + JUDGES, "late.toml", patience=0.1)
            assert run(path, "--questions", "4", "--quiet", "--out", tmp_path / out) == code
    assert files(tmp_path / "broken") == files(tmp_path / "unbroken")


def test_a_dry_run_counts_the_second_tries(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    models = '[[models]]\nname = "nobody"\nscript = "empty"\nprice = { prompt = 1.0, completion = 1.0 }\n'
    path = write_study(folder, models, "twice.toml")
    (each,) = result(capsys, path, "--questions", "3", "--dry-run")["result"]["models"]
    again = each["if_all_are_empty"]
    assert (each["to_send"], again["calls"], again["completion_tokens_at_most"]) == (6, 6, 6 * 2048)
    assert result(capsys, path, "--questions", "3")["result"]["sent"] == each["to_send"] + again["calls"]
    (left,) = result(capsys, path, "--questions", "3", "--dry-run")["result"]["models"]
    assert (left["kept"], left["to_send"], left["if_all_are_empty"]["calls"]) == (6, 0, 0)


def test_names_that_look_like_markup_are_printed_as_they_are(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "[/bold] [red]x"
    path = write_study(folder, f'[[models]]\nname = "{name}"\nscript = "copies-all"\n', "marked.toml")
    for more in ([], ["--dry-run"]):
        assert run(path, "--questions", "2", "--quiet", *more) == 0
        assert name in capsys.readouterr().out


def test_the_command_that_a_page_names_makes_it_again_in_the_study_s_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_study(folder, WRITERS, "named.toml")
    assert run(path, "--questions", "3", "--quiet") == 0
    made = files(folder / "named")
    command = json.loads(made["manifest.json"])["figures"][0]["command"]
    for name in ("results.json", "report.html", "manifest.json"):
        (folder / "named" / name).unlink()
    monkeypatch.chdir(folder / "named")
    assert main(command.split()[1:]) == 0
    assert files(folder / "named") == made
    (folder / "generations").rename(folder / "elsewhere")
    try:
        assert main(command.split()[1:]) == 2
        assert "name its folder with --generations" in capsys.readouterr().err
        assert main([*command.split()[1:], "--generations", str(folder / "elsewhere")]) == 0
    finally:
        (folder / "elsewhere").rename(folder / "generations")


def test_where_no_browser_is_the_page_is_named(folder: Path, tmp_path: Path) -> None:
    path = write_study(folder, WRITERS, "shut.toml")
    bare = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    command = [*RUN, str(path), "--questions", "2", "--quiet", "--open"]
    env = {**bare, "PATH": str(tmp_path), "BROWSER": "/bin/false %s"}
    ran = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0 and str(folder / "shut" / "report.html") in ran.stderr, ran.stderr


def test_the_report_and_decompose_say_the_same_under_the_same_names(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_study(folder, 'templates = ["T-COMMON"]\n' + WRITERS, "shared.toml", arms=["raw", "entity-only", "irrelevant"])
    assert run(path, "--quiet") == 0
    capsys.readouterr()
    assert main(["lab", "decompose", str(folder / "shared" / "rows.jsonl"), "--json"]) == 0
    taken_apart = {(each["model"], each["arm"]): each for each in json.loads(capsys.readouterr().out)["result"]["cells"]}
    cells = json.loads((folder / "shared" / "results.json").read_bytes())["cells"]
    assert any(cell["ceiling"]["symmetric"] != cell["ceiling"]["reference"] for cell in cells), "or the two are not told apart"
    for cell in cells:
        other = taken_apart[cell["model"], cell["arm"]]
        for member in ("ceiling", "recall"):
            shared = cell[member].keys() & other[member].keys()
            assert shared >= {"macro", "micro", "symmetric", "reference"}
            assert {name: cell[member][name] for name in shared} == pytest.approx(
                {name: other[member][name] for name in shared}
            )
