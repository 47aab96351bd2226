"""`loom lab claims` as it is typed."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from loom.cli.main import main

VERDICTS = {
    "verdicts": [
        {"part": "scope", "outcome": "dropped", "why": "no gain", "settings": {"scope": False}},
        {"part": "claims", "outcome": "kept", "why": "a gain", "settings": {}},
    ],
    "thesis": {"holds": True, "quality": True, "cost": True, "fails_in_the_weaker_sense": False, "defects": []},
}


def test_the_ledger_prints_the_illustration(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "claims", "ledger"]) == 0
    out = capsys.readouterr().out
    assert "90.4" in out and "31.1" in out and "135.8" in out and out.count("none") >= 2


def test_rules_see_what_is_said_plainly(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "claims", "rules", "--json"]) == 0
    found = orjson.loads(capsys.readouterr().out)["result"]
    assert found["recall"]["negation"] > 0.9 and found["precision"] > 0.9
    assert found["recall"]["reworded"] < 0.5


def test_a_verdict_is_applied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results, file = tmp_path / "results.json", tmp_path / "claims.toml"
    results.write_bytes(orjson.dumps(VERDICTS))
    file.write_text("[parts]\nscope = true\n")
    assert main(["lab", "claims", "verdict", str(results), "--apply", str(file)]) == 0
    assert file.read_text() == "[parts]\nscope = false\n"
    assert "set in" in capsys.readouterr().out


def test_a_verdict_is_applied_where_a_link_leads_and_permissions_stay(tmp_path: Path) -> None:
    results, file, link = tmp_path / "results.json", tmp_path / "own" / "claims.toml", tmp_path / "claims.toml"
    results.write_bytes(orjson.dumps(VERDICTS))
    file.parent.mkdir()
    file.write_bytes(b"[parts]\r\nscope = true # don't\r\n")
    file.chmod(0o600)
    link.symlink_to(file)
    assert main(["lab", "claims", "verdict", str(results), "--apply", str(link)]) == 0
    assert link.is_symlink() and file.read_bytes() == b"[parts]\r\nscope = false # don't\r\n"
    assert file.stat().st_mode & 0o777 == 0o600


EDITED = [
    b'{"verdicts": [{"part": "scope", "outcome": "dropped"}]}',
    b'{"verdicts": [{"part": "scope", "outcome": "kept", "why": "", "settings": []}]}',
    b'{"verdicts": [], "thesis": {}}',
    b'{"verdicts": [], "thesis": 1}',
    b'{"verdicts": [], "thesis": {"holds": "yes", "quality": true, "cost": [], "fails_in_the_weaker_sense": false, "defects": []}}',
]
"""Results out of which somebody cut, or into which they wrote."""


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b"\xff", b'{"verdicts": [1]}', *EDITED])
def test_results_that_are_none_are_refused(tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "results.json"
    results.write_bytes(content)
    assert main(["lab", "claims", "verdict", str(results)]) != 0
    assert "Traceback" not in capsys.readouterr().err


def test_a_world_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "claims", "worlds", "--worlds", "nowhere"]) != 0
    assert "nowhere" in capsys.readouterr().err


@pytest.fixture
def store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """A workspace of one accepted claim, and the id of that claim."""
    place = str(tmp_path / "claims.sqlite")
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.md").write_text("The boiler depends on the pump.\n")
    (folder / "b.md").write_text("The pump depends on the valve.\n")
    for command in (
        ["domain", "supply", "--description", "boiler pump valve depends"],
        ["take", str(folder)],
        ["ask", "What does the boiler depend on?", "--way", "reason"],
    ):
        assert main(["claims", *command, "--store", place]) == 0
    capsys.readouterr()
    assert main(["claims", "list", "--json", "--store", place]) == 0
    return place, orjson.loads(capsys.readouterr().out)["claims"][0]["id"]


def test_a_real_workspace_is_measured_and_stays_as_it_is(
    store: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place, claim = store
    assert main(["claims", "export", "--store", place]) == 0
    before = capsys.readouterr().out
    labels = tmp_path / "labels.jsonl"
    rows = [
        {"kind": "query", "id": "one", "text": "valve boiler", "session": "s1", "grades": {claim: 3}},
        {"kind": "query", "id": "two", "text": "pump", "session": "s2", "grades": {claim: 1}},
        {"kind": "query", "id": "none", "text": "weather", "session": "s3", "grades": {}},
        {"kind": "contradiction", "target": claim, "contradicting": "The boiler no longer depends on the valve.", "distractor": "The boiler is red."},
        {"kind": "sound", "claim": claim, "label": True},
    ]  # fmt: skip
    labels.write_bytes(b"".join(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows))
    assert main(["lab", "claims", "measure", str(labels), "--store", place, "--json"]) == 0
    result = orjson.loads(capsys.readouterr().out)["result"]
    assert result["experiments"]["restoring"]["exact"] is True
    assert result["experiments"]["retrieval"]["queries"] == {"validation": 1, "held": 1}
    assert {each["outcome"] for each in result["verdicts"]} == {"not judged"} and result["thesis"]["holds"] is None
    assert main(["claims", "export", "--store", place]) == 0
    assert capsys.readouterr().out == before


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "[]",
        '{"kind": "weather"}',
        '{"kind": "query", "id": "q", "text": "t", "session": "s", "grades": {"x": 4}}',
        '{"kind": "query", "id": "q", "text": "t", "session": "s", "grades": {"x": true}}',
        '{"kind": "request", "id": "r", "text": "t", "session": "s", "label": "think"}',
        '{"kind": "sound", "claim": "claim:none", "label": true}',
        '{"kind": "sound", "claim": "claim:none", "label": "yes"}',
    ],
)
def test_labels_that_are_none_are_refused_in_a_sentence(
    line: str, store: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = tmp_path / "labels.jsonl"
    labels.write_text(line + "\n")
    assert main(["lab", "claims", "measure", str(labels), "--store", store[0]]) != 0
    assert "expected" in capsys.readouterr().err.lower()


def test_without_a_label_it_is_said_that_little_is_measured(
    store: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "labels.jsonl").write_text("\n")
    assert main(["lab", "claims", "measure", str(tmp_path / "labels.jsonl"), "--store", store[0], "--json"]) == 0
    assert "There is no label in" in capsys.readouterr().err


def test_a_store_that_there_is_not_is_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "labels.jsonl").write_text("")
    place = tmp_path / "none.sqlite"
    assert main(["lab", "claims", "measure", str(tmp_path / "labels.jsonl"), "--store", str(place)]) != 0
    assert not place.exists() and "no claims" in capsys.readouterr().err


def test_the_minutes_of_people_are_read_from_the_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = ["--store", str(tmp_path / "claims.sqlite")]

    def run(*words: str, code: int = 0) -> Any:
        assert main(["claims", *words, *place, "--json"]) == code, words
        return orjson.loads(capsys.readouterr().out)

    def ledger(*more: str) -> Any:
        assert main(["lab", "claims", "ledger", *place, "--json", *more]) == 0
        return orjson.loads(capsys.readouterr().out)["result"]

    ids = [run("enter", f"The mill is {word}.", "--by", "anna")["moves"][0]["claim"] for word in ("old", "red", "tall")]
    for id, seconds in zip(ids, ("6", "24", "0"), strict=True):
        run("accept", id, "--seconds", seconds)
    run("accept", ids[0], "--seconds", "3600", code=1)
    run("domain", "mill", "--seconds", "180", "--by", "anna")
    run("ask", "What is the mill?", "--way", "reason", code=0)
    told = ledger("--wage", "120")
    assert told["people"]["accept"] == {"done": 3, "timed": 2, "median_minutes": 0.25, "minutes": 0.75}, (
        "what was refused is no action"
    )
    assert told["people"]["describe"] == {"done": 1, "timed": 1, "median_minutes": 3.0, "minutes": 3.0}
    assert told["untimed"] == ["enter"] and told["people"]["enter"]["done"] == 3
    assert (told["minutes"], told["price_of_people"], told["requests"]) == (3.75, 7.5, 1)
    assert "break_even" not in told
    priced = ledger("--wage", "120", "--reads", "40", "--once", "0.5", "--reread", "0.25")
    assert (priced["break_even"], priced["observed_reads_a_request"]) == (28.0, 40.0)
    assert main(["lab", "claims", "ledger", *place]) == 0
    shown = capsys.readouterr().out
    assert "accept" in shown and "not timed" in shown and "3.75 minutes" in shown
    for wrong in (["--once", "1"], ["--reads", "3", "--once", "-1", "--reread", "1"], ["--wage", "nan"]):
        assert main(["lab", "claims", "ledger", *place, *wrong]) == 2
    capsys.readouterr()
    assert main(["lab", "claims", "ledger", *place, "--reads", "90"]) == 2
    assert "but --once and --reread are missing; give all three, or none." in capsys.readouterr().err
    assert main(["lab", "claims", "ledger", "--reads", "90", "--once", "1", "--reread", "1"]) == 2
    assert "Expected --store beside --reads" in capsys.readouterr().err
    assert main(["claims", "accept", ids[0], *place, "--seconds", "nan"]) == 2
    assert main(["lab", "claims", "ledger", "--store", str(tmp_path / "none.sqlite")]) == 2
    assert "Traceback" not in capsys.readouterr().err
