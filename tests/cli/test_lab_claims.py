"""`loom lab claims` as it is typed."""

from pathlib import Path

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


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b"\xff", b'{"verdicts": [1]}'])
def test_results_that_are_none_are_refused(tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "results.json"
    results.write_bytes(content)
    assert main(["lab", "claims", "verdict", str(results)]) != 0
    assert "Traceback" not in capsys.readouterr().err


def test_a_world_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "claims", "worlds", "--worlds", "nowhere"]) != 0
    assert "nowhere" in capsys.readouterr().err
