"""Every kind of remark is declared once, used somewhere, and documented."""

import re
from pathlib import Path

import pytest

from loom.build.checks import KINDS

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [ROOT / "loom" / "build", ROOT / "loom" / "core", ROOT / "adapters" / "loom_adapters"]
CODE = "\n".join(
    path.read_text(encoding="utf-8") for root in SOURCES for path in sorted(root.rglob("*.py")) if path.name != "checks.py"
)
DOCUMENTED = {
    name: (severity, meaning)
    for name, severity, meaning in re.findall(
        r"^\| `([a-z0-9-]+)` \| (\w+) \| (.+) \|$", (ROOT / "docs" / "sources.md").read_text(encoding="utf-8"), re.M
    )
}


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_is_noted_by_something(name: str) -> None:
    assert f'"{name}"' in CODE


def test_the_documentation_lists_every_kind_as_it_is() -> None:
    assert {name: (kind.severity, kind.meaning) for name, kind in KINDS.items()} == DOCUMENTED
