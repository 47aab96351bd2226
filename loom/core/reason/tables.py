"""Clauses as arrays, with what can be known before completion: which roles matter, what each role's hierarchy adds.

An *edge* is "some r to the node y": a number of its own, so that all nodes below a class share the edges that the class was
told. What follows from an edge depends on r and y alone.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from loom.core.reason.clauses import BOTTOM_NODE, CLASH_NODE, NO_SOURCE, TOP_NODE, Clauses
from loom.core.reason.facts import NONE, Join, NodeJoin, Numbers
from loom.core.reason.roles import Chain, Premises, Roles

Flags = np.ndarray[Any, np.dtype[np.bool_]]


CROWD = 32
"""A node in more conjunctions than this is looked up together with each of the other classes that its subclass has."""


def column(numbers: Any) -> Numbers:
    return np.array(numbers, np.int64) if len(numbers) else NONE


def below(roles: Roles) -> list[list[int]]:
    """For each role, the roles that imply it, itself included."""
    found: list[list[int]] = [[] for _ in range(roles.count)]
    for role, above in enumerate(roles.above):
        for sup in above:
            found[sup].append(role)
    return found


@dataclass(frozen=True, slots=True)
class Composition:
    """A chain for one pair of told roles: what it yields, and whether it is the transitivity of one role."""

    first: int
    second: int
    sup: int
    transitive: bool


def compositions(roles: Roles, ends: set[int]) -> list[Composition]:
    """Every pair of roles whose edges compose to something that can matter, the most specific results only.

    A chain matters when its result can reach a role in `ends` (one that stands on the left of an axiom) by hierarchy or chains.
    """
    matters = set(ends)
    chains: list[Chain] = []
    rest = list(roles.chains)
    while True:
        useful = [chain for chain in rest if not matters.isdisjoint(roles.above[chain.sup])]
        if not useful:
            break
        rest = [chain for chain in rest if chain not in useful]
        chains.extend(useful)
        for chain in useful:
            matters.update((chain.first, chain.second))
    under = below(roles)
    results: dict[tuple[int, int], dict[int, bool]] = {}
    for chain in chains:
        for first in under[chain.first]:
            for second in under[chain.second]:
                found = results.setdefault((first, second), {})
                found[chain.sup] = found.get(chain.sup, True) and chain.transitive
    out: list[Composition] = []
    for (first, second), found in sorted(results.items()):
        kept: list[int] = []
        for sup in sorted(found, key=lambda role: (-len(roles.above[role]), role)):
            if not any(sup in roles.above[other] for other in kept):
                kept.append(sup)
        out.extend(Composition(first, second, sup, found[sup]) for sup in kept)
    return out


class Tables:
    """The static side of a completion: joins by node and role, and the edges that were told.

    `bits` is the width of a node number inside a combined key. Nodes from `clauses.nodes` on stand for "the filler, and within
    the ranges of the role", one for each told role and filler that needs it.
    """

    def __init__(self, clauses: Clauses) -> None:
        self.clauses = clauses
        roles = clauses.roles
        self.roles = max(roles.count, 1)
        sub, role, filler, source = map(column, clauses.has)
        pairs, which = np.unique(role * clauses.nodes + filler, return_inverse=True)
        self.told_role, self.told_filler = pairs // clauses.nodes, pairs % clauses.nodes
        self.has_sub, self.has_pair, self.has_source = sub, which.astype(np.int64), source
        self.range_of: list[list[tuple[int, Premises]]] = [[] for _ in range(self.roles)]
        for one in range(roles.count):
            for sup, premises in roles.above[one].items():
                for node, origin in clauses.ranges.get(sup, ()):
                    self.range_of[one].append((node, tuple(sorted({*premises, *clauses.premises(origin)}))))
        ranged = np.array([bool(one) for one in self.range_of], bool)
        wants = ranged[self.told_role] if pairs.size else np.zeros(0, bool)
        self.range_node = np.where(wants, clauses.nodes + np.cumsum(wants) - 1, -1)
        self.nodes = clauses.nodes + int(wants.sum())
        self.bits = max(int(self.nodes - 1).bit_length(), 2)
        self.mask = (1 << self.bits) - 1
        link_sub, link_sup, link_source = map(column, clauses.link)
        self.link_sub = np.concatenate((link_sub, [CLASH_NODE]))
        self.link_sup = np.concatenate((link_sup, [BOTTOM_NODE]))
        self.link_source = np.concatenate((link_source, [NO_SOURCE]))
        self._prepare_both()
        self._prepare_groups()
        self._prepare_left()
        self._prepare_chains()

    def link_join(self) -> NodeJoin:
        return NodeJoin(self.nodes, self.link_sub, self.link_sup)

    def contexts(self) -> Numbers:
        """The nodes that are completed: classes, individuals, and whatever a role was told to lead to."""
        clauses = self.clauses
        plain = [*clauses.classes.values(), *clauses.individuals.values()]
        return np.unique(np.concatenate((column(plain), self.told_filler)))

    @property
    def says_of_top(self) -> bool:
        """Whether anything is said of everything."""
        return bool((self.link_sub == TOP_NODE).any() or (self.has_sub == TOP_NODE).any())

    def _prepare_both(self) -> None:
        """A conjunction is looked up from either side; from a node that stands in very many, by both sides at once."""
        one, other, target, _ = map(column, self.clauses.both)
        here, there, result = np.concatenate((one, other)), np.concatenate((other, one)), np.concatenate((target, target))
        self.crowded: Flags = np.bincount(here, minlength=self.nodes) > CROWD
        crowd = self.crowded[here]
        self.both = NodeJoin(self.nodes, here[~crowd], there[~crowd], result[~crowd])
        self.both_crowded = Join((here[crowd] << self.bits) | there[crowd], result[crowd])

    def _prepare_groups(self) -> None:
        rows = [(m, g, p) for g, (members, _) in enumerate(self.clauses.groups) for p, m in enumerate(members)]
        member, group, place = (column(rows).reshape(-1, 3)).T if rows else (NONE, NONE, NONE)
        self.groups = NodeJoin(self.nodes, member, group, place)
        self.group_bits = max((len(self.clauses.groups)).bit_length(), 1)
        self.place_bits = max((max((len(members) for members, _ in self.clauses.groups), default=1)).bit_length(), 1)

    def _prepare_left(self) -> None:
        under = below(self.clauses.roles)
        role, filler, target, source = map(column, self.clauses.left)
        self.left_roles = set(role.tolist())
        row, told = NONE, NONE
        if role.size:
            sizes = np.array([len(one) for one in under])
            flat = np.concatenate([column(one) for one in under])
            starts = np.cumsum(sizes) - sizes
            row = np.repeat(np.arange(role.size), sizes[role])
            offset = np.arange(row.size) - np.repeat(np.cumsum(sizes[role]) - sizes[role], sizes[role])
            told = flat[starts[role[row]] + offset]
        domain = filler[row] == TOP_NODE if row.size else np.zeros(0, bool)
        self.domain = NodeJoin(self.roles, told[domain], target[row][domain], row[domain])
        inner = ~domain
        self.left = Join((told[inner] << self.bits) | filler[row][inner], target[row][inner], row[inner])
        self.left_source = source
        self.is_filler: Flags = np.zeros(self.nodes, bool)
        self.is_filler[filler[filler != TOP_NODE]] = True
        self.asks_filler: Flags = np.zeros(self.roles, bool)
        self.asks_filler[told[inner]] = True

    def _prepare_chains(self) -> None:
        made = compositions(self.clauses.roles, self.left_roles)
        columns = [column([getattr(one, name) for one in made]) for name in ("first", "second", "sup")]
        transitive = np.array([one.transitive for one in made], bool)
        first, second, sup = columns
        keys = first * self.roles + second
        self.by_transitivity = Join(keys[transitive], sup[transitive])
        self.by_chain = Join(keys[~transitive], sup[~transitive])
        self.any_chain = bool((~transitive).any())
        self.comes_first: Flags = np.zeros(self.roles, bool)
        self.comes_first[first] = True
        self.comes_next: Flags = np.zeros(self.roles, bool)
        self.comes_next[second] = True
        grows = True
        while grows:
            leads = [one.first for one in made if self.comes_next[one.sup] and not self.comes_next[one.first]]
            grows = bool(leads)
            self.comes_next[leads] = True
        self.has_chains = bool(made)
