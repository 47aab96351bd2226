"""The container's health check, against real nodes."""

import subprocess
import sys
from pathlib import Path

from support.installed import KITCHEN, environment, loom, running
from support.sources import ROOT

CHECK = ROOT / "deploy" / "healthcheck.py"


def check(port: str) -> int:
    command = [sys.executable, CHECK]
    return subprocess.run(command, env=environment({"LOOM_PORT": port}), capture_output=True, timeout=30).returncode


def test_it_follows_readiness(tmp_path: Path) -> None:
    with running("serve", "--generations", tmp_path / "g", "--port", "0", ready=False) as node:
        port = node.base.rsplit(":", 1)[1]
        assert check(port) == 1
        assert loom("build", KITCHEN, "--out", tmp_path / "g").returncode == 0
        for _ in range(100):
            if check(port) == 0:
                break
        else:
            raise AssertionError("the node never became ready:\n" + "".join(node.lines))
    assert check(port) == 1
