"""The labels of a real workspace in the shape that the experiments read."""

from dataclasses import replace

from loom.core.claims.reach import GENERAL
from loom.core.claims.standing import Standing
from loom.core.claims.stored import StoredClaim
from loom.core.errors import BadInput
from loom.lab.claims.labels import Labels
from loom.lab.claims.workspace import Workspace
from loom.lab.claims.worlds.making import fact
from loom.lab.claims.worlds.planted import Injection, Meant, Opposing, World


async def labelled(workspace: Workspace, held: dict[str, StoredClaim], labels: Labels) -> World:
    """Raises BadInput where labels name what is not there."""
    if missing := [id for id in (*labels.contradictions, *labels.sound) if id not in held]:
        raise BadInput(f"Expected labels of claims of this workspace, but there is no {missing[0]}.", param="labels")
    if unasked := [id for id, _ in labels.preferred if id not in labels.audiences]:
        raise BadInput(f"Expected preferences on requests that are labelled, but there is no {unasked[0]}.", param="labels")
    sessions = {each.text: each.group for each in labels.requests}
    world = World(
        domains=[each for each in await workspace.store.look(lambda view: view.domains()) if each.id != GENERAL],
        queries=labels.queries,
        grades=labels.grades,
        requests=labels.requests,
        filings=labels.signals,
        boundary=labels.boundary,
        reads=labels.reads,
        writes=labels.writes,
        minutes=labels.minutes,
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
            _contradicted(world, id, home, labels)
    signals = await workspace.store.look(lambda view: view.signals([signal for signal, _ in labels.support]))
    for (signal, claim), right in labels.support.items():
        if signal not in signals:
            raise BadInput(f"Expected labels of signals of this workspace, but there is no {signal}.", param="labels")
        made = fact(signal, signals[signal].signal.proposition, "", 0, 0)
        world.supporting.append((replace(made, signal=signal), claim, right))
    return world


def _contradicted(world: World, id: str, home: str, labels: Labels) -> None:
    said = labels.contradictions[id]
    world.injected[id] = (
        Injection(fact(f"against-{id}", said.against, home, 0, 0), id, True),
        Injection(fact(f"beside-{id}", said.beside, home, 0, 0), id, False),
    )
    if said.claim:
        world.opposing[id] = (
            Opposing(fact(f"opposing-against-{id}", said.against, home, 0, 0), "", said.claim, id, True),
            Opposing(fact(f"opposing-beside-{id}", said.beside, home, 0, 0), "", said.other, id, False),
        )


def accepted(held: dict[str, StoredClaim], labels: Labels) -> frozenset[str]:
    """Claims that people hold for true: accepted in the workspace, or labelled as sound."""
    return frozenset(id for id, each in held.items() if each.standing is Standing.ACCEPTED or labels.sound.get(id))
