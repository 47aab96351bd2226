"""All experiments on one generated world, and their verdicts."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from loom.core.claims.parts import Parts
from loom.core.values import Json
from loom.lab.claims.accepting import acceptance, entailment
from loom.lab.claims.artifacts import artifacts
from loom.lab.claims.beside import beside
from loom.lab.claims.building import built
from loom.lab.claims.contradiction import contradiction
from loom.lab.claims.discovering import discovery
from loom.lab.claims.escalating import escalating
from loom.lab.claims.pooling import split
from loom.lab.claims.replaying import Ground, replay
from loom.lab.claims.restoring import restoring
from loom.lab.claims.retrieval import retrieval
from loom.lab.claims.routing import classifier, router
from loom.lab.claims.spending import Misrouted, spending
from loom.lab.claims.verdicts import Found, Thesis, Verdict, thesis, verdicts
from loom.lab.claims.workspace import Judging, Stores
from loom.lab.claims.worlds import Recipe, made, tables
from loom.lab.claims.worlds.recognising import recognise, would_compare

PARTS = Parts(acceptance="corroborated", router="model")
"""Everything that is judged is on."""
READS = 72
"""Held-out reads that are replayed."""
ARTIFACTS = 96
STEPS = ("build", "route", "accept", "restore", "contradict", "retrieve", "discover", "render", "replay", "account")


@dataclass(frozen=True, slots=True)
class Study:
    """What the experiments on one world came to."""

    found: Found
    verdicts: list[Verdict]
    thesis: Thesis

    @property
    def dropped(self) -> list[str]:
        return [each.part for each in self.verdicts if each.outcome == "dropped"]

    def as_json(self) -> dict[str, Json]:
        return {
            "verdicts": [each.as_json() for each in self.verdicts],
            "thesis": self.thesis.as_json(),
            "experiments": self.found.as_json(),
        }


async def study(
    recipe: Recipe, seed: int, stores: Stores, judging: Judging, *, step: Callable[[str], None] = lambda name: None
) -> Study:
    """Builds the world and runs everything; `step` is told what begins. Nothing that judges sees the recipe."""
    step("build")
    world = made(recipe, seed)
    said = tables(world, recipe, seed)
    workspace = await built(world, stores, judging, said, PARTS)
    found = Found()
    step("route")
    found.router = await router(workspace, world, seed)
    found.classifier = await classifier(workspace, world, seed)
    step("accept")
    found.acceptance = await acceptance(workspace, {each.id: each.sound for each in world.claims})
    found.entailment = await entailment(workspace, world)
    step("restore")
    found.restoring = await restoring(workspace, seed)
    step("contradict")
    found.contradiction = await contradiction(workspace, world, seed, recipe.targets)
    step("retrieve")
    found.retrieval = await retrieval(workspace, world, seed)
    step("discover")
    assert found.retrieval.bench is not None
    found.discovery = await discovery(
        workspace, found.retrieval.bench, found.retrieval.scores, partial(recognise, said), would_compare(world), seed
    )
    held = split(world.queries, seed)[1]
    step("render")
    fits = found.retrieval.fits
    await workspace.settle(fits)
    if PARTS.hyde:
        found.escalating = await escalating(workspace, held, found.retrieval.bench.grades, seed)
    else:
        found.notes["hyde"] = "the part is off: positions tell already what a supposed passage could add"
    found.artifacts = await artifacts(workspace, world, held[:ARTIFACTS])
    found.beside = await beside(
        workspace, world, held[:ARTIFACTS], found.artifacts, (stores, judging, said, PARTS), lambda weak: weak.settle(fits)
    )
    await workspace.aclose()
    step("replay")
    found.replay = await replay(Ground(world, stores, judging, said, PARTS, found.retrieval.fits), held[:READS], seed)
    step("account")
    automatic = found.acceptance.accepted.n / max(1, found.acceptance.everything.n)
    misrouted = Misrouted(found.router.slowed, found.router.shortened) if found.router.kept else None
    found.spending = spending(found.replay, found.retrieval, world, automatic, misrouted, seed, found.discovery.calls)
    judged = verdicts(found)
    return Study(found, judged, thesis(found, judged))
