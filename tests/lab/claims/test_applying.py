"""Verdicts into a workspace's file."""

import tomllib

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


def test_verdicts_are_read_strictly() -> None:
    rows = [
        {"part": "scope", "outcome": "dropped", "why": "", "settings": {"scope": False}},
        {"part": "claims", "outcome": "kept", "why": "", "settings": {}},
    ]
    assert dropped(rows) == {"scope": False}
    with pytest.raises(BadInput):
        dropped([{"part": "scope", "outcome": "dropped", "settings": {"colour": True}}])
    with pytest.raises(BadInput):
        dropped([{"part": "scope", "outcome": "gone"}])
