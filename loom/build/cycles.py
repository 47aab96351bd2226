"""Circles in a directed graph."""

from collections.abc import Mapping, Sequence

from loom.core.values import Iri


def cycles(edges: Mapping[Iri, Sequence[Iri]]) -> list[list[Iri]]:
    """Groups of nodes that reach one another (two or more), each sorted, in order. Tarjan's algorithm without recursion."""
    index: dict[Iri, int] = {}
    low: dict[Iri, int] = {}
    stack: list[Iri] = []
    on_stack: set[Iri] = set()
    found: list[list[Iri]] = []
    for root in sorted(edges):
        if root in index:
            continue
        pending = [(root, iter(edges[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while pending:
            node, targets = pending[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    pending.append((target, iter(edges.get(target, ()))))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                pending.pop()
                if pending:
                    above = pending[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == index[node]:
                    group: list[Iri] = []
                    while not group or group[-1] != node:
                        group.append(stack.pop())
                        on_stack.discard(group[-1])
                    if len(group) > 1:
                        found.append(sorted(group))
    return sorted(found)
