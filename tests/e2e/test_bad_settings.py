"""Bad settings, from the environment, from loom.toml and from flags: exit code 2, one sentence a fault, and no node."""

import socket
from collections.abc import Mapping
from pathlib import Path

import pytest
from support.installed import loom

from loom.cli.main import main

ENVIRONMENT: list[tuple[str, str, str]] = [
    ("LOOM_PORT", "http", "LOOM_PORT (environment) expects a port number from 0 to 65535; it is 'http'."),
    ("LOOM_PORT", "65536", "from 0 to 65535; it is '65536'."),
    ("LOOM_PORT", "-1", "it is '-1'."),
    ("LOOM_PORT", "80.5", "it is '80.5'."),
    ("LOOM_WORKERS", "0", "a whole number from 1 to 256; it is '0'."),
    ("LOOM_WORKERS", "many", "it is 'many'."),
    ("LOOM_PROSE", "perhaps", "LOOM_PROSE (environment) expects a switch: 1 or 0, true or false"),
    ("LOOM_VERBATIM", "2", "expects a switch"),
    ("LOOM_INSECURE", "nope", "expects a switch"),
    ("LOOM_REASONING", "maybe", "auto, on or off; it is 'maybe'."),
    ("LOOM_REASONING_FLOOR", "-1", "a whole number of tokens, 0 or more"),
    ("LOOM_REASONING_RETRY", "100", "LOOM_REASONING_RETRY (100) is below LOOM_REASONING_FLOOR (4096)"),
    ("LOOM_BUDGET", "0", "a whole number from 1 to 100000"),
    ("LOOM_BUDGET", "1e3", "it is '1e3'."),
    ("LOOM_MAX_UNITS", "65", "from 1 to 64"),
    ("LOOM_HOPS", "2", "0 or 1; it is '2'."),
    ("LOOM_POLICY", "Strict", "default or reference; it is 'Strict'."),
    ("LOOM_WRAPPER", "loud", "authoritative, incomplete, supplement, neutral or bare"),
    ("LOOM_SIDE_CALLS", "on", "auto or off"),
    ("LOOM_MODEL_URL", "localhost:8000", "a base URL such as http://127.0.0.1:8000/v1; it is 'localhost:8000'."),
    ("LOOM_MODEL_URL", "ftp://host/v1", "a base URL such as"),
    ("LOOM_MODEL_URL", "http://host/v1?key=a", "a base URL such as"),
    ("LOOM_MODEL_URL", "http://", "a base URL such as"),
    ("LOOM_MODEL_URL", "http://127.0.0.1:8080/v1", "is this node's own address"),
    ("LOOM_MODEL_URL", "http://localhost:8080", "is this node's own address"),
    ("LOOM_MODEL_ALIASES", "fast", "pairs `public=upstream`"),
    ("LOOM_MODEL_ALIASES", "a=b, a=c", "pairs `public=upstream`"),
    ("LOOM_MODEL_ALIASES", "=b", "pairs `public=upstream`"),
    ("LOOM_MODEL_HEADERS", "X-Team", "pairs `Name: value`"),
    ("LOOM_MODEL_HEADERS", "X: a\r\nY: b", "pairs `Name: value`, separated by semicolons; it is another value."),
    ("LOOM_FORWARD_HEADERS", "X Team", "header names separated by commas"),
    ("LOOM_CORS_ORIGINS", "chat.example", "origins such as https://chat.example"),
    ("LOOM_CORS_ORIGINS", "https://chat.example/path", "origins such as"),
    ("LOOM_CONNECT_TIMEOUT", "0", "seconds above 0"),
    ("LOOM_FIRST_BYTE_TIMEOUT", "nan", "seconds above 0; it is 'nan'."),
    ("LOOM_IDLE_TIMEOUT", "inf", "seconds above 0; it is 'inf'."),
    ("LOOM_IDLE_TIMEOUT", "2 minutes", "seconds above 0"),
    ("LOOM_RETRIES", "11", "a whole number from 0 to 10"),
    ("LOOM_KEEPALIVE", "-1", "seconds, 0 or more"),
    ("LOOM_MAX_BODY_BYTES", "0", "a whole number of bytes above 0"),
    ("LOOM_MAX_BODY_BYTES", "16M", "a whole number of bytes above 0"),
    ("LOOM_RATE_LIMIT", "-1", "a whole number of requests a minute"),
    ("LOOM_LOG_LEVEL", "loud", "debug, info, warning or error"),
    ("LOOM_LOG_FORMAT", "xml", "auto, json or console"),
    ("LOOM_MIN_INJECT_FRACTION", "1.5", "a number from 0 to 1"),
    ("LOOM_BUGDET", "100", "unknown variable LOOM_BUGDET; did you mean LOOM_BUDGET?"),
    ("LOOM_ZZZZZZZZZ", "1", "unknown variable LOOM_ZZZZZZZZZ; `loom config` lists the known ones."),
    ("LOOM_CONFIG", "/nowhere/loom.toml", "The settings file /nowhere/loom.toml does not exist"),
]

TOML: list[tuple[bytes, str]] = [
    (b"port = ", "could not be read as TOML"),
    (b"port = 1\nport = 2", "could not be read as TOML"),
    (b"\xff\xfe", "could not be read as TOML"),
    (b'port = "eighty"', "LOOM_PORT (file"),
    (b"port = true", "a port number from 0 to 65535; it is True."),
    (b"port = [8080]", "a port number from 0 to 65535; it is [8080]."),
    (b"budget = 1.5", "it is 1.5."),
    (b"prose = 3", "expects a switch"),
    (b"bugdet = 100", "has the unknown key `bugdet`; did you mean budget?"),
    (b"LOOM_BUDGET = 100", "has the unknown key `LOOM_BUDGET`"),
    (b"[serving]\nport = 80", "has the unknown key `serving`"),
    (b'model_url = ["http://a/v1"]', "a base URL such as"),
    (b"model_key = 5", "LOOM_MODEL_KEY (file"),
    (b'model_aliases = "a"', "pairs `public=upstream`"),
]

FLAGS: list[tuple[list[str], str]] = [
    (["--port", "eighty"], "LOOM_PORT (flag --port) expects a port number from 0 to 65535; it is 'eighty'."),
    (["--prose", "maybe"], "LOOM_PROSE (flag --prose) expects a switch"),
    (["--budget", "-5"], "LOOM_BUDGET (flag --budget)"),
    (["--policy", "best"], "default or reference; it is 'best'."),
    (["--config", "/nowhere.toml"], "The settings file /nowhere.toml does not exist"),
    (["--prot", "80"], "unrecognized arguments: --prot 80"),
    (["--port"], "expected one argument"),
    (["extra"], "unrecognized arguments: extra"),
]


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """An empty folder, and no setting of a node in the environment."""
    import os

    for name in [name for name in os.environ if name.startswith("LOOM_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return monkeypatch


def code_of(*arguments: str) -> int:
    """The exit code of one command, also where the parser of arguments ends it."""
    try:
        return main(arguments)
    except SystemExit as ended:
        return int(ended.code or 0)


def faulty(capsys: pytest.CaptureFixture[str], words: str, *arguments: str) -> None:
    assert code_of("config", *arguments) == 2
    said = capsys.readouterr()
    assert words in said.err and not said.out and "Traceback" not in said.err and "pydantic" not in said.err


@pytest.mark.parametrize(("name", "value", "words"), ENVIRONMENT)
def test_environment(shell: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str, words: str) -> None:
    shell.setenv(name, value)
    faulty(capsys, words)


@pytest.mark.parametrize(("content", "words"), TOML)
def test_settings_file(
    shell: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes, words: str
) -> None:
    (tmp_path / "loom.toml").write_bytes(content)
    faulty(capsys, words)


@pytest.mark.parametrize(("flags", "words"), FLAGS)
def test_flags(shell: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], flags: list[str], words: str) -> None:
    faulty(capsys, words, *flags)


def test_everything_that_is_wrong_is_said_at_once(
    shell: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "loom.toml").write_text("bugdet = 5\nhops = 9\n")
    shell.setenv("LOOM_PORT", "x")
    shell.setenv("LOOM_POTR", "1")
    assert code_of("config", "--workers", "0") == 2
    said = capsys.readouterr().err
    for words in ("bugdet", "LOOM_HOPS", "LOOM_PORT (environment)", "LOOM_POTR", "LOOM_WORKERS (flag --workers)"):
        assert words in said
    assert len(said.strip().splitlines()) == 5


def test_a_secret_is_never_printed(shell: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "loom.toml").write_text('model_headers = "hunter2"\nmodel_key = ["hunter2"]\n')
    assert code_of("config") == 2
    assert "hunter2" not in capsys.readouterr().err
    (tmp_path / "loom.toml").write_text('model_headers = "X: hunter2"\nmodel_key = "hunter2"\n')
    assert code_of("config") == 0
    assert "hunter2" not in capsys.readouterr().out


SERVING: list[tuple[dict[str, str], str]] = [
    ({"LOOM_HOST": "0.0.0.0"}, "no API keys are set; set LOOM_API_KEYS_FILE, or LOOM_INSECURE=1"),
    ({"LOOM_HOST": "::"}, "can be reached from other machines"),
    ({"LOOM_HOST": "nowhere.invalid", "LOOM_INSECURE": "1"}, "Cannot listen on nowhere.invalid"),
    ({"LOOM_HOST": "192.0.2.1", "LOOM_INSECURE": "1"}, "Cannot listen on 192.0.2.1"),
    ({"LOOM_API_KEYS_FILE": "missing.json"}, "does not exist; make it with `loom keys add"),
    ({"LOOM_API_KEYS_FILE": "folder"}, "folder"),
    ({"LOOM_API_KEYS_FILE": "broken.json"}, "broken.json"),
    ({"LOOM_API_KEYS_FILE": "empty.json"}, "empty.json"),
    ({"LOOM_API_KEYS_FILE": "list.json"}, "list.json"),
    ({"LOOM_MODEL_URL": "http://127.0.0.1:1/v1", "LOOM_MODEL_PROFILE": "gpt"}, "a model profile among auto, generic"),
    ({"LOOM_PORT": "{taken}"}, "choose another with --host or --port"),
    ({"LOOM_GENERATIONS": "broken.json"}, "is a file; it should be the folder"),
    ({"LOOM_CLAIMS_SLOW_PATH": "on"}, "LOOM_CLAIMS_SLOW_PATH is on and LOOM_CLAIMS is off"),
    ({"LOOM_CLAIMS": "on", "LOOM_CLAIMS_FILE": "missing.toml"}, "the claims file missing.toml, but it cannot be read"),
    ({"LOOM_CLAIMS": "on", "LOOM_CLAIMS_FILE": "broken.json", "LOOM_WORKERS": "2"}, "broken.json: expected TOML"),
    ({"LOOM_CLAIMS": "on", "LOOM_CLAIMS_FILE": "model.toml"}, "a model under [judges] routing"),
    ({"LOOM_CLAIMS": "on", "LOOM_CLAIMS_FILE": "key.toml"}, "expected a key in NO_SUCH_KEY"),
    ({"LOOM_CLAIMS": "on", "LOOM_CLAIMS_FILE": "labels.toml"}, "labelled requests in none.jsonl"),
]


@pytest.mark.parametrize(("settings", "words"), SERVING, ids=lambda value: str(value)[:60])
def test_a_node_that_must_not_start(tmp_path: Path, settings: Mapping[str, str], words: str) -> None:
    """Through a real process: each ends by itself, with exit code 2 and without a traceback."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "empty.json").write_text("")
    (tmp_path / "list.json").write_text("[1]")
    (tmp_path / "model.toml").write_text('[parts]\nrouter = "model"\n')
    (tmp_path / "labels.toml").write_text('requests = "none.jsonl"\n[parts]\nrouter = "embedding"\n')
    model = '[models.small]\nurl = "http://127.0.0.1:1/v1"\nkey_env = "NO_SUCH_KEY"\n'
    (tmp_path / "key.toml").write_text(model + '[judges]\nfiling = "small"\n')
    with socket.create_server(("127.0.0.1", 0)) as taken:
        given = {name: value.format(taken=taken.getsockname()[1]) for name, value in settings.items()}
        ran = loom("serve", settings={"LOOM_PORT": "0", **given}, cwd=tmp_path)
    assert ran.returncode == 2, ran.stderr
    assert words in ran.stderr and "Traceback" not in ran.stderr, ran.stderr
    if any(name.startswith("LOOM_CLAIMS") for name in settings):
        assert '"serving"' not in ran.stderr, "nothing is said to be served before"
