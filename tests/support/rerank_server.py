"""A little reranker that scores a text by the words it shares with the query, in the speech of either kind of server; it can be told to
misbehave."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, bytes]
Trick = Callable[[list[float]], Answer | None]
"""From the scores to the status and body that is sent instead of a good answer; None: the good one."""


@dataclass
class RerankServer:
    """`speaks` is what it calls the texts; `asked` holds the bodies of requests, `paths` and `keys` where they came and by what they were
    authorised; `usage` is what it says of tokens."""

    url: str = ""
    speaks: str = "documents"
    usage: Any = None
    trick: Trick = lambda scores: None
    asked: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)


def shared(query: str, text: str) -> float:
    """What it scores by."""
    one, other = ({each.casefold() for each in re.findall(r"\w+", of)} for of in (query, text))
    return len(one & other) / max(1, len(one))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None: ...

    def do_POST(self) -> None:
        server: RerankServer = self.server.told  # type: ignore[attr-defined]
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        server.asked.append(body)
        server.paths.append(self.path)
        server.keys.append(self.headers.get("authorization"))
        status, data = self._answer(server, body)
        self.send_response(status)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _answer(self, server: RerankServer, body: dict[str, Any]) -> Answer:
        if server.speaks not in body:
            return 422, f"Failed to deserialize: missing field `{server.speaks}`".encode()
        scores = [shared(body["query"], text) for text in body[server.speaks]]
        if (told := server.trick(scores)) is not None:
            return told
        name = "relevance_score" if server.speaks == "documents" else "score"
        rows = [{"index": at, name: score} for at, score in enumerate(scores)]
        rows.sort(key=lambda row: -row[name])
        usage = {"usage": server.usage} if server.usage else {}
        return 200, json.dumps(rows if server.speaks == "texts" else {"results": rows, **usage}).encode()


@contextmanager
def rerank_server(**told: Any) -> Iterator[RerankServer]:
    state = RerankServer(**told)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.told = state  # type: ignore[attr-defined]
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
