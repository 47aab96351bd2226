"""`loom serve` with several workers: what the supervisor does when they cannot start, and they when it is gone."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from support.nodes import KILNS
from support.sealed import sealed

SERVE = [sys.executable, "-m", "loom", "serve", "--port", "0", "--generations"]


def test_settings_that_no_worker_can_serve_end_the_node_with_one_sentence(tmp_path: Path) -> None:
    flags = ["--model-url", "http://127.0.0.1:9/v1", "--model-profile", "nonsense"]
    for workers in ("1", "2"):
        ran = subprocess.run([*SERVE, str(tmp_path), "--workers", workers, *flags], capture_output=True, text=True, timeout=60)
        assert ran.returncode == 2
        assert "Expected a model profile among" in ran.stderr and "Traceback" not in ran.stderr


@pytest.mark.slow
def test_workers_of_a_killed_supervisor_give_the_port_back(tmp_path: Path) -> None:
    sealed(tmp_path, KILNS)
    environment = {**os.environ, "LOOM_LOG_FORMAT": "json", "TMPDIR": str(tmp_path)}
    node = subprocess.Popen([*SERVE, str(tmp_path), "--workers", "2"], stderr=subprocess.PIPE, text=True, env=environment)
    assert node.stderr
    url = json.loads(node.stderr.readline())["url"].removesuffix("/v1")

    def workers() -> int:
        try:
            return len(httpx.get(f"{url}/health/ready", timeout=2).json().get("workers", ()))
        except httpx.TransportError:
            return 0

    assert _within(60, lambda: workers() == 2)
    node.kill()
    node.wait()
    assert _within(20, lambda: workers() == 0)
    node.stderr.close()


def _within(seconds: float, fact) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if fact():
            return True
        time.sleep(0.1)
    return False
