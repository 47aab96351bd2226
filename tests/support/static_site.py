"""A static web server over a folder, that can be told to misbehave for some of its paths."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Trick = Callable[[Any, bytes], None]


@dataclass
class StaticSite:
    """`tricks` are tried in order on each path; one that matches answers instead, `times` times. `asked` are paths and ranges."""

    folder: Path
    url: str = ""
    tricks: list[list[Any]] = field(default_factory=list)
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    ranges: bool = True

    def trick(self, pattern: str, trick: Trick, times: int = 10**6) -> None:
        self.tricks.append([re.compile(pattern), trick, times])


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None: ...

    def do_GET(self) -> None:
        site: StaticSite = self.server.site  # type: ignore[attr-defined]
        site.asked.append((self.path, self.headers.get("range")))
        path = site.folder / self.path.lstrip("/")
        data = path.read_bytes() if path.is_file() else None
        for entry in site.tricks:
            if entry[0].search(self.path) and entry[2] > 0:
                entry[2] -= 1
                try:
                    entry[1](self, data or b"")
                except OSError:
                    self.close_connection = True
                return
        if data is None:
            self.send_error(404)
            return
        start = 0
        asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("range") or "")
        if asked and site.ranges:
            start = int(asked[1])
            if start >= len(data):
                self.send_error(416)
                return
            self.send_response(206)
            self.send_header("content-range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        else:
            self.send_response(200)
        self.send_header("content-length", str(len(data) - start))
        self.end_headers()
        self.wfile.write(data[start:])


def head(handler: Handler, length: int | None, status: int = 200, **headers: str) -> None:
    handler.send_response(status)
    if length is not None:
        handler.send_header("content-length", str(length))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()


def truncated(keep: int) -> Trick:
    """Says the whole length, sends the beginning, and closes. Honours ranges only in that it starts where it is asked to."""

    def trick(handler: Handler, data: bytes) -> None:
        asked = re.fullmatch(r"bytes=(\d+)-", handler.headers.get("range") or "")
        start = int(asked[1]) if asked else 0
        if asked:
            head(handler, len(data) - start, 206, content_range=f"bytes {start}-{len(data) - 1}/{len(data)}")
        else:
            head(handler, len(data))
        handler.wfile.write(data[start : start + keep])
        handler.close_connection = True

    return trick


def stalled(keep: int, seconds: float, drip: float = 0.0) -> Trick:
    """Sends the beginning and then nothing, or one byte every `drip` seconds."""

    def trick(handler: Handler, data: bytes) -> None:
        head(handler, len(data))
        handler.wfile.write(data[:keep])
        handler.wfile.flush()
        until, at = time.monotonic() + seconds, keep
        while time.monotonic() < until:
            time.sleep(drip or 0.05)
            if drip:
                handler.wfile.write(data[at : at + 1])
                at += 1
        handler.close_connection = True

    return trick


def instead(body: bytes, status: int = 200, length: int | None = None, **headers: str) -> Trick:
    """Another body than the file's."""

    def trick(handler: Handler, data: bytes) -> None:
        head(handler, len(body) if length is None else length, status, connection="close", **headers)
        handler.wfile.write(body)
        handler.close_connection = True

    return trick


def endless() -> Trick:
    """The file and then more, without a stated length."""

    def trick(handler: Handler, data: bytes) -> None:
        head(handler, None, connection="close")
        handler.wfile.write(data)
        for _ in range(1000):
            handler.wfile.write(b"x" * 65536)
        handler.close_connection = True

    return trick


@contextmanager
def static_site(folder: Path) -> Iterator[StaticSite]:
    site = StaticSite(folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.site = site  # type: ignore[attr-defined]
    site.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
