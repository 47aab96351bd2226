"""A node that runs the slow path of claims beside itself: it is started, started anew, and ended with the node."""

import json
import os
import signal
import time
from pathlib import Path

import httpx
from support.installed import Node
from support.node_process import serving

WAIT = 50


def started(node: Node) -> list[int]:
    """The processes of the slow path that the node has started, first to last."""
    lines = [json.loads(line) for line in list(node.lines) if '"slow_path_started"' in line]
    return [line["process"] for line in lines]


def gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def sent(node: Node, text: str) -> httpx.Response:
    return httpx.post(f"{node.base}/loom/entries", json={"entries": [{"text": text}], "wait": WAIT}, timeout=WAIT + 20)


def test_it_is_started_started_anew_and_ended(generations: Path, tmp_path: Path) -> None:
    store = str(tmp_path / "claims.sqlite")
    with serving(
        generations, LOOM_CLAIMS="on", LOOM_CLAIMS_STORE=store, LOOM_CLAIMS_SLOW_PATH="on", LOOM_CLAIMS_INTERVAL="1"
    ) as node:
        assert sent(node, "The boiler depends on the feed pump.").status_code == 200
        (first,) = started(node)
        os.kill(first, signal.SIGTERM)
        assert sent(node, "The feed pump depends on the north valve.").status_code == 200
        question = {"text": "What does the boiler depend on?", "way": "reason", "wait": WAIT}
        answer = httpx.post(f"{node.base}/loom/ask", json=question, timeout=WAIT + 20).json()
        assert "The boiler depends on the north valve." in [each["text"] for each in answer["hits"]]
        _, second = started(node)
    end = time.monotonic() + 60
    while not gone(second):
        assert time.monotonic() < end, "it ends with the node"
        time.sleep(0.1)
