"""`loom lab chains`."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.kitchen import built_in

from loom.cli.main import main
from loom.lab.chains import ARMS


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(built_in(tmp_path_factory.mktemp("store")))


@pytest.fixture(scope="module")
def mined(store: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    out = str(tmp_path_factory.mktemp("chains") / "chains.jsonl")
    assert main(["lab", "chains", "mine", "--out", out, "--store", store, "--most", "20"]) == 0
    return out


def printed(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_chains_are_mined_and_counted(store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "c.jsonl"
    assert main(["lab", "chains", "mine", "--out", str(out), "--store", store, "--most", "12", "--json"]) == 0
    result = printed(capsys)["result"]
    assert result["chains"] == len(out.read_text(encoding="utf-8").splitlines()) == 12
    assert result["settings"] == {"seed": 42, "most": 12, "per_subject": 1, "bound": 4}
    assert result["left_out"]


def test_the_plan_has_every_arm_of_every_chain(
    store: str, mined: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "plan.jsonl"
    assert main(["lab", "chains", "show", mined, "--out", str(out), "--store", store, "--json"]) == 0
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [line["arm"] for line in lines] == [*ARMS] * 20
    assert sum(printed(capsys)["result"]["arms"]["chain/both"].values()) == 20
    assert all(line["showing"]["messages"] for line in lines if line["status"] == "planned")


def test_the_instrument_is_right_about_known_models(store: str, mined: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "chains", "check", mined, "--store", store, "--json"]) == 0
    result = printed(capsys)["result"]
    assert result["right"]
    assert len(result["known"]) >= 15
    assert main(["lab", "chains", "check", mined, "--store", store]) == 0
    assert "all as known" in capsys.readouterr().out


def test_rows_are_asked_for_and_scored(store: str, mined: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "rows.jsonl"
    arms = ["--arm", "chain/both", "--arm", "chain/b-only"]
    given = ["lab", "chains", "run", mined, "--store", store, "--out", str(rows), "--script", "copies-all", *arms, "--json"]
    assert main(given) == 0
    assert printed(capsys)["result"]["rows"] == 40
    assert main(["lab", "chains", "score", str(rows), "--json", "--items", str(tmp_path / "items.jsonl")]) == 0
    found = printed(capsys)
    (delta,) = found["result"]["deltas"]
    assert delta["model"] == "copies-all"
    assert (delta["mean"], delta["verdict"], delta["enumerates"], delta["ci95_adjusted"]) == (0.0, "uninformative", True, False)
    assert found["rows_sha256"]
    assert len((tmp_path / "items.jsonl").read_text(encoding="utf-8").splitlines()) == 2 * delta["n"]
    assert main(["lab", "chains", "score", str(rows)]) == 0
    text = capsys.readouterr().out
    assert "uninformative" in text
    assert "unadjusted" in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Expected at least one chain"),
        ('{"id": "q", "prompt": "?"}', "there is none; make the file with"),
        ('{"chain": {"a": {"title": "A"}}}', "each with title and iri"),
        ("not json", "Expected a JSON object in line 1"),
    ],
)
def test_a_file_that_has_no_chains_is_refused(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    (tmp_path / "c.jsonl").write_text(text, encoding="utf-8")
    out = str(tmp_path / "p.jsonl")
    assert main(["lab", "chains", "show", str(tmp_path / "c.jsonl"), "--out", out, "--store", store]) == 2
    assert said in capsys.readouterr().err


def test_what_cannot_be_is_one_sentence(store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "c.jsonl")
    assert main(["lab", "chains", "mine", "--out", out, "--store", store, "--bound", "0"]) == 2
    assert "Expected bound to be 1 or more" in capsys.readouterr().err
    (tmp_path / "rows.jsonl").write_text("", encoding="utf-8")
    assert main(["lab", "chains", "score", str(tmp_path / "rows.jsonl")]) == 2
    assert "Expected rows that were answered" in capsys.readouterr().err
