"""What answers a query, by the truth of a world: grades from 0 to 3 (seed 001 §10)."""

from loom.lab.claims.worlds.planted import Meant, Query, World
from loom.lab.claims.worlds.recipe import Recipe
from loom.lab.claims.worlds.words import AXES

LEVELS = dict(AXES)


def graded(world: World, recipe: Recipe) -> None:
    """Fills the grades of every query: 3 for a claim on its topic that lies where it asks, 2 for one a step from there, 1 for the first of the
    two signals that a claim rests on; nothing for a claim that is disputed."""
    for query in world.queries:
        found: dict[str, int] = {}
        for claim in world.claims:
            if grade := _claim(claim, query, recipe):
                found[claim.id] = grade
        for at, fact in enumerate(world.facts):
            about = fact.aspect == query.aspect and (fact.domain == query.domain or not recipe.scoped)
            grade = 1 - at % 2 if recipe.interpreting else 2
            if about and grade:
                found[fact.signal] = grade
        world.grades[query.id] = found


def _claim(claim: Meant, query: Query, recipe: Recipe) -> int:
    if claim.aspect != query.aspect or (claim.domain != query.domain and recipe.scoped):
        return 0
    if not recipe.interpreting:
        return 1
    if claim.disputed:
        return 0
    levels = LEVELS[query.axis]
    return (3, 2, 0)[min(2, abs(levels.index(claim.places[query.axis]) - levels.index(query.value)))]
