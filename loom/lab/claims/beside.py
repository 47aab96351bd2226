"""Two further arms of the artifacts (seed 001 §10.2): (b) a graph pipeline over the same signals, and (d), exploratory, the full system with
derivation by the small tier, which says whether derivation needs the strongest model."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Any

from loom.claims.judges import Judges
from loom.core.claims.judging.asked import Brief, Cited
from loom.core.claims.parts import Parts
from loom.core.values import Json
from loom.lab.claims.artifacts import HITS, Artifacts, Preference, faithful, preferred, sources, worth_of
from loom.lab.claims.building import built
from loom.lab.claims.entities import indexed
from loom.lab.claims.workspace import Judging, Stores, Workspace
from loom.lab.claims.worlds.planted import Query, World
from loom.lab.claims.worlds.tables import Tables

ARMS = ("graph", "small")


@dataclass(frozen=True, slots=True)
class Beside:
    """Preference of kept claims over either arm; citations; dollars an artifact, and what the index of the graph took once."""

    preferred: Mapping[str, Preference]
    precision: Mapping[str, float]
    recall: Mapping[str, float]
    price: Mapping[str, float]
    index: float
    communities: int

    @property
    def strongest(self) -> bool:
        """Whether derivation by the strongest model is preferred to that by the small tier."""
        return self.preferred["small"].significant

    def as_json(self) -> dict[str, Json]:
        return {
            "preferred": {arm: each.as_json() for arm, each in self.preferred.items()},
            "citation_precision": dict(self.precision),
            "citation_recall": dict(self.recall),
            "dollars_an_artifact": dict(self.price),
            "dollars_of_the_index": self.index,
            "communities": self.communities,
            "derivation_needs_the_strongest_model": self.strongest,
        }


def small_tier(judging: Judging) -> Judging:
    """The same judges with derivation by the model that labels verdicts."""

    def made(tables: Tables) -> Judges:
        judges = judging(tables)
        small: Any = judges.verdicts
        return replace(judges, derivation=small)

    return made


async def beside(
    workspace: Workspace,
    world: World,
    requests: Sequence[Query],
    found: Artifacts,
    build: tuple[Stores, Judging, Tables, Parts],
    settle: Callable[[Workspace], Any],
) -> Beside:
    """Over the requests of the artifacts, whose worth in the full arm is known. `settle` gives a workspace the coefficients of the full one."""
    made = await workspace.copy()
    graph = await indexed(made)
    stores, judging, tables, parts = build
    weak = await built(world, stores, small_tier(judging), tables, parts)
    await settle(weak)
    texts = {each.text: each.id for each in world.claims}
    worth: dict[str, list[float]] = {arm: [] for arm in ARMS}
    faith: dict[str, list[tuple[float, float]]] = {arm: [] for arm in ARMS}
    price: dict[str, list[float]] = {arm: [] for arm in ARMS}
    for request in requests:
        reading = await made.read(request.text, HITS, signals_only=True)
        hits = [(each.id, each.text) for each in reading.hits]
        full, asked = await sources(weak, request, "full")
        arms: dict[str, tuple[Workspace, tuple[Cited, ...], Sequence[Any]]] = {
            "graph": (made, graph.sources(hits, request.text, HITS), reading.calls),
            "small": (weak, full, asked),
        }
        for arm, (where, cites, calls) in arms.items():
            judged = await where.judges.rendering.render(Brief(request.text, "engineering", cites))
            worth[arm].append(worth_of(judged.value.text, cites, world.grades[request.id], texts))
            faith[arm].append(await faithful(where, judged.value, cites))
            price[arm].append(fsum(call.price for call in calls) + fsum(call.price for call in judged.calls))
    await weak.aclose()
    await made.aclose()
    many = max(1, len(requests))
    return Beside(
        {arm: preferred(found.worth["full"], worth[arm]) for arm in ARMS},
        {arm: fsum(a for a, _ in faith[arm]) / many for arm in ARMS},
        {arm: fsum(b for _, b in faith[arm]) / many for arm in ARMS},
        {arm: fsum(price[arm]) / many for arm in ARMS},
        fsum(call.price for call in graph.calls),
        len(graph.summaries),
    )
