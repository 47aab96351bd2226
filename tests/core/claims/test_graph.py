"""The graph of justifications against plain searches, and forward chaining at any width of a wave."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.core.claims.graph import Graph, ranks, seen
from loom.core.claims.homes import Homes
from loom.core.claims.spreading import NARROW, spread
from loom.core.errors import BadInput

Edges = list[tuple[int, int]]


def _below(graph: Graph, node: int) -> set[int]:
    return {node}.union(*(_below(graph, each) for just in graph.justifications(node) for each in graph.antecedents(just)))


@settings(max_examples=200)
@given(
    edges=st.lists(st.tuples(st.integers(0, 11), st.integers(3, 11)), max_size=40),
    late=st.lists(st.booleans(), min_size=40, max_size=40),
)
def test_ancestors_ranks_and_columns(edges: Edges, late: list[bool]) -> None:
    """Edges in any order, as new justifications or as further antecedents, wherever the check allows them."""
    graph = Graph()
    for node in range(12):
        graph.add_node(claim=node > 2)
        if node > 2:
            graph.add_justification(node, [node % 3])
    for (node, claim), joins in zip(edges, late, strict=False):
        assert graph.rests_on(node, claim) == (claim in _below(graph, node))
        if not graph.rests_on(node, claim):
            if joins:
                graph.add_antecedent(next(graph.justifications(claim)), node)
            else:
                graph.add_justification(claim, [node])
        for just, owner in enumerate(graph.owner):
            assert all(graph.rank[each] < graph.rank[owner] for each in graph.antecedents(just))
    again = Graph.of(
        np.array(list(graph.claim), np.bool_),
        seen(graph.owner).copy(),
        seen(graph.edge_just).copy(),
        seen(graph.edge_node).copy(),
    )
    for node in range(12):
        assert sorted(again.dependents(node)) == sorted(graph.dependents(node))
        assert sorted(sorted(again.antecedents(just)) for just in again.justifications(node)) == sorted(
            sorted(graph.antecedents(just)) for just in graph.justifications(node)
        )


def test_a_graph_with_a_cycle_or_a_bare_claim_is_refused() -> None:
    claim = np.array([False, True, True])
    one = np.array([1, 2], np.int32)
    with pytest.raises(BadInput, match="2 claims lie on or behind a cycle"):
        Graph.of(claim, one, np.array([0, 1], np.int32), np.array([2, 1], np.int32))
    with pytest.raises(BadInput, match="1 claims"):
        Graph.of(claim, one[:1], np.array([0], np.int32), np.array([0], np.int32))


@pytest.mark.parametrize("width", [1, NARROW - 1, NARROW, NARROW + 1, 3 * NARROW])
def test_waves_of_any_width(width: int) -> None:
    """A ladder of `width` nodes a rung, where each waits for two below; a node at every wave's end is barred."""
    rungs = 9
    count = width * rungs
    nodes = np.arange(width, count, dtype=np.int32)
    beside = (nodes - width) // width * width + (nodes + 1) % width
    groups = np.repeat(nodes, 2)
    tails = np.stack([nodes - width, beside], 1).reshape(-1).astype(np.int32)
    reached = np.arange(count) < width
    waves = spread(
        tails=tails, groups=groups, reaches=np.arange(count, dtype=np.int32), reached=reached, barred=np.zeros(count, np.bool_)
    )
    assert waves.tolist() == [node // width for node in range(count)] and reached.all()
    reached = np.arange(count) < width
    barred = np.arange(count) == width
    waves = spread(tails=tails, groups=groups, reaches=np.arange(count, dtype=np.int32), reached=reached, barred=barred)
    assert waves[width] == -1 and not reached[width]


def test_waves_that_widen_and_narrow() -> None:
    """One node, a long chain, a fan of many, one node again."""
    length, fan = 5_000, 500
    chain = [(n, n + 1) for n in range(length)]
    spokes = [(length, length + 1 + n) for n in range(fan)]
    closing = [(length + 1 + n, length + fan + 1) for n in range(fan)]
    tails, heads = np.array([*chain, *spokes, *closing], np.int32).T.copy()
    count = length + fan + 2
    reached = np.arange(count) == 0
    waves = spread(
        tails=tails, groups=heads, reaches=np.arange(count, dtype=np.int32), reached=reached, barred=np.zeros(count, np.bool_)
    )
    assert waves[: length + 1].tolist() == list(range(length + 1))
    assert set(waves[length + 1 : -1].tolist()) == {length + 1} and waves[-1] == length + 2


def test_a_long_chain_is_followed_and_ranked() -> None:
    length = 100_000
    owner = np.arange(1, length, dtype=np.int32)
    graph = Graph.of(np.arange(length) > 0, owner, np.arange(length - 1, dtype=np.int32), np.arange(length - 1, dtype=np.int32))
    assert ranks(graph).tolist() == list(range(length))
    assert graph.rests_on(length - 1, 1) and not graph.rests_on(1, length - 1)


@pytest.mark.parametrize("domains", [1, 63, 64, 65, 200])
def test_homes_of_a_whole_graph_with_many_domains(domains: int) -> None:
    graph = Graph()
    filed: dict[int, frozenset[str]] = {}
    for number in range(domains):
        filed[graph.add_node(claim=False)] = frozenset({f"d{number:03}"})
    graph.add_node(claim=False)
    for number in range(domains):
        claim = graph.add_node(claim=True)
        graph.add_justification(claim, [number] if number == 0 else [number, claim - 1])
    homes = Homes()
    homes.fill(graph, filed)
    assert [homes.domains(node) for node in range(len(graph))] == homes.anew(graph)
    assert len(homes.domains(len(graph) - 1)) == domains and homes.domains(domains) == frozenset()
