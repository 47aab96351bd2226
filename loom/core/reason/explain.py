"""Why something follows: few axioms that are enough, and none of which can be spared.

The trace of one derivation is enough already, and small; what can be spared is then looked for inside it alone, never in the
whole ontology.
"""

from collections.abc import Sequence

from loom.core.reason.axioms import NOTHING, THING, Axiom
from loom.core.reason.clauses import BOTTOM_NODE, CLASH_NODE, TOP_NODE
from loom.core.reason.plain import entails
from loom.core.reason.saturate import Saturation
from loom.core.reason.trace import Fact, Trace
from loom.core.values import Iri


def minimal(axioms: Sequence[Axiom], enough: Sequence[int], sub: Iri, sup: Iri) -> tuple[int, ...]:
    """Of positions that are enough to put `sub` below `sup`, a set of which every single one is needed.

    Axioms are dropped in runs first, then one by one, so that a long trace costs few tries.
    """
    kept = list(enough)
    size = max(len(kept) // 4, 1)
    while True:
        at = 0
        while at < len(kept):
            fewer = kept[:at] + kept[at + size :]
            if entails(axioms, fewer, sub, sup):
                kept = fewer
            else:
                at += size
        if size == 1:
            return tuple(kept)
        size = max(size // 4, 1)


class Explainer:
    """Explanations from one completed ontology. Explanations are positions of axioms, ascending."""

    def __init__(self, axioms: Sequence[Axiom], saturation: Saturation) -> None:
        self._axioms = axioms
        self._saturation = saturation
        self.trace = Trace(saturation)

    def fact_of_empty(self, iri: Iri) -> Fact | None:
        """The fact that makes a class empty, for its own reasons where there are such; None for a class that may have members."""
        nodes = self._saturation.clauses.classes
        everything = [TOP_NODE, *self._saturation.clauses.individuals.values()]
        starts = ([nodes[iri]] if iri in nodes else []) + everything
        for node in starts:
            for bottom in (CLASH_NODE, BOTTOM_NODE):
                fact = Fact("supers", node, bottom)
                if self.trace.holds(fact):
                    return fact
        return None

    def trace_of(self, sub: Iri, sup: Iri = NOTHING) -> list[int] | None:
        """Positions that are enough to put `sub` below `sup`, not yet minimal; None if that does not follow."""
        empty = self.fact_of_empty(sub)
        if empty is not None:
            return self.trace.axioms(empty)
        if sup in (THING, sub):
            return []
        nodes = self._saturation.clauses.classes
        if sup == NOTHING or sub not in nodes or sup not in nodes:
            return None
        if self.trace.holds(fact := Fact("supers", nodes[sub], nodes[sup])):
            return self.trace.axioms(fact)
        everything = Fact("supers", TOP_NODE, nodes[sup])
        return self.trace.axioms(everything) if self.trace.holds(everything) else None

    def explain(self, sub: Iri, sup: Iri = NOTHING) -> tuple[int, ...] | None:
        """A minimal set of axioms from which `sub` is below `sup` (by default: is empty); None if that does not follow."""
        enough = self.trace_of(sub, sup)
        return None if enough is None else minimal(self._axioms, enough, sub, sup)
