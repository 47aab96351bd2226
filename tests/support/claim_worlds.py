"""Generated worlds for tests: a store in memory and scripted judges, and a recipe that is small enough to be quick."""

from dataclasses import replace

from loom.compose_lab import scripted_judges
from loom.core.claims.dimensions.fitted import Fitted
from loom.core.claims.parts import Parts
from loom.lab.claims.building import built
from loom.lab.claims.study import PARTS
from loom.lab.claims.workspace import Workspace
from loom.lab.claims.worlds import WORLDS, Recipe, World, made, tables
from loom_adapters.claims.kept import FakeClaims

SMALL = replace(WORLDS["holds"], past=2, held=1, queries=40, requests=120, filings=60, targets=24)


async def workspace(recipe: Recipe = SMALL, seed: int = 1, parts: Parts = PARTS) -> tuple[World, Workspace]:
    world = made(recipe, seed)
    return world, await built(world, FakeClaims, scripted_judges, tables(world, recipe, seed), parts)


def fits_of(world: World, weight: float, penalty: float) -> list[Fitted]:
    """A fit of each domain that gives every axis the same weight."""
    domains = sorted({domain for domain, _ in world.dimensions.values()})
    return [
        Fitted(each, {id: weight for id, (domain, _) in world.dimensions.items() if domain == each}, penalty, False, 60, 0.0)
        for each in domains
    ]
