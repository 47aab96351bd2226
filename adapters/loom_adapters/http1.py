"""httpx's interface over one asyncio protocol and the parser that the web server uses: HTTP/1.1 with kept connections.

A call upstream is one request whose body is whole and one response that is read as it comes. Whatever stands between the two
costs every answer, and this is all that is needed; see the decision records for what was measured.
"""

import asyncio
import base64
import ssl
from collections.abc import AsyncIterator
from typing import Any, cast
from urllib.parse import unquote_to_bytes

import httptools
import httpx

KEPT_SECONDS = 30.0
"""Seconds for which an idle connection is kept: less than servers keep theirs."""

HELD_MOST = 1 << 18
"""Bytes that wait to be read before the upstream is asked to wait."""

Address = tuple[str, str, int]
BODILESS = frozenset({204, 304})


class Connection(asyncio.Protocol):
    """One connection, for one exchange after another."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._parser: Any = None
        self._waiter: asyncio.Future[None] | None = None
        self._error: Exception | None = None
        self._pieces: list[bytes] = []
        self._held = 0
        self._paused = False
        self._begin()
        self.idle_since = 0.0

    def _begin(self) -> None:
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self._framed = False
        self._complete = False
        self._kept = False
        self._beyond = False

    # -- what the event loop says -----------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        if self._parser is None or self._complete:
            self._fail(httpx.RemoteProtocolError("the server spoke without being asked"))
            return
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            self._fail(httpx.RemoteProtocolError(f"the answer is not HTTP/1.1: {error}"))
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        if self.status and not self._framed and exc is None:
            self._complete = True
        if self._error is None:
            self._error = exc or ConnectionResetError("the server closed the connection")
        self._kept = False
        self._wake()

    # -- what the parser says ---------------------------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        self._beyond = self._complete

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._beyond:
            self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if status < 200 or self._beyond:
            return
        self.status = status
        self._framed = status in BODILESS or any(
            name.lower() in (b"content-length", b"transfer-encoding") for name, _ in self.headers
        )

    def on_body(self, body: bytes) -> None:
        if self._beyond:
            return
        self._pieces.append(body)
        self._held += len(body)
        if self._held > HELD_MOST and not self._paused and self._transport is not None:
            self._paused = True
            self._transport.pause_reading()

    def on_message_complete(self) -> None:
        if self.status:
            self._complete = True
            self._kept = self._framed and self._parser.should_keep_alive()
        else:
            self.headers.clear()

    # -- what the caller says ---------------------------------------------------------------------------------------------

    @property
    def usable(self) -> bool:
        return self._error is None and self._transport is not None and not self._transport.is_closing()

    @property
    def kept(self) -> bool:
        """Whether the exchange is over and another may follow."""
        return self._complete and self._kept and not self._beyond and not self._pieces and self.usable

    async def send(self, data: bytes) -> None:
        """Send a request and wait for the head of its response. Raises OSError or httpx.TransportError where none comes."""
        self._begin()
        self._parser = httptools.HttpResponseParser(self)
        assert self._transport is not None
        self._transport.write(data)
        while not self.status:
            if self._error is not None:
                raise self._error
            await self._wait()

    async def read(self) -> bytes:
        """What has come of the body since the last time; nothing at its end."""
        while not self._pieces:
            if self._complete:
                return b""
            if self._error is not None:
                raise self._error
            await self._wait()
        data = self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)
        self._pieces.clear()
        self._held = 0
        if self._paused and self._transport is not None:
            self._paused = False
            self._transport.resume_reading()
        return data

    def rest(self) -> None:
        """The exchange is over; whatever comes now was not asked for."""
        self._parser = None
        self.idle_since = self._loop.time()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def _fail(self, error: Exception) -> None:
        self._error = error
        self.close()

    async def _wait(self) -> None:
        self._waiter = self._loop.create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class Body(httpx.AsyncByteStream):
    """The body of a response, from its connection."""

    def __init__(self, connection: Connection, transport: "Http1Transport", address: Address) -> None:
        self._connection: Connection | None = connection
        self._transport = transport
        self._address = address

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while self._connection is not None:
            try:
                data = await self._connection.read()
            except OSError as error:
                raise httpx.ReadError(str(error)) from error
            if not data:
                return
            yield data

    async def aclose(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            self._transport.give(self._address, connection)


class Http1Transport(httpx.AsyncBaseTransport):
    """Sends requests whose bodies are whole; as many connections as there are calls at a time. Certificates are read when an
    https URL is first called. Redirects, cookies and proxies are not its business."""

    def __init__(self) -> None:
        self._idle: dict[Address, list[Connection]] = {}
        self._open: set[Connection] = set()
        self._tls: ssl.SSLContext | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        address = (url.scheme, url.host, url.port or (443 if url.scheme == "https" else 80))
        data = _written(request)
        connection = self._take(address) or await self._connect(address, request.extensions.get("timeout", {}).get("connect"))
        try:
            await connection.send(data)
        except OSError as error:
            self._drop(connection)
            raise httpx.ReadError(str(error)) from error
        except BaseException:
            self._drop(connection)
            raise
        return httpx.Response(
            connection.status, headers=connection.headers, stream=Body(connection, self, address), request=request
        )

    def _take(self, address: Address) -> Connection | None:
        """The connection that was used last; those that were idle too long are closed on the way."""
        idle = self._idle.get(address, [])
        oldest = asyncio.get_running_loop().time() - KEPT_SECONDS
        while idle and idle[0].idle_since < oldest:
            self._drop(idle.pop(0))
        while idle:
            connection = idle.pop()
            if connection.usable:
                return connection
            self._drop(connection)
        return None

    def give(self, address: Address, connection: Connection) -> None:
        """Take a connection back after its exchange: to be used again if it can be."""
        if connection.kept:
            connection.rest()
            self._idle.setdefault(address, []).append(connection)
        else:
            self._drop(connection)

    async def _connect(self, address: Address, seconds: float | None) -> Connection:
        scheme, host, port = address
        if scheme == "https" and self._tls is None:
            self._tls = httpx.create_ssl_context()
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(seconds):
                _, connection = await loop.create_connection(
                    Connection, host, port, ssl=self._tls if scheme == "https" else None
                )
        except TimeoutError as error:
            raise httpx.ConnectTimeout(f"no connection within {seconds:g} s") from error
        except (OSError, ssl.SSLError) as error:
            raise httpx.ConnectError(str(error)) from error
        self._open.add(connection)
        return connection

    def _drop(self, connection: Connection) -> None:
        self._open.discard(connection)
        connection.close()

    async def aclose(self) -> None:
        for connection in list(self._open):
            self._drop(connection)
        self._idle.clear()


def _written(request: httpx.Request) -> bytes:
    """A request as bytes; raises httpx.LocalProtocolError where a header would break out of its line."""
    host = request.url.netloc
    head = [b"%b %b HTTP/1.1" % (request.method.encode("ascii"), request.url.raw_path), b"host: " + host]
    for name, value in request.headers.raw:
        if b"\n" in value or b"\r" in value or b"\n" in name or b"\r" in name:
            raise httpx.LocalProtocolError(f"the header {name!r} holds a line end")
        if name.lower() not in (b"host", b"content-length", b"transfer-encoding"):
            head.append(b"%b: %b" % (name, value))
    if request.url.userinfo and "authorization" not in request.headers:
        head.append(b"authorization: Basic " + base64.b64encode(unquote_to_bytes(request.url.userinfo)))
    content = request.content
    if content or request.method not in ("GET", "HEAD", "OPTIONS"):
        head.append(b"content-length: %d" % len(content))
    return b"\r\n".join(head) + b"\r\n\r\n" + content
