"""The workspace of the experiments on ranking, contradiction and acceptance: what sessions before the queries left in it."""

from collections.abc import Collection, Mapping

from loom.claims.asks import Act, Derive, Wish
from loom.core.claims.parts import Parts
from loom.core.claims.stored import StoredClaim
from loom.lab.claims.workspace import BY, Judging, Stores, Workspace, founded, taken
from loom.lab.claims.worlds.planted import World
from loom.lab.claims.worlds.tables import Tables

LEAKS = 6
"""Requests of held-out sessions that are run all the same, so that the filter against leakage has something to remove."""


async def built(world: World, stores: Stores, judging: Judging, tables: Tables, parts: Parts) -> Workspace:
    """Claims of the past with the evidence that came for them, the conflicts that people see, and what people accepted."""
    made = await founded(world, stores, judging, tables, parts)
    past = [each for each in world.claims if not each.held]
    leaks = [each for each in world.claims if each.held][:LEAKS]
    await made.do([Derive(each.request, each.request, domains=(each.domain,)) for each in (*past, *leaks)], at_once=48)
    await made.do(taken([fact for fact, _, _ in world.supporting]))
    acts: list[Wish] = [
        Act("conflict", each.id, BY, each.disputed) for each in past if each.disputed and each.id < each.disputed
    ]
    await made.do(acts)
    await made.do([Act("accept", each.id, BY) for each in past if each.sound and not each.disputed and not each.supported])
    return made


def leaky(claims: Mapping[str, StoredClaim], requests: Collection[str]) -> set[str]:
    """Claims whose derivation record names one of these requests, which are those of held-out sessions: they would put the test into the
    index."""
    return {
        id
        for id, each in claims.items()
        if any(just.derivation.request in requests for just in each.claim.justifications if just.derivation.request)
    }
