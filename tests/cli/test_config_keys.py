"""`loom config` and `loom keys` through the command line."""

import json
from pathlib import Path

import pytest

from loom.cli.main import main
from loom.serve.keys import KeyRing
from loom.settings import SETTINGS


def test_config_shows_every_setting_with_its_origin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "loom.toml"
    file.write_text('budget = 700\nmodel_key = "sk-secret"\n')
    assert main(["config", "--config", str(file), "--port", "9000", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert set(rows) == {setting.name for setting in SETTINGS}
    assert rows["LOOM_BUDGET"] == {"name": "LOOM_BUDGET", "value": "700", "origin": f"file {file}"}
    assert rows["LOOM_PORT"]["origin"] == "flag --port" and rows["LOOM_HOST"]["origin"] == "default"
    assert rows["LOOM_MODEL_KEY"]["value"] == "********"


def test_config_in_lines_and_what_serve_would_refuse(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "--host", "0.0.0.0"]) == 0
    said = capsys.readouterr()
    assert any(line.split() == ["LOOM_HOST", "0.0.0.0", "flag", "--host"] for line in said.out.splitlines())
    assert "LOOM_API_KEYS_FILE" in said.err


def test_bad_settings_are_sentences_and_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "--port", "http", "--workers", "0"]) == 2
    said = capsys.readouterr().err
    assert "LOOM_PORT (flag --port) expects a port number" in said and "LOOM_WORKERS" in said and "Traceback" not in said


@pytest.mark.parametrize(
    "flags", [["--host", "0.0.0.0"], ["--api-keys-file", "/nowhere/keys.json"], ["--host", "203.0.113.1", "--insecure"]]
)
def test_serve_refuses_before_it_listens(flags: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--generations", str(tmp_path), "--port", "0", *flags]) == 2
    assert capsys.readouterr().err.startswith("loom serve: ")


def test_keys_are_made_listed_and_revoked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "keys.json"
    assert main(["keys", "add", "chat window", "--file", str(file)]) == 0
    text = capsys.readouterr().out.strip()
    assert main(["keys", "add", "operator", "--scopes", "admin", "--rate-limit", "0", "--file", str(file)]) == 0
    capsys.readouterr()
    key = KeyRing(file).find(text)
    assert key and key.name == "chat window" and key.scopes == ("chat", "read")
    assert main(["keys", "list", "--file", str(file)]) == 0
    listed = capsys.readouterr().out
    assert key.id in listed and "operator" in listed and "0 a minute" in listed and text not in listed
    assert main(["keys", "revoke", "chat window", "--file", str(file)]) == 0
    assert KeyRing(file).find(text) is None


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["add", "x", "--scopes", "root"], "chat, read, write, admin"),
        (["add", " "], "a name"),
        (["add", "x", "--rate-limit", "-1"], "--rate-limit"),
        (["revoke", "nobody"], "cannot be read"),
        (["list"], "cannot be read"),
    ],
)
def test_what_keys_refuses(tmp_path: Path, given: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["keys", *given, "--file", str(tmp_path / "keys.json")]) == 2
    assert words in capsys.readouterr().err
