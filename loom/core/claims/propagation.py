"""Following a change: forward in rank order, each node once, and the conflict partners of what changed (§3, seed 001 §3.4).

Since ranks lie above those of all antecedents, a node is decided after everything it rests on; since justifications are monotone and
the graph has no cycle, one pass finds the only labelling. Where support stays what it was the pass goes no further: whatever rests on
that node sees nothing new.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from loom.core.claims.disputes import Disputes
from loom.core.claims.graph import Graph
from loom.core.claims.labels import Labels
from loom.core.claims.sources import Sources
from loom.core.claims.standing import Standing, standing_of


@dataclass(frozen=True, slots=True)
class Visits:
    """What following a change cost: nodes decided, edges of justifications looked at, and partners beyond those nodes."""

    nodes: int = 0
    edges: int = 0
    partners: int = 0


@dataclass(frozen=True, slots=True)
class Followed:
    """`changed` are nodes whose support changed, `looked` the claims whose standing has to be decided anew."""

    changed: frozenset[int]
    looked: frozenset[int]
    visits: Visits


def follow(
    graph: Graph, sources: Sources, disputes: Disputes, labels: Labels, moved: Iterable[int], touched: Iterable[int]
) -> Followed:
    """Decide support anew wherever a change of `moved` (nodes whose own support may have changed) reaches, in place in `labels`.

    `touched` are claims whose conflicts alone changed. A signal that counts as it did (withdrawn and restored in one batch, say) is
    not visited."""
    queued = {node for node in moved if graph.claim[node] or sources.supports(node) != bool(labels.supported[node])}
    waiting = [(graph.rank[node], node) for node in queued]
    heapify(waiting)
    changed: set[int] = set()
    supported = labels.supported
    edges = 0
    while waiting:
        _, node = heappop(waiting)
        if graph.claim[node]:
            now, cost = _supported(graph, disputes, supported, node)
            edges += cost
        else:
            now = sources.supports(node)
        if now == bool(supported[node]):
            continue
        supported[node] = now
        changed.add(node)
        for over in graph.dependents(node):
            if over not in queued:
                queued.add(over)
                heappush(waiting, (graph.rank[over], over))
    partners = {partner for node in changed for partner in disputes.partners(node)} - queued
    ends = set(touched) - queued - partners
    looked = {node for node in queued if graph.claim[node]} | partners | ends
    return Followed(frozenset(changed), frozenset(looked), Visits(len(queued) + len(ends), edges, len(partners)))


def _supported(graph: Graph, disputes: Disputes, supported: bytearray | dict[int, bool], claim: int) -> tuple[bool, int]:
    """Whether some justification has all antecedents supported and no override stands; the edges looked at."""
    if disputes.overridden(claim):
        return False, 0
    cost = 0
    for just in graph.justifications(claim):
        for node in graph.antecedents(just):
            cost += 1
            if not supported[node]:
                break
        else:
            return True, cost
    return False, cost


def stands(graph: Graph, sources: Sources, disputes: Disputes, node: int) -> bool:
    """Whether a node is supported as everything is written now, whatever the labels say; linear in its ancestors."""
    met, waiting = {node}, [node]
    while waiting:
        for just in graph.justifications(waiting.pop()):
            for below in graph.antecedents(just):
                if below not in met:
                    met.add(below)
                    waiting.append(below)
    supported: dict[int, bool] = {}
    for each in sorted(met, key=lambda below: (graph.rank[below], below)):
        if graph.claim[each]:
            supported[each] = _supported(graph, disputes, supported, each)[0]
        else:
            supported[each] = sources.supports(each)
    return supported[node]


def decided(disputes: Disputes, labels: Labels, claim: int) -> Standing:
    """The standing that support, disputes and history give a claim now."""
    return standing_of(
        rejected=claim in disputes.rejected,
        superseded=disputes.superseded(claim),
        supported=bool(labels.supported[claim]),
        opposed=any(labels.supported[partner] for partner in disputes.partners(claim)),
        settled=bool(labels.settled[claim]),
    )
