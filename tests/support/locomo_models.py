"""Scripted models for LoCoMo: an extractor that files as the published rules do, and a reader that copies a turn."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from loom.core.memory.policy import PUBLISHED
from loom.core.memory.values import DECLINED, NOBODY
from loom.lab.locomo.bench import Bench
from loom.lab.locomo.dataset import dataset
from loom.lab.locomo.model_spans import request

SMALL = Path(__file__).resolve().parents[2] / "fixtures" / "locomo" / "small.json"
Messages = Sequence[Mapping[str, Any]]


def spans(*entries: tuple[str, list[int]]) -> str:
    return json.dumps({"spans": [{"subject": subject, "sentences": numbers} for subject, numbers in entries]})


def as_the_rules() -> Callable[[Messages], str]:
    """A model that says what the published rules say of each turn of the small set."""
    bench = Bench(dataset(SMALL))
    said: dict[str, str] = {}
    for talk, read in zip(bench.data.talks, bench.reads(PUBLISHED.reads), strict=True):
        for number in range(len(talk.turns)):
            asking, _ = request(talk, number)
            pieces = [piece for (turn, _), piece in read.view.every() if turn == number]
            starts = sorted({each.start for piece in pieces for each in piece.sentences})
            said[asking.text] = spans(
                *(
                    (read.names.people[piece.subject].name, [starts.index(each.start) + 1 for each in piece.sentences])
                    for piece in pieces
                    if piece.subject != NOBODY
                )
            )
    return lambda messages: said[str(messages[-1]["content"])]


def copies(messages: Messages) -> str:
    """The quote of the first turn that is shown; the declining reply to questions of whose things they are."""
    text = str(messages[-1]["content"])
    if "Question: Whose" in text:
        return DECLINED
    found = re.search(r'^\[1\] .*?: "(.*)"$', text, re.MULTILINE)
    assert found
    return found[1]


Answer = Callable[[dict[str, Any]], tuple[int, str]]
"""From a request's body to a status and what the model says, or why it does not."""


@dataclass
class ChatServer:
    """A model behind a URL. `asked` holds the bodies of requests, `keys` what they were authorised by; each waits `wait` seconds."""

    answer: Answer
    url: str = ""
    wait: float = 0.0
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None: ...

    def do_POST(self) -> None:
        server: ChatServer = self.server.told  # type: ignore[attr-defined]
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        server.asked.append(body)
        server.keys.append(self.headers.get("authorization"))
        time.sleep(server.wait)
        status, said = server.answer(body)
        stated: dict[str, Any] = {"error": {"message": said}}
        if status == 200:
            choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
            usage = {"prompt_tokens": 10, "completion_tokens": 3, "total_tokens": 13}
            stated = {
                "id": "x",
                "object": "chat.completion",
                "created": 1,
                "model": body["model"],
                "choices": [choice],
                "usage": usage,
            }
        data = json.dumps(stated).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def chat_server(answer: Answer, wait: float = 0.0) -> Iterator[ChatServer]:
    """A model behind a URL on loopback, until the end of the block."""
    told = ChatServer(answer, wait=wait)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    server.told = told  # type: ignore[attr-defined]
    told.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)
