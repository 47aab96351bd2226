"""The query plane names no metric, unit or position: it reads them from declarations (R1)."""

import ast
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from support.sources import ROOT, sources

from loom.core.facts.values import STATISTICS

PLANE = sorted(
    f"loom.core.facts.{name}"
    for name in (
        *("absence", "activation", "citing", "naming", "positions", "reading", "references", "routing", "subjects", "tokens"),
        *("wording", "asked", "values"),
    )
)


def declared() -> set[str]:
    """The words of metrics, units and positions in the fixtures."""
    found: set[str] = set()
    for file in sorted((ROOT / "fixtures" / "kb").glob("*/kb.toml")):
        manifest: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
        for attribute in manifest.get("attribute", ()):
            found |= {attribute["name"], attribute.get("unit", ""), *attribute.get("words", {})}
        for metric in manifest.get("metric", ()):
            found |= {metric["name"], metric.get("unit", "")}
            found |= {word for words in metric.get("words", {}).values() for word in words}
    # The unit of minutes is written like the statistic.
    return {word.casefold() for word in found if len(word) > 1} - set(STATISTICS)


def strings(module: str) -> Iterator[str]:
    """The texts of a module's code, without its docstrings."""
    tree = ast.parse(sources()[module].read_text(encoding="utf-8"))
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


def test_there_is_something_to_look_for() -> None:
    assert len(declared()) > 20


@pytest.mark.parametrize("module", PLANE)
def test_no_word_of_a_subject_is_in_the_query_plane(module: str) -> None:
    words = declared()
    for text in strings(module):
        spoken = f" {' '.join(text.casefold().split())} "
        assert not [word for word in words if f" {word} " in spoken], text
