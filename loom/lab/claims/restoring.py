"""Minimal change and restoration (I4 and I5, seed 001 §10.3): what withdrawn entries take away, and what comes back with them."""

from dataclasses import dataclass
from random import Random

from loom.claims.asks import Withdraw
from loom.core.claims.standing import Standing
from loom.core.claims.stored import StoredClaim
from loom.core.claims.tables import opened
from loom.core.values import Json
from loom.lab.claims.workspace import BY, Workspace

CLAIMS = 20
"""Accepted claims whose entries are withdrawn."""


@dataclass(frozen=True, slots=True)
class Restoring:
    """`extra` and `missed` are claims against the set that the definition gives; `back` are those that came back, of which `wrong`
    with another standing than proposed, or contested beside a live partner. `relabelled`: labels are those of a relabelling from
    nothing after each batch, which looks at all `nodes`; following the withdrawals looked at `visited`."""

    withdrawn: int
    retracted: int
    extra: int
    missed: int
    lingering: int
    back: int
    wrong: int
    relabelled: bool
    visited: int = 0
    nodes: int = 0

    @property
    def exact(self) -> bool:
        return (
            not (self.extra or self.missed or self.lingering or self.wrong) and self.back == self.retracted and self.relabelled
        )

    def as_json(self) -> dict[str, Json]:
        return {name: getattr(self, name) for name in (*self.__dataclass_fields__, "exact")}


async def restoring(workspace: Workspace, seed: int) -> Restoring:
    """On a copy."""
    made = await workspace.copy()
    before = await made.claims()
    chosen = sorted(id for id, each in before.items() if each.standing is Standing.ACCEPTED)
    Random(f"{seed}:withdrawn").shuffle(chosen)
    signals = {name for id in chosen[:CLAIMS] for just in before[id].claim.justifications for name in just.antecedents}
    held = await made.store.look(lambda view: view.signals(signals))
    entries = sorted({each.signal.entry for each in held.values()})
    lost_signals = await _signals_of(made, set(entries))
    defined = _unsupported(before, lost_signals)
    flushed = await made.do([Withdraw(each, BY) for each in entries], at_once=max(1, len(entries)))
    visited = sum(each.change.visits.nodes + each.change.visits.partners for each in flushed if each.change is not None)
    after = await made.claims()
    same = await _relabelled(made)
    lost = {
        id
        for id, each in after.items()
        if each.standing is Standing.RETRACTED and before[id].standing is not Standing.RETRACTED
    }
    lingering = await _lingering(made, after)
    await made.do([Withdraw(each, BY, back=True) for each in entries], at_once=max(1, len(entries)))
    again = await made.claims()
    same = same and await _relabelled(made)
    back = {id for id in lost if again[id].standing is not Standing.RETRACTED}
    wrong = 0
    for id in back:
        partners = await made.store.look(lambda view, id=id: view.conflicts(id))  # type: ignore[misc]
        live = any(each.live and each.standing not in (Standing.RETRACTED, Standing.SUPERSEDED) for each in partners)
        wrong += again[id].standing is not (Standing.CONTESTED if live else Standing.PROPOSED)
    await made.aclose()
    extra, missed = len(lost - defined), len(defined - lost)
    nodes = await workspace.store.look(lambda view: len(view.network().names))
    return Restoring(len(entries), len(lost), extra, missed, lingering, len(back), wrong, same, visited, nodes)


def _unsupported(claims: dict[str, StoredClaim], signals: set[str]) -> set[str]:
    """Claims of which every justification has an antecedent that falls, by the definition: from signals upward."""
    gone: set[str] = set()
    while True:
        more = {
            id
            for id, each in claims.items()
            if id not in gone
            and each.supported
            and all(any(name in signals or name in gone for name in just.antecedents) for just in each.claim.justifications)
        }
        if not more:
            return gone
        gone |= more


async def _signals_of(workspace: Workspace, entries: set[str]) -> set[str]:
    from loom.core.claims.stored import Wanted

    return await workspace.store.look(
        lambda view: {each.signal.id for entry in sorted(entries) for each in view.list_signals(Wanted(entry=entry, limit=500))}
    )


async def _lingering(workspace: Workspace, claims: dict[str, StoredClaim]) -> int:
    """Claims that are contested though nothing that stands disputes them."""
    contested = [id for id, each in claims.items() if each.standing is Standing.CONTESTED]
    rows = await workspace.store.look(lambda view: {id: view.conflicts(id) for id in contested})
    return sum(
        not any(one.live and one.standing not in (Standing.RETRACTED, Standing.SUPERSEDED) for one in each)
        for each in rows.values()
    )


async def _relabelled(workspace: Workspace) -> bool:
    """Whether the labels of the store are those that a relabelling from nothing gives (opening a network is one)."""
    state, held = await workspace.store.look(lambda view: (opened(view.network()), view.labels()))
    same = bytes(state.labels.supported) == held.supported.tobytes() and bytes(state.labels.standing) == held.standing.tobytes()
    return bool(same)
