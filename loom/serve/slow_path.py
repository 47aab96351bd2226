"""The slow path of claims as a child of `loom serve`: started beside the node, started anew if it ends, ended with it.

It is `loom claims run`, which ends behind its batch when its standard input does: so it outlives no node, however that ends.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from loom.settings import Settings

AGAIN = 2.0
"""Seconds before one that ended by itself is started anew."""
PATIENCE = 20.0
"""Seconds that a batch is given to end when the node stops."""


class Child:
    def __init__(self, settings: "Settings", log: Any) -> None:
        claims = settings.claims
        self._words = [sys.executable, "-m", "loom", "claims", "run", "--attached", "--store", claims.store]
        self._words += ["--file", claims.file] if claims.file else []
        self._environment = {**os.environ, "LOOM_CLAIMS_INTERVAL": str(claims.interval)}
        self._log = log
        self._stopping = threading.Event()
        self._process = self._start()
        self._watcher = threading.Thread(target=self._watch, name="slow path", daemon=True)
        self._watcher.start()

    def _start(self) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(self._words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=self._environment)
        self._log.info("slow_path_started", process=process.pid)
        return process

    def _watch(self) -> None:
        while True:
            code = self._process.wait()
            if self._stopping.wait(AGAIN):
                return
            self._log.error("slow_path_ended", exit_code=code, reason="The slow path of claims ended; starting another.")
            with suppress(OSError):
                if self._process.stdin is not None:
                    self._process.stdin.close()
            self._process = self._start()

    def stop(self) -> None:
        self._stopping.set()
        self._end()
        self._watcher.join(PATIENCE)
        self._end()

    def _end(self) -> None:
        process = self._process
        with suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def beside(settings: "Settings", log: Any) -> Iterator[None]:
    """The slow path for as long as the block runs, where the node is to run it."""
    if not (settings.claims.kept and settings.claims.slow_path == "on"):
        yield
        return
    child = Child(settings, log)
    try:
        yield
    finally:
        child.stop()
