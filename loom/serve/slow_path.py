"""The slow path of claims as a child of `loom serve`: `loom claims run`, which ends behind its batch when its standard input does."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from loom.serve.children import Child

if TYPE_CHECKING:
    from loom.settings import Settings

AGAIN = 2.0
"""Seconds before one that ended by itself is started anew."""
PATIENCE = 20.0
"""Seconds that a batch is given to end when the node stops."""


@contextmanager
def beside(settings: "Settings", log: Any) -> Iterator[None]:
    """The slow path for as long as the block runs, where the node is to run it."""
    claims = settings.claims
    if not (claims.kept and claims.slow_path == "on"):
        yield
        return
    # By the environment: the address of a store may hold a password, and everybody on the machine sees the words of a command.
    stated = {"LOOM_CLAIMS_STORE": claims.store, "LOOM_CLAIMS_FILE": claims.file, "LOOM_CLAIMS_INTERVAL": str(claims.interval)}
    environment = {**os.environ, **stated}
    words = [sys.executable, "-m", "loom", "claims", "run", "--attached"]

    def start() -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment)
        log.info("slow_path_started", process=process.pid)
        return process

    def ended(code: int) -> None:
        log.error("slow_path_ended", exit_code=code, reason="The slow path of claims ended; starting another.")

    child = Child(start, ended, name="slow path", again=AGAIN, patience=PATIENCE)
    try:
        yield
    finally:
        child.stop()
