"""Supposed passages on the held-out queries where they are supposed, with the part and without."""

from dataclasses import replace

from support.claim_worlds import SMALL, fits_of, workspace

from loom.lab.claims.escalating import FIRING, Escalating, escalating
from loom.lab.claims.replaying import Pace
from loom.lab.claims.tested import Gain
from loom.lab.claims.verdicts import Found, verdicts


async def test_a_passage_helps_where_positions_do_not_tell_already() -> None:
    world, held = await workspace(replace(SMALL, queries=64))
    await held.settle(fits_of(world, 0.0, 0.0))
    found = await escalating(held, world.queries, world.grades, 1)
    assert found.fired > 50 and found.gain is not None and found.gain.significant and found.dollars > 0
    await held.settle(fits_of(world, 0.05, 0.05))
    told = await escalating(held, world.queries, world.grades, 1)
    assert told.gain is not None and told.gain.mean < found.gain.mean / 4
    await held.aclose()


async def test_a_replay_says_for_how_many_reads_a_passage_was_supposed() -> None:
    world, held = await workspace(replace(SMALL, queries=64))
    await held.settle(fits_of(world, 0.0, 0.0))
    told = {}
    for on in (True, False):
        pace = Pace()
        for query in world.queries[:8]:
            await pace.timed(held.read(query.text, parts=replace(held.parts, hyde=on)))
        told[on] = pace.as_json()["supposed"]
    assert told[True] > 0.5 and told[False] == 0
    assert set(Pace().as_json().values()) == {None}
    await held.aclose()


async def test_nobody_who_supposes_is_no_query_where_it_fired() -> None:
    world, held = await workspace()
    held.judges = replace(held.judges, supposing=None)
    found = await escalating(held, world.queries[:6], world.grades, 1)
    assert (found.queries, found.fired, found.gain) == (6, 0, None)
    await held.aclose()


def test_it_is_judged_where_it_fired_often_enough() -> None:
    good, bad = Gain(FIRING, 0.02, 0.01, 0.0), Gain(FIRING, 0.0, -0.01, 0.6)
    for made, outcome in (
        (Escalating(100, FIRING, good, 0.0), "kept"),
        (Escalating(100, FIRING, bad, 0.0), "dropped"),
        (Escalating(100, FIRING - 1, good, 0.0), "not judged"),
        (Escalating(100, 0, None, 0.0), "not judged"),
    ):
        assert {each.part: each.outcome for each in verdicts(Found(escalating=made))}["hyde"] == outcome
