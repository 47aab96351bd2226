"""Statements by subject: the form in which an ontology is read."""

from collections.abc import Iterator, Mapping, Sequence

from loom.core.rdf.terms import Literal, Node, Term, Triple
from loom.core.rdf.vocab import FIRST, NIL, REST
from loom.core.values import Iri

LONGEST_LIST = 1_000_000


class Graph:
    """A set of statements; subjects, predicates and objects in the order in which they first came."""

    __slots__ = ("_of",)

    def __init__(self) -> None:
        self._of: dict[Node, dict[Iri, dict[Term, None]]] = {}

    def add(self, subject: Node, predicate: Iri, obj: Term) -> None:
        self._of.setdefault(subject, {}).setdefault(predicate, {})[obj] = None

    def __len__(self) -> int:
        return sum(len(objects) for stated in self._of.values() for objects in stated.values())

    def __contains__(self, subject: Node) -> bool:
        return subject in self._of

    def __iter__(self) -> Iterator[Triple]:
        for subject, stated in self._of.items():
            for predicate, objects in stated.items():
                for obj in objects:
                    yield subject, predicate, obj

    def subjects(self) -> Iterator[Node]:
        return iter(self._of)

    def about(self, subject: Node) -> Mapping[Iri, Mapping[Term, None]]:
        """Everything that is stated of a subject."""
        return self._of.get(subject, {})

    def of(self, subject: Node, predicate: Iri) -> Sequence[Term]:
        """Objects of one subject and predicate."""
        return tuple(self._of.get(subject, {}).get(predicate, ()))

    def nodes(self, subject: Node, predicate: Iri) -> list[Node]:
        stated = self._of.get(subject)
        if stated is None or predicate not in stated:
            return []
        return [one for one in stated[predicate] if isinstance(one, str)]

    def literals(self, subject: Node, predicate: Iri) -> list[Literal]:
        stated = self._of.get(subject)
        if stated is None or predicate not in stated:
            return []
        return [one for one in stated[predicate] if isinstance(one, Literal)]

    def members(self, head: Node) -> list[Term]:
        """The members of an RDF list, as far as it is one: it ends where it has no further cell, or comes back."""
        found: list[Term] = []
        seen: set[Node] = set()
        while head != NIL and head not in seen and len(found) < LONGEST_LIST:
            seen.add(head)
            found += self.of(head, FIRST)[:1]
            further = self.nodes(head, REST)
            if not further:
                break
            head = further[0]
        return found
