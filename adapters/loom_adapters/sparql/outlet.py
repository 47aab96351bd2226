"""A result on its way out of a child: held while it is short, so that its head can say how it ended; streamed beyond."""

from collections.abc import Mapping
from typing import Protocol

from loom.core.errors import LoomError
from loom.core.values import Json
from loom_adapters.sparql.wire import BODY, END, FAULT, HEAD, frame, packed

HELD_MOST = 16 * 1024 * 1024
"""Bytes after which a result begins to travel before it is known how it ends."""

PIECE = 64 * 1024
FRAME_MOST = 256 * 1024


class Sends(Protocol):
    """What of a socket is needed."""

    def sendall(self, data: bytes, /) -> None: ...


class Gone(Exception):
    """Whoever asked has left."""


class Outlet:
    def __init__(self, sock: Sends) -> None:
        self._sock = sock
        self._held: list[bytes] = []
        self._size = self._sent = 0
        self._begun = False
        self.head: dict[str, Json] = {}

    def write(self, data: bytes) -> int:
        self._held.append(data)
        self._size += len(data)
        if (self._begun and self._size - self._sent >= PIECE) or self._size > HELD_MOST:
            self._send()
        return len(data)

    def flush(self) -> None:
        """Held until there is enough, or until the end."""

    @property
    def size(self) -> int:
        """Bytes written so far."""
        return self._size

    def end(self, truncated: str | None) -> None:
        """Finish. `truncated` names the limit that was reached, if one was."""
        if not self._begun:
            self.head |= {"truncated": truncated, "length": self._size}
        self._send(packed(END, {"truncated": truncated}))

    def fault(self, error: LoomError) -> None:
        """Say what went wrong instead of a result; after a result has begun, its stream just ends."""
        if not self._begun:
            self._begun, self._held = True, []
            said: Mapping[str, Json] = {"code": error.code, "message": error.message, "param": error.param}
            self._out(packed(FAULT, said))

    def _send(self, after: bytes = b"") -> None:
        pieces = []
        if not self._begun:
            self._begun = True
            pieces.append(packed(HEAD, self.head))
        if self._held:
            whole = b"".join(self._held)
            pieces += [frame(BODY, whole[at : at + FRAME_MOST]) for at in range(0, len(whole), FRAME_MOST)]
            self._held, self._sent = [], self._size
        self._out(b"".join([*pieces, after]))

    def _out(self, data: bytes) -> None:
        try:
            self._sock.sendall(data)
        except OSError as error:
            raise Gone from error
