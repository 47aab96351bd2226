"""The experiments on a real workspace, as far as labels allow: on a copy in memory, with the judges that the workspace has.

What needs a replay of the log, a rater of artifacts or minutes of people is not run, and its parts are not judged.
"""

from dataclasses import replace
from datetime import datetime

from loom.claims.workspace import Claims
from loom.core.claims.reach import GENERAL
from loom.core.claims.stored import StoredClaim
from loom.core.errors import BadInput
from loom.lab.claims.accepting import acceptance, entailment
from loom.lab.claims.contradiction import contradiction
from loom.lab.claims.labels import Labels
from loom.lab.claims.restoring import restoring
from loom.lab.claims.retrieval import retrieval
from loom.lab.claims.routing import classifier, router
from loom.lab.claims.study import Study
from loom.lab.claims.verdicts import Found, thesis, verdicts
from loom.lab.claims.workspace import Stores, Workspace
from loom.lab.claims.worlds.making import fact
from loom.lab.claims.worlds.planted import Injection, Meant, World
from loom.lab.claims.worlds.tables import Tables

TARGETS = 300
FEWEST = 40
"""Labelled requests, or signals, of which the smaller part is to learn a baseline from."""


async def measured(claims: Claims, stores: Stores, labels: Labels, seed: int) -> Study:
    """What is labelled, measured. Raises BadInput where labels name what is not there, and Unjudged where a model cannot be asked."""
    source = await claims.store()
    workspace = Workspace(stores, lambda tables: claims.judges, Tables(), claims.parts, now=datetime.fromisoformat(claims.at()))
    await workspace.store.restore([line async for line in source.export()])
    held = await workspace.claims()
    world = await _world(workspace, held, labels)
    found = Found()
    if len(world.requests) >= FEWEST:
        found.router = await router(workspace, world, seed)
    if len(world.filings) >= FEWEST:
        found.classifier = await classifier(workspace, world, seed)
    if labels.sound:
        found.acceptance = await acceptance(workspace, labels.sound)
    if {each.kind for each in world.boundary} == {"span", "derivation"}:
        found.entailment = await entailment(workspace, world)
    found.restoring = await restoring(workspace, seed)
    if labels.contradictions:
        found.contradiction = await contradiction(workspace, world, seed, TARGETS)
    if world.queries:
        found.retrieval = await retrieval(workspace, world, seed)
    await workspace.aclose()
    judged = verdicts(found)
    return Study(found, judged, thesis(found, judged))


async def _world(workspace: Workspace, held: dict[str, StoredClaim], labels: Labels) -> World:
    """The labels in the shape that the experiments read."""
    missing = [id for id in (*labels.contradictions, *labels.sound) if id not in held]
    if missing:
        raise BadInput(f"Expected labels of claims of this workspace, but there is no {missing[0]}.", param="labels")
    sessions = {each.text: each.group for each in labels.requests}
    world = World(
        domains=[each for each in await workspace.store.look(lambda view: view.domains()) if each.id != GENERAL],
        queries=labels.queries,
        grades=labels.grades,
        requests=labels.requests,
        filings=labels.signals,
        boundary=labels.boundary,
    )
    for id, each in held.items():
        requests = [just.derivation.request for just in each.claim.justifications]
        session = next((sessions[request] for request in requests if request in sessions), "")
        request = next((request for request in requests if request in sessions), "")
        home = min(each.home, default="")
        world.claims.append(
            Meant(id, each.claim.proposition, home, 0, 0, (), request, session, False, {}, labels.sound.get(id, False))
        )
        if id in labels.contradictions:
            against, beside = labels.contradictions[id]
            world.injected[id] = (
                Injection(fact(f"against-{id}", against, home, 0, 0), id, True),
                Injection(fact(f"beside-{id}", beside, home, 0, 0), id, False),
            )
    signals = await workspace.store.look(lambda view: view.signals([signal for signal, _ in labels.support]))
    for (signal, claim), right in labels.support.items():
        if signal not in signals:
            raise BadInput(f"Expected labels of signals of this workspace, but there is no {signal}.", param="labels")
        made = fact(signal, signals[signal].signal.proposition, "", 0, 0)
        world.supporting.append((replace(made, signal=signal), claim, right))
    return world
