"""The experiments on small generated workspaces, through the real slow and fast path; the whole study is slow."""

from dataclasses import replace

import numpy as np
import pytest
from support.claim_worlds import SMALL, workspace

from loom.compose_lab import claims_in_memory, scripted_judges
from loom.lab.claims.accepting import acceptance, entailment
from loom.lab.claims.building import leaky
from loom.lab.claims.contradiction import contradiction
from loom.lab.claims.expected import EXPECTED
from loom.lab.claims.pooling import split
from loom.lab.claims.restoring import restoring
from loom.lab.claims.retrieval import retrieval
from loom.lab.claims.routing import classifier, router
from loom.lab.claims.study import study
from loom.lab.claims.worlds import WORLDS
from loom.lab.statistics import ndcg


async def test_contradictions_are_among_the_candidates_and_nothing_retracted_is_found() -> None:
    world, held = await workspace()
    found = await contradiction(held, world, 1, 24)
    assert found.targets == 24 and found.signal.candidates.share >= 0.95 and found.removed == 0
    assert found.signal.recall.share >= 0.9 and found.signal.precision.share >= 0.9
    assert found.signal.calls <= 20 and found.claim.calls <= 20
    assert found.claim.candidates.share >= 0.9 and found.narrowed is not None and found.narrowed.mean > 0
    assert found.gone == 0 and found.overlapping == 0 and found.contested > 0


async def test_a_judge_that_sees_little_is_told_from_candidates_that_are_lost() -> None:
    world, held = await workspace(replace(SMALL, recalled=0.2))
    found = await contradiction(held, world, 1, 24)
    assert found.signal.candidates.share >= 0.95 and not found.floorless.met
    assert found.exhaustive.hits == found.signal.recall.hits


async def test_the_frontier_model_sees_what_the_small_one_does_not_on_the_same_pairs() -> None:
    world, held = await workspace(replace(SMALL, recalled=0.2))
    made = (await contradiction(held, world, 1, 24)).labelled
    assert made is not None
    small, frontier, every = made.small, made.frontier, made.exhaustive
    assert frontier.recall.hits == 24 and small.recall.hits < 12 and made.sees < 0.01
    assert frontier.calls == small.calls and frontier.dollars > 10 * small.dollars > 0
    assert every.calls > small.calls and every.recall.hits == small.recall.hits and not made.candidates_lose
    world, held = await workspace()
    made = (await contradiction(held, world, 1, 24)).labelled
    assert made is not None and not made.moves and made.sees > 0.1 and made.frontier.precision.share == 1.0


async def test_withdrawal_takes_away_what_is_defined_and_restoration_gives_it_back() -> None:
    _, held = await workspace()
    found = await restoring(held, 1)
    assert found.exact and found.retracted >= 15
    assert found.retracted <= found.visited < found.nodes


async def test_a_copy_leaves_the_workspace_as_it_is() -> None:
    world, held = await workspace()
    before = [line async for line in held.store.export()]
    await restoring(held, 1)
    await contradiction(held, world, 1, 10)
    assert [line async for line in held.store.export()] == before


async def test_claims_of_held_out_sessions_are_found_out() -> None:
    world, held = await workspace()
    gone = leaky(await held.claims(), world.held_out())
    assert gone and all(world.claim(id).held for id in gone)


async def test_acceptance_and_entailment_are_held_against_what_people_say() -> None:
    world, held = await workspace()
    assert (await entailment(held, world)).kept
    sound = {each.id: each.sound for each in world.claims}
    found = await acceptance(held, sound)
    assert found.accepted.n > 10 and found.everything.hits == sum(sound[id] for id in await held.claims())


async def test_the_router_is_held_against_what_vectors_can_learn() -> None:
    recipe = replace(SMALL, requests=320, filings=200)
    world, held = await workspace(recipe)
    good = await router(held, world, 1)
    assert good.kept and good.interpretable and (await classifier(held, world, 1)).kept
    world, held = await workspace(replace(recipe, routed=0.7))
    assert not (await router(held, world, 1)).kept


async def test_what_is_served_is_ranked_as_the_arm_that_was_measured() -> None:
    world, held = await workspace(replace(SMALL, queries=192))
    found = await retrieval(held, world, 1)
    assert not found.unfit and any(weight > 0 for each in found.fits for weight in each.weights.values())
    assert list(found.scores["iii"]) != list(found.scores["ii"])
    await held.settle(found.fits)
    claims = await held.claims()
    gone = leaky(claims, world.held_out())
    other = await held.copy()
    for at, query in enumerate(split(world.queries, 1)[1]):
        hits = (await held.read(query.text, 10 + len(gone))).hits
        served = [hit.id for hit in hits if hit.id not in gone][:10]
        grades = {id: grade for id, grade in world.grades[query.id].items() if id not in gone}
        grades = {id: grade for id, grade in grades.items() if id in claims or id.startswith("signal:")}
        assert ndcg(served, grades, 10) == pytest.approx(found.scores["iii"][at], abs=1e-12)
        assert (await other.read(query.text, 10 + len(gone))).hits == hits


def test_no_session_is_in_both_parts() -> None:
    from loom.lab.claims.worlds import made

    first, held = split(made(WORLDS["holds"], 1).queries, 1)
    assert not {each.session for each in first} & {each.session for each in held}
    assert abs(len(first) / (len(first) + len(held)) - 0.4) < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
async def test_exactly_the_part_that_fails_is_dropped(name: str) -> None:
    found = await study(WORLDS[name], 1, claims_in_memory, scripted_judges)
    assert found.dropped == list(EXPECTED[name])
    assert found.thesis.holds is (name not in ("restating", "stale", "unread")), found.thesis
    replay = found.found.replay
    assert replay is not None and replay.gone == 0
    # Where claims answer worse than the signals that they restate, knowing them too early gains nothing.
    assert replay.leak.significant is (name != "restating")
    assert found.found.retrieval is not None and all(np.isfinite(each).all() for each in found.found.retrieval.scores.values())
    spending = found.found.spending
    assert spending is not None and abs(spending.log - spending.ledger) < 1e-9
