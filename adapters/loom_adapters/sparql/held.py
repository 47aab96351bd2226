"""A holder and its children, as the keeper sees them."""

import json
import os
import signal
import socket
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from loom.core.sparql.limits import Limits
from loom.core.values import Json
from loom.ports import GenerationStore
from loom_adapters.sparql.wire import RECORD


@dataclass(eq=False, slots=True)
class Child:
    """One child: idle, or running one query."""

    pid: int
    line: socket.socket
    home: "Held"
    killed: bool = False
    answered: int = 0

    def give(self, data: socket.socket | None) -> bool:
        """Pass the socket of whoever asks; False where the child has ended meanwhile."""
        if data is None:
            return False
        try:
            socket.send_fds(self.line, [RECORD.pack(b"Q", 0, 0)], [data.fileno()])
        except OSError:
            return False
        return True

    def done(self) -> int | None:
        """Bytes by which the query made it grow; None where it has ended."""
        try:
            data = self.line.recv(RECORD.size)
        except OSError:
            data = b""
        if len(data) < RECORD.size:
            return None
        self.answered += 1
        return int(RECORD.unpack(data)[2])

    def kill(self) -> None:
        """Ask its parent to kill it: only a parent knows that the number is still this process."""
        self.killed = True
        self.home.tell(b"K", self.pid)


@dataclass(eq=False, slots=True)
class Held:
    """One holder, and what it said of its generation when it was ready."""

    id: str
    pid: int
    line: socket.socket
    idle: "deque[Child]" = field(default_factory=deque)
    children: "dict[int, Child]" = field(default_factory=dict)
    graphs: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    @classmethod
    def start(cls, store: GenerationStore, id: str, limits: Limits, close_others: Callable[[], None]) -> "Held":
        """Fork a process that loads a generation."""
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if pid == 0:
            try:
                ours.close()
                close_others()
                from loom_adapters.sparql import holder

                holder.run(store, id, limits, theirs)
            finally:
                os._exit(1)
        theirs.close()
        return cls(id, pid, ours)

    def tell(self, kind: bytes, number: int = 0) -> None:
        with suppress(OSError):
            self.line.sendall(RECORD.pack(kind, number, 0))

    def fork(self) -> None:
        self.tell(b"F")

    def heard(self) -> Iterator[tuple[bytes, int, int, Json]]:
        """One message: J with a JSON value, C for a new child, G for one that is gone (with its status), or an end."""
        try:
            data, handles, *_ = socket.recv_fds(self.line, RECORD.size, 1)
        except OSError:
            data, handles = b"", []
        if len(data) < RECORD.size:
            yield b"", 0, 0, None
            return
        kind, number, status = RECORD.unpack(data)
        if kind == b"J":
            text = b""
            while len(text) < status and (piece := self.line.recv(status - len(text))):
                text += piece
            yield kind, number, status, json.loads(text)
            return
        if kind == b"C" and handles:
            self.children[number] = Child(number, socket.socket(fileno=handles[0]), self)
        yield kind, number, status, None

    def end(self) -> None:
        """Let the process go, and its children with it."""
        self.line.close()
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
