"""Which relations of a corpus T-REL asks for."""

from collections import Counter
from collections.abc import Iterable, Sequence

from loom.core.concepts import ANCESTOR, Concepts
from loom.core.errors import BadInput
from loom.core.relations import known
from loom.lab.questions.subjects import Subject
from loom.lab.questions.wording import PLAIN

ENOUGH = 0.25
"""The share of what a corpus states below which the five relations are not what it is about, so that all are asked for."""


def asked_relations(concepts: Concepts, subjects: Iterable[Subject], wanted: Sequence[str] | None) -> dict[int, str]:
    """By its number, each relation that is asked for, under the name by which its question is worded.

    Those `wanted` by name; else the five of the paper in whatever spelling; else, of a corpus that says little by these, every
    relation that it has. Raises BadInput for a name that it does not have.
    """
    names = {number: known(name) or name for number, name in enumerate(concepts.predicates) if number > ANCESTOR}
    if wanted is not None:
        chosen = {number: name for number, name in names.items() if {name, concepts.predicates[number]} & set(wanted)}
        there = {*chosen.values(), *(concepts.predicates[at] for at in chosen)}
        missing = [name for name in wanted if name not in there]
        if missing:
            raise BadInput(
                f"Expected a relation among {', '.join(names.values()) or '(the corpus has none)'}, but got {missing[0]!r}.",
                param="relation",
            )
        return chosen
    stated = Counter(number for subject in subjects for number, _ in subject.links.relations)
    five = {number: name for number, name in names.items() if name in PLAIN}
    enough = sum(stated[number] for number in five) >= ENOUGH * sum(stated.values())
    return five if five and enough else names
