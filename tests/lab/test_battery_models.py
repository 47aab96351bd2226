"""Models side by side over contexts of the battery: verdicts by rule, kept answers, intervals, parity."""

import json
from pathlib import Path
from typing import Any

import pytest

from loom.cli.main import main
from loom.lab.battery import BatteryQuestion, corpus, questions
from loom.lab.battery.answering import Given
from loom.lab.battery.judged import Judged, judged
from loom.lab.battery.matrix import matrix
from loom.lab.battery.models import spread_over
from loom.lab.files import sha256_of
from loom.lab.statistics import mcnemar, wilson

NOTE = 'No source named "Winter" exists in the bases.'


def question(battery: str, **more: Any) -> BatteryQuestion:
    return BatteryQuestion(f"{battery}-1", battery, "kind", "en", ({"role": "user", "content": "?"},), **more)


PEAK = question("S1", needle=(("38.6",),), forbidden=("36.2",))
TRAP = question("S4", aligned=((("No source named",), ("Winter",)),), forbidden=("36.2",))
SCENE = question("S5", needle=(("Stop winding it.",),))


@pytest.mark.parametrize(
    ("asked", "said", "verdict"),
    [
        (PEAK, Given("It was 38.6."), Judged(True, True)),
        (PEAK, Given("It was 38.6, not 36.2."), Judged(False, True)),
        (PEAK, Given("I do not know."), Judged(False, False)),
        (PEAK, Given("38.6", error="upstream_failure: no"), Judged(False, False)),
        (TRAP, Given(f"Sorry: {NOTE}", notes=(NOTE,)), Judged(True, refused=True, repeated=True)),
        (TRAP, Given("There is no such programme.", notes=(NOTE,)), Judged(True, refused=True, repeated=False)),
        (TRAP, Given("Non esiste.", notes=(NOTE,)), Judged(True, refused=True, repeated=False)),
        (
            TRAP,
            Given("I can't find it; perhaps 12.", notes=(NOTE,), unsupported=("12",)),
            Judged(False, refused=False, repeated=False),
        ),
        (TRAP, Given("It does not peak at 36.2.", notes=(NOTE,)), Judged(False, refused=False, repeated=False)),
        (TRAP, Given("It peaks in autumn.", notes=(NOTE,)), Judged(False, refused=False, repeated=False)),
        (TRAP, Given(error="upstream_failure: no", notes=(NOTE,)), Judged(False, refused=False, repeated=False)),
        (SCENE, Given("She says: Stop winding it."), Judged(True)),
    ],
)
def test_verdicts_are_by_rule(asked: BatteryQuestion, said: Given, verdict: Judged) -> None:
    assert judged(asked, said) == verdict


def row(model: str, id: int, *, right: bool, **more: Any) -> dict[str, Any]:
    return {
        "seed": 0, "model": model, "arm": "hydrate", "id": f"S5-{id}", "battery": "S5", "right": right, "exact": None, "refused": None,
        "repeated": None, "unsupported": [], "offered": True, "triggered": False, "calls": 1, "error": None, **more,
    }  # fmt: skip


def test_cells_and_parity_are_the_statistics_of_their_rows() -> None:
    one = [row("large", id, right=id < 9, triggered=id < 4, calls=2 if id < 4 else 1) for id in range(10)]
    other = [row("small", id, right=id < 5, unsupported=["7"] * (id % 2)) for id in range(10)]
    found = matrix([*one, *other, row("small", 99, right=False, error="down")])
    large, small = found["cells"]
    assert large["right"] == {"count": 9, "of": 10, "share": 0.9, "ci95": [round(each, 4) for each in wilson(9, 10)]}
    assert (large["asks_where_prose_is_needed"]["count"], large["asks_elsewhere"], large["calls_per_answer"]) == (4, None, 1.4)
    assert (small["answers"], small["errors"], small["invented_per_answer"], small["with_invented"]["count"]) == (11, 1, 0.5, 5)
    (parity,) = found["parity"]
    assert (parity["questions"], parity["same"]["count"], parity["difference"]) == (10, 6, 0.4)
    assert parity["mcnemar"] == mcnemar(4, 0).as_json()


def test_a_limit_takes_one_of_each_id_first() -> None:
    every = questions(corpus(0).truth)
    few = spread_over(every, 6)
    assert [one.battery for one in few] == ["S1", "S2", "S3", "S4", "S5", "S6"]
    more = spread_over(every, 40)
    assert len(more) == len({one.id for one in more}) == 40
    assert {one.battery for one in more} == {one.battery for one in spread_over(every, 0)}
    assert not {"L1", "H1", "M1"} & {one.battery for one in more}


FLAGS = ("--seeds", "1", "--once", "--answers", "0", "--questions", "S1-1,S4-en,S5-3", "--arms", "full,hydrate,flat", "--quiet")
MODELS = ("--script", "reads=copies-all", "--script", "invents=invents-numbers", "--load", "4")


def ran(out: Path, *flags: str) -> int:
    return main(["lab", "battery", "run", "--out", str(out), *FLAGS, *flags])


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("battery") / "out"
    assert ran(out, *MODELS) == 0
    return out


def test_models_are_reported_apart(run: Path) -> None:
    found = json.loads((run / "models.json").read_text(encoding="utf-8"))
    cells = {(one["model"], one["arm"]): one for one in found["cells"]}
    assert list(cells) == [(model, arm) for model in ("reads", "invents") for arm in ("full", "hydrate", "flat")]
    assert cells["reads", "full"]["reading"]["share"] == cells["reads", "full"]["refusing"]["share"] == 1.0
    assert cells["invents", "full"]["invented_per_answer"] == cells["invents", "flat"]["invented_per_answer"] == 3.0
    assert cells["reads", "hydrate"]["invented_per_answer"] == 0.0
    assert {(one["arm"], one["difference"]) for one in found["parity"]} >= {("hydrate", 1.0)}
    assert "models" not in json.loads((run / "results.json").read_text(encoding="utf-8"))
    times = json.loads((run / "timings.json").read_text(encoding="utf-8"))["models"]
    assert [(one["model"], one["at_once"], one["answered"]) for one in times["at_once"]] == [("reads", 4, 4), ("invents", 4, 4)]
    assert times["answer_s"]["reads over full"]["count"] == 3
    assert "## Models" in (run / "report.md").read_text(encoding="utf-8")


def test_what_was_answered_is_not_asked_again(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    out.mkdir()
    kept = [line for line in (run / "model_rows.jsonl").read_bytes().splitlines(keepends=True)]
    marked = json.loads(kept[0]) | {"answer": "what an earlier run was told"}
    (out / "model_rows.jsonl").write_bytes(json.dumps(marked).encode() + b"\n" + kept[1][:40])
    (out / "model_times.jsonl").write_bytes((run / "model_times.jsonl").read_bytes())
    assert ran(out, *MODELS) == 0
    rows = [json.loads(line) for line in (out / "model_rows.jsonl").read_bytes().splitlines()]
    assert rows[0] == marked
    assert [row["key"] for row in rows] == [json.loads(line)["key"] for line in kept]
    assert rows[1:] == [json.loads(line) for line in kept[1:]]


def test_errors_end_with_1_and_are_asked_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert ran(out, "--script", "one=fails", "--load", "0") == 1
    assert "9 answers are errors" in capsys.readouterr().err
    assert ran(out, "--script", "one=says?text=fine", "--load", "0") == 0
    rows = [json.loads(line) for line in (out / "model_rows.jsonl").read_bytes().splitlines()]
    assert {row["answer"] for row in rows} == {"fine"} and not any(row["error"] for row in rows)


def test_results_without_models_are_those_with_them(run: Path, tmp_path: Path) -> None:
    assert ran(tmp_path / "out") == 0
    assert sha256_of(tmp_path / "out" / "results.json") == sha256_of(run / "results.json")
    assert not (tmp_path / "out" / "models.json").exists()


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--model", "small"), "Expected --model NAME=URL"),
        (("--model", "small=ftp://x"), "base of an OpenAI-compatible API"),
        (("--script", "a=asks", "--script", "a=fails"), "different names"),
        (("--script", "a=nothing-like-it"), "Expected a scripted model among"),
        (("--script", "a=asks", "--load", "many"), "Expected --load to list numbers"),
        (("--model", "a=http://127.0.0.1:9/v1", "--key-env", "NOT_SET_ANYWHERE"), "NOT_SET_ANYWHERE"),
    ],
)
def test_models_that_there_are_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: tuple[str, ...], said: str
) -> None:
    assert ran(tmp_path / "out", *flags) == 2
    assert said in capsys.readouterr().err
