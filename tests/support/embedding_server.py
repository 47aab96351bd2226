"""A little embeddings server over the hashed bag of words, that can be told to misbehave."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from loom_adapters.fake_embedder import FakeEmbedder

Answer = tuple[int, bytes]
Trick = Callable[[list[dict[str, Any]]], Answer]
"""From the entries that a good answer would have to the status and body that is sent instead."""


def good(entries: list[dict[str, Any]]) -> Answer:
    return 200, json.dumps({"object": "list", "data": entries, "model": "hash", "usage": {}}).encode()


@dataclass
class EmbeddingServer:
    """`asked` holds the bodies of requests, `keys` what they were authorised by; `trick` answers the first `times` of them."""

    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    trick: Trick = good
    times: int = 10**6


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None: ...

    def do_POST(self) -> None:
        server: EmbeddingServer = self.server.told  # type: ignore[attr-defined]
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        server.asked.append(body)
        server.keys.append(self.headers.get("authorization"))
        vectors = FakeEmbedder().embed(body["input"]).tolist()
        entries = [{"object": "embedding", "index": at, "embedding": vector} for at, vector in enumerate(vectors)]
        server.times -= 1
        status, data = (server.trick if server.times >= 0 else good)(entries)
        status, data = (status, data) if self.path == "/v1/embeddings" else (404, b"no such path")
        self.send_response(status)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def embedding_server(trick: Trick = good, times: int = 10**6) -> Iterator[EmbeddingServer]:
    told = EmbeddingServer(trick=trick, times=times)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.told = told  # type: ignore[attr-defined]
    told.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
