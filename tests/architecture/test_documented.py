"""Every setting, metric, command, flag and route stands in the documentation, and what stands there exists."""

import re

import pytest
from support.command_reference import is_family, parsers, reference
from support.sources import ROOT

from loom.cli.main import parser
from loom.serve.metrics import METRICS
from loom.settings import NOT_SETTINGS, SETTINGS

README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCS = README + "".join(file.read_text(encoding="utf-8") for file in sorted((ROOT / "docs").rglob("*.md")))

written = pytest.mark.skipif("## Configuration" not in README, reason="README has no section on configuration yet")


def words(pattern: str) -> set[str]:
    return set(re.findall(pattern, DOCS))


@written
def test_every_setting_is_in_the_configuration_table() -> None:
    table = {
        match[1]: match[2].strip().strip("`")
        for match in re.finditer(r"^\| *`(LOOM_[A-Z_]+)` *\| *(.*?) *\|", README, re.M)
    }  # fmt: skip
    assert not [setting.name for setting in SETTINGS if setting.name not in table]
    wrong = {
        s.name: (table[s.name], s.default)
        for s in SETTINGS
        if table[s.name].lower() not in (s.default.lower(), f'"{s.default}"')
    }
    assert not {name: pair for name, pair in wrong.items() if not (pair[1] == "" and pair[0] in ("", "empty", '""'))}


@written
def test_no_setting_is_made_up() -> None:
    known = {setting.name for setting in SETTINGS} | set(NOT_SETTINGS)
    assert not words(r"\bLOOM_[A-Z_]*[A-Z]\b") - known


@written
def test_every_metric_is_listed_and_none_is_made_up() -> None:
    names = {metric.name for metric in METRICS}
    series = {name + end for name in names for end in ("", "_bucket", "_sum", "_count")}
    named = words(r"\bloom_[a-z_]+_(?:total|seconds|tokens|info|bucket|sum|count|version|waiting|standing|calls|price)\b")
    assert not names - named
    assert not named - series


def test_the_page_of_commands_is_the_parsers_own_words() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert page == reference(), "python tests/support/command_reference.py > docs/commands.md writes it anew"


@written
def test_every_command_is_in_the_readme() -> None:
    commands = [path for path, made in parsers(parser()) if not is_family(made)]
    assert len(commands) > 12
    assert not [path for path in commands if path not in README and not family_lists(path)]


def family_lists(path: str) -> bool:
    """`loom generations list|show|…` names each of its commands."""
    family, command = path.rsplit(" ", 1)
    lists = re.findall(re.escape(family) + r" ([a-z|]+)", README.replace(r"\|", "|"))
    return any(command in each.split("|") for each in lists)


def every_route() -> dict[str, list[str]]:
    """Paths of the interface's own description, with their methods."""
    from loom import compose
    from loom.serve.app import create_app
    from loom.settings import load

    described = create_app(compose.node(load({}))).openapi()
    return {path: [method.upper() for method in methods] for path, methods in described["paths"].items()}


@written
def test_every_route_is_described() -> None:
    routes = every_route()
    assert {"/v1/chat/completions", "/loom/scaffold", "/health/ready", "/metrics"} <= set(routes)
    assert not [path for path in routes if path != "/" and path not in DOCS]


@written
def test_links_within_the_documentation_lead_somewhere() -> None:
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]
    broken = []
    for page in pages:
        text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
        for target in re.findall(r"\]\((?!https?:|mailto:)([^)#\s]+)", text):
            if not (page.parent / target).exists():
                broken.append(f"{page.relative_to(ROOT)}: {target}")
    assert not broken
