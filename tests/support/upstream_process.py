"""Upstreams as real servers on loopback: the scripted model in a process of its own, and one that sends exact bytes."""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import orjson
from support.installed import environment

Piece = bytes | float | str
"""What an exact upstream does next: send bytes as one network chunk, wait so many seconds, `reset` the connection, or `hang`."""


@dataclass
class Scripted:
    """The scripted model. Its `url` is a base with /v1; what it does is in the name of the model that is asked for."""

    url: str
    client: httpx.Client

    def requests(self) -> list[dict[str, Any]]:
        """What it was asked, oldest first: method, path, headers, body, text, finished, aborted."""
        found: list[dict[str, Any]] = self.client.get("/_requests").json()
        return found

    def forget(self) -> None:
        self.client.delete("/_requests")

    def asked(self) -> dict[str, Any]:
        """The only chat request since the last `forget`."""
        (found,) = [each for each in self.requests() if each["path"].endswith("/chat/completions")]
        return found

    def aborted_within(self, seconds: float) -> bool:
        """Whether the one request that came is left by its caller before so many seconds have passed."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if any(each["aborted"] for each in self.requests()):
                return True
            time.sleep(0.02)
        return False


@contextmanager
def scripted() -> Iterator[Scripted]:
    """The scripted model, until the end of the block."""
    given = os.environ.get("LOOM_E2E_BIN")
    python = str(Path(given).parent / "python") if given else sys.executable
    command = [python, "-m", "loom_adapters.scripted_server", "--port", "0"]
    process = subprocess.Popen(command, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        url = process.stdout.readline().strip()
        assert url.startswith("http"), "the scripted model did not start"
        with httpx.Client(base_url=url.removesuffix("/v1"), trust_env=False) as client:
            yield Scripted(url, client)
    finally:
        process.terminate()
        process.wait(timeout=10)
        process.stdout.close()


@dataclass
class Exact:
    """A server that answers a chat request with the pieces that its model's name was given, under the head that goes with them."""

    url: str
    pieces: dict[str, tuple[bytes, Sequence[Piece]]] = field(default_factory=dict)
    bodies: list[dict[str, Any]] = field(default_factory=list)

    def says(self, model: str, *pieces: Piece, status: str = "200 OK", kind: str = "text/event-stream", **headers: str) -> str:
        """Set what this model answers; its name."""
        lines = [f"HTTP/1.1 {status}", f"content-type: {kind}", "connection: close"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.pieces[model] = ("\r\n".join(lines).encode() + b"\r\n\r\n", pieces)
        return model


class _Handling:
    def __init__(self, exact: Exact, server: socket.socket) -> None:
        self._exact = exact
        self._server = server
        self.over = threading.Event()

    def run(self) -> None:
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            threading.Thread(target=self._one, args=(connection,), daemon=True).start()

    def _one(self, connection: socket.socket) -> None:
        with connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                self._answer(connection)
            except OSError:
                return

    def _answer(self, connection: socket.socket) -> None:
        data = b""
        while b"\r\n\r\n" not in data:
            got = connection.recv(65536)
            if not got:
                return
            data += got
        head, _, body = data.partition(b"\r\n\r\n")
        headers = _headers(head)
        while len(body) < int(headers.get("content-length", "0")):
            body += connection.recv(65536)
        if head.startswith(b"GET"):
            cards = b'{"object":"list","data":[]}'
            connection.sendall(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json\r\n\r\n" + cards)
            return
        asked = orjson.loads(body)
        self._exact.bodies.append(asked)
        start, pieces = self._exact.pieces[asked["model"]]
        if pieces[:1] != ("hang",):
            connection.sendall(start)
        for piece in pieces:
            if isinstance(piece, bytes):
                connection.sendall(piece)
            elif isinstance(piece, float):
                self.over.wait(piece)
            elif piece == "hang":
                self.over.wait(60)
            else:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
                return


def _headers(head: bytes) -> Mapping[str, str]:
    lines = head.decode("latin-1").split("\r\n")[1:]
    return {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}


@contextmanager
def exact() -> Iterator[Exact]:
    """A server of exact bytes, in threads of this process."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        found = Exact(f"http://127.0.0.1:{server.getsockname()[1]}/v1")
        handling = _Handling(found, server)
        thread = threading.Thread(target=handling.run, daemon=True)
        thread.start()
        try:
            yield found
        finally:
            handling.over.set()
            server.shutdown(socket.SHUT_RDWR)
            thread.join(timeout=5)


def free_port() -> int:
    """A port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
