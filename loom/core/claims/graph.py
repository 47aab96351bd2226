"""The graph of justifications over node numbers: which antecedents each justification has, and which justifications use a node.

Columns of 32-bit integers, linked by position: adding is constant, nothing is rebuilt, a million claims with five million
antecedents take about 130 MB. Every node has a rank above those of its antecedents, so a change is followed in rank order and an
ancestor search needs to look no lower than the claim it is about.
"""

from array import array
from collections.abc import Iterable, Iterator
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from loom.core.claims.spreading import Flags, Ints, grouped, spread
from loom.core.errors import BadInput

END = -1


def column(values: Iterable[int] = ()) -> "array[int]":
    """A growable column of 32-bit integers."""
    return array("i", values)


def seen(values: "array[int]") -> Ints:
    """A column as numpy sees it, without a copy. The column cannot grow while this is held."""
    return np.frombuffer(values, np.int32) if len(values) else np.empty(0, np.int32)


def column_of(values: NDArray[np.generic]) -> "array[int]":
    """A growable column with these values."""
    made = array("i")
    made.frombytes(np.ascontiguousarray(values, np.int32).tobytes())
    return made


class Graph:
    """Nodes are numbered from 0 in the order in which they came, justifications too."""

    __slots__ = (
        "_first_edge",
        "_first_just",
        "_first_use",
        "_next_edge",
        "_next_just",
        "_next_use",
        "_verdicts",
        "claim",
        "edge_just",
        "edge_node",
        "owner",
        "rank",
        "verdict",
    )

    def __init__(self) -> None:
        self.claim = bytearray()
        """1 for claims, 0 for signals, by node."""
        self.rank = column()
        self.owner = column()
        """The claim of each justification."""
        self.verdict = bytearray()
        """1 for justifications that a supports verdict wrote."""
        self.edge_node = column()
        self.edge_just = column()
        self._first_just = column()
        self._next_just = column()
        self._first_edge = column()
        self._next_edge = column()
        self._first_use = column()
        self._next_use = column()
        self._verdicts: dict[int, set[int]] = {}
        """What verdicts support with, of the claims that it was asked of."""

    @classmethod
    def of(cls, claim: Flags, owner: Ints, edge_just: Ints, edge_node: Ints, verdict: Flags | None = None) -> "Graph":
        """A graph from its columns, whole. Raises BadInput where it has a cycle, or a claim without justification."""
        made = cls()
        count = len(claim)
        made.claim = bytearray(np.asarray(claim, np.uint8).tobytes())
        made.owner, made.edge_just, made.edge_node = column_of(owner), column_of(edge_just), column_of(edge_node)
        made.verdict = bytearray(len(owner)) if verdict is None else bytearray(np.asarray(verdict, np.uint8).tobytes())
        made._first_just, made._next_just = _linked(owner, count)
        made._first_edge, made._next_edge = _linked(edge_just, len(owner))
        made._first_use, made._next_use = _linked(edge_node, count)
        waves = ranks(made)
        if len(waves) and waves.min() < 0:
            raise BadInput(
                f"Expected justifications without a cycle and at least one for every claim, but {int((waves < 0).sum())} claims lie "
                "on or behind a cycle, or have none.",
                param="justifications",
            )
        made.rank = column_of(waves)
        return made

    def __len__(self) -> int:
        return len(self.claim)

    def add_node(self, *, claim: bool) -> int:
        self.claim.append(claim)
        self.rank.append(0)
        self._first_just.append(END)
        self._first_use.append(END)
        return len(self.claim) - 1

    def add_justification(self, claim: int, antecedents: Iterable[int], *, verdict: bool = False) -> int:
        """A further justification of a claim. That none of the antecedents rests on the claim was asked before (`rests_on`)."""
        made = len(self.owner)
        self.owner.append(claim)
        self.verdict.append(verdict)
        self._next_just.append(self._first_just[claim])
        self._first_just[claim] = made
        self._first_edge.append(END)
        for node in antecedents:
            self.add_antecedent(made, node)
        if verdict and claim in self._verdicts:
            self._verdicts[claim].add(next(self.antecedents(made)))
        return made

    def add_antecedent(self, just: int, node: int) -> None:
        """One more antecedent, behind the first that was written."""
        edge = len(self.edge_node)
        self.edge_node.append(node)
        self.edge_just.append(just)
        self._next_use.append(self._first_use[node])
        self._first_use[node] = edge
        first = self._first_edge[just]
        if first == END:
            self._next_edge.append(END)
            self._first_edge[just] = edge
        else:
            self._next_edge.append(self._next_edge[first])
            self._next_edge[first] = edge
        claim = self.owner[just]
        if self.rank[claim] <= self.rank[node]:
            self._raise(claim, self.rank[node] + 1)

    def _raise(self, claim: int, rank: int) -> None:
        """Give a claim a higher rank, and whatever rests on it where that no longer lies above; in the old order, each once."""
        waiting = [(self.rank[claim], claim)]
        wanted = {claim: rank}
        while waiting:
            _, node = heappop(waiting)
            rank = wanted[node]
            if self.rank[node] >= rank:
                continue
            self.rank[node] = rank
            for over in self.dependents(node):
                if self.rank[over] <= rank:
                    if over not in wanted:
                        heappush(waiting, (self.rank[over], over))
                    wanted[over] = max(wanted.get(over, 0), rank + 1)

    def verdicts(self, claim: int) -> set[int]:
        """The nodes that verdicts found to support a claim; told once from its justifications, and kept up."""
        found = self._verdicts.get(claim)
        if found is None:
            found = {next(self.antecedents(just)) for just in self.justifications(claim) if self.verdict[just]}
            self._verdicts[claim] = found
        return found

    def justifications(self, claim: int) -> Iterator[int]:
        """The justifications of a claim, the latest first."""
        just = self._first_just[claim]
        while just != END:
            yield just
            just = self._next_just[just]

    def antecedents(self, just: int) -> Iterator[int]:
        """The antecedents of a justification; the first is the first that was written."""
        edge = self._first_edge[just]
        while edge != END:
            yield self.edge_node[edge]
            edge = self._next_edge[edge]

    def dependents(self, node: int) -> Iterator[int]:
        """The claims that list a node as an antecedent, once for each justification that does."""
        edge = self._first_use[node]
        while edge != END:
            yield self.owner[self.edge_just[edge]]
            edge = self._next_use[edge]

    def rests_on(self, node: int, claim: int) -> bool:
        """Whether a node is a claim or has it among its ancestors: the check before a claim gains that node (§3, seed 001 §3.4)."""
        if node == claim:
            return True
        floor = self.rank[claim]
        waiting, met = [node], {node}
        while waiting:
            for just in self.justifications(waiting.pop()):
                for below in self.antecedents(just):
                    if below == claim:
                        return True
                    if below not in met and self.rank[below] > floor:
                        met.add(below)
                        waiting.append(below)
        return False


def _linked(keys: Ints, count: int) -> "tuple[array[int], array[int]]":
    """First position by key, and the next position of the same key."""
    start, order = grouped(keys, count)
    first = np.full(count, END, np.int32)
    held = start[1:] > start[:-1]
    first[held] = order[start[:-1][held]]
    following = np.full(len(keys), END, np.int32)
    if len(keys) > 1:
        same = keys[order[1:]] == keys[order[:-1]]
        following[order[:-1][same]] = order[1:][same]
    return column_of(first), column_of(following)


def ranks(graph: Graph) -> Ints:
    """Ranks from scratch: the longest way from a signal, and -1 for what lies on or behind a cycle."""
    count = len(graph)
    reached = np.frombuffer(bytes(graph.claim), np.bool_) == 0
    return spread(
        tails=seen(graph.edge_node),
        groups=seen(graph.owner)[seen(graph.edge_just)],
        reaches=np.arange(count, dtype=np.int32),
        reached=reached,
        barred=np.zeros(count, np.bool_),
    )
