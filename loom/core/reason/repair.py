"""Empty classes told apart: root causes, which are empty for reasons of their own, and the consequences of these; and the few
statements whose removal leaves no class empty.

A class is a root when it clashes without another class being empty: two disjoint classes above it, say, reached by a way that is
shorter than the clash of any other class above it. It is a consequence when a class above it, or one that its roles lead to, is
empty already.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from loom.core.reason.axioms import THING, Axiom, Named, SubClassOf
from loom.core.reason.clauses import BOTTOM_NODE, CLASH_NODE, Clauses, clauses_of
from loom.core.reason.closure import empty_classes, is_consistent
from loom.core.reason.explain import Explainer
from loom.core.reason.facts import Numbers
from loom.core.reason.roles import RoleAxiom
from loom.core.reason.saturate import Saturation
from loom.core.reason.trace import Fact
from loom.core.values import Iri


@dataclass(frozen=True, slots=True)
class Findings:
    """What is wrong with an ontology. Axioms are positions in it.

    `roots` maps each root cause to a minimal explanation; `causes` maps every other empty class to a root that makes it empty.
    Of an inconsistent ontology owl:Thing is the one root;
    `disjointness` holds the axioms that say that something is empty or disjoint, as far as explanations name them; `repair`
    holds the statements whose removal leaves no class empty, those that mend most first.
    """

    unsatisfiable: tuple[Iri, ...] = ()
    roots: Mapping[Iri, tuple[int, ...]] = field(default_factory=dict)
    causes: Mapping[Iri, Iri] = field(default_factory=dict)
    disjointness: tuple[int, ...] = ()
    repair: tuple[int, ...] = ()


class Blame:
    """Roots and causes of the empty classes of one completed ontology."""

    def __init__(self, explainer: Explainer, saturation: Saturation) -> None:
        self._trace = explainer.trace
        self._of = saturation
        clauses = saturation.clauses
        self._name = {node: iri for iri, node in clauses.classes.items()} | {
            node: iri for iri, node in clauses.individuals.items()
        }
        bits, mask = saturation.bits, saturation.mask
        clashing: set[int] = set()
        for keys in saturation.supers.parts():
            clashing.update((keys[(keys & mask) == CLASH_NODE] >> bits).tolist())
        self._clashing = clashing & set(self._name) - {BOTTOM_NODE}
        self._cause: dict[int, int] = {}
        self.roots = sorted(node for node in self._clashing if self._is_root(node))
        self._roots = set(self.roots)

    def _above(self, node: int) -> Numbers:
        low = np.array([node << self._of.bits], np.int64)
        return self._of.supers.between(low, low + self._of.mask + 1)[1] & self._of.mask

    def _clashing_above(self, node: int) -> list[int]:
        """The other named nodes above this one, of another meaning, that clashed no later."""
        found = [one for one in self._above(node).tolist() if one != node and one in self._clashing]
        if not found:
            return []
        back = self._of.supers.has((np.array(found, np.int64) << self._of.bits) | node)
        own = self._trace.round(Fact("supers", node, CLASH_NODE))
        different = [one for one, same in zip(found, back.tolist(), strict=True) if not same]
        return [one for one in different if self._trace.round(Fact("supers", one, CLASH_NODE)) <= own]

    def _is_root(self, node: int) -> bool:
        if self._clashing_above(node):
            return False
        behind = self._trace.behind(Fact("supers", node, CLASH_NODE))
        helpers = [fact.one for fact in behind if fact.other == CLASH_NODE and fact.one not in self._name]
        return not any(self._clashing_above(helper) for helper in helpers)

    def cause(self, node: int) -> int | None:
        """The root that makes a node empty, by the derivation that came first."""
        path: list[int] = []
        current: int | None = node
        while current is not None and current not in self._roots and current not in self._cause:
            path.append(current)
            current = self._next(current, path)
        found = current if current is None or current in self._roots else self._cause[current]
        if found is not None:
            for one in path:
                self._cause[one] = found
        return found

    def _next(self, node: int, path: Sequence[int]) -> int | None:
        """The node whose emptiness comes before that of this one."""
        above = [one for one in self._clashing_above(node) if one not in path]
        if above:
            return min(above, key=lambda one: (one not in self._roots, one))
        for bottom in (CLASH_NODE, BOTTOM_NODE):
            fact = Fact("supers", node, bottom)
            if self._trace.holds(fact):
                for behind in self._trace.behind(fact):
                    if behind.kind == "supers" and behind.one != node and behind.other in (BOTTOM_NODE, CLASH_NODE):
                        return behind.one
        return None

    def name(self, node: int) -> Iri:
        return self._name[node]


def states_emptiness(axiom: Axiom) -> bool:
    """Whether the axiom by itself says that something is empty or disjoint. Without such axioms no class is ever empty."""
    clauses = clauses_of((axiom,))
    clashes = any(CLASH_NODE in targets for targets in (clauses.link[1], clauses.left[2], clauses.both[2]))
    return clashes or bool(clauses.groups) or any(node == CLASH_NODE for rows in clauses.ranges.values() for node, _ in rows)


def is_edge(axiom: Axiom) -> bool:
    """Whether the axiom puts one named class below another: what a curator can take back."""
    plain = isinstance(axiom, SubClassOf) and isinstance(axiom.sub, Named) and isinstance(axiom.sup, Named)
    return plain and not states_emptiness(axiom)


def saturated(axioms: Sequence[Axiom], without: Iterable[int] = (), whole: Clauses | None = None) -> Saturation:
    """The completed ontology, axioms at the given positions left out; `whole` are the clauses of all axioms, where at hand."""
    left_out = frozenset(without)
    if whole is not None and not any(isinstance(axioms[position], RoleAxiom) for position in left_out):
        return Saturation(whole.without(left_out))
    chosen = None if not left_out else [position for position in range(len(axioms)) if position not in left_out]
    return Saturation(clauses_of(axioms, chosen))


def findings(axioms: Sequence[Axiom], saturation: Saturation | None = None) -> Findings:
    """Every empty class, why, and what would mend it. Order of the axioms decides between equally good answers."""
    saturation = saturation or saturated(axioms)
    empty = empty_classes(saturation)
    if not empty:
        return Findings()
    explainer = Explainer(axioms, saturation)
    roots, causes = _blamed(explainer, saturation, empty)
    named = {position for explanation in roots.values() for position in explanation if states_emptiness(axioms[position])}
    return Findings(tuple(empty), roots, causes, tuple(sorted(named)), repair(axioms, saturation))


def _blamed(
    explainer: Explainer, saturation: Saturation, empty: list[Iri]
) -> tuple[dict[Iri, tuple[int, ...]], dict[Iri, Iri]]:
    """The roots with their explanations, and the root of every other empty class; both in the order of IRIs."""
    if not is_consistent(saturation):
        return {THING: explainer.explain(THING) or ()}, dict.fromkeys(empty, THING)
    blame = Blame(explainer, saturation)
    nodes = saturation.clauses.classes
    roots = {iri: explainer.explain(iri) or () for iri in empty if nodes[iri] in blame.roots}
    causes: dict[Iri, Iri] = {}
    for iri in empty:
        if iri not in roots:
            cause = blame.cause(nodes[iri])
            causes[iri] = blame.name(cause) if cause is not None else next(iter(roots))
    return roots, causes


def removable(axioms: Sequence[Axiom], positions: Iterable[int]) -> list[int]:
    """What may be taken back of an explanation: its edges; where it has none, whatever does not state emptiness; else all."""
    found = list(positions)
    for allowed in (is_edge, lambda axiom: not states_emptiness(axiom)):
        chosen = [position for position in found if allowed(axioms[position])]
        if chosen:
            return chosen
    return found


def repair(axioms: Sequence[Axiom], saturation: Saturation | None = None) -> tuple[int, ...]:
    """A small set of statements whose removal leaves no class empty: checked, and none of it superfluous.

    Greedy: of all root causes at once, the statement that stands in most explanations goes first; then the rest is looked at
    again, since a class may be empty for a second reason. What turns out not to be needed is put back.
    """
    removed: list[int] = []
    reasons: list[frozenset[int]] = []
    current = saturation or saturated(axioms)
    whole = current.clauses
    while traces := _traces(axioms, current):
        reasons.extend(map(frozenset, traces))
        choices = [removable(axioms, trace) for trace in traces]
        removed.extend(_hitting(choices, _weights(axioms, current, choices)))
        current = saturated(axioms, removed, whole)
    return tuple(_needed(axioms, removed, reasons, whole))


def _traces(axioms: Sequence[Axiom], saturation: Saturation) -> list[list[int]]:
    """One derivation of every root cause, as positions of axioms; none where no class is empty."""
    if not empty_classes(saturation):
        return []
    explainer = Explainer(axioms, saturation)
    if not is_consistent(saturation):
        return [explainer.trace_of(THING) or []]
    return [explainer.trace.axioms(Fact("supers", node, CLASH_NODE)) for node in Blame(explainer, saturation).roots]


def _weights(axioms: Sequence[Axiom], saturation: Saturation, sets: list[list[int]]) -> dict[int, int]:
    """For each position, how many classes lie below the class that its axiom speaks of: what its removal may change."""
    below = np.zeros(saturation.tables.nodes, np.int64)
    for keys in saturation.supers.parts():
        below += np.bincount(keys & saturation.mask, minlength=below.size)
    weights = {}
    for position in {position for one in sets for position in one}:
        axiom = axioms[position]
        weights[position] = below.size
        if isinstance(axiom, SubClassOf) and isinstance(axiom.sub, Named):
            weights[position] = int(below[saturation.clauses.classes[axiom.sub.iri]])
    return weights


def _hitting(sets: list[list[int]], weights: Mapping[int, int]) -> list[int]:
    """Positions that meet every set: each time the one in most of the sets not yet met; of those that tie, the lightest, the first."""
    open_sets = [set(one) for one in sets if one]
    chosen = []
    while open_sets:
        counts = Counter(position for one in open_sets for position in one)
        best = min(counts, key=lambda position: (-counts[position], weights[position], position))
        chosen.append(best)
        open_sets = [one for one in open_sets if best not in one]
    return chosen


def _needed(axioms: Sequence[Axiom], removed: list[int], reasons: list[frozenset[int]], whole: Clauses) -> list[int]:
    """The removed positions without those that can be put back.

    One is needed where a known reason for emptiness holds no other; the rest are tried, several at once.
    """
    kept = list(removed)

    def doubtful(candidates: list[int]) -> list[int]:
        taken = set(kept)
        alone = {position for reason in reasons if len(met := reason & taken) == 1 for position in met}
        return [position for position in candidates if position in taken and position not in alone]

    def put_back(candidates: list[int]) -> None:
        nonlocal kept
        candidates = doubtful(candidates)
        if not candidates:
            return
        rest = [position for position in kept if position not in candidates]
        if not empty_classes(saturated(axioms, rest, whole)):
            kept = rest
        elif len(candidates) > 1:
            middle = len(candidates) // 2
            put_back(candidates[middle:])
            put_back(candidates[:middle])

    put_back(removed)
    return kept


def relaxed(axioms: Sequence[Axiom], found: Findings) -> tuple[Saturation, tuple[int, ...]]:
    """The ontology completed without the axioms of emptiness that explanations name, and their positions: nothing is empty in it.

    What an explanation hides behind the first reason comes to light once that is gone, so this goes on until no class is empty.
    """
    left_out = set(found.disjointness)
    while True:
        saturation = saturated(axioms, left_out)
        empty = empty_classes(saturation)
        if not empty:
            return saturation, tuple(sorted(left_out))
        roots, _ = _blamed(Explainer(axioms, saturation), saturation, empty)
        left_out.update(at for explanation in roots.values() for at in explanation if states_emptiness(axioms[at]))
