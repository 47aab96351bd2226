"""What a source of statements gives beside its concepts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from loom.core.reason.axioms import Axiom
from loom.core.values import Iri


@dataclass(frozen=True, slots=True)
class Statements:
    """Axioms, and the statements as lines of N-Triples without blank nodes.

    `implied` are relations between concepts that restrictions state; `relations` names the property of each relation;
    `about` holds the concepts that these lines describe, so that nobody describes them again; `broader` those of them that
    SKOS orders, `members` those that are individuals.
    """

    axioms: Sequence[Axiom] = ()
    asserted: Sequence[str] = ()
    implied: Sequence[str] = ()
    prefixes: Mapping[str, Iri] = field(default_factory=dict)
    relations: Mapping[str, Iri] = field(default_factory=dict)
    about: frozenset[Iri] = frozenset()
    broader: frozenset[Iri] = frozenset()
    members: frozenset[Iri] = frozenset()
