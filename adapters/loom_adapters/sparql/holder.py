"""The process that holds the triples of one generation, and forks. It runs no query and never waits but for the keeper."""

import gc
import os
import re
import selectors
import signal
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from loom.core.errors import LoomError
from loom.core.sparql.limits import Limits
from loom.core.sparql.part import Triples
from loom.core.values import Json
from loom.ports import GenerationStore
from loom_adapters.sparql import child
from loom_adapters.sparql.engine import Engine
from loom_adapters.sparql.wire import RECORD, dumped

NICE = 10
"""Added to the niceness of holder and children, so that they take what chat leaves."""


def run(store: GenerationStore, id: str, limits: Limits, keeper: socket.socket) -> None:
    """Load, say so, and fork whenever the keeper asks; ends when the keeper closes its end. Never returns."""
    with suppress(Exception):
        os.nice(NICE)
    try:
        started = time.monotonic()
        try:
            generation = store.open(id)
            triples = generation.part(Triples)
            files = generation.manifest["parts"].get(Triples.KIND, {})
            engine = Engine.load(triples, id, limits, further="graphs.nq" in files) if triples else None
        except LoomError as error:
            _say(keeper, {"state": "failed", "reason": error.message})
            return
        except Exception as error:
            _say(keeper, {"state": "failed", "reason": f"{type(error).__name__}: {error}"})
            return
        if engine is None:
            _say(keeper, {"state": "absent", "reason": "This generation has no triples; build it from a source that has."})
            return
        seconds = round(time.monotonic() - started, 3)
        gc.collect()
        gc.freeze()
        _say(keeper, {"state": "ready", "graphs": dict(engine.graphs), "seconds": seconds})
        _serve(engine, keeper)
    except OSError:
        pass
    finally:
        os._exit(0)


def _say(keeper: socket.socket, value: Mapping[str, Json]) -> None:
    data = dumped(value)
    keeper.sendall(RECORD.pack(b"J", 0, len(data)) + data)


def _serve(engine: Engine, keeper: socket.socket) -> None:
    size = data_size()
    children: set[int] = set()
    woken, wakes = socket.socketpair()
    woken.setblocking(False)
    wakes.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes.fileno(), warn_on_full_buffer=False)
    with selectors.DefaultSelector() as selector:
        selector.register(keeper, selectors.EVENT_READ)
        selector.register(woken, selectors.EVENT_READ)
        while True:
            ready = {key.fileobj for key, _ in selector.select()}
            if woken in ready:
                with suppress(BlockingIOError):
                    woken.recv(4096)
                _reap(children, keeper)
            if keeper in ready:
                data = keeper.recv(RECORD.size)
                if not data:
                    break
                kind, pid, _ = RECORD.unpack(data)
                if kind == b"F":
                    children.add(_fork(engine, keeper, size))
                elif pid in children:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
    for pid in children:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _reap(children: set[int], keeper: socket.socket) -> None:
    while children:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        children.discard(pid)
        keeper.sendall(RECORD.pack(b"G", pid, status))


def _fork(engine: Engine, keeper: socket.socket, size: int | None) -> int:
    """A new child; the keeper gets the other end of its socket."""
    theirs, ours = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        child.run(engine, ours, size)
    ours.close()
    socket.send_fds(keeper, [RECORD.pack(b"C", pid, 0)], [theirs.fileno()])
    theirs.close()
    return pid


def data_size() -> int | None:
    """Bytes of data that this process has mapped, as RLIMIT_DATA counts them; None where the system does not say."""
    try:
        found = re.search(r"^VmData:\s*(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"), re.M)
    except OSError:
        return None
    return int(found[1]) * 1024 if found else None
