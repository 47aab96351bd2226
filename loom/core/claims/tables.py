"""A network as columns, whole: how a store hands over what it keeps, at a million claims (`opened`), and how it gets it (`tables`).

Texts stay in the store; a node is a row here, in the order in which it was written.
"""

from dataclasses import dataclass, field

import numpy as np

from loom.core.claims.graph import END, Graph, column_of, seen
from loom.core.claims.labels import Labels
from loom.core.claims.records import Branch, Migration, Precondition
from loom.core.claims.relabel import relabel
from loom.core.claims.sources import Sources
from loom.core.claims.spreading import Flags, Ints
from loom.core.claims.state import State
from loom.core.errors import BadInput


@dataclass(frozen=True, slots=True)
class Tables:
    """Columns by entry (`entries`, `source`, `withdrawn`), by node (`names`, `entry` with -1 for claims, `since`, `settled`,
    `fallen`), by justification (`owner`, `verdict`) and by antecedent (`edge_just`, `edge_node`); rows are numbered from 0.

    `domains` are the homes of signals by node; those of claims follow. What few nodes have is in tuples of node numbers."""

    entries: tuple[str, ...]
    source: tuple[str, ...]
    withdrawn: Flags
    names: tuple[str, ...]
    entry: Ints
    since: Ints
    settled: Flags
    fallen: Flags
    owner: Ints
    verdict: Flags
    edge_just: Ints
    edge_node: Ints
    domains: dict[int, frozenset[str]] = field(default_factory=dict)
    observed: dict[int, str] = field(default_factory=dict)
    replaced: tuple[tuple[int, int], ...] = ()
    """(later signal, earlier signal)"""
    conflicts: tuple[tuple[int, int, Branch], ...] = ()
    spurious: tuple[tuple[int, int], ...] = ()
    rejected: tuple[int, ...] = ()
    supersedes: tuple[tuple[int, int], ...] = ()
    """(new claim, old claim)"""
    context: dict[int, tuple[Precondition, ...]] = field(default_factory=dict)
    migrated: dict[int, tuple[Migration, ...]] = field(default_factory=dict)
    lifted: dict[int, int] = field(default_factory=dict)
    batch: int = 0


def opened(tables: Tables) -> State:
    """The state of these tables, every label decided from scratch. Raises BadInput where justifications have a cycle, a claim has
    none, or columns differ in length."""
    count = len(tables.names)
    for name in ("entry", "since", "settled", "fallen"):
        if len(getattr(tables, name)) != count:
            raise BadInput(
                f"Expected {count} values in {name}, one for each node, but got {len(getattr(tables, name))}.", param=name
            )
    state = State(names=list(tables.names), numbers=dict(zip(tables.names, range(count), strict=True)), batch=tables.batch)
    if len(state.numbers) != count:
        raise BadInput(f"Expected ids that are given once, but {count - len(state.numbers)} are given again.", param="names")
    state.graph = Graph.of(tables.entry == END, tables.owner, tables.edge_just, tables.edge_node, tables.verdict)
    sources = state.sources = Sources.of(tables.entries, tables.source, tables.withdrawn, tables.entry)
    sources.observed = dict(tables.observed)
    for new, old in tables.replaced:
        sources.replace(new, old)
    disputes = state.disputes
    for one, other, branch in tables.conflicts:
        disputes.oppose(one, other, branch)
    disputes.spurious = set(tables.spurious)
    disputes.rejected = set(tables.rejected)
    for new, old in tables.supersedes:
        disputes.supersede(new, old)
    state.since = column_of(tables.since)
    state.context, state.migrated, state.lifted = dict(tables.context), dict(tables.migrated), dict(tables.lifted)
    history = Labels(settled=_bytes(tables.settled), fallen=_bytes(tables.fallen))
    state.labels = relabel(state.graph, sources, disputes, history)
    state.homes.fill(state.graph, tables.domains)
    return state


def tables(state: State) -> Tables:
    """The columns of a state; copies, so that they stay as they are while the network goes on."""
    graph, disputes = state.graph, state.disputes
    return Tables(
        entries=tuple(state.sources.entries),
        source=tuple(state.sources.source),
        withdrawn=_flags(state.sources.withdrawn),
        names=tuple(state.names),
        entry=seen(state.sources.entry).copy(),
        since=seen(state.since).copy(),
        settled=_flags(state.labels.settled),
        fallen=_flags(state.labels.fallen),
        owner=seen(graph.owner).copy(),
        verdict=_flags(graph.verdict),
        edge_just=seen(graph.edge_just).copy(),
        edge_node=seen(graph.edge_node).copy(),
        domains={node: home for node in range(len(graph)) if not graph.claim[node] and (home := state.homes.domains(node))},
        observed=dict(state.sources.observed),
        replaced=tuple((new, old) for old in sorted(state.sources.later) for new in sorted(state.sources.later[old])),
        conflicts=tuple((*pair, branch) for pair in disputes.conflicts() for branch in sorted(disputes.branches(*pair))),
        spurious=tuple(sorted(disputes.spurious)),
        rejected=tuple(sorted(disputes.rejected)),
        supersedes=tuple((new, old) for old in sorted(disputes.superseders) for new in sorted(disputes.superseders[old])),
        context=dict(state.context),
        migrated=dict(state.migrated),
        lifted=dict(state.lifted),
        batch=state.batch,
    )


def _flags(values: bytearray) -> Flags:
    return np.frombuffer(bytes(values), np.bool_)


def _bytes(values: Flags) -> bytearray:
    return bytearray(np.asarray(values, np.uint8).tobytes())
