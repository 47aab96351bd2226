"""Completion written plainly, over sets, every edge kept: for a handful of axioms, where arrays would cost more than they save.

It serves the search for minimal explanations, and is the second opinion that the tests hold `saturate` against.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from loom.core.reason.axioms import Axiom
from loom.core.reason.clauses import BOTTOM_NODE, CLASH_NODE, TOP_NODE, Clauses, clauses_of
from loom.core.values import Iri


class Completion:
    """What the clauses say of some nodes and of whatever their roles lead to, completed on construction."""

    def __init__(self, clauses: Clauses, about: Iterable[int]) -> None:
        self._clauses = clauses
        self.supers: dict[int, set[int]] = {}
        self._edges_in: dict[int, set[tuple[int, int]]] = defaultdict(set)
        self._edges_out: dict[int, set[tuple[int, int]]] = defaultdict(set)
        self._work: list[tuple[int, int]] = []
        self._edges: list[tuple[int, int, int]] = []
        self._targets: dict[tuple[int, int], int] = {}
        self._index()
        for node in (TOP_NODE, *clauses.individuals.values(), *about):
            self._enter(node)
        while self._work or self._edges:
            if self._work:
                self._follow(*self._work.pop())
            else:
                self._compose(*self._edges.pop())
        roots = (TOP_NODE, *clauses.individuals.values())
        self.inconsistent = any(BOTTOM_NODE in self.supers[node] for node in roots)

    def holds(self, sub: int, sup: int) -> bool:
        """Whether `sub`, one of the nodes asked about, is below `sup`."""
        return self.inconsistent or BOTTOM_NODE in self.supers[sub] or sup in self.supers[sub]

    def _index(self) -> None:
        clauses, above = self._clauses, self._clauses.roles.above
        self._link: dict[int, list[int]] = defaultdict(list)
        for sub, sup, _ in zip(*clauses.link, strict=True):
            self._link[sub].append(sup)
        self._link[CLASH_NODE].append(BOTTOM_NODE)
        self._has: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for sub, role, filler, _ in zip(*clauses.has, strict=True):
            self._has[sub].append((role, filler))
        self._both: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for one, other, target, _ in zip(*clauses.both, strict=True):
            self._both[one].append((other, target))
            self._both[other].append((one, target))
        self._left: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for role, filler, target, _ in zip(*clauses.left, strict=True):
            self._left[filler].append((role, target))
        self._groups: dict[int, list[set[int]]] = defaultdict(list)
        for members, _ in clauses.groups:
            for member in members:
                self._groups[member].append(set(members) - {member})
        self._after: dict[int, list[tuple[int, int]]] = defaultdict(list)
        self._before: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for chain in clauses.roles.chains:
            self._after[chain.first].append((chain.second, chain.sup))
            self._before[chain.second].append((chain.first, chain.sup))
        self._above = above

    def _enter(self, node: int) -> None:
        if node not in self.supers:
            self.supers[node] = set()
            self._add(node, node)
            self._add(node, TOP_NODE)

    def _add(self, sub: int, sup: int) -> None:
        if sup not in self.supers[sub]:
            self.supers[sub].add(sup)
            self._work.append((sub, sup))

    def _follow(self, node: int, sup: int) -> None:
        """Every conclusion of which the last premise is that `node` is below `sup`."""
        mine = self.supers[node]
        for target in self._link[sup]:
            self._add(node, target)
        for other, target in self._both[sup]:
            if other in mine:
                self._add(node, target)
        for others in self._groups[sup]:
            if not mine.isdisjoint(others):
                self._add(node, CLASH_NODE)
        for role, filler in self._has[sup]:
            self._edge(node, role, self._target(role, filler))
        for source, role in list(self._edges_in[node]):
            self._back(source, role, sup)

    def _target(self, role: int, filler: int) -> int:
        """The node that a role leads to: the filler, or a node of its own below the filler and the ranges of the role."""
        node = self._targets.get((role, filler))
        if node is None:
            ranges = [one for sup in self._above[role] for one, _ in self._clauses.ranges.get(sup, ())]
            node = self._clauses.nodes + 1 + len(self._targets) if ranges else filler
            self._targets[role, filler] = node
            if ranges:
                self._link[node].extend([filler, *ranges])
        self._enter(node)
        return node

    def _back(self, source: int, role: int, sup: int) -> None:
        """`source` has the role to something below `sup`."""
        if sup == BOTTOM_NODE:
            self._add(source, BOTTOM_NODE)
        for over, target in self._left[sup]:
            if over in self._above[role]:
                self._add(source, target)

    def _edge(self, source: int, role: int, target: int) -> None:
        if (role, target) in self._edges_out[source]:
            return
        self._edges_out[source].add((role, target))
        self._edges_in[target].add((source, role))
        self._edges.append((source, role, target))
        for sup in list(self.supers[target]):
            self._back(source, role, sup)

    def _compose(self, source: int, role: int, target: int) -> None:
        """Every edge that this one completes to a chain."""
        for over in self._above[role]:
            for second, whole in self._after[over]:
                for next_role, end in list(self._edges_out[target]):
                    if second in self._above[next_role]:
                        self._edge(source, whole, end)
            for first, whole in self._before[over]:
                for start, earlier in list(self._edges_in[source]):
                    if first in self._above[earlier]:
                        self._edge(start, whole, target)


def entails(axioms: Sequence[Axiom], chosen: Iterable[int], sub: Iri, sup: Iri) -> bool:
    """Whether the axioms at the chosen positions put class `sub` below class `sup`."""
    clauses = clauses_of(axioms, chosen)
    nodes = [clauses.classes.get(iri) for iri in (sub, sup)]
    below = nodes[0] if nodes[0] is not None else clauses.nodes
    completion = Completion(clauses, [below])
    return completion.holds(below, -1 if nodes[1] is None else nodes[1]) or sub == sup
