"""What may be written where. The import contract is in pyproject.toml; the rest is read from the syntax tree."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from support.sources import ROOT, calls, imports, sources, tree

MODULES = sorted(sources())
CORE = [module for module in MODULES if module.split(".")[:2] == ["loom", "core"]]

MADE_IN = {"Evidence": "loom.core.mint.make", "Block": "loom.core.policy.packing", "Prompt": "loom.core.policy.merge"}
"""The three values along which text reaches a model, and the one module that constructs each."""

NOT_IN_CORE = frozenset(
    "asyncio concurrent contextvars ctypes datetime fcntl http importlib io locale logging mmap multiprocessing os pathlib pickle "
    "platform queue random secrets select selectors shutil signal socket sqlite3 ssl subprocess sys tempfile threading time "
    "urllib.error urllib.request uuid".split()
)
"""Standard modules through which a function could wait, read a clock or the environment, or touch the outside."""

LINES = 400


def test_the_import_contract_holds() -> None:
    command = [Path(sys.executable).parent / "lint-imports", "--no-cache"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stdout + run.stderr


def test_there_is_something_to_check() -> None:
    assert len(CORE) > 5
    assert {"loom.ports", "loom.bootstrap", "loom_adapters"} <= set(MODULES)


@pytest.mark.parametrize("value", sorted(MADE_IN))
def test_text_reaches_a_model_through_one_constructor(value: str) -> None:
    places = {module for module in MODULES for name, _ in calls(module) if name == value}
    assert places == {MADE_IN[value]}


@pytest.mark.parametrize("value", sorted(MADE_IN))
def test_nobody_rewrites_what_was_made(value: str) -> None:
    """`dataclasses.replace` would be a second constructor; a module that replaces must not handle these three values."""
    for module in MODULES:
        if module == MADE_IN[value]:
            continue
        replaced = [line for name, line in calls(module) if name == "replace" and value.lower() in _arguments(module, line)]
        assert not replaced, f"{module}:{replaced[0]} replaces fields of a {value}"


def _arguments(module: str, line: int) -> set[str]:
    """The names that the calls of `replace` on one line are given first."""
    return {
        node.args[0].id
        for node in ast.walk(tree(module))
        if isinstance(node, ast.Call) and node.lineno == line and node.args and isinstance(node.args[0], ast.Name)
    }


@pytest.mark.parametrize("module", CORE)
def test_core_is_pure(module: str) -> None:
    for name, line in imports(module):
        root = name.split(".")[0]
        allowed = root in ("loom", "numpy") or (root in sys.stdlib_module_names and not {root, name} & NOT_IN_CORE)
        assert allowed, (
            f"{module}:{line} imports {name}; core is the standard library without I/O, clock and environment, and numpy"
        )
    for node in ast.walk(tree(module)):
        assert not isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith), (
            f"{module}:{node.lineno} waits"
        )
    for name, line in calls(module):
        assert name not in ("open", "print", "input", "memmap"), f"{module}:{line} calls {name}"


@pytest.mark.parametrize("module", ["loom.__main__", "loom.bootstrap"])
def test_the_bootstrap_needs_nothing_installed(module: str) -> None:
    top = [node for node in tree(module).body if isinstance(node, ast.Import | ast.ImportFrom)]
    names = [alias.name for node in top if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in top if isinstance(node, ast.ImportFrom)]
    for name in names:
        assert name.split(".")[0] in sys.stdlib_module_names or name == "loom.bootstrap", f"{module} imports {name} at its top"


@pytest.mark.parametrize("module", MODULES)
def test_a_module_is_one_concept(module: str) -> None:
    lines = len(sources()[module].read_text(encoding="utf-8").splitlines())
    assert lines <= LINES, f"{module} has {lines} lines; past {LINES} it is two concepts"


def test_only_compose_names_adapters() -> None:
    for module in MODULES:
        if module.startswith("loom_adapters") or module in (
            "loom.compose",
            "loom.compose_claims",
            "loom.compose_lab",
            "loom.compose_memory",
            "loom.compose_proposals",
            "loom.compose_pull",
            "loom.compose_semantic",
        ):
            continue
        named = [(name, line) for name, line in imports(module) if name.split(".")[0] == "loom_adapters"]
        assert not named, f"{module}:{named[0][1]} imports {named[0][0]}; loom.compose is the only module that names an adapter"


def test_no_test_patches() -> None:
    """Fakes are passed in through the public door; a patched module proves nothing about the real one."""
    for file in sorted((ROOT / "tests").rglob("*.py")):
        if file == Path(__file__):
            continue
        text = file.read_text(encoding="utf-8")
        used = [way for way in ("monkeypatch.setattr", "monkeypatch.setitem", "unittest.mock", "mocker.") if way in text]
        assert not used, f"{file.relative_to(ROOT)} uses {used[0]}; pass a fake in instead"
