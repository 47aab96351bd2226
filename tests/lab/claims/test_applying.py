"""Verdicts into a workspace's file."""

import tomllib
from typing import Any

import pytest

from loom.claims.stated import stated
from loom.core.errors import BadInput, BadSettings
from loom.lab.claims.applying import applied, dropped

FILE = """# ours
embed = "hash"

[parts]
scope = true   # everywhere is too much
supports = "write"

[rules]
gate = 20.0
"""


def test_parts_are_set_and_nothing_else_changes() -> None:
    made = applied(FILE, {"scope": False, "conflicts": "log"})
    assert tomllib.loads(made) == {
        "embed": "hash",
        "parts": {"scope": False, "supports": "write", "conflicts": "log"},
        "rules": {"gate": 20.0},
    }
    assert "# ours" in made and "scope = false   # everywhere is too much" in made
    assert not stated(tomllib.loads(made)).parts.scope


@pytest.mark.parametrize("text", ["", 'embed = "hash"', "[rules]\ngate = 1.0\n", "[ parts ] # ours\n"])
def test_a_file_without_parts_gets_them(text: str) -> None:
    made = applied(text, {"claims": False})
    assert stated(tomllib.loads(made)).parts.claims is False


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("# ours\r\n[parts]\r\nscope = true # mine\r\n", "# ours\r\n[parts]\r\nscope = false # mine\r\n"),
        ('[parts]\nscope = true # don\'t "touch"\n', '[parts]\nscope = false # don\'t "touch"\n'),
        ("[parts]\n  'scope'=true#x\n\n\n", "[parts]\n  'scope'=false#x\n\n\n"),
        ("# a\u2028b\x85c\n[parts]\nscope = true", "# a\u2028b\x85c\n[parts]\nscope = false"),
        ("[parts]\r\n# none yet\r\n[rules]\r\n", "[parts]\r\nscope = false\r\n# none yet\r\n[rules]\r\n"),
        ("# a\r\n[parts]", "# a\r\n[parts]\r\nscope = false"),
        ("# a\r\n# b\r\n", "# a\r\n# b\r\n\r\n[parts]\r\nscope = false\r\n"),
        ("# a", "# a\n\n[parts]\nscope = false\n"),
    ],
)
def test_every_other_byte_stays(text: str, made: str) -> None:
    assert applied(text, {"scope": False}) == made
    assert applied(made, {"scope": False}) == made


def test_no_drop_leaves_the_bytes() -> None:
    assert applied(FILE, {}) == FILE


@pytest.mark.parametrize("text", ["parts = { scope = true }", "parts.scope = true"])
def test_parts_in_another_form_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match=r"\[parts\]"):
        applied(text, {"scope": False})


@pytest.mark.parametrize(("text", "error"), [("= 1", BadInput), ("other = 1", BadSettings)])
def test_what_is_no_file_of_a_workspace_is_refused(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        applied(text, {"scope": False})


def verdict(**changes: object) -> dict[str, object]:
    row: dict[str, object] = {"part": "scope", "outcome": "dropped", "why": "", "settings": {"scope": False}}
    return {name: value for name, value in {**row, **changes}.items() if value is not ...}


def test_verdicts_are_read_strictly() -> None:
    assert dropped([verdict(), verdict(part="claims", outcome="kept", settings={})]) == {"scope": False}


@pytest.mark.parametrize(
    "rows",
    [
        [verdict(settings={"colour": True})],
        [verdict(settings={"scope": "no"})],
        [verdict(outcome="gone")],
        [verdict(outcome=["dropped"])],
        [verdict(settings=...)],
        [verdict(settings=[])],
        [verdict(part=...)],
        [verdict(part=1)],
        [verdict(why=...)],
        [verdict(), verdict(outcome="kept", settings={})],
        [None],
    ],
)
def test_what_is_no_verdict_is_refused(rows: list[Any]) -> None:
    with pytest.raises(BadInput):
        dropped(rows)
