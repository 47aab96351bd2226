"""Settings: origins, kinds of value, and every way of being wrong."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.errors import BadSettings
from loom.core.policy.policy import POLICIES
from loom.core.policy.wrappers import WRAPPERS
from loom.settings import BY_NAME, SETTINGS, Settings, load, refuse_unsafe, taken_over
from loom.settings_kinds import read_switch


def test_defaults_are_those_of_the_table():
    assert load({}) == Settings()
    assert all(origin == "default" for _, _, origin in load({}).shown())


def test_later_origins_win_and_are_known(tmp_path: Path):
    file = tmp_path / "loom.toml"
    file.write_text('port = 1111\nbudget = 900\nhost = "localhost"\n')
    settings = load({"LOOM_PORT": "2222", "LOOM_BUDGET": "800"}, file=file, flags={"LOOM_PORT": "3333"})
    assert (settings.serving.port, settings.retrieval.budget, settings.serving.host) == (3333, 800, "localhost")
    origins = {name: origin for name, _, origin in settings.shown()}
    assert origins["LOOM_PORT"] == "flag --port"
    assert origins["LOOM_BUDGET"] == "environment"
    assert origins["LOOM_HOST"] == f"file {file}"
    assert origins["LOOM_WORKERS"] == "default"


def test_secrets_are_masked_everywhere(tmp_path: Path):
    settings = load({"LOOM_MODEL_KEY": "sk-very-secret", "LOOM_MODEL_HEADERS": "X-Token: very-secret"})
    assert "very-secret" not in str(settings.shown())
    with pytest.raises(BadSettings) as caught:
        load({"LOOM_MODEL_HEADERS": "very-secret-without-a-name"})
    assert "very-secret" not in caught.value.message
    inside = load({"LOOM_MODEL_URL": "http://user:very-secret@models/v1"})
    assert inside.model.url == "http://user:very-secret@models/v1"
    assert "very-secret" not in str(inside.shown()) and "@models/v1" in str(inside.shown())
    for url in ("ftp://user:very-secret@models/v1", "http://user@models/v1?key=very-secret"):
        with pytest.raises(BadSettings) as caught:
            load({"LOOM_MODEL_URL": url})
        assert "very-secret" not in caught.value.message and "models/v1" in caught.value.message


def test_every_fault_is_reported_at_once(tmp_path: Path):
    file = tmp_path / "loom.toml"
    file.write_text("prot = 1\n")
    with pytest.raises(BadSettings) as caught:
        load({"LOOM_WORKER": "2", "LOOM_PORT": "http", "LOOM_BUDGET": "0"}, file=file)
    lines = caught.value.message.split("\n")
    assert len(lines) == 4
    assert "did you mean port?" in lines[0]
    assert "did you mean LOOM_WORKERS?" in lines[1]
    assert "LOOM_PORT (environment) expects a port number" in lines[2] and "'http'" in lines[2]
    assert "LOOM_BUDGET" in lines[3]


BAD_VALUES = [
    ("LOOM_PORT", "65536"),
    ("LOOM_PORT", "-1"),
    ("LOOM_PORT", "80.5"),
    ("LOOM_WORKERS", "0"),
    ("LOOM_WORKERS", "two"),
    ("LOOM_KEEPALIVE", "-1"),
    ("LOOM_KEEPALIVE", "nan"),
    ("LOOM_CONNECT_TIMEOUT", "0"),
    ("LOOM_CONNECT_TIMEOUT", "inf"),
    ("LOOM_FIRST_BYTE_TIMEOUT", "soon"),
    ("LOOM_RETRIES", "11"),
    ("LOOM_INSECURE", "maybe"),
    ("LOOM_PROSE", "2"),
    ("LOOM_MODEL_URL", "localhost:8000"),
    ("LOOM_MODEL_URL", "ftp://models.example/v1"),
    ("LOOM_MODEL_URL", "http:///v1"),
    ("LOOM_MODEL_ALIASES", "fast"),
    ("LOOM_MODEL_ALIASES", "fast=a,fast=b"),
    ("LOOM_MODEL_HEADERS", "X-Key value"),
    ("LOOM_FORWARD_HEADERS", "x token"),
    ("LOOM_REASONING", "sometimes"),
    ("LOOM_REASONING_FLOOR", "-5"),
    ("LOOM_BUDGET", "0"),
    ("LOOM_BUDGET", "1e9"),
    ("LOOM_MAX_UNITS", "65"),
    ("LOOM_HOPS", "2"),
    ("LOOM_POLICY", "strict"),
    ("LOOM_WRAPPER", "loud"),
    ("LOOM_MIN_INJECT_FRACTION", "1.5"),
    ("LOOM_SIDE_CALLS", "on"),
    ("LOOM_RATE_LIMIT", "-1"),
    ("LOOM_MAX_BODY_BYTES", "0"),
    ("LOOM_CORS_ORIGINS", "chat.example"),
    ("LOOM_LOG_LEVEL", "loud"),
    ("LOOM_LOG_FORMAT", "xml"),
]


@pytest.mark.parametrize(("name", "value"), BAD_VALUES)
def test_a_bad_value_is_named_with_what_was_expected(name: str, value: str):
    with pytest.raises(BadSettings) as caught:
        load({name: value})
    assert caught.value.message.startswith(f"{name} (environment) expects {BY_NAME[name].expects}; it is ")
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("text", "meaning"),
    [("1", True), ("TRUE", True), ("Yes", True), ("on", True), ("0", False), ("False", False), ("no", False), ("OFF", False)],
)
def test_switches(text: str, meaning: bool):
    assert load({"LOOM_PROSE": text}).retrieval.prose is meaning


@given(st.text())
def test_no_other_text_is_a_switch(text: str):
    known = text.strip().lower() in {"1", "0", "true", "false", "yes", "no", "on", "off"}
    try:
        read = read_switch(text)
    except ValueError:
        assert not known
    else:
        assert known and isinstance(read, bool)


def test_a_variable_set_to_nothing_is_not_set():
    assert load({"LOOM_PORT": "", "LOOM_MODEL_KEY": " "}) == Settings()


@pytest.mark.parametrize(
    "line", ["port = true", "workers = 1.0", 'prose = "perhaps"', "host = 5", "model_url = []", "budget = '''x'''"]
)
def test_a_bad_value_in_the_file(tmp_path: Path, line: str):
    file = tmp_path / "loom.toml"
    file.write_text(line)
    with pytest.raises(BadSettings, match="expects"):
        load({}, file=file)


@pytest.mark.parametrize("text", ["port = ", "[serving]\nport = 1", "\x00"])
def test_a_file_that_is_not_a_flat_table(tmp_path: Path, text: str):
    file = tmp_path / "loom.toml"
    file.write_text(text)
    with pytest.raises(BadSettings):
        load({}, file=file)


def test_a_settings_file_that_was_named_must_exist(tmp_path: Path):
    with pytest.raises(BadSettings, match="does not exist"):
        load({}, file=tmp_path / "none.toml")
    with pytest.raises(BadSettings, match="does not exist"):
        load({"LOOM_CONFIG": str(tmp_path / "none.toml")})


def test_tables_may_be_toml_tables(tmp_path: Path):
    file = tmp_path / "loom.toml"
    file.write_text('cors_origins = ["https://chat.example"]\n[model_aliases]\nfast = "org/small"\n')
    settings = load({}, file=file)
    assert settings.model.aliases == {"fast": "org/small"}
    assert settings.serving.cors_origins == ("https://chat.example",)
    assert load({"LOOM_MODEL_ALIASES": "fast=org/small"}).model.aliases == settings.model.aliases


@pytest.mark.parametrize(
    "variables",
    [
        {"LOOM_REASONING_FLOOR": "4096", "LOOM_REASONING_RETRY": "2048"},
        {"LOOM_MODEL_URL": "http://127.0.0.1:8080/v1", "LOOM_PORT": "8080"},
        {"LOOM_MODEL_URL": "http://localhost:8080/v1", "LOOM_HOST": "0.0.0.0", "LOOM_PORT": "8080"},
        {"LOOM_EMBEDDER": "url"},
        {"LOOM_VECTOR_INDEX": "qdrant"},
    ],
)
def test_contradictions(variables: dict[str, str]):
    with pytest.raises(BadSettings):
        load(variables)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "node.example"])
def test_other_addresses_need_keys_or_a_word(host: str, tmp_path: Path):
    with pytest.raises(BadSettings, match="LOOM_API_KEYS_FILE"):
        refuse_unsafe(load({"LOOM_HOST": host}))
    refuse_unsafe(load({"LOOM_HOST": host, "LOOM_INSECURE": "1"}))
    keys = tmp_path / "keys.json"
    with pytest.raises(BadSettings, match="does not exist"):
        refuse_unsafe(load({"LOOM_HOST": host, "LOOM_API_KEYS_FILE": str(keys)}))
    keys.write_text("{}")
    refuse_unsafe(load({"LOOM_HOST": host, "LOOM_API_KEYS_FILE": str(keys)}))


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "127.0.0.2"])
def test_loopback_needs_nothing(host: str):
    refuse_unsafe(load({"LOOM_HOST": host}))


def test_a_slow_path_has_claims_to_write():
    with pytest.raises(BadSettings, match="LOOM_CLAIMS is off"):
        refuse_unsafe(load({"LOOM_CLAIMS_SLOW_PATH": "on"}))
    refuse_unsafe(load({"LOOM_CLAIMS_SLOW_PATH": "on", "LOOM_CLAIMS": "on"}))


def test_settings_survive_the_way_to_a_worker():
    settings = load(
        {"LOOM_MODEL_KEY": "secret", "LOOM_MODEL_ALIASES": "a=b", "LOOM_CORS_ORIGINS": "*"}, flags={"LOOM_PORT": "9"}
    )
    assert taken_over(settings.handover()) == settings


def test_choices_are_those_of_the_core():
    for name in POLICIES:
        assert load({"LOOM_POLICY": name}).retrieval.policy == name
    for name in WRAPPERS:
        assert load({"LOOM_WRAPPER": name}).retrieval.wrapper == name
    assert BY_NAME["LOOM_POLICY"].expects == " or ".join(POLICIES)
    assert BY_NAME["LOOM_WRAPPER"].expects.replace(" or ", ", ").split(", ") == list(WRAPPERS)


def test_every_setting_says_what_it_means():
    assert len({setting.name for setting in SETTINGS}) == len(SETTINGS)
    for setting in SETTINGS:
        assert setting.name.startswith("LOOM_") and setting.meaning and setting.expects
