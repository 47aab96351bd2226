"""An event stream to a client: sent frame by frame, kept open by comments while nothing comes."""

import asyncio
from typing import Any

import orjson

from loom.core.errors import LoomError, UpstreamFailure
from loom.serve import exchange
from loom.serve.asgi import Headers, Receive, Scope, Send, send_body
from loom.serve.errors import dumped, envelope

HEADERS: Headers = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),
]
COMMENT = b": keep-alive\n\n"
DONE = b"data: [DONE]\n\n"


class EventStream:
    """One response of server-sent events.

    When nothing has been sent for `every` seconds, a comment is; if the upstream has not even begun by then, the response is
    begun with status 200, and a later failure arrives as an error frame.
    """

    def __init__(self, send: Send, headers: Headers, every: float) -> None:
        self._send = send
        self._headers = headers
        self._every = every
        self._loop = asyncio.get_running_loop()
        self._last = self._loop.time()
        self._comment: asyncio.Task[None] | None = None
        self._timer = self._loop.call_later(every, self._tick) if every else None
        self.begun = False

    def _tick(self) -> None:
        left = self._every - (self._loop.time() - self._last)
        if left <= 0:
            if self._comment is None or self._comment.done():
                self._comment = self._loop.create_task(self._say())
            self._last, left = self._loop.time(), self._every
        self._timer = self._loop.call_later(left, self._tick)

    async def _say(self) -> None:
        await self._begin([])
        await self._send({"type": "http.response.body", "body": COMMENT, "more_body": True})

    async def _begin(self, headers: Headers) -> None:
        if not self.begun:
            self.begun = True
            others = [(name, value) for name, value in headers if name != b"content-type"]
            message = {"type": "http.response.start", "status": 200, "headers": [*HEADERS, *self._headers, *others]}
            await self._send(message)

    async def _settle(self) -> None:
        """Let a comment that is on its way go first: two messages must not be sent at once."""
        comment, self._comment = self._comment, None
        if comment is not None:
            await comment

    async def begin(self, headers: Headers) -> None:
        """Begin the response with status 200, unless a comment already did."""
        await self._settle()
        await self._begin(headers)

    async def frame(self, raw: bytes) -> None:
        """Send one event as it is."""
        if self._comment is not None:
            await self._settle()
        self._last = self._loop.time()
        await self._send({"type": "http.response.body", "body": raw, "more_body": True})

    async def refuse(self, status: int, headers: Headers, data: bytes) -> None:
        """Send a whole body where no stream came: with its own status, or as an error frame if a comment began the response."""
        self._stop()
        await self._settle()
        if not self.begun:
            await send_body(self._send, status, [*headers, *self._headers], data)
            return
        await self.frame(b"data: " + _as_error(data) + b"\n\n")
        await self.frame(DONE)
        await self.end()

    async def fail(self, error: LoomError) -> None:
        """End with an error frame, which clients of the OpenAI protocol raise."""
        await self.frame(b"data: " + dumped(envelope(error)) + b"\n\n")
        await self.frame(DONE)
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
        """Stop the comments, however the response ended."""
        self._stop()
        if self._comment is not None:
            self._comment.cancel()


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
