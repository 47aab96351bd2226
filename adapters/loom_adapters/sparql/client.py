"""The triples that a keeper holds, as a web process sees them. Imports no engine."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from loom.core.errors import BadInput, LoomError
from loom.core.sparql.asked import Asked
from loom.core.sparql.errors import KINDS, Busy, NotLoaded, QueryDied
from loom.core.values import Json
from loom.ports import TripleAnswer
from loom_adapters.sparql.wire import ASKED, BODY, FAULT, FRAME, HEAD, QUERY, STATE, packed

REASON_PATIENCE = 2.0
"""Seconds within which a keeper says why a result ended in the middle."""

STATE_PATIENCE = 0.5
PIECE = 256 * 1024
IDLE_MOST = 64


class KeptTriples:
    """A `TripleStore` behind the socket of a keeper."""

    def __init__(self, path: Path) -> None:
        self._path = str(path)
        self._idle: list[socket.socket] = []

    def _connected(self) -> socket.socket:
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        line.setblocking(False)
        try:
            line.connect(self._path)
        except BlockingIOError as error:
            line.close()
            raise Busy("More queries come than this node can queue; try again shortly.") from error
        except OSError as error:
            line.close()
            raise NotLoaded("The process that holds the triples is not there yet; try again in a moment.") from error
        return line

    def _handed(self, theirs: socket.socket) -> socket.socket:
        """The connection by which the keeper was given a socket: one that is idle, or a new one."""
        while self._idle:
            line = self._idle.pop()
            try:
                socket.send_fds(line, [QUERY], [theirs.fileno()])
                return line
            except OSError:
                line.close()
        line = self._connected()
        try:
            socket.send_fds(line, [QUERY], [theirs.fileno()])
        except OSError as error:
            line.close()
            raise NotLoaded("The process that holds the triples has ended; try again in a moment.") from error
        return line

    @asynccontextmanager
    async def query(self, asked: Asked) -> AsyncIterator[TripleAnswer]:
        ours, theirs = socket.socketpair()
        request = packed(ASKED, asked.as_json())
        with ours:
            with theirs:
                ours.setblocking(False)
                sent = ours.send(request)
                line = self._handed(theirs)
            answer = KeptAnswer(ours, line)
            try:
                await answer.begin(request[sent:])
                yield answer
            finally:
                if answer.over and len(self._idle) < IDLE_MOST:
                    self._idle.append(line)
                else:
                    line.close()

    async def aclose(self) -> None:
        while self._idle:
            self._idle.pop().close()

    async def state(self) -> Mapping[str, Json]:
        try:
            line = self._connected()
        except LoomError as error:
            return {"state": "starting", "reason": error.message}
        with line:
            try:
                line.send(STATE)
                said = await asyncio.wait_for(_rest(line), STATE_PATIENCE)
                found: dict[str, Json] = json.loads(said)
            except (OSError, ValueError, TimeoutError):
                return {"state": "unreachable", "reason": "The process that holds the triples did not answer."}
            return found


class KeptAnswer:
    """A result as a child sends it. `head` is known once it has begun; `over` is set when nothing more comes, as it should be."""

    def __init__(self, data: socket.socket, line: socket.socket) -> None:
        self._loop = asyncio.get_running_loop()
        self._data = data
        self._line = line
        self._held = bytearray()
        self.over = False
        self.head: Mapping[str, Json] = {}

    async def begin(self, asked: bytes) -> None:
        """Send what is left of the question, and wait for the result to begin."""
        if asked:
            try:
                await self._loop.sock_sendall(self._data, asked)
            except OSError as error:
                raise await self._reason() from error
        kind, data = await self._frame()
        if kind == FAULT:
            self.over = True
            said = json.loads(data)
            raise KINDS.get(said["code"], BadInput)(said["message"], param=said["param"])
        assert kind == HEAD, kind
        self.head = json.loads(data)

    async def pieces(self) -> AsyncIterator[bytes]:
        while True:
            kind, data = await self._frame()
            if kind != BODY:
                break
            yield data
        self.over = True
        truncated = json.loads(data)["truncated"]
        if truncated != self.head.get("truncated"):
            raise QueryDied(f"The result reached the limit of {truncated} after it had begun to travel, and was cut.")

    async def _frame(self) -> tuple[bytes, bytes]:
        kind, size = FRAME.unpack(await self._exactly(FRAME.size))
        return kind, await self._exactly(size)

    async def _exactly(self, size: int) -> bytes:
        held = self._held
        while len(held) < size:
            try:
                piece = await self._loop.sock_recv(self._data, PIECE)
            except OSError as error:
                raise await self._reason() from error
            if not piece:
                raise await self._reason()
            held += piece
        data = bytes(held[:size])
        del held[:size]
        return data

    async def _reason(self) -> LoomError:
        """Why there is no more: what the keeper says of the child that was stopped."""
        try:
            said = json.loads(await asyncio.wait_for(_rest(self._line), REASON_PATIENCE))
            return KINDS.get(said["code"], QueryDied)(said["message"])
        except (OSError, ValueError, KeyError, TimeoutError):
            return QueryDied("The process that ran the query has ended; try again.")


async def _rest(line: socket.socket) -> bytes:
    """Everything that comes until the other side closes."""
    loop, pieces = asyncio.get_running_loop(), []
    while piece := await loop.sock_recv(line, 65536):
        pieces.append(piece)
    return b"".join(pieces)
