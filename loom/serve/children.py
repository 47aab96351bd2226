"""A process beside the node: started with it, started anew if it ends, and ended with it, by the end of its standard input.

So it outlives no node, however that ends.
"""

import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress


class Child:
    """One process at a time. `begin` is waited for once, and is told when all is over; `tell` is done with each process; `ended` hears
    the exit code of one that ended by itself, and the seconds from its end until another is started: `again`, twice as many after each
    that lived for less than `settled`, and `longest` at most. `patience` is how many the last one has to end when the node stops."""

    def __init__(
        self,
        start: Callable[[], "subprocess.Popen[bytes]"],
        ended: Callable[[int, float], object],
        *,
        name: str,
        again: float,
        patience: float,
        longest: float = 0.0,
        settled: float = 60.0,
        begin: Callable[[threading.Event], object] = lambda over: None,
        tell: Callable[["subprocess.Popen[bytes]"], object] = lambda process: None,
    ) -> None:
        self._start = start
        self._ended = ended
        self._again = again
        self._patience = patience
        self._longest = max(longest, again)
        self._settled = settled
        self._begin = begin
        self._tell = tell
        self._stopping = threading.Event()
        self._process = start()
        self._watcher = threading.Thread(target=self._watch, name=name, daemon=True)
        self._watcher.start()

    def _watch(self) -> None:
        self._begin(self._stopping)
        pause = 0.0
        while not self._stopping.is_set():
            begun = time.monotonic()
            self._tell(self._process)
            code = self._process.wait()
            brief = pause and time.monotonic() - begun < self._settled
            pause = min(2 * pause, self._longest) if brief else self._again
            # The node may be about to stop, and its children with it.
            if self._stopping.wait(self._again):
                return
            self._ended(code, pause)
            if self._stopping.wait(pause - self._again):
                return
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
