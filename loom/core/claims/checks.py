"""The invariants I1–I13 (specs/claims.md §3, §13) as functions that return what broke, one sentence each; nothing where they hold.

They compute from the structure, not along the paths that a commit takes, so that they can fail. Each is linear in the network.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TypeVar

from loom.core.claims.graph import Graph, ranks
from loom.core.claims.history import Move, replay
from loom.core.claims.network import Change, Network
from loom.core.claims.relabel import relabel
from loom.core.claims.standing import Standing, readable

Broken = tuple[str, ...]
Found = TypeVar("Found")


def standings(network: Network) -> dict[str, Standing]:
    """The standing of every claim: what `minimal`, `restored` and `local` compare with."""
    return {claim: network.standing(claim) for claim in network.claims()}


def well_founded(network: Network) -> Broken:
    """I1: a supported claim has a justification of supported antecedents that lie strictly nearer to the signals."""
    supported, graph = network.state.labels.supported, network.state.graph
    depth = ranks(graph)

    def holds(claim: int) -> bool:
        return any(
            all(supported[node] and 0 <= depth[node] < depth[claim] for node in graph.antecedents(just))
            for just in graph.justifications(claim)
        )

    broken = (claim for claim in range(len(graph)) if graph.claim[claim] and supported[claim] and not holds(claim))
    return tuple(f"{network.state.names[claim]} is supported by nothing that ends in signals" for claim in broken)


def same_support(one: Network, other: Network) -> Broken:
    """I2: two networks that saw the same changes of support, in whatever order, support the same nodes."""
    names = sorted(set(one.state.names) | set(other.state.names))
    missing = [name for name in names if name not in one.state.numbers or name not in other.state.numbers]
    broken = [name for name in names if name not in missing and one.supported(name) is not other.supported(name)]
    return tuple(f"only one network has {name}" for name in missing) + tuple(f"support of {name} differs" for name in broken)


def labelled(network: Network) -> Broken:
    """I3: the labels are those that come out from scratch, with the history as input."""
    state = network.state
    fresh = relabel(state.graph, state.sources, state.disputes, state.labels)
    return tuple(
        f"{name} is {Standing(state.labels.standing[node]).word}, supported {state.labels.supported[node]}; from scratch "
        f"{Standing(fresh.standing[node]).word}, supported {fresh.supported[node]}"
        for node, name in enumerate(state.names)
        if (state.labels.standing[node], state.labels.supported[node]) != (fresh.standing[node], fresh.supported[node])
    )


def minimal(before: Mapping[str, Standing], network: Network, change: Change) -> Broken:
    """I4, and I7 for a rejection: what a loss of support retracted is exactly what has no justification left, and of the rest only
    claims moved that were contested by nothing but those. (What a withdrawn signal had replaced comes back, with all that it gives.)

    `before` are the standings before `change`, which withdrew entries or wrote overrides and did nothing else."""
    state = network.state
    support = relabel(state.graph, state.sources, state.disputes, state.labels).supported
    expected: dict[str, set[Standing]] = {}
    for claim, was in before.items():
        number = state.numbers[claim]
        if state.disputes.overridden(number):
            continue
        opposed = any(support[each] for each in state.disputes.partners(number))
        if not any(all(support[node] for node in state.graph.antecedents(just)) for just in state.graph.justifications(number)):
            now = {Standing.RETRACTED}
        elif opposed:
            now = {Standing.CONTESTED}
        else:
            now = {Standing.PROPOSED} if was is Standing.RETRACTED else {Standing.ACCEPTED, Standing.PROPOSED}
        if was not in now:
            expected[claim] = now
    moved = {move.claim: move.after for move in change.moves if not state.disputes.overridden(state.numbers[move.claim])}
    accepted = {move.claim for move in change.moves if move.cause == "automatic"}
    return tuple(
        f"{claim} went {before[claim].word} to {moved[claim].word if claim in moved else 'nothing'}"
        for claim in sorted((expected.keys() | moved.keys()) - accepted)
        if moved.get(claim) not in expected.get(claim, {None})
    )


def restored(before: Mapping[str, Standing], lost: Change, network: Network, change: Change) -> Broken:
    """I5: restoring what a withdrawal took brings back exactly what it retracted, as proposed, or contested beside a live partner.

    `before` are the standings before the withdrawal `lost`; nothing was written between it and the restoration `change`."""
    gone = {move.claim for move in lost.moves if move.after is Standing.RETRACTED and readable(move.before)}
    back = {move.claim: move.after for move in change.moves if move.before is Standing.RETRACTED}
    state = network.state
    broken = [f"{claim} came back, or did not" for claim in sorted(gone ^ back.keys())]
    for claim, after in sorted(back.items()):
        live = any(state.labels.supported[each] for each in state.disputes.partners(state.numbers[claim]))
        if after is not (Standing.CONTESTED if live else Standing.PROPOSED):
            broken.append(f"{claim} came back as {after.word}")
    for claim, was in sorted(before.items()):
        if claim not in gone and network.standing(claim) is not was and was is not Standing.PROPOSED:
            broken.append(f"{claim} was {was.word} and is {network.standing(claim).word}")
    return tuple(broken)


def local(change: Change, one: str, other: str) -> Broken:
    """I6: an edge between two claims moves no standing but theirs."""
    return tuple(f"{move.claim} moved" for move in change.moves if move.claim not in (one, other) and move.cause == "conflict")


def lifted(network: Network) -> Broken:
    """I8: a lifted claim without override is supported exactly as its signal is, and holds its supported partners contested."""
    state = network.state
    supported, broken = state.labels.supported, []
    for claim, signal in sorted(state.lifted.items()):
        if state.disputes.overridden(claim):
            continue
        if supported[claim] != supported[signal]:
            broken.append(f"{state.names[claim]} differs from its signal")
        for partner in state.disputes.partners(claim):
            if supported[claim] and supported[partner] and state.labels.standing[partner] != Standing.CONTESTED:
                broken.append(f"{state.names[partner]} is not contested by {state.names[claim]}")
    return tuple(broken)


def acyclic(network: Network) -> Broken:
    """I9: no claim rests on itself, and every rank lies above those of the antecedents."""
    graph, names = network.state.graph, network.state.names
    cyclic = tuple(f"{names[node]} lies on or behind a cycle" for node, rank in enumerate(ranks(graph)) if rank < 0)
    low = {
        graph.owner[just]
        for just, node in zip(graph.edge_just, graph.edge_node, strict=True)
        if graph.rank[graph.owner[just]] <= graph.rank[node]
    }
    return cyclic + tuple(f"{names[claim]} does not lie above its antecedents" for claim in sorted(low))


def homed(network: Network, index: Mapping[str, Collection[str]]) -> Broken:
    """I10: homes are those that come out from scratch, and `index` (claims by domain) has each claim where it is at home, only."""
    state = network.state
    broken = []
    for node, home in enumerate(state.homes.anew(state.graph)):
        if home != state.homes.domains(node):
            broken.append(f"the home of {state.names[node]} is not that of its antecedents")
        if state.graph.claim[node]:
            filed = {domain for domain, claims in index.items() if state.names[node] in claims}
            broken += [f"{state.names[node]} and {domain}: index and home differ" for domain in sorted(filed ^ home)]
    claims = set(network.claims())
    return (*broken, *(f"{each} is indexed and no claim" for each in sorted(set().union(*index.values()) - claims)))


def unread(network: Network, indexed: Iterable[str]) -> Broken:
    """I11: nothing retracted, superseded or lifted is in an index."""
    return tuple(f"{claim} is {network.standing(claim).word} and indexed" for claim in indexed if not network.readable(claim))


def replayed(network: Network, moves: Iterable[Move]) -> Broken:
    """I12: the whole history comes to the present labels."""
    state = network.state
    past = replay(moves)
    broken = [f"{name} has a history and is no claim" for name in sorted(past.keys() - set(network.claims()))]
    for name in network.claims():
        node, labels = state.numbers[name], state.labels
        if name not in past:
            broken.append(f"{name} has no history")
            continue
        now = (Standing(labels.standing[node]), bool(labels.settled[node]), bool(labels.fallen[node]), state.since[node])
        then = past[name]
        if now != (then.standing, then.settled, then.fallen, then.since):
            broken.append(f"the history of {name} comes to {then}")
    return tuple(broken)


def indifferent(
    discover: Callable[[Mapping[str, Standing]], Found],
    given: Mapping[str, Standing],
    permuted: Iterable[Mapping[str, Standing]],
) -> Broken:
    """I13: what discovery finds does not change when standings are permuted among the claims."""
    first = discover(given)
    return tuple(
        f"permutation {number} changes what is found" for number, each in enumerate(permuted) if discover(each) != first
    )


def closure(graph: Graph, moved: Iterable[int]) -> set[int]:
    """Nodes that a change of `moved` may reach, these included: F and X of §3."""
    met = set(moved)
    waiting = list(met)
    while waiting:
        for over in graph.dependents(waiting.pop()):
            if over not in met:
                met.add(over)
                waiting.append(over)
    return met


def bounded(network: Network, change: Change) -> Broken:
    """The bound of §3: no more visits than nodes in the closure and partners of it, no more edges than its justifications have."""
    state = network.state
    reach = closure(state.graph, (state.numbers[name] for name in change.moved))
    partners = {partner for node in reach for partner in state.disputes.partners(node)} - reach
    edges = sum(1 for node in reach for just in state.graph.justifications(node) for _ in state.graph.antecedents(just))
    visits = change.visits
    broken = []
    if visits.nodes + visits.partners > len(reach) + len(partners):
        broken.append(
            f"{visits.nodes} nodes and {visits.partners} partners visited, the closure has {len(reach)} and {len(partners)}"
        )
    if visits.edges > edges:
        broken.append(f"{visits.edges} edges visited, the closure has {edges}")
    return tuple(broken)
