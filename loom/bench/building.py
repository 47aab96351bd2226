"""How long a build takes, how much memory it needs, and whether a second one gives the same bytes."""

import tempfile
from pathlib import Path

from loom.bench.figures import Bar, Figure, median
from loom.bench.processes import NotStarted, Ran, ran
from loom.bench.setup import Setup

PATIENCE = 600.0
MEGABYTE = 1_000_000


def build(setup: Setup) -> list[Figure]:
    """At least two builds of the same sources, under different hash seeds."""
    with tempfile.TemporaryDirectory(prefix="loom-bench-") as folder:
        runs, contents = [], []
        for number in range(max(2, min(setup.rounds, 3))):
            out = Path(folder, str(number))
            runs.append(_built(setup, out, number))
            contents.append(_contents(out))
    same = all(each == contents[0] for each in contents)
    return [
        Figure("build", "wall p50", median([each.seconds for each in runs]), "s", Bar(15.0)),
        Figure("build", "peak memory, largest", max(each.peak for each in runs) / MEGABYTE, "MB", Bar(600)),
        Figure("build", "builds byte-identical", float(same), "yes=1", Bar(1, at_least=True), fault=True),
    ]


def _built(setup: Setup, out: Path, seed: int) -> Ran:
    run = ran(["build", *setup.sources, "--out", str(out)], PATIENCE, PYTHONHASHSEED=str(seed))
    if run.code:
        raise NotStarted(f"`loom build` ended with exit code {run.code}; it said: {run.output[-600:].strip()}")
    return run


def _contents(out: Path) -> dict[str, bytes]:
    """Every sealed file of every generation in a folder; what is known beside the id (when, from where) is left out."""
    files = {}
    for path in sorted(out.rglob("*")):
        name = path.relative_to(out)
        if path.is_file() and not name.parts[0].startswith(".") and path.name != "about.json":
            files[str(name)] = path.read_bytes()
    return files
