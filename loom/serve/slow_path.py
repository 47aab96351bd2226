"""The slow path of claims as a child of `loom serve`: `loom claims run`, which ends behind its batch when its standard input does."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

from loom.serve.children import Child

if TYPE_CHECKING:
    from loom.settings import Settings

AGAIN = 2.0
"""Seconds before one that ended by itself is started anew, the first time."""
LONGEST = 60.0
"""The same at most, where one after another ends."""
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

    heard: list[_Heard] = []

    def start() -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment
        )
        log.info("slow_path_started", process=process.pid)
        assert process.stderr is not None
        heard[:] = [_Heard(process.stderr, log)]
        return process

    def ended(code: int, pause: float) -> None:
        last = heard[0].last() if code else ""
        reason = last or "The slow path of claims ended."
        log.error("slow_path_ended", exit_code=code, reason=reason, another_in=pause)

    child = Child(start, ended, name="slow path", again=AGAIN, longest=LONGEST, patience=PATIENCE)
    try:
        yield
    finally:
        child.stop()


class _Heard:
    """What a process says on its standard error, line by line in the log of the node."""

    def __init__(self, stream: IO[bytes], log: Any) -> None:
        self._stream, self._log, self._last = stream, log, ""
        self._reading = threading.Thread(target=self._read, name="slow path says", daemon=True)
        self._reading.start()

    def _read(self) -> None:
        with self._stream:
            for line in self._stream:
                if said := line.decode("utf-8", "replace").strip():
                    self._last = said
                    self._log.warning("slow_path_said", message=said)

    def last(self) -> str:
        """The last line of a process that ended."""
        self._reading.join(AGAIN)
        return self._last
