"""The scripted model as a real HTTP server, for tests and for measuring: `python -m loom_adapters.scripted_server --port 0`.

It speaks `/v1/chat/completions` (streamed and not), `/v1/models`, `/v1/completions` and `/v1/embeddings`, keeps connections
alive, and records what it was asked: `GET /_requests` lists the last requests with their headers, bodies, and whether the caller
went away before the end; `DELETE /_requests` forgets them. It is written on a bare asyncio protocol so that what calls it, not
it, is what gets measured.
"""

import argparse
import asyncio
import contextlib
from collections import deque
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import cast

import orjson

from loom.core.values import Json
from loom_adapters.scripted_model import CREATED, MODELS, Actor, Answer, Script, error_of, script_of

KEPT = 2000
REASONS = {
    200: "OK",
    400: "Bad Request",
    401: "Unauthorized",
    404: "Not Found",
    429: "Too Many Requests",
    503: "Service Unavailable",
}


@dataclass(slots=True)
class Recorded:
    """One request as it came, and what became of it."""

    method: str
    path: str
    headers: Mapping[str, str]
    raw: bytes
    finished: bool = False
    aborted: bool = False

    def as_json(self) -> dict[str, Json]:
        try:
            body = orjson.loads(self.raw) if self.raw else None
        except orjson.JSONDecodeError:
            body = None
        return {key: value for key, value in asdict(self).items() if key != "raw"} | {
            "body": body,
            "text": self.raw.decode("utf-8", "replace"),
        }


@dataclass(slots=True)
class Stage:
    """What all connections of one server share."""

    actor: Actor = field(default_factory=Actor)
    recorded: deque[Recorded] = field(default_factory=lambda: deque(maxlen=KEPT))
    transports: set[asyncio.Transport] = field(default_factory=set)
    connections: int = 0


def _head(status: int, headers: Mapping[str, str], length: int | None) -> bytes:
    lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Status')}", *(f"{name}: {value}" for name, value in headers.items())]
    lines.append("transfer-encoding: chunked" if length is None else f"content-length: {length}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


class Connection(asyncio.Protocol):
    """One client connection. Requests on it are answered one after another."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._buffer = b""
        self._transport: asyncio.Transport | None = None
        self._task: asyncio.Task[None] | None = None
        self._current: Recorded | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._stage.transports.add(self._transport)
        self._stage.connections += 1

    def connection_lost(self, exc: Exception | None) -> None:
        if self._transport is not None:
            self._stage.transports.discard(self._transport)
        if self._current is not None and not self._current.finished:
            self._current.aborted = True
        if self._task is not None:
            self._task.cancel()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        self._next()

    def _next(self) -> None:
        while self._task is None:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            first, *lines = self._buffer[:end].decode("latin-1").split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            start = end + 4
            stop = start + int(headers.get("content-length", 0))
            if len(self._buffer) < stop:
                return
            raw, self._buffer = self._buffer[start:stop], self._buffer[stop:]
            method, path, _ = first.split(" ", 2)
            self._serve(Recorded(method, path.partition("?")[0], headers, raw))

    def _serve(self, request: Recorded) -> None:
        if request.path == "/_requests":
            if request.method == "DELETE":
                self._stage.recorded.clear()
            self._send_json([each.as_json() for each in self._stage.recorded])
            return
        self._current = request
        self._stage.recorded.append(request)
        if request.path.endswith("/models"):
            cards = [{"id": name, "object": "model", "created": CREATED, "owned_by": "script"} for name in MODELS]
            self._send_json({"object": "list", "data": cards})
        elif request.path.endswith("/chat/completions"):
            self._chat(request)
        elif request.path.endswith(("/completions", "/embeddings")):
            self._plain(request)
        else:
            self._send(404, {"content-type": "application/json"}, error_of(404, f"No route {request.path}."))

    def _plain(self, request: Recorded) -> None:
        body = orjson.loads(request.raw)
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        if request.path.endswith("/embeddings"):
            data = [{"object": "embedding", "index": 0, "embedding": [0.25, -0.5]}]
            self._send_json({"object": "list", "data": data, "model": body.get("model"), "usage": usage})
            return
        choice = {"index": 0, "text": str(body.get("prompt")), "logprobs": None, "finish_reason": "stop"}
        head = {"id": "cmpl-1", "object": "text_completion", "created": CREATED, "model": body.get("model")}
        if body.get("stream"):
            event = b"data: " + orjson.dumps({**head, "choices": [choice]}) + b"\n\n"
            self._write(
                _head(200, {"content-type": "text/event-stream"}, None)
                + _chunk(event)
                + _chunk(b"data: [DONE]\n\n")
                + b"0\r\n\r\n"
            )
            self._finish()
        else:
            self._send_json({**head, "choices": [choice], "usage": usage})

    def _chat(self, request: Recorded) -> None:
        try:
            body = orjson.loads(request.raw)
            script = self._stage.actor.turn(script_of(body, request.headers))
        except ValueError as error:
            self._send(400, {"content-type": "application/json"}, error_of(400, str(error)))
            return
        if script.kind == "hang" or script.first or (body.get("stream") and (script.delay or script.cut)) or script.kill >= 0:
            self._task = asyncio.get_running_loop().create_task(self._perform(script, body))
            return
        answer = self._stage.actor.answer(script, body)
        if answer.streamed:
            self._write(_head(answer.status, answer.headers, None))
            for frame in answer.frames:
                self._write(_chunk(_lined(script, frame.raw)))
            self._write(b"0\r\n\r\n")
            self._finish()
        else:
            self._send(answer.status, answer.headers, next(answer.frames).raw)

    async def _perform(self, script: Script, body: Mapping[str, Json]) -> None:
        """Answer with pauses. The connection's loss cancels this task."""
        if script.kind == "hang":
            await asyncio.Event().wait()
        await asyncio.sleep(script.first)
        answer = self._stage.actor.answer(script, body)
        if answer.streamed:
            if not await self._stream(script, answer):
                return
        elif script.kill >= 0:
            whole = next(answer.frames).raw
            self._write(_head(answer.status, answer.headers, len(whole)) + whole[: script.kill])
            self._break()
            return
        else:
            self._send(answer.status, answer.headers, next(answer.frames).raw)
        self._task = None
        self._next()

    async def _stream(self, script: Script, answer: Answer) -> bool:
        self._write(_head(answer.status, answer.headers, None))
        for number, frame in enumerate(answer.frames):
            if number == script.kill:
                self._break()
                return False
            if number and script.delay:
                await asyncio.sleep(script.delay)
            raw = _lined(script, frame.raw)
            for at in range(0, len(raw), script.cut or len(raw)):
                self._write(_chunk(raw[at : at + (script.cut or len(raw))]))
                if script.cut:
                    await asyncio.sleep(0)
        self._write(b"0\r\n\r\n")
        self._finish()
        return True

    def _break(self) -> None:
        """Close the connection in the middle of an answer; what was written so far still arrives."""
        self._finish()
        if self._transport is not None:
            self._transport.close()

    def _finish(self) -> None:
        if self._current is not None:
            self._current.finished = True

    def _send_json(self, value: Json) -> None:
        self._send(200, {"content-type": "application/json"}, orjson.dumps(value))

    def _send(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self._write(_head(status, headers, len(body)) + body)
        self._finish()

    def _write(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)


def _lined(script: Script, raw: bytes) -> bytes:
    if script.line == "crlf":
        return raw.replace(b"\n", b"\r\n")
    return raw.replace(b"data: ", b"data:", 1) if script.line == "tight" else raw


class ScriptedServer:
    """The server inside the running loop: `async with ScriptedServer() as server: … server.url …`."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        self._address = (host, port)
        self._server: asyncio.Server | None = None
        self._stage = Stage()
        self.url = ""

    @property
    def requests(self) -> list[Recorded]:
        """What the server was asked so far, oldest first."""
        return list(self._stage.recorded)

    @property
    def connections(self) -> int:
        """How many connections have been opened to the server so far."""
        return self._stage.connections

    async def start(self) -> "ScriptedServer":
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: Connection(self._stage), *self._address)
        host, port = self._server.sockets[0].getsockname()[:2]
        self.url = f"http://{host}:{port}/v1"
        return self

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for transport in list(self._stage.transports):
            transport.abort()

    async def __aenter__(self) -> "ScriptedServer":
        return await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.stop()


async def _serve(host: str, port: int) -> None:
    async with ScriptedServer(host, port) as server:
        print(server.url, flush=True)
        await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m loom_adapters.scripted_server", description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0: any free port; the URL is printed")
    options = parser.parse_args()
    with contextlib.suppress(ImportError):
        import uvloop

        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(options.host, options.port))


if __name__ == "__main__":
    main()
