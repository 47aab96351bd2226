"""A process beside the node: started with it, started anew if it ends, and ended with it, by the end of its standard input.

So it outlives no node, however that ends.
"""

import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress


class Child:
    """One process at a time. `begin` is waited for once, and is told when all is over; `tell` is done with each process; `ended` hears
    the exit code of one that ended by itself. `again` is the seconds before another is started, `patience` those that the last one has
    to end when the node stops."""

    def __init__(
        self,
        start: Callable[[], "subprocess.Popen[bytes]"],
        ended: Callable[[int], object],
        *,
        name: str,
        again: float,
        patience: float,
        begin: Callable[[threading.Event], object] = lambda over: None,
        tell: Callable[["subprocess.Popen[bytes]"], object] = lambda process: None,
    ) -> None:
        self._start = start
        self._ended = ended
        self._again = again
        self._patience = patience
        self._begin = begin
        self._tell = tell
        self._stopping = threading.Event()
        self._process = start()
        self._watcher = threading.Thread(target=self._watch, name=name, daemon=True)
        self._watcher.start()

    def _watch(self) -> None:
        self._begin(self._stopping)
        while not self._stopping.is_set():
            self._tell(self._process)
            code = self._process.wait()
            if self._stopping.wait(self._again):
                return
            self._ended(code)
            self._let_go()
            self._process = self._start()

    def stop(self) -> None:
        self._stopping.set()
        self._end()
        self._watcher.join(self._patience)
        self._end()

    def _end(self) -> None:
        self._let_go()
        try:
            self._process.wait(self._patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _let_go(self) -> None:
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
