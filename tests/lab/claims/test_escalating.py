"""Supposed passages on the held-out queries where they are supposed, with the part and without."""

from dataclasses import replace

from support.claim_worlds import SMALL, fits_of, workspace

from loom.lab.claims.escalating import FIRING, Escalating, escalating
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
