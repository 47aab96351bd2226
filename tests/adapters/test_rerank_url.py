"""A cross-encoder behind a URL: what is sent, what is learned of a server, and what is no answer."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from support.rerank_server import RerankServer, rerank_server

from loom.core.claims.judging.calls import Unjudged
from loom.core.errors import BadSettings
from loom_adapters.rerank_url import RerankUrl

TEXTS = ["The choir sings.", "The boiler is old."]


@contextmanager
def cross(
    end: str = "", key: str = "", price: float = 0.0, most: int = 9, **told: Any
) -> Iterator[tuple[RerankServer, RerankUrl]]:
    """A server that does as it is told, and a cross-encoder at its URL."""
    with rerank_server(**told) as server:
        reranker = RerankUrl(server.url + end, "cross", key=key, price=price, most=most)
        yield server, reranker
        reranker.close()


async def test_what_is_sent() -> None:
    with cross(key="secret") as (server, reranker):
        await reranker.rerank("old boiler", TEXTS)
    assert server.asked == [{"model": "cross", "query": "old boiler", "documents": TEXTS, "top_n": 2}]
    assert (server.paths, server.keys) == (["/v1/rerank"], ["Bearer secret"])


async def test_a_server_that_wants_texts_is_known_after_the_first_question() -> None:
    with cross(speaks="texts") as (server, reranker):
        first, second = await reranker.rerank("old boiler", TEXTS), await reranker.rerank("choir", TEXTS)
    assert [call.outcome for call in (*first.calls, *second.calls)] == ["failed", "used", "used"]
    assert list(server.asked[-1]) == ["model", "query", "texts"] and list(second.value) == [1.0, 0.0]


@pytest.mark.parametrize("end", ["/rerank", "/rerank/", "/reranking", "/"])
async def test_a_url_may_name_the_route(end: str) -> None:
    with cross(end) as (server, reranker):
        await reranker.rerank("old boiler", TEXTS)
    assert server.paths == ["/v1" + (end.rstrip("/") or "/rerank")]


@pytest.mark.parametrize(
    ("usage", "tokens"), [({"total_tokens": 70}, 70), ({"prompt_tokens": 60}, 60), ({"total_tokens": "x"}, 15)]
)
async def test_tokens_are_those_of_the_server_or_counted(usage: Any, tokens: int) -> None:
    with cross(usage=usage, price=2.0) as (_, reranker):
        (call,) = (await reranker.rerank("old boiler", TEXTS)).calls
    assert (call.tokens_in, call.tokens_out, call.price) == (tokens, 0, tokens * 2 / 1e6)


@pytest.mark.parametrize(
    "body",
    [
        b"no json",
        b"{}",
        b"[]",
        b'{"results": 3}',
        b"[3, 4]",
        b'{"results": [{"index": 0, "relevance_score": 1}]}',
        b'{"results": [{"index": 0, "relevance_score": 1}, {"index": 0, "relevance_score": 1}]}',
        b'{"results": [{"index": 0, "relevance_score": 1}, {"index": 2, "relevance_score": 1}]}',
        b'{"results": [{"index": 0, "relevance_score": 1}, {"index": 1, "relevance_score": NaN}]}',
        b'{"results": [{"index": 0, "relevance_score": 1}, {"index": true, "relevance_score": 1}]}',
        b'{"results": [{"index": 0, "relevance_score": 1}, {"index": 1, "relevance_score": "2"}]}',
        json.dumps({"results": [{"index": at, "relevance_score": 1} for at in (0, 1, 1)]}).encode(),
    ],
    ids=lambda body: body.decode()[:60],
)
async def test_a_reply_that_is_no_score_for_each_text_gives_none_and_is_counted(body: bytes) -> None:
    with cross(trick=lambda scores: (200, body), price=2.0) as (_, reranker):
        judged, again = await reranker.rerank("old boiler", TEXTS), await reranker.rerank("old boiler", TEXTS)
    assert not judged.value and [call.outcome for call in judged.calls] == ["malformed"] and judged.calls[0].price > 0
    assert not again.value and not again.calls[0].cached, "what was no answer is not kept"


@pytest.mark.parametrize("status", [401, 404, 500])
async def test_a_server_that_refuses_is_unjudged_with_its_words(status: int) -> None:
    refusal = status, b"This server does not support reranking."
    with cross(trick=lambda scores: refusal) as (server, reranker), pytest.raises(Unjudged) as raised:
        await reranker.rerank("old boiler", TEXTS)
    assert f"answered {status}: This server does not" in raised.value.message
    assert [call.outcome for call in raised.value.calls] == ["failed"] and len(server.asked) == 1


async def test_a_server_that_is_not_there_is_unjudged() -> None:
    with rerank_server() as server:
        url = server.url
    reranker = RerankUrl(url, "cross")
    with pytest.raises(Unjudged, match="did not answer") as raised:
        await reranker.rerank("old boiler", TEXTS)
    reranker.close()
    assert [call.outcome for call in raised.value.calls] == ["failed"]


async def test_half_a_character_is_sent_as_something_that_can_be() -> None:
    with cross() as (server, reranker):
        judged = await reranker.rerank("old\ud800 boiler", ["boiler \udfff"])
    assert len(judged.value) == 1 and server.asked[0]["documents"] == ["boiler ?"]


async def test_only_the_last_answers_are_kept() -> None:
    with cross(most=2) as (_, reranker):
        for at in range(3):
            await reranker.rerank(f"{at}", TEXTS)
        last, first = await reranker.rerank("2", TEXTS), await reranker.rerank("0", TEXTS)
    assert (last.calls[0].cached, first.calls[0].cached) == (True, False)


def test_a_price_is_a_number() -> None:
    with pytest.raises(BadSettings, match="price"):
        RerankUrl("http://127.0.0.1:1", "cross", price=-1.0)
