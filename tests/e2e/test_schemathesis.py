"""Requests made from the node's own description, right and wrong, against a running node: no 5xx, nothing undescribed."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.installed import Node, environment
from support.node_process import serving
from support.upstream_process import scripted


def run(base: str, folder: Path, *arguments: str) -> None:
    """Run the command line of schemathesis, the same requests every time; what it found is the message."""
    command = Path(sys.executable).with_name("schemathesis")
    if not command.exists():
        pytest.skip("needs schemathesis")
    ran = subprocess.run(
        [command, "run", f"{base}/openapi.json", "--no-color", "--generation-deterministic", *arguments],
        cwd=folder, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=170,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr


def test_over_the_reader(node: Node, tmp_path: Path) -> None:
    run(node.base, tmp_path, "--max-examples", "10")
    assert not any('"event":"unexpected"' in line or "Traceback" in line for line in node.lines)


def test_over_a_model(generations: Path, tmp_path: Path) -> None:
    with scripted() as upstream, serving(generations, LOOM_MODEL_URL=upstream.url) as started:
        run(started.base, tmp_path, "--phases", "examples,coverage")
        assert not any('"event":"unexpected"' in line or "Traceback" in line for line in started.lines)


@pytest.mark.slow
def test_at_length(generations: Path, tmp_path: Path) -> None:
    with serving(generations) as started:
        run(started.base, tmp_path, "--max-examples", "80", "--phases", "fuzzing")
        assert not any('"event":"unexpected"' in line or "Traceback" in line for line in started.lines)
