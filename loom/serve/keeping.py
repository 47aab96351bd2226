"""Keeping a keeper of triples: a process of its own, started before anything is served, and started anew if it ends.

As `python -m loom.serve.keeping` it is that process. It reads one line of JSON, and lives until its standard input ends. Until that
line comes it loads nothing, so that it takes nothing from the start of the node.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from loom.serve.children import Child

if TYPE_CHECKING:
    from loom.settings import Settings

SOCKET = "sparql"
AGAIN = 1.0
"""Seconds before a keeper that ended by itself is started anew."""

PATIENCE = 5.0


def offered(settings: "Settings") -> bool:
    """Whether this node answers queries: it is asked to, and the system can fork."""
    return settings.sparql.enabled and hasattr(os, "fork")


def why_off(settings: "Settings") -> str:
    """Why a node has no keeper."""
    if not settings.sparql.enabled:
        return "LOOM_SPARQL is off."
    if not hasattr(os, "fork"):
        return "This system cannot fork processes, which the SPARQL endpoint needs."
    return "This process was not started by `loom serve`, which starts the process that holds the triples."


class Keeping(Child):
    """One keeper at a socket; `only` is the one generation that it keeps to. It begins once `begin`, which is told when all is over,
    has returned."""

    def __init__(
        self,
        settings: "Settings",
        path: Path,
        log: Any,
        *,
        only: str | None = None,
        begin: Callable[[threading.Event], object] = lambda over: None,
    ) -> None:
        job = json.dumps({"settings": settings.handover(), "path": str(path), "only": only}) + "\n"

        def start() -> "subprocess.Popen[bytes]":
            path.unlink(missing_ok=True)
            environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
            words = [sys.executable, "-m", "loom.serve.keeping"]
            return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment)

        def tell(process: "subprocess.Popen[bytes]") -> None:
            assert process.stdin is not None
            with suppress(OSError, ValueError):
                process.stdin.write(job.encode())
                process.stdin.flush()

        def ended(code: int, pause: float) -> None:
            reason = "The process that holds the triples ended; starting another."
            log.error("keeper_ended", exit_code=code, reason=reason)

        super().__init__(start, ended, name="keeping", again=AGAIN, patience=PATIENCE, begin=begin, tell=tell)


@contextmanager
def kept(settings: "Settings", folder: Path, log: Any, begin: Callable[[threading.Event], object]) -> Iterator[Path | None]:
    """A keeper for as long as the block runs, at a socket in a folder; none where none is offered."""
    if not offered(settings):
        yield None
        return
    keeping = Keeping(settings, folder / SOCKET, log, begin=begin)
    try:
        yield folder / SOCKET
    finally:
        keeping.stop()


def main() -> None:
    line = sys.stdin.buffer.readline()
    if not line:
        return
    from loom import compose
    from loom.serve.logs import logger
    from loom.settings import taken_over

    job = json.loads(line)
    settings = taken_over(job["settings"])
    log = logger(settings.logs)

    def say(event: str, **facts: Any) -> None:
        (log.error if event.endswith("failed") else log.info)(event, **facts)

    try:
        compose.keep_triples(settings, Path(job["path"]), sys.stdin.fileno(), say, job["only"])
    except Exception as error:
        log.error("keeper_failed", reason=f"{type(error).__name__}: {error}", exc_info=error)
        sys.exit(1)


if __name__ == "__main__":
    main()
