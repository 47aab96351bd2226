"""Conversation memory: what an append and a question cost over many made conversations, in a process of its own."""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from loom.bench.figures import Bar, Figure
from loom.bench.processes import NotStarted, clean_environment
from loom.bench.setup import Setup
from loom.core.errors import BadInput

FIGURES = (
    ("append_p50", "append of a turn, p50", "ms", Bar(2.0)),
    ("append_p99", "append of a turn, p99", "ms", None),
    ("append_largest_p50", "append to the largest conversation, p50", "ms", Bar(2.0)),
    ("append_processor", "processor of an append, mean", "ms", None),
    ("sync_p50", "one write that is on the disk, without memory, p50", "ms", None),
    ("query_p50", "question, p50", "ms", Bar(10.0)),
    ("query_p99", "question, p99", "ms", Bar(50.0)),
    ("query_largest_p50", "question to the largest conversation, p50", "ms", Bar(10.0)),
    ("query_largest_p99", "question to the largest conversation, p99", "ms", Bar(50.0)),
    ("forget_p50", "deletion of a turn from the largest conversation, p50", "ms", None),
    ("filling", "append in batches, a turn", "ms", None),
    ("resident", "resident at most", "MB", Bar(2048.0)),
    ("file", "file", "MB", None),
)


KEPT = "turns are kept"
"""How lines end that say how far the process is."""
ROOM = 2_000
"""Bytes of the disk for a turn: of the file, its indexes and its log."""


def conversations(setup: Setup) -> list[Figure]:
    """Over `setup.turns` turns in a file of SQLite, which is deleted afterwards. Raises BadInput where there is no room for it."""
    with tempfile.TemporaryDirectory(prefix="loom-bench-") as folder:
        free = shutil.disk_usage(folder).free
        if free < setup.turns * ROOM:
            raise BadInput(
                f"Expected {setup.turns * ROOM / 1e9:.1f} GB of room in {Path(folder).parent} for {setup.turns:,} turns, but "
                f"{free / 1e9:.1f} GB are free; ask for fewer with --turns, or name another folder by TMPDIR.",
                param="turns",
            )
        found = measured(str(Path(folder, "memory.sqlite")), setup.turns)
    among = f"{found['turns']:,.0f} turns in {found['conversations']:,.0f} conversations"
    return [
        Figure("conversations", f"{shown}; {among}" if at == 0 else shown, found[name], unit, bar)
        for at, (name, shown, unit, bar) in enumerate(FIGURES)
        if name in found
    ]


def measured(place: str, turns: int) -> dict[str, float]:
    """What a process found that filled this store; how far it is goes to standard error. Raises NotStarted with what it said last."""
    command = [sys.executable, "-m", "loom_adapters.memory.measured", place, str(turns)]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdout=pipe, stderr=pipe, text=True, env=clean_environment(), cwd=Path(place).parent
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        last = "it said nothing"
        try:
            for line in filter(None, map(str.strip, process.stderr)):
                last = line
                if line.endswith(KEPT):
                    print(f"conversations: {line}", file=sys.stderr, flush=True)
            found = process.stdout.read()
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        raise NotStarted(f"Conversation memory could not be measured: {last}")
    figures: dict[str, float] = json.loads(found)
    return figures
