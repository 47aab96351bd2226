"""`loom test`: everything that a change must pass, from a checkout."""

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

CHECKS = (
    ("lint", ("ruff", "check", "--quiet")),
    ("format", ("ruff", "format", "--check")),
    ("types", ("mypy",)),
    ("imports", ("lint-imports",)),
    (
        "tests",
        ("pytest", "--durations=25", "--dist", "loadfile", "--no-loadscope-reorder", "-n", "auto", "--maxprocesses", "4"),
    ),
)
"""What is run, in this order, by the tools of this very environment: quick ones first, pytest last."""


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "test",
        help="run every check and test of a checkout",
        description="Run linter, formatter, type checker, import contract and tests. Everything after the command goes to pytest.",
        add_help=False,
        prefix_chars="\0",
    )
    parser.add_argument("pytest", nargs="*", help="arguments for pytest, such as -k name, or -m '' for the slow tests too")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run every check, whatever the others say; returns 0 when all passed, otherwise the largest exit code."""
    if not (ROOT / "tests").is_dir():
        print("`loom test` runs the tests of a checkout; this Loom was installed without them.", file=sys.stderr)
        return 2
    tools = Path(sys.executable).parent
    if any(shutil.which(command[0], path=str(tools)) is None for _, command in CHECKS):
        print("The tests need more packages: run `python3 -m loom test`, or pip install -e '.[test]'.", file=sys.stderr)
        return 2
    results = []
    for name, command in CHECKS:
        print(f"-- {name}: {' '.join(command)}", flush=True)
        extra = arguments.pytest if name == "tests" else []
        started = time.monotonic()
        code = subprocess.call([str(tools / command[0]), *command[1:], *extra], cwd=ROOT)
        results.append((name, code, time.monotonic() - started))
    for name, code, seconds in results:
        print(f"{name:8} {'passed' if code == 0 else f'FAILED (exit code {code})'} in {seconds:.1f} s")
    return max(abs(code) for _, code, _ in results)
