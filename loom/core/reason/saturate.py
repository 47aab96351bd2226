"""OWL 2 EL completion over sorted columns of numbers, a batch of facts at a time.

Five kinds of facts, x and y nodes, e and f edges ("some r to y"; see core.reason.tables):

    supers   x ⊑ n                  what is sought
    yields   e ⊑ n                  what an edge implies: domains, axioms with ∃ on the left, an empty target
    implies  e ⊑ f                  what an edge implies by chains, as an edge
    next     y ⊑ f                  the edges of a node that can continue a chain
    passing  y ⊑ f                  the same where only transitivity led to f: not needed for transitivity itself, since
                                    going the same way edge by edge reaches as far

Inherited edges are not copied to every node below: when an edge yields n, the nodes that were told the edge are linked to n,
and links are inherited. Only `next` is inherited, for roles that can continue a chain which can matter. Each fact keeps the
round in which it came; its premises came in earlier rounds, so any fact can be traced back without having stored its premises
(core.reason.trace).
"""

import numpy as np

from loom.core.reason.clauses import BOTTOM_NODE, CLASH_NODE, NO_SOURCE, TOP_NODE, Clauses
from loom.core.reason.facts import NONE, Facts, Join, NodeJoin, Numbers, distinct, pieces
from loom.core.reason.tables import Flags, Tables

EDGE_BITS = 31
EDGE_MASK = (1 << EDGE_BITS) - 1


class Saturation:
    """The completed clauses. Construction does the work."""

    def __init__(self, clauses: Clauses) -> None:
        self.clauses = clauses
        self.tables = Tables(clauses)
        self.bits, self.mask = self.tables.bits, self.tables.mask
        self.round = 0
        self.supers, self.yields, self.links = Facts(), Facts(), Facts()
        self.implies, self.implies_by_transitivity, self.implied = Facts(), Facts(), Facts()
        self.next, self.passing, self.next_of, self.passing_of = Facts(), Facts(), Facts(), Facts()
        self._grouped = Facts()
        self._linked = self.tables.link_join()
        self._told_links = NodeJoin(self.tables.nodes, NONE, NONE)
        contexts = self.tables.contexts()
        fresh = self._close(self._started(contexts))
        fresh = np.concatenate((fresh, self._place_targets()))
        self._index_edges()
        self._complete(fresh)

    def _started(self, nodes: Numbers) -> list[Numbers]:
        begun = [(nodes << self.bits) | nodes]
        if self.tables.says_of_top:
            begun.append((nodes << self.bits) | TOP_NODE)
        return begun

    def _place_targets(self) -> Numbers:
        """Give every told edge its target: the filler, where it is known to lie within the ranges of the role, or a node below both."""
        tables = self.tables
        target = tables.told_filler.copy()
        wanting = np.flatnonzero(tables.range_node >= 0)
        subs: list[int] = []
        sups: list[int] = []
        sources: list[int] = []
        made: list[int] = []
        if wanting.size:
            rows = [(pair, node) for pair in wanting.tolist() for node, _ in tables.range_of[int(tables.told_role[pair])]]
            pair, node = np.array(rows, np.int64).T
            inside = self.supers.has((target[pair] << self.bits) | node)
            for one in np.unique(pair[~inside]).tolist():
                own, role = int(tables.range_node[one]), int(tables.told_role[one])
                made.append(own)
                for sup, premises in ((int(target[one]), ()), *tables.range_of[role]):
                    subs.append(own)
                    sups.append(sup)
                    sources.append(self._source(premises))
                target[one] = own
        self.edge_role, self.edge_target = tables.told_role.copy(), target
        self.told_edges = target.size
        self.own_targets = {own: None for own in made}
        if not made:
            return NONE
        tables.link_sub = np.concatenate((tables.link_sub, subs))
        tables.link_sup = np.concatenate((tables.link_sup, sups))
        tables.link_source = np.concatenate((tables.link_source, sources))
        self._linked = tables.link_join()
        return self._close(self._started(np.array(made, np.int64)))

    def _source(self, premises: tuple[int, ...]) -> int:
        if len(premises) < 2:
            return premises[0] if premises else NO_SOURCE
        self.clauses.sets.append(premises)
        return -1 - len(self.clauses.sets)

    def _index_edges(self) -> None:
        tables = self.tables
        named = np.zeros(tables.nodes, bool)
        named[[*self.clauses.classes.values(), *self.clauses.individuals.values()]] = True
        self.unnamed: Flags = ~named
        useful = tables.comes_next[tables.told_role[tables.has_pair]] if tables.has_pair.size else np.zeros(0, bool)
        self._continues = NodeJoin(tables.nodes, tables.has_sub[useful], tables.has_pair[useful])
        self._holders = NodeJoin(max(self.told_edges, 1), tables.has_pair, tables.has_sub)
        told = np.arange(self.told_edges)
        self._told_into = NodeJoin(tables.nodes, self.edge_target, told)
        self._sort_edges()

    def _sort_edges(self) -> None:
        """The joins over all edges, made anew after edges were added."""
        edges = np.arange(self.edge_role.size)
        keys = (self.edge_role << self.bits) | self.edge_target
        self._edge_order = np.argsort(keys, kind="stable")
        self._edge_keys = keys[self._edge_order]
        asking, first = self.tables.asks_filler[self.edge_role], self.tables.comes_first[self.edge_role]
        self._asking_into = NodeJoin(self.tables.nodes, self.edge_target[asking], edges[asking])
        self._first_into = NodeJoin(self.tables.nodes, self.edge_target[first], edges[first])

    def _edges(self, role: Numbers, target: Numbers) -> Numbers:
        """The numbers of these edges; those not seen before are added."""
        keys = (role << self.bits) | target
        at = np.searchsorted(self._edge_keys, keys)
        at[at == self._edge_keys.size] = 0
        missing = self._edge_keys[at] != keys if self._edge_keys.size else np.ones(keys.size, bool)
        if missing.any():
            new = np.unique(keys[missing])
            self.edge_role = np.concatenate((self.edge_role, new >> self.bits))
            self.edge_target = np.concatenate((self.edge_target, new & self.mask))
            self._sort_edges()
            at = np.searchsorted(self._edge_keys, keys)
        return self._edge_order[at]

    def _add(self, facts: Facts, candidates: list[Numbers]) -> Numbers:
        self.round += 1
        return facts.add(candidates, self.round)

    def _close(self, candidates: list[Numbers]) -> Numbers:
        """Take in facts about nodes and all that links, conjunctions and disjointness make of them; returns every new one."""
        gathered = []
        new = self._add(self.supers, candidates)
        while new.size:
            gathered.append(new)
            parts = []
            for piece in pieces(new):
                parts.append(distinct(self._consequences(piece)))
            new = self._add(self.supers, parts)
        return np.concatenate(gathered) if gathered else NONE

    def _consequences(self, facts: Numbers) -> list[Numbers]:
        node, sup = facts >> self.bits, facts & self.mask
        base = facts - sup
        parts = []
        for join in (self._linked, self._told_links):
            row, at = join.rows_of(sup)
            parts.append(base[row] | join.columns[0][at])
        row, at = self.tables.both.rows_of(sup)
        if row.size:
            other, target = self.tables.both.columns
            meets = self.supers.has(base[row] | other[at])
            parts.append(base[row][meets] | target[at][meets])
        crowded = self.tables.crowded[sup]
        if crowded.any():
            parts.append(self._meetings(base[crowded], sup[crowded]))
        parts.append(self._clashes(node, sup))
        return parts

    def _meetings(self, base: Numbers, sup: Numbers) -> Numbers:
        """The results of conjunctions of `sup` with whatever else the node is below."""
        which, fact = self.supers.between(base, base + self.mask + 1)
        row, at = self.tables.both_crowded.rows_of((sup[which] << self.bits) | (fact & self.mask))
        return base[which[row]] | self.tables.both_crowded.columns[0][at]

    def _clashes(self, node: Numbers, sup: Numbers) -> Numbers:
        """The nodes that have come under two members of a group of disjoint classes."""
        tables = self.tables
        row, at = tables.groups.rows_of(sup)
        if not row.size:
            return NONE
        group, place = tables.groups.columns
        key = (((node[row] << tables.group_bits) | group[at]) << tables.place_bits) | place[at]
        fresh = self._add(self._grouped, [key])
        prefix = np.unique(fresh >> tables.place_bits)
        which, _ = self._grouped.between(prefix << tables.place_bits, (prefix + 1) << tables.place_bits)
        twice = prefix[np.bincount(which, minlength=prefix.size) > 1]
        return (twice >> tables.group_bits << self.bits) | CLASH_NODE

    def _complete(self, fresh: Numbers) -> None:
        """Alternate between what nodes say of edges and what edges say of nodes, until neither is new."""
        row, at = self.tables.domain.rows_of(self.edge_role)
        yields = [(row << self.bits) | self.tables.domain.columns[0][at]]
        while True:
            node, sup = fresh >> self.bits, fresh & self.mask
            yields.extend(self._through(piece) for piece in pieces(fresh[self.tables.is_filler[sup]]))
            if self.tables.has_chains:
                yields.extend(self._of_chains(node, sup))
            candidates = self._spread(yields, self._of_empty(node, sup))
            if not candidates:
                return
            fresh = self._close(candidates)
            if not fresh.size:
                return
            yields = []

    def _of_empty(self, node: Numbers, sup: Numbers) -> list[Numbers]:
        """The links of the nodes that were told an edge into a node now known to be empty.

        Edges that chains imply need no such rule: whoever holds them leads to a node that holds a told one.
        """
        links = []
        for bottom, which in ((BOTTOM_NODE, sup == BOTTOM_NODE), (CLASH_NODE, (sup == CLASH_NODE) & self.unnamed[node])):
            _, at = self._told_into.rows_of(node[which])
            _, at = self._holders.rows_of(self._told_into.columns[0][at])
            links.append((self._holders.columns[0][at] << self.bits) | bottom)
        return links

    def _through(self, facts: Numbers) -> Numbers:
        """What the edges into nodes yield because of new facts about these nodes."""
        row, at = self._asking_into.rows_of(facts >> self.bits)
        return distinct([self._left(self._asking_into.columns[0][at], facts[row] & self.mask)])

    def _left(self, edge: Numbers, filler: Numbers) -> Numbers:
        """What the axioms with this filler under ∃ on the left make of the edges."""
        row, at = self.tables.left.rows_of((self.edge_role[edge] << self.bits) | filler)
        return (edge[row] << self.bits) | self.tables.left.columns[0][at]

    def _of_chains(self, node: Numbers, sup: Numbers) -> list[Numbers]:
        """Extend chains from new facts about nodes; returns what edges yield through the edges that they newly imply."""
        row, at = self._continues.rows_of(sup)
        new_next = [(node[row] << EDGE_BITS) | self._continues.columns[0][at]]
        new_passing: list[Numbers] = []
        yields: list[Numbers] = []
        known = self.edge_role.size
        while True:
            came = self._add(self.next, new_next)
            passed = self._add(self.passing, new_passing)
            self.next_of.add([self._turned(came)], self.round)
            self.passing_of.add([self._turned(passed)], self.round)
            added = np.arange(known, self.edge_role.size)
            known = self.edge_role.size
            yields.extend(self._of_new_edges(added))
            if not came.size and not passed.size and not added.size:
                return yields
            chained, transitive = self._composed(came, passed, added)
            chained = self._add(self.implies, [chained])
            transitive = self._add(self.implies_by_transitivity, [transitive])
            self.implied.add([self._turned(chained), self._turned(transitive)], self.round)
            yields.append(self._yielded(distinct([chained, transitive])))
            new_next, new_passing = self._carried(came, passed, chained, transitive)

    @staticmethod
    def _turned(pairs: Numbers) -> Numbers:
        return ((pairs & EDGE_MASK) << EDGE_BITS) | (pairs >> EDGE_BITS)

    def _of_new_edges(self, edges: Numbers) -> list[Numbers]:
        """What edges made by chains yield: domains, and the facts about their targets so far."""
        if not edges.size:
            return []
        row, at = self.tables.domain.rows_of(self.edge_role[edges])
        found = [(edges[row] << self.bits) | self.tables.domain.columns[0][at]]
        asking = edges[self.tables.asks_filler[self.edge_role[edges]]]
        target = self.edge_target[asking]
        which, fact = self.supers.between(target << self.bits, (target + 1) << self.bits)
        sup = fact & self.mask
        asked = self.tables.is_filler[sup]
        found.append(self._left(asking[which[asked]], sup[asked]))
        return found

    def _composed(self, came: Numbers, passed: Numbers, added: Numbers) -> tuple[Numbers, Numbers]:
        """The pairs of edges (e, f), e implies f, from new continuations and new edges: by chains, and by transitivity alone."""
        first = added[self.tables.comes_first[self.edge_role[added]]]
        chained: list[Numbers] = []
        transitive: list[Numbers] = []
        for pairs, store in ((came, self.next), (passed, self.passing)):
            joins = [(self.tables.by_chain, chained)]
            if store is self.next:
                joins.append((self.tables.by_transitivity, transitive))
            target = self.edge_target[first]
            which, fact = store.between(target << EDGE_BITS, (target + 1) << EDGE_BITS)
            for join, out in joins:
                out.append(self._joined(join, first[which], fact & EDGE_MASK))
            for piece in pieces(pairs):
                row, at = self._first_into.rows_of(piece >> EDGE_BITS)
                before, after = self._first_into.columns[0][at], (piece & EDGE_MASK)[row]
                for join, out in joins:
                    out.append(distinct([self._joined(join, before, after)]))
        return np.concatenate(chained), np.concatenate(transitive)

    def _joined(self, join: Join, before: Numbers, after: Numbers) -> Numbers:
        row, at = join.rows_of(self.edge_role[before] * self.tables.roles + self.edge_role[after])
        if not row.size:
            return NONE
        result = self._edges(join.columns[0][at], self.edge_target[after[row]])
        source = before[row]
        implied: Numbers = ((source << EDGE_BITS) | result)[source != result]
        return implied

    def _yielded(self, implied: Numbers) -> Numbers:
        """What new implications between edges hand back of what is already yielded."""
        edge = implied & EDGE_MASK
        which, fact = self.yields.between(edge << self.bits, (edge + 1) << self.bits)
        return ((implied[which] >> EDGE_BITS) << self.bits) | (fact & self.mask)

    def _carried(
        self, came: Numbers, passed: Numbers, chained: Numbers, transitive: Numbers
    ) -> tuple[list[Numbers], list[Numbers]]:
        """The continuations that nodes gain because their edges imply further edges."""
        gains: tuple[list[Numbers], list[Numbers]] = ([], [])
        for new, links, gained in (
            (chained, self.implies, gains[0]),
            (transitive, self.implies_by_transitivity, gains[1]),
        ):
            if gained is gains[1] and not self.tables.any_chain:
                continue
            edge, result = new >> EDGE_BITS, new & EDGE_MASK
            for store in (self.next_of, self.passing_of):
                which, fact = store.between(edge << EDGE_BITS, (edge + 1) << EDGE_BITS)
                gained.append(((fact & EDGE_MASK) << EDGE_BITS) | result[which])
            for pairs in (came, passed):
                node, edge = pairs >> EDGE_BITS, pairs & EDGE_MASK
                which, fact = links.between(edge << EDGE_BITS, (edge + 1) << EDGE_BITS)
                gained.append((node[which] << EDGE_BITS) | (fact & EDGE_MASK))
        useful = self.tables.comes_next
        return (
            [part[useful[self.edge_role[part & EDGE_MASK]]] for part in gains[0]],
            [part[useful[self.edge_role[part & EDGE_MASK]]] for part in gains[1]],
        )

    def _spread(self, yields: list[Numbers], told: list[Numbers]) -> list[Numbers]:
        """Take in what edges yield, hand it to the edges that imply them and to the nodes that hold them; new facts about nodes."""
        new = self._add(self.yields, yields)
        while new.size:
            edge, sup = new >> self.bits, new & self.mask
            which, fact = self.implied.between(edge << EDGE_BITS, (edge + 1) << EDGE_BITS)
            back = ((fact & EDGE_MASK) << self.bits) | sup[which]
            is_told = edge < self.told_edges
            row, at = self._holders.rows_of(edge[is_told])
            told.append((self._holders.columns[0][at] << self.bits) | sup[is_told][row])
            new = self._add(self.yields, [back])
        fresh = self._add(self.links, told)
        if not fresh.size:
            return []
        links, _ = self.links.columns()
        self._told_links = NodeJoin(self.tables.nodes, links >> self.bits, links & self.mask)
        return self._inherited(fresh)

    def _inherited(self, links: Numbers) -> list[Numbers]:
        """What new links say of all nodes that are already below their start."""
        join = NodeJoin(self.tables.nodes, links >> self.bits, links & self.mask)
        starts = np.zeros(self.tables.nodes, bool)
        starts[join.keys] = True
        parts = []
        for level in self.supers.parts():
            for keys in pieces(level[starts[level & self.mask]]):
                row, at = join.rows_of(keys & self.mask)
                parts.append(distinct([(keys[row] & ~self.mask) | join.columns[0][at]]))
        return parts
