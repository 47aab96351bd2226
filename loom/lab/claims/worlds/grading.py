"""What answers a query, by the truth of a world: grades from 0 to 3 (seed 001 §10)."""

from loom.lab.claims.worlds.planted import Fact, Meant, Query, World
from loom.lab.claims.worlds.recipe import Recipe
from loom.lab.claims.worlds.words import AXES

LEVELS = dict(AXES)


OUTSIDE = {Meant: 3, Fact: 2}
"""Where answers lie outside of a query's domain, what is on its topic there: all of it answers."""


def graded(world: World, recipe: Recipe) -> None:
    """Fills the grades of every query: 3 for a claim on its topic that lies where it asks, 2 for one a step from there, 1 for the first of the
    two signals that a claim rests on; nothing for a claim that is disputed."""
    for query in world.queries:
        found: dict[str, int] = {}
        for claim in world.claims:
            if claim.aspect == query.aspect and (grade := _claim(claim, query, recipe)):
                found[claim.id] = grade
        for at, fact in enumerate(world.facts):
            if fact.aspect == query.aspect and (grade := _fact(fact, at, query, recipe)):
                found[fact.signal] = grade
        world.grades[query.id] = found


def _claim(claim: Meant, query: Query, recipe: Recipe) -> int:
    if not recipe.interpreting:
        return int(claim.domain == query.domain)
    if claim.disputed:
        return 0
    if claim.domain != query.domain:
        return 0 if recipe.scoped else OUTSIDE[Meant]
    levels = LEVELS[query.axis]
    return (3, 2, 0)[min(2, abs(levels.index(claim.places[query.axis]) - levels.index(query.value)))]


def _fact(fact: Fact, at: int, query: Query, recipe: Recipe) -> int:
    if fact.domain != query.domain:
        return 0 if recipe.scoped else OUTSIDE[Fact]
    return 1 - at % 2 if recipe.interpreting else 2
