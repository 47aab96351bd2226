"""Automatic acceptance: a switch of a workspace, off unless turned on (§2; reconstructed, since the rule of seed 001 §3.3 was lost)."""

from typing import Protocol

from loom.core.claims.graph import Graph
from loom.core.claims.sources import Sources
from loom.core.claims.state import State


class AcceptanceRule(Protocol):
    """Whether a claim is accepted without a person. It is asked about claims that are proposed, were never retracted and are older
    than the batch, whenever what they rest on was touched in this batch or the last; it sees numbers and changes nothing."""

    def __call__(self, state: State, claim: int) -> bool: ...


def corroborated(state: State, claim: int) -> bool:
    """No conflict, no open precondition, and two supported justifications whose signals come from different sources throughout."""
    if state.disputes.partners(claim) or state.context.get(claim):
        return False
    met: list[frozenset[str]] = []
    for just in state.graph.justifications(claim):
        if not all(state.labels.supported[node] for node in state.graph.antecedents(just)):
            continue
        found = sources_of(state.graph, state.sources, just)
        if any(not found & other for other in met):
            return True
        met.append(found)
    return False


def everything(state: State, claim: int) -> bool:
    """What the rule is judged against: whatever may be accepted is."""
    return True


def sources_of(graph: Graph, sources: Sources, just: int) -> frozenset[str]:
    """The sources of all signals that a justification rests on in the end."""
    waiting = list(graph.antecedents(just))
    met = set(waiting)
    found: set[str] = set()
    while waiting:
        node = waiting.pop()
        if not graph.claim[node]:
            found.add(sources.source[sources.entry[node]])
            continue
        for below in {each for other in graph.justifications(node) for each in graph.antecedents(other)}:
            if below not in met:
                met.add(below)
                waiting.append(below)
    return frozenset(found)
