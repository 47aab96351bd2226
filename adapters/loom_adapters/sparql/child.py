"""A child of the holder: bounded, without file descriptors to spare, one query after the other."""

import json
import os
import resource
import signal
import socket
import sys
from contextlib import suppress

from loom.core.sparql.asked import restored
from loom_adapters.sparql.engine import Engine
from loom_adapters.sparql.outlet import Gone, Outlet
from loom_adapters.sparql.wire import ASKED, RECORD, receive_frame

CONTROL = 3
"""The descriptor on which the keeper speaks; everything above is closed."""

SLACK = 2.0
"""Seconds after the deadline at which a child ends itself, should the keeper be gone."""


def run(engine: Engine, control: socket.socket, data_size: int | None) -> None:
    """Serve the keeper until it closes `control`. `data_size` is what the holder's data takes, in bytes, where it is known.

    Never returns: the process ends.
    """
    try:
        keeper = _alone(control)
        _bound(engine.limits.memory, data_size)
        while True:
            _data, handles, *_ = socket.recv_fds(keeper, RECORD.size, 1)
            if not handles:
                break
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            signal.setitimer(signal.ITIMER_REAL, engine.limits.seconds + SLACK)
            with socket.socket(fileno=handles[0]) as sock:
                _one(engine, sock)
            signal.setitimer(signal.ITIMER_REAL, 0)
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
            keeper.sendall(RECORD.pack(b"D", os.getpid(), grown * (1 if sys.platform == "darwin" else 1024)))
    except OSError:
        pass
    finally:
        os._exit(0)


def _one(engine: Engine, sock: socket.socket) -> None:
    with suppress(Gone, OSError, EOFError):
        kind, data = receive_frame(sock)
        if kind == ASKED:
            engine.answer(restored(json.loads(data)), Outlet(sock))


def _alone(control: socket.socket) -> socket.socket:
    """Keep only the keeper's socket; output of the engine's last words goes nowhere."""
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGALRM, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    nowhere = os.open(os.devnull, os.O_RDWR)
    kept = os.dup2(control.fileno(), max(CONTROL, control.fileno()) + 64)
    control.detach()
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.dup2(kept, CONTROL)
    os.closerange(CONTROL + 1, kept + 1)
    os.closerange(kept + 1, _highest())
    _first_to_go()
    _die_with_parent()
    return socket.socket(fileno=CONTROL)


def _highest() -> int:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return min(soft, 4096) if soft > 0 else 4096


def _bound(memory: int, data_size: int | None) -> None:
    """One descriptor for whoever asks and none to open a file or a connection with; so much memory beside the data."""
    most = CONTROL + 2
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if data_size is not None:
        most = data_size + memory
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _first_to_go() -> None:
    """Where memory runs out in spite of the limit, the system shall take a query rather than the node."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")


def _die_with_parent() -> None:
    """Where the system offers it, so that no child outlives its holder."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None, use_errno=True).prctl(1, signal.SIGKILL, 0, 0, 0)
