"""An event stream to a client: sent frame by frame, kept open by comments while nothing comes."""

import asyncio
from typing import Any

import orjson

from loom.core.errors import LoomError, UpstreamFailure
from loom.serve import exchange
from loom.serve.asgi import Headers, Message, Receive, Scope, Send, send_body
from loom.serve.errors import dumped, envelope

HEADERS: Headers = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),
]
COMMENT = b": keep-alive\n\n"
DONE = b"data: [DONE]\n\n"


HELD_MOST = 256 * 1024
"""Bytes that wait for a slow client before the model is not read any further."""


class EventStream:
    """One response of server-sent events.

    The first frame goes out at once. Later ones that come together are sent together: what is held goes out as soon as the
    relay waits for anything. When nothing has come for `every` seconds, a comment is sent; if the upstream has not even begun
    by then, the response is begun with status 200, and a later failure arrives as an error frame.
    """

    def __init__(self, send: Send, every: float) -> None:
        self._send = send
        self._every = every
        self._loop = asyncio.get_running_loop()
        self._last = self._loop.time()
        self._held: list[bytes] = []
        self._size = 0
        self._start: Message | None = None
        self._sending: asyncio.Task[None] | None = None
        self._timer = self._loop.call_later(every, self._tick) if every else None
        self.begun = False

    def _tick(self) -> None:
        left = self._every - (self._loop.time() - self._last)
        if left <= 0:
            self.begin([])
            self._put(COMMENT)
            left = self._every
        self._timer = self._loop.call_later(left, self._tick)

    def begin(self, headers: Headers) -> None:
        """Begin the response with status 200, unless a comment already did."""
        if not self.begun:
            self.begun = True
            others = [(name, value) for name, value in headers if name != b"content-type"]
            self._start = {"type": "http.response.start", "status": 200, "headers": [*HEADERS, *others]}

    def _put(self, raw: bytes) -> None:
        self._last = self._loop.time()
        self._held.append(raw)
        self._size += len(raw)
        if self._sending is None:
            self._sending = self._loop.create_task(self._flush())

    async def _flush(self) -> None:
        if self._start is not None:
            start, self._start = self._start, None
            await self._send(start)
        while self._held:
            data = b"".join(self._held)
            self._held.clear()
            self._size = 0
            await self._send({"type": "http.response.body", "body": data, "more_body": True})
        self._sending = None

    async def frame(self, raw: bytes) -> None:
        """Send one event as it is. Waits for the first to be on its way, and later only while the client is slower than the
        model."""
        first = self._start is not None
        self._put(raw)
        if first or self._size > HELD_MOST:
            await self._settle()

    async def _settle(self) -> None:
        if self._sending is not None:
            await self._sending

    async def refuse(self, status: int, headers: Headers, data: bytes) -> None:
        """Send a whole body where no stream came: with its own status, or as an error frame if a comment began the response."""
        if not self.begun:
            self._stop()
            await send_body(self._send, status, headers, data)
            return
        self._put(b"data: " + _as_error(data) + b"\n\n" + DONE)
        await self.end()

    async def fail(self, error: LoomError) -> None:
        """End with an error frame, which clients of the OpenAI protocol raise."""
        self._put(b"data: " + dumped(envelope(error)) + b"\n\n" + DONE)
        await self.end()

    async def end(self) -> None:
        self._stop()
        await self._settle()
        await self._send({"type": "http.response.body", "body": b""})

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def close(self) -> None:
        """Stop sending, however the response ended."""
        self._stop()
        if self._sending is not None:
            self._sending.cancel()


def _as_error(data: bytes) -> bytes:
    """A refusal in one line, in the form that clients raise."""
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:
        value = None
    if isinstance(value, dict) and value.get("error"):
        return orjson.dumps(value)
    return dumped(envelope(UpstreamFailure("The model refused the request without saying why.")))


class Departure:
    """Cancels the current task when the client goes away before its answer is complete, whatever the task is waiting for."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._exchange = exchange.of(scope)
        self._task = asyncio.current_task()
        self._watch: asyncio.Task[Any] = asyncio.ensure_future(receive())
        self._watch.add_done_callback(self._left)

    def _left(self, watch: "asyncio.Task[Any]") -> None:
        if self._exchange.told or watch.cancelled() or watch.exception() is not None:
            return
        if watch.result()["type"] != "http.disconnect":
            return
        self._exchange.gone = True
        if self._task is not None:
            self._task.cancel()

    def over(self) -> None:
        """The response is complete; nobody needs to be watched any more."""
        self._watch.remove_done_callback(self._left)
        self._watch.cancel()
