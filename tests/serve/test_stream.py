"""Event streams: frames sent together, in order, whole; comments in silence; slow clients."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from loom.core.errors import LoomError
from loom.serve.stream import COMMENT, DONE, HELD_MOST, EventStream


class Client:
    """Keeps what it is sent; `pause` is how long each message takes."""

    def __init__(self, pause: float = 0.0) -> None:
        self.messages: list[dict] = []
        self.pause = pause
        self.inside = 0

    async def __call__(self, message) -> None:
        self.inside += 1
        assert self.inside == 1, "two messages at once"
        await asyncio.sleep(self.pause)
        self.messages.append(dict(message))
        self.inside -= 1

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.messages)


@given(st.lists(st.tuples(st.binary(min_size=1, max_size=40), st.booleans()), max_size=30))
def test_every_byte_arrives_once_and_in_order(frames: list[tuple[bytes, bool]]):
    async def run() -> Client:
        client = Client()
        stream = EventStream(client, 0)
        stream.begin([])
        for raw, wait in frames:
            await stream.frame(raw)
            if wait:
                await asyncio.sleep(0)
        await stream.end()
        stream.close()
        return client

    client = asyncio.run(run())
    assert client.body == b"".join(raw for raw, _ in frames)
    assert [message["type"] for message in client.messages].count("http.response.start") == (1 if frames else 0)
    assert [message.get("more_body", False) for message in client.messages if "body" in message][-1] is False


async def test_the_first_frame_goes_alone_and_those_that_come_together_are_one_message():
    client = Client()
    stream = EventStream(client, 0)
    stream.begin([(b"content-type", b"text/plain"), (b"x-b", b"2")])
    for _ in range(5):
        await stream.frame(b"data: x\n\n")
    await stream.end()
    start, first, together, last = client.messages
    assert first["body"] == b"data: x\n\n"
    assert start["status"] == 200 and (b"x-b", b"2") in start["headers"]
    assert [value for name, value in start["headers"] if name == b"content-type"] == [b"text/event-stream; charset=utf-8"]
    assert together["body"] == b"data: x\n\n" * 4 and last["body"] == b""


async def test_a_slow_client_holds_the_model_back():
    client = Client(pause=0.01)
    stream = EventStream(client, 0)
    stream.begin([])
    frame, most = b"x" * 10_000, 0
    for _ in range(200):
        await stream.frame(frame)
        most = max(most, stream._size)
    await stream.end()
    assert most <= HELD_MOST + len(frame) and len(client.body) == 200 * len(frame)


async def test_silence_is_filled_and_a_failure_after_it_is_a_frame():
    client = Client()
    stream = EventStream(client, 0.02)
    await asyncio.sleep(0.07)
    assert stream.begun and client.body.startswith(COMMENT)
    await stream.fail(LoomError("It broke."))
    stream.close()
    assert client.messages[0]["status"] == 200 and b'"message":"It broke."' in client.body and client.body.endswith(DONE)
    sent = len(client.messages)
    await asyncio.sleep(0.05)
    assert len(client.messages) == sent


async def test_a_refusal_has_its_status_unless_a_comment_began_the_response():
    client = Client()
    stream = EventStream(client, 0.02)
    await stream.refuse(429, [(b"retry-after", b"3")], b'{"error":{"message":"Slower."}}')
    assert client.messages[0]["status"] == 429 and (b"retry-after", b"3") in client.messages[0]["headers"]
    late = Client()
    stream = EventStream(late, 0.01)
    await asyncio.sleep(0.03)
    await stream.refuse(429, [], b'{"error":{"message":"Slower."}}')
    assert late.messages[0]["status"] == 200 and b'data: {"error":{"message":"Slower."}}\n\n' in late.body
    odd = Client()
    stream = EventStream(odd, 0.01)
    await asyncio.sleep(0.03)
    await stream.refuse(500, [], b"<html>")
    assert b'"error"' in odd.body and b"<html>" not in odd.body
