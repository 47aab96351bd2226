"""The transport of calls upstream, against servers that say exactly what they are told to."""

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom_adapters.http1 import HELD_MOST, Http1Transport


class Server:
    """Answers each request with the next of the given bytes, in the given pieces; None closes the connection instead."""

    def __init__(self, *answers: list[bytes] | None, close: bool = False) -> None:
        self.answers = list(answers)
        self.close = close
        self.requests: list[bytes] = []
        self.connections = 0
        self.gone = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    (int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0
                )
                self.requests.append(head + await reader.readexactly(length))
                answer = self.answers.pop(0) if self.answers else None
                for piece in answer or ():
                    writer.write(piece)
                    await writer.drain()
                    await asyncio.sleep(0)
                if answer is None or self.close:
                    return
        except (asyncio.IncompleteReadError, ConnectionError):
            self.gone.set()
        finally:
            writer.close()


@asynccontextmanager
async def running(server: Server, tls: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, ssl=tls)
    port = listening.sockets[0].getsockname()[1]
    try:
        yield f"http{'s' if tls else ''}://127.0.0.1:{port}/v1"
    finally:
        listening.close()


@pytest.fixture
async def transport() -> AsyncIterator[Http1Transport]:
    made = Http1Transport()
    yield made
    await made.aclose()


async def ask(transport: Http1Transport, url: str, content: bytes = b"{}", **headers: str) -> httpx.Response:
    request = httpx.Request("POST", url, headers=headers, content=content, extensions={"timeout": {"connect": 1.0}})
    return await transport.handle_async_request(request)


async def whole(response: httpx.Response) -> bytes:
    pieces = [piece async for piece in response.stream]  # type: ignore[union-attr]
    await response.aclose()
    return b"".join(pieces)


def sized(body: bytes, *headers: bytes, status: bytes = b"200 OK") -> bytes:
    return b"\r\n".join([b"HTTP/1.1 " + status, b"content-length: %d" % len(body), *headers, b"", body])


def cut(data: bytes, *places: int) -> list[bytes]:
    edges = sorted({0, len(data), *(place % (len(data) + 1) for place in places)})
    return [data[a:b] for a, b in pairwise(edges)]


async def test_a_request_is_written_as_it_is(transport: Http1Transport) -> None:
    server = Server([sized(b"yes", b"X-Of: a", b"x-of: b", status=b"201 Made")])
    async with running(server) as url:
        response = await ask(transport, url + "/chat?a=b%20c", b'{"a": 1}', accept="text/plain")
        assert response.status_code == 201
        assert response.headers.get_list("x-of") == ["a", "b"]
        assert await whole(response) == b"yes"
    head, _, body = server.requests[0].partition(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    assert first == b"POST /v1/chat?a=b%20c HTTP/1.1"
    assert body == b'{"a": 1}'
    names = [line.partition(b":")[0].lower() for line in lines]
    assert sorted(names) == [b"accept", b"content-length", b"host"]
    assert b"content-length: 8" in lines


async def test_credentials_in_the_url_are_sent(transport: Http1Transport) -> None:
    server = Server([sized(b"")])
    async with running(server) as url:
        await whole(await ask(transport, url.replace("http://", "http://ann:s%40crt@")))
    assert b"\r\nauthorization: Basic YW5uOnNAY3J0\r\n" in server.requests[0]


@pytest.mark.parametrize("value", ["a\nx: y", "a\rx: y"])
async def test_no_header_breaks_out_of_its_line(transport: Http1Transport, value: str) -> None:
    server = Server([sized(b"")])
    async with running(server) as url:
        with pytest.raises(httpx.LocalProtocolError):
            await ask(transport, url, accept=value)
    assert server.requests == []


async def test_connections_are_kept_and_as_many_as_calls_at_a_time(transport: Http1Transport) -> None:
    server = Server(*[[sized(b"%d" % n)] for n in range(5)])
    async with running(server) as url:
        for _ in range(3):
            await whole(await ask(transport, url))
        assert server.connections == 1
        first, second = await ask(transport, url), await ask(transport, url)
        assert {await whole(first), await whole(second)} == {b"3", b"4"}
        assert server.connections == 2


@pytest.mark.parametrize(
    "answer",
    [
        sized(b"bye", b"connection: close"),
        b"HTTP/1.0 200 OK\r\ncontent-length: 3\r\n\r\nbye",
        sized(b"bye") + b"HTTP/1.1 200 OK\r\n",
        sized(b"bye") + sized(b"and more"),
    ],
)
async def test_a_connection_that_cannot_be_used_again_is_not(transport: Http1Transport, answer: bytes) -> None:
    server = Server([answer], [sized(b"next")])
    async with running(server) as url:
        response = await ask(transport, url)
        assert (response.status_code, await whole(response)) == (200, b"bye")
        assert await whole(await ask(transport, url)) == b"next"
    assert server.connections == 2


async def test_a_connection_that_the_server_closed_meanwhile_is_not_used(transport: Http1Transport) -> None:
    server = Server([sized(b"one")], [sized(b"two")], close=True)
    async with running(server) as url:
        assert await whole(await ask(transport, url)) == b"one"
        await asyncio.sleep(0.05)
        assert await whole(await ask(transport, url)) == b"two"


async def test_an_answer_that_nobody_waits_for_closes_its_connection(transport: Http1Transport) -> None:
    server = Server([b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n"])
    async with running(server) as url:
        response = await ask(transport, url)
        await response.stream.aclose()  # type: ignore[union-attr]
        await asyncio.wait_for(server.gone.wait(), 2)


async def test_a_call_that_is_cancelled_closes_its_connection(transport: Http1Transport) -> None:
    server = Server([])
    async with running(server) as url:
        call = asyncio.create_task(ask(transport, url))
        await asyncio.sleep(0.05)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await asyncio.wait_for(server.gone.wait(), 2)


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nsome\r\nA;x=y\r\nthing else\r\n0\r\nx-late: 1\r\n\r\n"
INTERIM = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n" + sized(b"something else")


@given(st.sampled_from([CHUNKED, INTERIM, sized(b"something else")]), st.lists(st.integers(0, 200), max_size=6))
def test_it_does_not_matter_how_the_bytes_are_cut(answer: bytes, places: list[int]) -> None:
    async def run() -> tuple[bytes, list[str]]:
        transport, server = Http1Transport(), Server(cut(answer, *places))
        try:
            async with running(server) as url:
                response = await ask(transport, url)
                return (await whole(response)).replace(b"somethingelse", b"something else"), list(response.headers)
        finally:
            await transport.aclose()

    body, names = asyncio.run(run())
    assert body == b"something else" and "link" not in names


async def test_a_body_without_a_length_ends_with_its_connection(transport: Http1Transport) -> None:
    server = Server([b"HTTP/1.1 200 OK\r\n\r\nuntil ", b"the end"], close=True)
    async with running(server) as url:
        assert await whole(await ask(transport, url)) == b"until the end"


async def test_an_answer_without_a_body_is_over_at_once(transport: Http1Transport) -> None:
    server = Server([b"HTTP/1.1 204 Nothing\r\n\r\n"], [sized(b"next")])
    async with running(server) as url:
        assert await whole(await ask(transport, url)) == b""
        assert await whole(await ask(transport, url)) == b"next"
    assert server.connections == 1


@pytest.mark.parametrize(
    ("answer", "raised"),
    [
        (None, httpx.ReadError),
        ([b"HTTP/1.1 200 OK\r\ncontent-le"], httpx.ReadError),
        ([b"SSH-2.0-OpenSSH\r\n\r\n"], httpx.RemoteProtocolError),
        ([sized(b"abc")[:-1]], httpx.ReadError),
        ([CHUNKED[:-30]], httpx.ReadError),
        ([CHUNKED.replace(b"A;x=y", b"no number")], httpx.RemoteProtocolError),
        ([b"HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"], httpx.RemoteProtocolError),
    ],
)
async def test_an_answer_that_breaks_off_or_is_none_is_an_error(
    transport: Http1Transport, answer: list[bytes] | None, raised: type[Exception]
) -> None:
    async with running(Server(answer, close=True)) as url:
        with pytest.raises(raised):
            await whole(await ask(transport, url))


async def test_what_was_said_before_a_break_arrives(transport: Http1Transport) -> None:
    async with running(Server([CHUNKED[:70]], close=True)) as url:
        response = await ask(transport, url)
        pieces = []
        with pytest.raises(httpx.ReadError):
            async for piece in response.stream:  # type: ignore[union-attr]
                pieces.append(piece)
        assert b"".join(pieces).startswith(b"some")


async def test_where_nobody_listens_there_is_no_connection(transport: Http1Transport) -> None:
    with pytest.raises(httpx.ConnectError):
        await ask(transport, "http://127.0.0.1:9/v1")


async def test_a_server_that_is_quicker_than_its_reader_waits(transport: Http1Transport) -> None:
    """What is not read is not taken in: the server's writes do not all go through."""
    piece, count = b"x" * 65536, 800
    server = Server([b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % (len(piece) * count), *[piece] * count])
    async with running(server) as url:
        response = await ask(transport, url)
        await asyncio.sleep(0.3)
        stream = response.stream.__aiter__()  # type: ignore[union-attr]
        assert len(await anext(stream)) <= HELD_MOST + 4 * len(piece)
        rest = 0
        async for more in stream:
            rest += len(more)
        assert rest > len(piece) * (count - 20)


async def test_closing_ends_everything(transport: Http1Transport) -> None:
    server = Server([sized(b"one")], [])
    async with running(server) as url:
        await whole(await ask(transport, url))
        await transport.aclose()
        await asyncio.wait_for(server.gone.wait(), 2)


@pytest.fixture
def certified(tmp_path: Path) -> Callable[[], ssl.SSLContext]:
    if shutil.which("openssl") is None:
        pytest.skip("needs the openssl command to make a certificate")
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"),
            *("-keyout", str(tmp_path / "key"), "-out", str(tmp_path / "certificate")),
        ],
        check=True,
        capture_output=True,
    )

    def context() -> ssl.SSLContext:
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        made.load_cert_chain(tmp_path / "certificate", tmp_path / "key")
        return made

    return context


async def test_a_certificate_that_nobody_vouches_for_is_refused(
    transport: Http1Transport, certified: Callable[[], ssl.SSLContext]
) -> None:
    server = Server([sized(b"secret")])
    async with running(server, certified()) as url:
        with pytest.raises(httpx.ConnectError, match="certificate"):
            await ask(transport, url)
    assert server.requests == []
