import asyncio

import pytest

from loom.bench.chat import bodies
from loom.bench.load import Job, receipt, run
from loom.bench.wire import Answer, Connection, request, target_of
from loom.core.errors import BadInput
from loom_adapters.scripted_server import KEPT, ScriptedServer


async def done(job: Job):
    return await asyncio.to_thread(run, job)


async def test_every_answer_is_counted_and_the_connections_are_kept() -> None:
    async with ScriptedServer() as server:
        outcome = await done(Job(server.url, bodies(["a", "b", "c"], streamed=False), clients=3, seconds=0.05))
        assert outcome.failed == 0
        assert len(outcome.latencies) == len(outcome.firsts)
        assert 0 <= len(server.requests) - min(KEPT, len(outcome.latencies)) <= 3
        assert server.connections == 3


async def test_streams_end_at_their_marker_and_begin_earlier() -> None:
    async with ScriptedServer() as server:
        outcome = await done(Job(server.url, bodies(["a"], streamed=True, model="words?words=5&delay=0.01"), seconds=0.3))
        assert outcome.failed == 0
        assert all(first < last for first, last in zip(outcome.firsts, outcome.latencies, strict=True))


@pytest.mark.parametrize(
    ("model", "streamed", "kind"),
    [
        ("status?status=503", False, "status 503"),
        ("words?kill=2", True, "ConnectionResetError"),
        ("words?done=0", True, "status 200"),
        ("error", True, "status 200"),
    ],
)
async def test_what_is_no_whole_answer_is_a_failure(model: str, streamed: bool, kind: str) -> None:
    async with ScriptedServer() as server:
        outcome = await done(Job(server.url, bodies(["a"], streamed=streamed, model=model), seconds=0.1))
    assert outcome.latencies == []
    assert set(outcome.failures) == {kind}


async def test_a_rate_is_kept() -> None:
    async with ScriptedServer() as server:
        outcome = await done(Job(server.url, bodies(["a"], streamed=False), clients=4, seconds=0.5, rate=40))
    assert 12 <= len(outcome.latencies) <= 24


async def test_connections_are_renewed_after_their_share() -> None:
    async with ScriptedServer() as server:
        outcome = await done(Job(server.url, bodies(["a"], streamed=False), seconds=0.3, rate=50, reuse=2))
        assert outcome.failed == 0
        assert len(server.requests) / 2 <= server.connections <= len(server.requests) / 2 + 1


def test_a_server_that_is_not_there_is_a_failure() -> None:
    outcome = run(Job("http://127.0.0.1:9/v1", bodies(["a"], streamed=False), seconds=0.05))
    assert outcome.latencies == []
    assert outcome.failed


async def test_one_answer_as_it_came() -> None:
    async with ScriptedServer() as server:
        target = target_of(server.url)
        connection = Connection(target)
        body = bodies(["a"], streamed=True)[0]
        answer = await asyncio.to_thread(connection.call, request(target, "POST", "/chat/completions", body))
        connection.close()
    assert answer.complete
    assert answer.header("Content-Type") == "text/event-stream"
    assert answer.content.startswith(b"data: {") and answer.content.endswith(b"data: [DONE]\n\n")


@pytest.mark.parametrize("url", ["http://192.0.2.1/v1", "https://127.0.0.1/v1", "127.0.0.1:80", "http://example.org"])
def test_load_stays_on_this_machine(url: str) -> None:
    with pytest.raises(BadInput):
        target_of(url)


LOOM = b'{"id":"x","loom":{"pin":{"generation":"sha256:aa"},"units":[{"iri":"urn:x","tokens":3}]}}'


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (b"application/json", LOOM),
        (b"text/event-stream", b'data: {"id":"x"}\n\ndata: ' + LOOM + b"\n\ndata: [DONE]\n\n"),
    ],
)
def test_a_receipt_says_where_an_answer_came_from(kind: bytes, body: bytes) -> None:
    head = b"HTTP/1.1 200 OK\r\ncontent-type: " + kind + b"\r\nx-loom-generation: sha256:aa"
    found = receipt(Answer(200, head, body, 0.0, 0.0))
    assert found == {"header": "sha256:aa", "pin": "sha256:aa", "units": [["urn:x", 3]]}
