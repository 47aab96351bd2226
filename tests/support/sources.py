"""The project's own source files, parsed once, for tests that hold what may be written where."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def module_name(file: Path) -> str:
    """The dotted name under which a source file is imported."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    parts = parts[1:] if parts[0] == "adapters" else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def sources() -> dict[str, Path]:
    """Every module of the node and of its adapters, by name."""
    files = [*(ROOT / "loom").rglob("*.py"), *(ROOT / "adapters" / "loom_adapters").rglob("*.py")]
    return {module_name(file): file for file in sorted(files)}


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(sources()[module].read_text(encoding="utf-8"), filename=module)


def calls(module: str) -> Iterator[tuple[str, int]]:
    """The last name of everything that is called, with its line: `values.Block(...)` gives `Block`."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Name):
                yield called.id, node.lineno
            elif isinstance(called, ast.Attribute):
                yield called.attr, node.lineno


def imports(module: str) -> Iterator[tuple[str, int]]:
    """The full name of every imported module, at whatever depth of the file, with its line."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, node.lineno
