"""The home of a claim: the domains of all its signals and the homes of all its claims, over all justifications (§1, I10)."""

from collections.abc import Iterable, Mapping
from heapq import heapify, heappop, heappush
from itertools import pairwise

import numpy as np

from loom.core.claims.graph import Graph, column, column_of, seen

BITS = 64
"""Domains that one pass over the graph carries."""


class Homes:
    """A set of domains for each node, as bits of one integer; equal sets are kept once, since many distinct ones are large."""

    __slots__ = ("_bits", "_names", "_numbers", "_sets", "of")

    def __init__(self) -> None:
        self._names: list[str] = []
        self._bits: dict[str, int] = {}
        self._sets: list[int] = [0]
        self._numbers: dict[int, int] = {0: 0}
        self.of = column()
        """The number of each node's set."""

    def grow(self, domains: frozenset[str] = frozenset()) -> None:
        self.of.append(self._number(self._set(domains)))

    def file(self, signal: int, domains: frozenset[str]) -> None:
        self.of[signal] = self._number(self._set(domains))

    def domains(self, node: int) -> frozenset[str]:
        return self._read(self._sets[self.of[node]])

    def _set(self, domains: frozenset[str]) -> int:
        for name in sorted(domains - self._bits.keys()):
            self._bits[name] = 1 << len(self._names)
            self._names.append(name)
        return sum(self._bits[name] for name in domains)

    def _read(self, bits: int) -> frozenset[str]:
        found = []
        while bits:
            low = bits & -bits
            found.append(self._names[low.bit_length() - 1])
            bits ^= low
        return frozenset(found)

    def _number(self, bits: int) -> int:
        number = self._numbers.setdefault(bits, len(self._sets))
        if number == len(self._sets):
            self._sets.append(bits)
        return number

    def _decided(self, graph: Graph, claim: int) -> int:
        bits = 0
        for just in graph.justifications(claim):
            for node in graph.antecedents(just):
                bits |= self._sets[self.of[node]]
        return self._number(bits)

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
        """The homes of a whole graph, given those of its signals: `BITS` domains at a time, rank by rank."""
        filed = sorted({*domains.values()}, key=sorted)
        bits_of = {each: self._set(each) for each in filed}
        owners = seen(graph.owner)[seen(graph.edge_just)]
        level = seen(graph.rank)[owners]
        order = np.argsort(level, kind="stable")
        ends = np.cumsum(np.bincount(level)).tolist() if len(level) else []
        over, under = owners[order], seen(graph.edge_node)[order]
        del owners, level, order
        sets = [0]
        number = np.zeros(len(graph), np.int64)
        signals = np.fromiter(domains, np.int64, len(domains))
        for first in range(0, len(self._names), BITS):
            some = (1 << BITS) - 1
            part = {each: bits >> first & some for each, bits in bits_of.items()}
            mask = np.zeros(len(graph), np.uint64)
            mask[signals] = np.fromiter((part[each] for each in domains.values()), np.uint64, len(domains))
            for start, end in pairwise(ends):
                np.bitwise_or.at(mask, over[start:end], mask[under[start:end]])
            masks, which = np.unique(mask, return_inverse=True)
            pairs, number = np.unique(number * len(masks) + which, return_inverse=True)
            held = zip((pairs // len(masks)).tolist(), masks[pairs % len(masks)].tolist(), strict=True)
            sets = [sets[before] | found << first for before, found in held]
        fresh = [each for each in sets if each not in self._numbers]  # each of `sets` is there once
        self._numbers.update(zip(fresh, range(len(self._sets), len(self._sets) + len(fresh)), strict=True))
        self._sets += fresh
        numbers = np.fromiter(map(self._numbers.__getitem__, sets), np.int32, len(sets))
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
