"""The fake of every reasoner: the same conclusions by the plain way, class by class, for a handful of axioms."""

from collections.abc import Sequence

from loom.core.reason.axioms import NOTHING, THING, Axiom
from loom.core.reason.clauses import BOTTOM_NODE, clauses_of
from loom.core.reason.closure import Closure
from loom.core.reason.explain import minimal
from loom.core.reason.plain import Completion, entails
from loom.core.values import Iri


class FakeReasoner:
    """Asks about every pair of classes. `asked` counts the ontologies that it was given."""

    def __init__(self) -> None:
        self.asked = 0

    def classify(self, axioms: Sequence[Axiom]) -> Closure:
        self.asked += 1
        clauses = clauses_of(axioms)
        names = sorted(iri for iri in clauses.classes if iri not in (THING, NOTHING))
        completion = Completion(clauses, clauses.classes.values())
        empty = tuple(iri for iri in names if completion.holds(clauses.classes[iri], BOTTOM_NODE))
        above = {
            one: {other for other in names if other != one and completion.holds(clauses.classes[one], clauses.classes[other])}
            for one in names
            if one not in empty
        }
        alike = {one: {other for other in over if one in above.get(other, ())} for one, over in above.items()}
        over = {one: found - alike[one] for one, found in above.items()}
        nearest = {one: {up for up in found if not any(up in over[other] for other in found)} for one, found in over.items()}
        return Closure(
            parents={one: tuple(sorted(nearest.get(one, ()))) for one in names},
            ancestors={one: tuple(sorted(above.get(one, ()))) for one in names},
            equivalents=tuple(sorted({tuple(sorted({one, *same})) for one, same in alike.items() if same})),
            unsatisfiable=empty,
            consistent=not completion.inconsistent,
        )

    def explain(self, iri: Iri, axioms: Sequence[Axiom]) -> tuple[Axiom, ...]:
        everything = range(len(axioms))
        if not entails(axioms, everything, iri, NOTHING):
            return ()
        return tuple(axioms[position] for position in minimal(axioms, everything, iri, NOTHING))
