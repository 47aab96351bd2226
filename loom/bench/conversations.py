"""Conversation memory: what an append and a question cost over many made conversations, in a process of its own."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from loom.bench.figures import Bar, Figure
from loom.bench.processes import NotStarted, clean_environment
from loom.bench.setup import Setup

FIGURES = (
    ("append_p50", "append of a turn, p50", "ms", Bar(2.0)),
    ("append_p99", "append of a turn, p99", "ms", None),
    ("append_largest_p50", "append to the largest conversation, p50", "ms", Bar(2.0)),
    ("sync_p50", "of which one write that is on the disk, p50", "ms", None),
    ("query_p50", "question, p50", "ms", Bar(10.0)),
    ("query_p99", "question, p99", "ms", Bar(50.0)),
    ("query_largest_p50", "question to the largest conversation, p50", "ms", Bar(10.0)),
    ("query_largest_p99", "question to the largest conversation, p99", "ms", Bar(50.0)),
    ("forget_p50", "deletion of a turn from the largest conversation, p50", "ms", None),
    ("filling", "append in batches, a turn", "ms", None),
    ("resident", "resident at most", "MB", Bar(2048.0)),
    ("file", "file", "MB", None),
)


def conversations(setup: Setup) -> list[Figure]:
    """Over `setup.turns` turns in a file of SQLite."""
    with tempfile.TemporaryDirectory(prefix="loom-bench-") as folder:
        place = str(Path(folder, "memory.sqlite"))
        command = [sys.executable, "-m", "loom_adapters.memory.measured", place, str(setup.turns)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=clean_environment(), cwd=folder)
    if done.returncode:
        raise NotStarted(f"Memory could not be measured: {done.stderr.strip().splitlines()[-1:]}")
    found = json.loads(done.stdout)
    among = f"{found['turns']:,.0f} turns in {found['conversations']:,.0f} conversations"
    return [
        Figure("conversations", f"{shown}; {among}" if at == 0 else shown, found[name], unit, bar)
        for at, (name, shown, unit, bar) in enumerate(FIGURES)
        if name in found
    ]
