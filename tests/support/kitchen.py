"""The example corpus, built by the command, and its golden blocks.

`PYTHONPATH=tests python tests/support/kitchen.py` writes `fixtures/golden/blocks.jsonl` anew; read the difference before
committing it.
"""

import asyncio
import atexit
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from support.sources import ROOT

from loom import compose
from loom.answer.plan import Pin
from loom.cli.main import main
from loom.core.values import Options, Question, Scope
from loom.settings import load

VAULT = ROOT / "fixtures" / "kitchen"
QUESTIONS = ROOT / "fixtures" / "questions.jsonl"
GOLDEN = ROOT / "fixtures" / "golden" / "blocks.jsonl"
POLICIES = ("default", "reference")


def questions() -> list[dict[str, Any]]:
    return [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]


@cache
def _built() -> Path:
    """The vault, built once a process."""
    folder = Path(tempfile.mkdtemp(prefix="kitchen-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    assert main(["build", str(VAULT), "--out", str(folder), "--quiet"]) == 0
    return folder


def built_in(folder: Path) -> Path:
    """A folder of generations with the built vault, which the test may change."""
    return shutil.copytree(_built(), folder, symlinks=True, dirs_exist_ok=True)


@contextmanager
def kitchen() -> Iterator[tuple[compose.Node, Pin]]:
    """A node over the built vault, without HTTP."""
    with tempfile.TemporaryDirectory() as folder:
        built_in(Path(folder))
        node = compose.node(load({"LOOM_GENERATIONS": folder}))
        current = node.store.current()
        assert current is not None
        generation = node.store.open(current)
        try:
            yield node, Pin(generation)
        finally:
            generation.close()


def blocks() -> list[dict[str, Any]]:
    """What the node gives for every question under each policy."""
    with kitchen() as (node, pin):
        return [
            {
                "id": question["id"],
                "policy": policy,
                "reason": plan.decision.reason,
                "units": [served.evidence.iri for served in plan.block.served],
                "block": plan.block.text,
            }
            for question in questions()
            for policy in POLICIES
            for plan in [
                asyncio.run(node.prepare(Question(question["prompt"], Scope("golden"), options=Options(policy=policy)), pin))
            ]
        ]


def write(path: Path = GOLDEN) -> None:
    lines = [json.dumps(each, ensure_ascii=False, sort_keys=True) for each in blocks()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
