"""From a fact back to the axioms it rests on.

A completion stores no premises, only the round in which each fact came. The premises of a fact are found again by asking which
rule could have made it from facts of earlier rounds; the earliest are preferred, which keeps the trace short.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from loom.core.reason.clauses import BOTTOM_NODE, CLASH_NODE, TOP_NODE
from loom.core.reason.facts import Facts, Join, NodeJoin, Numbers, Rounds
from loom.core.reason.roles import Premises
from loom.core.reason.saturate import EDGE_BITS, EDGE_MASK, Saturation
from loom.core.reason.tables import column

NEVER = 1 << 30


class Fact(NamedTuple):
    """A fact of a completion: its kind (supers, link, yields, implies, next) and its two numbers."""

    kind: str
    one: int
    other: int


class Step(NamedTuple):
    """One way to a fact: the axioms used in this step, and the facts it rests on, all of earlier rounds."""

    axioms: Premises
    facts: tuple[Fact, ...]


class _Column:
    """A set of facts, frozen: rounds by key."""

    def __init__(self, *facts: Facts) -> None:
        self._columns: list[tuple[Numbers, Rounds]] = [one.columns() for one in facts]

    def round(self, key: int) -> int:
        """The round in which the fact came, NEVER if it did not."""
        best = NEVER
        for keys, rounds in self._columns:
            at = int(keys.searchsorted(key))
            if at < keys.size and keys[at] == key:
                best = min(best, int(rounds[at]))
        return best

    def row(self, low: int, high: int) -> Iterator[tuple[int, int]]:
        """Facts with low <= key < high, each with its round."""
        for keys, rounds in self._columns:
            first, last = keys.searchsorted((low, high))
            yield from zip(keys[first:last].tolist(), rounds[first:last].tolist(), strict=True)


class Trace:
    """Finds the steps that led to the facts of one completion; steps once found are kept."""

    def __init__(self, saturation: Saturation) -> None:
        self._of = saturation
        self._bits, self._mask = saturation.bits, saturation.mask
        self._steps: dict[Fact, Step] = {}
        self._supers = _Column(saturation.supers)
        self._links = _Column(saturation.links)
        self._yields = _Column(saturation.yields)
        self._implies = _Column(saturation.implies, saturation.implies_by_transitivity)
        self._next = _Column(saturation.next, saturation.passing)

    @cached_property
    def _told_links(self) -> tuple[Numbers, Numbers]:
        """The links that were told, as ascending keys, with their sources."""
        tables = self._of.tables
        keys = (tables.link_sub << self._bits) | tables.link_sup
        order = np.argsort(keys, kind="stable")
        return keys[order], tables.link_source[order]

    @cached_property
    def _has(self) -> NodeJoin:
        tables = self._of.tables
        return NodeJoin(tables.nodes, tables.has_sub, tables.has_pair, tables.has_source)

    @cached_property
    def _both(self) -> Join:
        one, other, target, source = map(column, self._of.clauses.both)
        return Join(target, one, other, source)

    @cached_property
    def _left(self) -> tuple[Numbers, ...]:
        return tuple(map(column, self._of.clauses.left))

    def holds(self, fact: Fact) -> bool:
        return self.round(fact) < NEVER

    def step(self, fact: Fact) -> Step:
        """The step that led to a fact that holds."""
        step = self._steps.get(fact)
        if step is None:
            step = self._steps[fact] = self._found(fact)
        return step

    def behind(self, start: Fact) -> Iterator[Fact]:
        """The fact and everything it rests on, each once."""
        seen, work = {start}, [start]
        while work:
            fact = work.pop()
            yield fact
            for premise in self.step(fact).facts:
                if premise not in seen:
                    seen.add(premise)
                    work.append(premise)

    def axioms(self, start: Fact) -> list[int]:
        """The positions of axioms from which the fact follows, ascending; more than needed only where steps overlap."""
        return sorted({position for fact in self.behind(start) for position in self.step(fact).axioms})

    def round(self, fact: Fact) -> int:
        """The round in which the fact came, NEVER if it does not hold."""
        kind, one, other = fact
        if kind == "supers":
            return self._supers.round((one << self._bits) | other)
        if kind == "link":
            return self._links.round((one << self._bits) | other)
        if kind == "yields":
            return self._yields.round((one << self._bits) | other)
        return (self._implies if kind == "implies" else self._next).round((one << EDGE_BITS) | other)

    def _found(self, fact: Fact) -> Step:
        limit = self.round(fact)
        find = {
            "supers": self._of_node,
            "link": self._of_link,
            "yields": self._of_edge,
            "implies": self._of_implies,
            "next": self._of_next,
        }[fact.kind]
        step = find(fact.one, fact.other, limit)
        if step is None:
            raise LookupError(f"no step leads to {fact} of round {limit}; this is a defect of the completion")
        return step

    def _above(self, node: int, limit: int) -> dict[int, int]:
        """What the node was below before a round, each with its own round."""
        low = node << self._bits
        return {key - low: round for key, round in self._supers.row(low, low + self._mask + 1) if round < limit}

    def _first(self, found: Iterable[tuple[int, Step]]) -> Step | None:
        """The step whose latest premise is earliest."""
        return min(found, key=lambda one: one[0], default=(0, None))[1]

    def _of_node(self, node: int, sup: int, limit: int) -> Step | None:
        if sup in (node, TOP_NODE):
            return Step((), ())
        above = self._above(node, limit)
        return self._first(self._ways_up(node, sup, limit, above))

    def _ways_up(self, node: int, sup: int, limit: int, above: dict[int, int]) -> Iterator[tuple[int, Step]]:
        clauses = self._of.clauses
        keys, sources = self._told_links
        middles = list(above)
        wanted = (np.array(middles, np.int64) << self._bits) | sup
        for middle, at in zip(middles, keys.searchsorted(wanted).tolist(), strict=True):
            if at < keys.size and int(keys[at]) == (middle << self._bits) | sup:
                yield above[middle], Step(clauses.premises(int(sources[at])), (Fact("supers", node, middle),))
            else:
                round = self._links.round((middle << self._bits) | sup)
                if round < limit:
                    yield max(round, above[middle]), Step((), (Fact("supers", node, middle), Fact("link", middle, sup)))
        _, at = self._both.rows_of(np.array([sup], np.int64))
        for one, other, source in zip(*(part[at].tolist() for part in self._both.columns), strict=True):
            if one in above and other in above:
                facts = (Fact("supers", node, one), Fact("supers", node, other))
                yield max(above[one], above[other]), Step(clauses.premises(source), facts)
        if sup == CLASH_NODE:
            for members, source in clauses.groups:
                met = sorted((above[member], member) for member in members if member in above)[:2]
                if len(met) == 2:
                    yield met[1][0], Step(clauses.premises(source), tuple(Fact("supers", node, member) for _, member in met))

    def _told_edges(self, node: int) -> Iterator[tuple[int, int]]:
        """The edges that a node was told, each with its source."""
        _, at = self._has.rows_of(np.array([node], np.int64))
        yield from zip(*(part[at].tolist() for part in self._has.columns), strict=True)

    def _of_link(self, node: int, sup: int, limit: int) -> Step | None:
        def ways() -> Iterator[tuple[int, Step]]:
            for edge, source in self._told_edges(node):
                premises = self._of.clauses.premises(source)
                fact = Fact("yields", edge, sup)
                if (round := self.round(fact)) < limit:
                    yield round, Step(premises, (fact,))
                target = int(self._of.edge_target[edge])
                if sup == BOTTOM_NODE or (sup == CLASH_NODE and self._of.unnamed[target]):
                    fact = Fact("supers", target, sup)
                    if (round := self.round(fact)) < limit:
                        yield round, Step(premises, (fact,))

        return self._first(ways())

    def _left_step(self, role: int, row: int, *facts: Fact) -> Step:
        told, _, _, source = (int(part[row]) for part in self._left)
        roles = self._of.clauses.roles
        return Step((*roles.above[role][told], *self._of.clauses.premises(source)), facts)

    def _of_edge(self, edge: int, sup: int, limit: int) -> Step | None:
        tables = self._of.tables
        role, target = int(self._of.edge_role[edge]), int(self._of.edge_target[edge])
        _, at = tables.domain.rows_of(np.array([role], np.int64))
        for node, row in zip(*(part[at].tolist() for part in tables.domain.columns), strict=True):
            if node == sup:
                return self._left_step(role, row)

        def ways() -> Iterator[tuple[int, Step]]:
            for filler, round in self._above(target, limit).items():
                _, at = tables.left.rows_of(np.array([(role << self._bits) | filler], np.int64))
                for node, row in zip(*(part[at].tolist() for part in tables.left.columns), strict=True):
                    if node == sup:
                        yield round, self._left_step(role, row, Fact("supers", target, filler))
            for key, round in self._implies.row(edge << EDGE_BITS, (edge + 1) << EDGE_BITS):
                fact = Fact("yields", key & EDGE_MASK, sup)
                latest = max(round, self.round(fact))
                if latest < limit:
                    yield latest, Step((), (Fact("implies", edge, key & EDGE_MASK), fact))

        return self._first(ways())

    def _of_implies(self, edge: int, result: int, limit: int) -> Step | None:
        roles = self._of.clauses.roles
        first, sup = int(self._of.edge_role[edge]), int(self._of.edge_role[result])
        middle, end = int(self._of.edge_target[edge]), int(self._of.edge_target[result])

        def ways() -> Iterator[tuple[int, Step]]:
            for key, round in self._next.row(middle << EDGE_BITS, (middle + 1) << EDGE_BITS):
                step = key & EDGE_MASK
                if round >= limit or int(self._of.edge_target[step]) != end:
                    continue
                second = int(self._of.edge_role[step])
                for chain in roles.chains:
                    if chain.sup == sup and chain.first in roles.above[first] and chain.second in roles.above[second]:
                        premises = (*chain.premises, *roles.above[first][chain.first], *roles.above[second][chain.second])
                        yield round, Step(premises, (Fact("next", middle, step),))

        return self._first(ways())

    def _of_next(self, node: int, edge: int, limit: int) -> Step | None:
        def ways() -> Iterator[tuple[int, Step]]:
            for middle, round in self._above(node, limit).items():
                for told, source in self._told_edges(middle):
                    if told == edge:
                        yield round, Step(self._of.clauses.premises(source), (Fact("supers", node, middle),))
            for key, round in self._next.row(node << EDGE_BITS, (node + 1) << EDGE_BITS):
                before = key & EDGE_MASK
                fact = Fact("implies", before, edge)
                latest = max(round, self.round(fact))
                if latest < limit:
                    yield latest, Step((), (Fact("next", node, before), fact))

        return self._first(ways())
