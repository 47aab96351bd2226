"""The reasoner in process: OWL 2 EL, whole ontology in memory, deterministic."""

from collections.abc import Sequence

from loom.core.reason.axioms import Axiom
from loom.core.reason.clauses import clauses_of
from loom.core.reason.closure import Closure, closure_of
from loom.core.reason.explain import Explainer
from loom.core.reason.saturate import Saturation
from loom.core.values import Iri


class ElReasoner:
    """Complete for OWL 2 EL without datatypes and without identity through nominals; right for whatever else it is given."""

    name = "el"

    def classify(self, axioms: Sequence[Axiom]) -> Closure:
        return closure_of(axioms, Saturation(clauses_of(axioms)))

    def explain(self, iri: Iri, axioms: Sequence[Axiom]) -> tuple[Axiom, ...]:
        """A minimal set of axioms from which the class is empty, in their order; none for a class that may have members."""
        found = Explainer(axioms, Saturation(clauses_of(axioms))).explain(iri)
        return tuple(axioms[position] for position in found or ())
