"""What the commands of the lab import before they do anything: no more than they need, so that `--help` and small jobs are quick."""

import json
import subprocess
import sys

import pytest

PROBE = """
import argparse, json, sys
from loom.cli.lab import COMMANDS
from importlib import import_module
import_module(f"loom.cli.lab.{COMMANDS[sys.argv[1]]}").add(argparse.ArgumentParser().add_subparsers())
print(json.dumps(sorted(sys.modules)))
"""
HEAVY = {
    "scipy",
    "pandas",
    "polars",
    "fastapi",
    "starlette",
    "uvicorn",
    "httpx",
    "pyoxigraph",
    "ray",
    "loom.build",
    "loom.serve",
}
NODE = {"loom.compose", "loom.settings", "pydantic", "loom.lab.arms"}
"""What opens a generation."""


def imported(command: str) -> set[str]:
    run = subprocess.run([sys.executable, "-c", PROBE, command], capture_output=True, text=True, check=True, timeout=60)
    return set(json.loads(run.stdout))


@pytest.mark.parametrize("command", ["run", "report", "annotate"])
def test_nothing_heavy_is_imported_before_it_is_needed(command: str) -> None:
    assert not imported(command) & HEAVY


@pytest.mark.parametrize("command", ["stats", "choice", "annotate"])
def test_what_opens_no_generation_does_not_load_a_node(command: str) -> None:
    assert not imported(command) & (HEAVY | NODE)
