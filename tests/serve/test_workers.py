"""`loom serve` with several workers: what the supervisor does when they cannot start, and they when it is gone."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from support.node_process import kitchen, serving
from support.nodes import KILNS
from support.sealed import sealed
from support.upstream_process import scripted

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


@pytest.mark.slow
def test_a_limit_holds_over_all_workers_together(tmp_path: Path) -> None:
    with serving(kitchen(tmp_path), "--workers", "2", LOOM_RATE_LIMIT="30") as node:
        codes = [httpx.get(f"{node.base}/v1/models").status_code for _ in range(60)]
    assert 30 <= codes.count(200) <= 33 and codes.count(429) >= 27


@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_a_node_that_is_told_to_stop_finishes_what_it_began(tmp_path: Path, workers: str) -> None:
    body = {"model": "words?words=20&delay=0.1", "stream": True, "messages": [{"role": "user", "content": "Hello"}]}
    with scripted() as model, serving(kitchen(tmp_path), "--workers", workers, LOOM_MODEL_URL=model.url) as node:
        with httpx.stream("POST", f"{node.base}/v1/chat/completions", json=body, timeout=30) as reply:
            lines = reply.iter_lines()
            first = next(lines)
            node.process.terminate()
            rest = [first, *lines]
        assert node.process.wait(timeout=30) == 0
    assert rest[-2] == "data: [DONE]" and sum('"content":"word' in line for line in rest) == 20
    assert not list((tmp_path / ".run").glob("*.json"))


def _within(seconds: float, fact) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if fact():
            return True
        time.sleep(0.1)
    return False
