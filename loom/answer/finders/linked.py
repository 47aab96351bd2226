"""Finds what the ontology says of the things that a question names in knowledge bases: an entity links to its concept where its
manifest says so, and the concept's unit stands beside its facts (seed 003 §6).

Where the question holds the concept's own title, the finder of the ontology finds it. Where an address binds the route, nothing is
shown but what is at the address (R11): the unit is discovered evidence, and is left out there.
"""

from collections.abc import Sequence

from loom.answer.finders.facts import Bases
from loom.answer.plan import Pin
from loom.core.concepts import Concepts
from loom.core.facts.inventory import inventory_of
from loom.core.facts.reading import read
from loom.core.facts.sealed import held_of
from loom.core.facts.tokens import folded
from loom.core.facts.values import Entity, Held
from loom.core.policy.gate import NO_PART
from loom.core.policy.policy import Policy
from loom.core.values import Candidate, Evidence, Finding, Question

WHY = "concept"
MOST = 4
"""Units beside the facts of one question."""


class LinkedFinder:
    """Concepts of named entities. Waits for nothing."""

    name = "linked"
    waits = False

    def __init__(self, bases: Bases = held_of) -> None:
        self._bases = bases

    async def find(self, question: Question, pin: Pin, policy: Policy) -> Finding:
        held, concepts = self._bases(pin.generation), pin.generation.part(Concepts)
        if held is None or concepts is None or not inventory_of(held.bases).linked:
            return Finding(self.name, reason=NO_PART)
        iris = dict.fromkeys(one.concept for one in _named(held, question) if concepts.row(one.concept) is not None)
        found = tuple(Candidate(iri, 1.0, self.name, WHY, iri) for iri in list(iris)[:MOST])
        return Finding(self.name, found, confidence=1.0, named=bool(found), reason="fact", path="address")

    async def mint(self, question: Question, pin: Pin, policy: Policy, admitted: Sequence[Candidate]) -> Sequence[Evidence]:
        concepts = pin.generation.part(Concepts)
        if concepts is None:
            return ()
        rows = [(row, one) for one in admitted if (row := concepts.row(one.iri)) is not None]
        return policy.mint(concepts, rows, question.text, hops=0, prose=False)


def _named(held: Held, question: Question) -> Sequence[Entity]:
    """The entities that a question names by a name of theirs, and not by one of their concepts."""
    stock, asked = inventory_of(held.bases), folded(question.text)
    return [
        stock.entities[iri]
        for iri in read(held, question.text, question.before).entities
        if iri in stock.linked
        and not any(_holds(asked, folded(name)) for name in (stock.entities[iri].titled, *stock.entities[iri].labels))
    ]


def _holds(text: Sequence[str], words: Sequence[str]) -> bool:
    return any(tuple(text[at : at + len(words)]) == tuple(words) for at in range(len(text) - len(words) + 1))
