"""A node that runs the slow path of claims beside itself: it is started, started anew, and ended with the node."""

import json
import os
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.installed import Node, loom
from support.node_process import serving

from loom_adapters.claims.schema import FORMAT

WAIT = 50


def started(node: Node) -> list[int]:
    """The processes of the slow path that the node has started, first to last."""
    lines = [json.loads(line) for line in list(node.lines) if '"slow_path_started"' in line]
    return [line["process"] for line in lines]


def ended(node: Node) -> list[dict[str, Any]]:
    """What the node says of those that ended by themselves."""
    return [json.loads(line) for line in list(node.lines) if '"slow_path_ended"' in line]


def gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def until(holds: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + 170
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.2)


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


def test_a_store_of_a_newer_version_is_the_nodes_fault_and_its_log_says_why(generations: Path, tmp_path: Path) -> None:
    store = tmp_path / "claims.sqlite"
    assert loom("claims", "domain", "plant", "--store", store).returncode == 0
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute(f"update {FORMAT} set version_num = '9999'")
    with serving(generations, LOOM_CLAIMS="on", LOOM_CLAIMS_STORE=str(store), LOOM_CLAIMS_SLOW_PATH="on") as node:
        entry = {"entries": [{"text": "The boiler is old."}], "wait": 0}
        for reply in (
            httpx.get(f"{node.base}/loom/claims", timeout=30),
            httpx.post(f"{node.base}/loom/entries", json=entry, timeout=30),
            httpx.post(f"{node.base}/loom/ask", json={"text": "What is old?"}, timeout=30),
        ):
            assert (reply.status_code, reply.json()["error"]) == (503, "unfit_store"), reply.text
            assert "written by a newer version of this program" in reply.json()["detail"]
        until(lambda: len(ended(node)) >= 2, "it is tried again")
    assert [each["another_in"] for each in ended(node)[:2]] == [2.0, 4.0]
    assert all("newer version" in each["reason"] and each["exit_code"] == 2 for each in ended(node))
    assert all(isinstance(json.loads(line), dict) for line in node.lines)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_killed_outright_it_loses_nothing_and_another_writes_once_the_lease_has_run_out(
    generations: Path, tmp_path: Path
) -> None:
    settings = {"LOOM_CLAIMS": "on", "LOOM_CLAIMS_STORE": str(tmp_path / "claims.sqlite"), "LOOM_CLAIMS_SLOW_PATH": "on"}
    with serving(generations, LOOM_CLAIMS_INTERVAL="1", **settings) as node:
        assert sent(node, "The boiler depends on the feed pump.").status_code == 200
        (first,) = started(node)
        os.kill(first, signal.SIGKILL)
        claim = {"proposition": "The boiler room is damp.", "by": "anna", "wait": 0}
        asked = httpx.post(f"{node.base}/loom/claims", json=claim, timeout=30)
        assert asked.status_code == 202, "it is taken while nobody writes"
        assert httpx.get(f"{node.base}/loom/entries", timeout=30).json()["version"] >= 1, "reads go on"
        key = asked.json()["ask"]["key"]
        until(lambda: httpx.get(f"{node.base}/loom/asks/{key}", timeout=30).json()["state"] == "done", "another writes")
        assert len(started(node)) == 2
