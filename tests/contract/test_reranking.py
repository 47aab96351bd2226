"""What every cross-encoder does: the scripted fake, and one behind a URL in the speech of either kind of server."""

from collections.abc import Iterator

import pytest
from support.rerank_server import rerank_server, shared

from loom.core.claims.judging.calls import price_of
from loom.ports import Reranking
from loom_adapters.judges_scripted import FakeJudges
from loom_adapters.rerank_url import RerankUrl

ASKED = "What does the boiler depend on?"
TEXTS = ["The choir sings in June.", "The boiler does depend on the pump.", "The boiler is old.", "The choir sings in June."]


@pytest.fixture(params=["fake", "documents", "texts"])
def reranker(request: pytest.FixtureRequest) -> Iterator[Reranking]:
    if request.param == "fake":
        yield FakeJudges(fitting={(ASKED, text): shared(ASKED, text) for text in TEXTS}, price=(1.0, 1.0))
        return
    with rerank_server(speaks=request.param) as server:
        made = RerankUrl(server.url, "cross", price=2.0)
        yield made
        made.close()


async def test_scores_are_those_of_the_texts_in_their_order(reranker: Reranking) -> None:
    judged = await reranker.rerank(ASKED, TEXTS)
    assert list(judged.value) == pytest.approx([shared(ASKED, text) for text in TEXTS])


async def test_a_question_is_one_call_that_is_paid_for_once(reranker: Reranking) -> None:
    await reranker.rerank(ASKED, TEXTS[:1])
    first, second = await reranker.rerank(ASKED, TEXTS), await reranker.rerank(ASKED, TEXTS)
    (call,), (again,) = first.calls, second.calls
    assert (call.component, call.outcome, call.cached) == ("reranking", "used", False) and call.tokens_in > 0 and call.price > 0
    assert (again.cached, again.key, price_of(second.calls)) == (True, call.key, 0.0) and second.value == first.value


async def test_nothing_to_order_is_no_call(reranker: Reranking) -> None:
    judged = await reranker.rerank(ASKED, [])
    assert (list(judged.value), judged.calls) == ([], ())
