"""A small HTTP/1.1 client for measuring: one kept connection, one request at a time, times taken at the first and last byte.

It does as little as it can, because on a small machine the client takes its time from what it measures.
"""

import json
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from time import perf_counter
from urllib.parse import urlsplit

from loom.core.errors import BadInput
from loom.core.values import Json

PATIENCE = 30.0
PIECE = 1 << 16


@dataclass(frozen=True, slots=True)
class Target:
    """Where to connect, and the path below which the interface lies."""

    host: str
    port: int
    base: str = ""


def target_of(url: str) -> Target:
    """The target of a base URL; raises BadInput for one that is not http on this machine: load is for one's own servers."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    try:
        near = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        near = False
    if parts.scheme != "http" or not near:
        raise BadInput(f"Expected a URL on this machine such as http://127.0.0.1:4000/v1, but got {url!r}.", param="url")
    return Target(host, parts.port or 80, parts.path.rstrip("/"))


@dataclass(frozen=True, slots=True)
class Answer:
    """One whole answer. Times are seconds from the moment the request was sent; `first` is the first byte of the body."""

    status: int
    head: bytes
    body: bytes
    first: float
    last: float

    def header(self, name: str) -> str | None:
        wanted = name.lower().encode() + b":"
        for line in self.head.split(b"\r\n")[1:]:
            if line[: len(wanted)].lower() == wanted:
                return line[len(wanted) :].strip().decode("latin-1")
        return None

    @property
    def content(self) -> bytes:
        """The body without the framing of chunks."""
        if b"chunked" not in (self.header("transfer-encoding") or "").encode():
            return self.body
        pieces: list[bytes] = []
        at = 0
        while True:
            end = self.body.index(b"\r\n", at)
            size = int(self.body[at:end].partition(b";")[0], 16)
            if not size:
                return b"".join(pieces)
            pieces.append(self.body[end + 2 : end + 2 + size])
            at = end + 4 + size

    @property
    def complete(self) -> bool:
        """Whether it is a success, and where it is a stream of events, one with its end marker and no error."""
        if self.status != 200:
            return False
        if "event-stream" in (self.header("content-type") or ""):
            return b"data: [DONE]" in self.body and b'data: {"error"' not in self.body
        return True

    def json(self) -> Json:
        return json.loads(self.content)


def request(target: Target, method: str, path: str, body: Mapping[str, Json] | None = None) -> bytes:
    """The bytes of a request."""
    data = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} {target.base}{path} HTTP/1.1", f"host: {target.host}:{target.port}", "accept: */*"]
    lines.append("authorization: Bearer sk-bench")
    if body is not None:
        lines += ["content-type: application/json", f"content-length: {len(data)}"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + data


class Connection:
    """One connection that is made at the first request and kept as long as the server keeps it."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._socket: socket.socket | None = None
        self._begin()

    def _begin(self) -> None:
        self._seen = bytearray()
        self._body_at = -1
        self._length: int | None = None
        self._sent = self._first = 0.0

    @property
    def socket(self) -> socket.socket:
        if self._socket is None:
            self._socket = socket.create_connection((self._target.host, self._target.port), PATIENCE)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self._socket

    def send(self, data: bytes) -> None:
        """Send one request; its answer is then taken in by `receive`."""
        self._begin()
        connected = self.socket
        self._sent = perf_counter()
        connected.sendall(data)

    def receive(self) -> Answer | None:
        """Take in what has come; the answer when that completes it. Raises OSError where the connection ends before."""
        piece = self.socket.recv(PIECE)
        now = perf_counter()
        if not piece:
            raise ConnectionResetError("the server closed the connection in the middle of an answer")
        self._seen += piece
        if self._body_at < 0 and not self._read_head():
            return None
        if not self._first and len(self._seen) > self._body_at:
            self._first = now
        if self._length is None:
            whole = self._seen.endswith(b"0\r\n\r\n", self._body_at)
        else:
            whole = len(self._seen) >= self._body_at + self._length
        if not whole:
            return None
        head, body = bytes(self._seen[: self._body_at - 4]), bytes(self._seen[self._body_at :])
        status = int(head[9:12])
        return Answer(status, head, body, (self._first or now) - self._sent, now - self._sent)

    def _read_head(self) -> bool:
        end = self._seen.find(b"\r\n\r\n")
        if end < 0:
            return False
        self._body_at = end + 4
        for line in bytes(self._seen[:end]).lower().split(b"\r\n")[1:]:
            if line.startswith(b"content-length:"):
                self._length = int(line[15:])
        return True

    def call(self, data: bytes) -> Answer:
        """Send and wait for the whole answer; raises OSError where none comes."""
        self.send(data)
        while (answer := self.receive()) is None:
            pass
        return answer

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None
