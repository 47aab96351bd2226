"""Studies over the example vault, run by the command as a process that can be killed."""

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from support.installed import environment
from support.kitchen import built_in

RUN = [sys.executable, "-c", "import sys; from loom.cli.main import main; sys.exit(main())", "lab", "run"]


def vault(folder: Path) -> Path:
    """A folder with generations of the example vault."""
    built_in(folder / "generations")
    return folder


def write_study(folder: Path, models: str, name: str = "study.toml", **top: Any) -> Path:
    """A study beside the generations; `top` are members at its top, `models` the rest as TOML."""
    stated = {"generations": "generations", "arms": ["raw", "scaffold"], **top}
    if "questions" not in stated:
        models = f"[questions]\nseed = 42\n{models}"
    lines = [f"{name} = {json.dumps(value)}" for name, value in stated.items()]
    path = folder / name
    path.write_text("\n".join(lines) + f"\n{models}", encoding="utf-8")
    return path


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


STARTS = itertools.count(1)


def started(arguments: Sequence[str]) -> "subprocess.Popen[bytes]":
    """The command in a process of its own, under a hash seed of its own."""
    return subprocess.Popen(
        [*RUN, *arguments, "--quiet"],
        env={**environment(), "PYTHONHASHSEED": str(next(STARTS))},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def killed_when(arguments: Sequence[str], due: Callable[[], bool], patience: float = 60.0) -> bool:
    """Run the command, and kill it with SIGKILL once `due`; whether it was still at work."""
    process = started(arguments)
    until = time.monotonic() + patience
    while process.poll() is None and not due():
        assert time.monotonic() < until, "nothing came of the run"
        time.sleep(0.002)
    alive = process.poll() is None
    if alive:
        os.kill(process.pid, signal.SIGKILL)
    _, said = process.communicate()
    assert process.returncode == (-signal.SIGKILL if alive else 0), said.decode()
    return alive
