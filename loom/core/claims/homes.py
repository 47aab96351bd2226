"""The home of a claim: the domains of all its signals and the homes of all its claims, over all justifications (§1, I10)."""

from collections.abc import Iterable, Mapping
from heapq import heapify, heappop, heappush
from itertools import pairwise

import numpy as np

from loom.core.claims.graph import Graph, column, column_of, seen

BITS = 64
"""Domains that one pass over the graph carries."""


class Homes:
    """A set of domains for each node; equal sets are kept once."""

    __slots__ = ("_numbers", "_sets", "of")

    def __init__(self) -> None:
        self._sets: list[frozenset[str]] = [frozenset()]
        self._numbers: dict[frozenset[str], int] = {frozenset(): 0}
        self.of = column()
        """The number of each node's set."""

    def grow(self, domains: frozenset[str] = frozenset()) -> None:
        self.of.append(self._number(domains))

    def file(self, signal: int, domains: frozenset[str]) -> None:
        self.of[signal] = self._number(domains)

    def domains(self, node: int) -> frozenset[str]:
        return self._sets[self.of[node]]

    def _number(self, domains: frozenset[str]) -> int:
        number = self._numbers.setdefault(domains, len(self._sets))
        if number == len(self._sets):
            self._sets.append(domains)
        return number

    def _decided(self, graph: Graph, claim: int) -> int:
        numbers = {self.of[node] for just in graph.justifications(claim) for node in graph.antecedents(just)}
        return (
            self._number(frozenset[str]().union(*(self._sets[each] for each in numbers)))
            if len(numbers) != 1
            else numbers.pop()
        )

    def follow(self, graph: Graph, moved: Iterable[int]) -> dict[int, frozenset[str]]:
        """Recompute the homes of `moved` (claims whose antecedents changed) and of what rests on them, as far as they change.

        Returns the former home of every claim whose home changed."""
        queued = set(moved)
        waiting = [(graph.rank[node], node) for node in queued]
        heapify(waiting)
        former: dict[int, frozenset[str]] = {}
        while waiting:
            _, claim = heappop(waiting)
            now = self._decided(graph, claim)
            if now == self.of[claim]:
                continue
            former[claim] = self.domains(claim)
            self.of[claim] = now
            for over in graph.dependents(claim):
                if over not in queued:
                    queued.add(over)
                    heappush(waiting, (graph.rank[over], over))
        return former

    def fill(self, graph: Graph, domains: Mapping[int, frozenset[str]]) -> None:
        """The homes of a whole graph, given those of its signals: as bits, 64 domains at a time, rank by rank."""
        names = sorted(frozenset[str]().union(*set(domains.values())))
        owners = seen(graph.owner)[seen(graph.edge_just)]
        level = seen(graph.rank)[owners]
        order = np.argsort(level, kind="stable")
        ends = np.cumsum(np.bincount(level)).tolist() if len(level) else []
        over, under = owners[order], seen(graph.edge_node)[order]
        sets = [frozenset[str]()]
        number = np.zeros(len(graph), np.int64)
        for first in range(0, len(names), BITS):
            some = names[first : first + BITS]
            bit = {name: 1 << place for place, name in enumerate(some)}
            mask = np.zeros(len(graph), np.uint64)
            of_set = {each: sum(bit.get(name, 0) for name in each) for each in set(domains.values())}
            mask[np.fromiter(domains, np.int64, len(domains))] = [of_set[each] for each in domains.values()]
            for start, end in pairwise(ends):
                np.bitwise_or.at(mask, over[start:end], mask[under[start:end]])
            masks, which = np.unique(mask, return_inverse=True)
            pairs, number = np.unique(number * len(masks) + which, return_inverse=True)
            found = [frozenset(name for name in some if bit[name] & each) for each in masks.tolist()]
            sets = [sets[pair // len(masks)] | found[pair % len(masks)] for pair in pairs.tolist()]
        numbers = np.array([self._number(each) for each in sets], np.int32)
        self.of = column_of(numbers[number])

    def anew(self, graph: Graph) -> list[frozenset[str]]:
        """The homes of all nodes from scratch; signals keep what they are filed under."""
        made = [self.domains(node) for node in range(len(graph))]
        for claim in sorted(
            (node for node in range(len(graph)) if graph.claim[node]), key=lambda node: (graph.rank[node], node)
        ):
            below = {made[node] for just in graph.justifications(claim) for node in graph.antecedents(just)}
            made[claim] = frozenset[str]().union(*below)
        return made
