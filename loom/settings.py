"""The settings of the node: validated once, frozen, and each with a known origin.

Later wins: default < `loom.toml` < environment < flag. Everything that is wrong is reported at once, a sentence each.
"""

import difflib
import json
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, ValidationError

from loom.core.errors import BadSettings
from loom.settings_claims import ClaimSettings
from loom.settings_groups import (
    EmbeddingSettings,
    FactSettings,
    Group,
    LimitSettings,
    LogSettings,
    MemorySettings,
    ModelSettings,
    NodeSettings,
    ProposalSettings,
    RetrievalSettings,
    ServingSettings,
    SparqlSettings,
)
from loom.settings_kinds import shown

GROUPS: dict[str, type[Group]] = {
    "node": NodeSettings,
    "serving": ServingSettings,
    "model": ModelSettings,
    "retrieval": RetrievalSettings,
    "embedding": EmbeddingSettings,
    "facts": FactSettings,
    "memory": MemorySettings,
    "claims": ClaimSettings,
    "proposals": ProposalSettings,
    "limits": LimitSettings,
    "sparql": SparqlSettings,
    "logs": LogSettings,
}

FILE_VARIABLE = "LOOM_CONFIG"
HANDOVER_VARIABLE = "LOOM_HANDOVER"
NOT_SETTINGS = {
    FILE_VARIABLE: "Path of the settings file; without it `loom.toml` in the working directory is read if it exists.",
    HANDOVER_VARIABLE: "Settings that `loom serve` hands to its workers; not to be set by hand.",
    "LOOM_TEST_DATA": "Folder of the data that the tests measure on.",
    "LOOM_E2E_BIN": "The `loom` command that the end-to-end tests drive.",
}


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as the documentation, the flags and `loom config` list it."""

    name: str
    group: str
    field: str
    default: str
    meaning: str
    expects: str
    secret: bool

    @property
    def key(self) -> str:
        """Its name in loom.toml."""
        return self.name.removeprefix("LOOM_").lower()

    @property
    def flag(self) -> str:
        return "--" + self.key.replace("_", "-")


def _settings() -> Iterable[Setting]:
    for group, model in GROUPS.items():
        for field, info in model.model_fields.items():
            extra: Any = info.json_schema_extra
            yield Setting(
                extra["variable"], group, field, shown(info.default), info.description or "", extra["expects"], extra["secret"]
            )


SETTINGS: tuple[Setting, ...] = tuple(_settings())
BY_NAME = {setting.name: setting for setting in SETTINGS}
BY_KEY = {setting.key: setting for setting in SETTINGS}


class Settings(BaseModel):
    """All groups together. `Settings()` is the defaults; `load` reads the other origins."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    node: NodeSettings = NodeSettings()
    serving: ServingSettings = ServingSettings()
    model: ModelSettings = ModelSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    facts: FactSettings = FactSettings()
    memory: MemorySettings = MemorySettings()
    claims: ClaimSettings = ClaimSettings()
    proposals: ProposalSettings = ProposalSettings()
    limits: LimitSettings = LimitSettings()
    sparql: SparqlSettings = SparqlSettings()
    logs: LogSettings = LogSettings()
    origins: dict[str, str] = {}

    def value(self, setting: Setting) -> Any:
        return getattr(getattr(self, setting.group), setting.field)

    def origin(self, setting: Setting) -> str:
        return self.origins.get(setting.name, "default")

    def shown(self) -> list[tuple[str, str, str]]:
        """Name, value and origin of every setting, secrets masked."""
        rows = []
        for setting in SETTINGS:
            text = without_password(shown(self.value(setting)))
            rows.append((setting.name, "********" if setting.secret and text else text, self.origin(setting)))
        return rows

    def handover(self) -> str:
        """The settings as text from which `taken_over` makes equal ones in another process."""
        return self.model_dump_json()


def taken_over(text: str) -> Settings:
    return Settings.model_validate_json(text)


def load(
    environ: Mapping[str, str] | None = None, *, file: Path | None = None, flags: Mapping[str, Any] | None = None
) -> Settings:
    """The settings in force. `flags` maps setting names to what was given; raises BadSettings with a sentence per fault."""
    environ = os.environ if environ is None else environ
    problems: list[str] = []
    given: dict[str, tuple[Any, str]] = {}
    path = file or (Path(environ[FILE_VARIABLE]) if environ.get(FILE_VARIABLE) else None)
    for name, value in _from_file(path, problems).items():
        given[name] = (value, f"file {path or 'loom.toml'}")
    for name, value in _from_environment(environ, problems).items():
        given[name] = (value, "environment")
    for name, value in (flags or {}).items():
        given[name] = (value, f"flag {BY_NAME[name].flag}")
    groups = {group: _validated(group, given, problems) for group in GROUPS}
    if not problems:
        settings = Settings.model_validate({**groups, "origins": {name: origin for name, (_, origin) in given.items()}})
        problems.extend(contradictions(settings))
    if problems:
        raise BadSettings("\n".join(problems))
    return settings


def _from_file(path: Path | None, problems: list[str]) -> dict[str, Any]:
    asked, path = path is not None, path or Path("loom.toml")
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if asked:
            problems.append(f"The settings file {path} does not exist; create it, or leave out --config and {FILE_VARIABLE}.")
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        problems.append(f"The settings file {path} could not be read as TOML: {error}.")
        return {}
    for key in table.keys() - BY_KEY.keys():
        problems.append(f"The settings file {path} has the unknown key `{key}`{_nearest(key, BY_KEY)}")
    return {BY_KEY[key].name: value for key, value in table.items() if key in BY_KEY}


def _from_environment(environ: Mapping[str, str], problems: list[str]) -> dict[str, Any]:
    """Variables that are set to nothing count as not set, as Compose files pass them."""
    for name in sorted(environ):
        if name.startswith("LOOM_") and name not in BY_NAME and name not in NOT_SETTINGS:
            problems.append(f"The environment has the unknown variable {name}{_nearest(name, BY_NAME)}")
    return {name: environ[name] for name in BY_NAME if environ.get(name, "").strip()}


def _nearest(name: str, known: Iterable[str]) -> str:
    bare = {each.removeprefix("LOOM_"): each for each in known}
    near = difflib.get_close_matches(name.removeprefix("LOOM_"), list(bare), n=1, cutoff=0.5)
    return f"; did you mean {bare[near[0]]}?" if near else "; `loom config` lists the known ones."


def _validated(group: str, given: Mapping[str, tuple[Any, str]], problems: list[str]) -> Group | None:
    here = {setting.field: setting for setting in SETTINGS if setting.group == group and setting.name in given}
    try:
        return GROUPS[group].model_validate({field: given[setting.name][0] for field, setting in here.items()})
    except ValidationError as error:
        for field in dict.fromkeys(str(fault["loc"][0]) for fault in error.errors(include_url=False)):
            setting = here[field]
            value, origin = given[setting.name]
            came = "another value" if setting.secret else without_password(repr(value))
            problems.append(f"{setting.name} ({origin}) expects {setting.expects}; it is {came}.")
        return None


def without_password(text: str) -> str:
    """A value as it may be shown: what stands before the `@` of a URL, and its query, are masked."""
    return re.sub(r"(?<=\?)[^'\"]+", "********", re.sub(r"(?<=://)[^/@]*(?=@)", "********", text)) if "://" in text else text


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def contradictions(settings: Settings) -> list[str]:
    """Values that are fine alone and cannot hold together."""
    model, serving = settings.model, settings.serving
    problems = []
    if model.reasoning_retry and model.reasoning_retry < model.reasoning_floor:
        problems.append(
            f"LOOM_REASONING_RETRY ({model.reasoning_retry}) is below LOOM_REASONING_FLOOR ({model.reasoning_floor}); "
            "a retry needs at least the allowance of the first attempt, or 0 to have none."
        )
    target = urlsplit(model.url)
    if model.url and serving.port and (target.port or 80) == serving.port and _same_host(target.hostname or "", serving.host):
        problems.append(
            f"LOOM_MODEL_URL ({model.url}) is this node's own address; set it to the model's, or LOOM_PORT to another port."
        )
    for name, given, needed, value in (
        ("LOOM_EMBEDDER", settings.embedding.embedder == "url", "LOOM_EMBED_URL", settings.embedding.url),
        ("LOOM_VECTOR_INDEX", settings.embedding.index == "qdrant", "LOOM_QDRANT_URL", settings.embedding.qdrant_url),
    ):
        if given and not value:
            problems.append(f"{name} names a server and {needed} is empty; set it to the server's base URL.")
    return problems


def _same_host(host: str, own: str) -> bool:
    return host == own or (is_loopback(host) and (is_loopback(own) or own in ("0.0.0.0", "::")))


def refuse_unsafe(settings: Settings) -> None:
    """What holds for a node that is about to listen; raises BadSettings."""
    serving, generations = settings.serving, settings.node.generations
    problems = []
    if generations.exists() and not generations.is_dir():
        problems.append(
            f"LOOM_GENERATIONS ({generations}) is a file; it should be the folder that `loom build --out` wrote to."
        )
    if serving.api_keys_file and not Path(serving.api_keys_file).is_file():
        problems.append(
            f"LOOM_API_KEYS_FILE ({serving.api_keys_file}) does not exist; make it with `loom keys add NAME --file {serving.api_keys_file}`."
        )
    if not is_loopback(serving.host) and not serving.api_keys_file and not serving.insecure:
        problems.append(
            f"LOOM_HOST ({serving.host}) can be reached from other machines and no API keys are set; set LOOM_API_KEYS_FILE, "
            "or LOOM_INSECURE=1 if something in front of the node protects it."
        )
    if settings.claims.slow_path == "on" and not settings.claims.kept:
        problems.append(
            "LOOM_CLAIMS_SLOW_PATH is on and LOOM_CLAIMS is off, so that there is nothing for it to write; set LOOM_CLAIMS=on, or "
            "LOOM_CLAIMS_SLOW_PATH=off."
        )
    if problems:
        raise BadSettings("\n".join(problems))


def as_json(settings: Settings) -> str:
    """What `loom config --json` prints."""
    return json.dumps([{"name": n, "value": v, "origin": o} for n, v, o in settings.shown()], ensure_ascii=False, indent=2)
