"""A cross-encoder over the best candidates of a read."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from support.claims_desk import Desk, judges
from support.trying import many

from loom.claims.asks import Derive
from loom.claims.drafting import Draft
from loom.claims.fast import FastPath, Reading, Wants
from loom.claims.fitting import found
from loom.claims.gathering import RERANKED, Hit, best, reordered
from loom.claims.stated import stated
from loom.compose_claims import judges as composed
from loom.core.claims.judging.calls import Call, Unjudged
from loom.core.claims.reach import GENERAL
from loom.core.claims.standing import Standing
from loom.core.claims.stored import Wanted
from loom_adapters.judges_scripted import FakeJudges
from loom_adapters.rerank_url import RerankUrl

AT = "2026-05-05T10:00:00.000+00:00"
ASKED = "What does the boiler depend on?"
SAID = [f"The boiler depends on valve {at}." for at in range(RERANKED + 20)]


@pytest.fixture
async def desk() -> Desk:
    made = Desk()
    await made.read(*SAID)
    return made


async def read(desk: Desk, reranker: Any, k: int = 10) -> Reading:
    return await FastPath(desk.store, replace(judges(), reranking=reranker)).read(Wants(ASKED, k), AT)


async def test_the_first_candidates_take_the_order_of_the_cross_encoder(desk: Desk) -> None:
    plain = [each.text for each in (await read(desk, None, 200)).hits]
    wanted = plain[RERANKED - 1]
    model = FakeJudges(fitting={(ASKED, wanted): 1.0})
    reading = await read(desk, model)
    assert [each.text for each in reading.hits] == [wanted, *plain[:9]]
    assert [(each.component, each.of["line"]) for each in reading.calls] == [("reranking", "read")]  # type: ignore[index]


async def test_what_is_below_the_depth_is_not_read_and_keeps_its_place(desk: Desk) -> None:
    plain = (await read(desk, None, 200)).hits
    model = FakeJudges(fitting={(ASKED, plain[RERANKED].text): 1.0})
    reading = await read(desk, model, 200)
    assert [(each.id, each.score) for each in reading.hits] == [(each.id, each.score) for each in plain]


async def test_the_scores_that_are_handed_out_are_those_of_the_search(desk: Desk) -> None:
    plain = (await read(desk, None, 200)).hits
    reading = await read(desk, FakeJudges(fitting={(ASKED, text): float(at) for at, text in enumerate(SAID)}), 200)
    assert [each.base for each in reading.hits] == [each.base for each in plain]
    assert {each.id for each in reading.hits} == {each.id for each in plain}


async def test_a_penalty_is_weighed_on_the_same_scale_as_without(desk: Desk) -> None:
    desk = Desk()
    await desk.read("The boiler depends on the pump.", "The pump depends on the valve.")
    await desk.do(Derive(ASKED))
    await desk.read("The boiler no longer depends on the valve.", source="letter", at="2026-05-03")
    (held,) = await desk.store.look(lambda view: view.list_claims(Wanted()))
    assert held.standing is Standing.CONTESTED
    plain = {each.id: each.base - each.score for each in (await read(desk, None)).hits}
    reading = await read(desk, FakeJudges(fitting={(ASKED, held.claim.proposition): 1.0}))
    assert {each.id: pytest.approx(each.base - each.score) for each in reading.hits} == plain and plain[held.claim.id] > 0
    claim = next(each for each in reading.hits if each.claim)
    assert claim.base == max(each.base for each in reading.hits) and claim.opposed


async def test_a_fit_is_learned_over_the_order_that_reads_have(desk: Desk) -> None:
    plain = (await read(desk, None, 200)).hits
    wanted = plain[RERANKED - 1]
    model = FakeJudges(fitting={(ASKED, wanted.text): 1.0})
    grades = {ASKED: {each.id: 1.0 for each in plain}}
    draft = Draft(1, AT, "run-2")
    (before,) = await found(draft, grades, GENERAL, desk.store, judges())
    assert not draft.calls and before.ids == tuple(each.id for each in plain)
    (after,) = await found(draft, grades, GENERAL, desk.store, replace(judges(), reranking=model))
    assert after.ids[:2] == (wanted.id, plain[0].id) and after.ids[RERANKED:] == before.ids[RERANKED:]
    assert after.base.tolist() == before.base.tolist()
    assert [(call.component, call.of["line"]) for call in draft.calls] == [("reranking", "upkeep")]  # type: ignore[index]
    refused = replace(judges(), reranking=FakeJudges(malformed=frozenset({"reranking"})))
    assert (await found(draft, grades, GENERAL, desk.store, refused))[0].ids == before.ids


class Failing:
    async def rerank(self, question: str, texts: Any) -> Any:
        raise Unjudged("It is not there.", calls=(Call("reranking", "m", "small", outcome="failed"),))


@pytest.mark.parametrize("model", [Failing(), FakeJudges(malformed=frozenset({"reranking"}))], ids=["failing", "malformed"])
async def test_without_an_answer_the_read_is_as_it_was_and_the_call_is_logged(desk: Desk, model: Any) -> None:
    reading = await read(desk, model)
    assert reading.hits == (await read(desk, None)).hits and len(reading.calls) == 1


async def test_one_candidate_is_not_reordered() -> None:
    desk = Desk()
    await desk.read(SAID[0])
    model = FakeJudges()
    assert len((await read(desk, model)).hits) == 1 and not model.log


@many(st.lists(st.tuples(st.floats(0, 1), st.floats(-1, 1), st.floats(-5, 5)), min_size=1, max_size=12))
def test_reordering_is_a_permutation_that_hands_out_the_same_bases(rows: list[tuple[float, float, float]]) -> None:
    hits = sorted(
        (Hit(f"signal:{at}", "", base + gain, base, 0.0) for at, (base, gain, _) in enumerate(rows)), key=lambda hit: -hit.base
    )
    scores = [score for _, _, score in rows]
    made = reordered(hits, scores)
    assert sorted(each.id for each in made) == sorted(each.id for each in hits)
    assert [each.base for each in made] == [each.base for each in hits]
    given = dict(zip((each.id for each in hits), scores, strict=True))
    assert [given[each.id] for each in made] == sorted(scores, reverse=True)
    gains = {each.id: each.score - each.base for each in hits}
    assert np.allclose([each.score - each.base for each in made], [gains[each.id] for each in made], atol=1e-9)
    assert [each.id for each in reordered(hits, [0.0] * len(hits))] == [each.id for each in hits]
    assert len(best(made, 3)) == min(3, len(made))


def test_the_file_names_the_cross_encoder(tmp_path: Any) -> None:
    model = {"url": "http://127.0.0.1:1", "model": "cross", "tier": "small", "price": {"prompt": 0.02}}
    said = stated({"models": {"rr": model}, "judges": {"reranking": "rr"}})
    made = composed(said, tmp_path)
    assert isinstance(made.reranking, RerankUrl) and made.reranking.model == "cross"
    assert composed(stated({}), tmp_path).reranking is None
