"""A process beside the node that ends by itself: another is started, each time later, and at once again after one that lived."""

import subprocess
import sys
import threading

import pytest

from loom.serve.children import Child


@pytest.mark.parametrize(
    ("settled", "expected"), [(1e9, [0.01, 0.02, 0.04, 0.05, 0.05]), (0.0, [0.01] * 5)], ids=["brief", "long-lived"]
)
def test_one_after_another_that_ends_is_waited_for_longer(settled: float, expected: list[float]) -> None:
    pauses: list[float] = []
    enough = threading.Event()

    def start() -> "subprocess.Popen[bytes]":
        return subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"], stdin=subprocess.PIPE)

    def ended(code: int, pause: float) -> None:
        assert code == 3
        pauses.append(pause)
        if len(pauses) == len(expected):
            enough.set()

    child = Child(start, ended, name="brief", again=0.01, patience=30.0, longest=0.05, settled=settled)
    try:
        assert enough.wait(60)
    finally:
        child.stop()
    assert pauses[: len(expected)] == expected
