"""Nodes as processes in front of an upstream, and what they logged when a test fails."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.installed import KITCHEN, Node, loom, running

RUNNING: list[Node] = []
"""The nodes that run now, for the report of a failure."""

LINES_SHOWN = 6


def kitchen(folder: Path) -> Path:
    """A folder of generations with the example corpus as its current one."""
    built = loom("build", KITCHEN, "--out", folder, "--quiet")
    assert built.returncode == 0, built.stderr
    return folder


@contextmanager
def serving(generations: Path, *arguments: str, **settings: str) -> Iterator[Node]:
    """A node over these generations, with settings by the names of their variables."""
    with running("serve", "--generations", generations, "--port", "0", *arguments, settings=settings) as node:
        RUNNING.append(node)
        try:
            yield node
        finally:
            RUNNING.remove(node)


def show_logs(report: pytest.TestReport) -> None:
    """Add the last log lines of every running node to the report of a failed test."""
    if report.failed:
        for number, node in enumerate(RUNNING):
            report.sections.append((f"log of node {number} at {node.base}", "".join(node.lines[-LINES_SHOWN:])))
