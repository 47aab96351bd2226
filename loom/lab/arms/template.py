"""Template seeds: units that the wording of a set names, whatever its questions are about (lab.md, Questions).

"According to the DreamLab knowledge graph, what does X enable?" names the concept Knowledge Graph in every question. As a seed it
would be shared by all, and no two questions could be paired.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from loom.core.concepts import Concepts
from loom.core.matching.default import DefaultLexicon
from loom.core.matching.naming import places_of
from loom.core.text import slug_of, words
from loom.core.values import Iri, Json
from loom.lab.ground import Ground
from loom.lab.question import LabQuestion

SHARE = 0.5
LEAST = 3
"""Fewer questions than these that share a unit are about it, rather than worded with it."""


@dataclass(frozen=True, slots=True)
class TemplateSeed:
    """One such unit, and the share of a set's questions that it is a seed of or that name it."""

    iri: Iri
    title: str
    set: str
    share: float

    def as_json(self) -> dict[str, Json]:
        return {"iri": self.iri, "title": self.title, "set": self.set, "share": round(self.share, 4)}


def template_seeds(
    ground: Ground, questions: Sequence[LabQuestion], seeds: Sequence[frozenset[Iri]]
) -> tuple[TemplateSeed, ...]:
    """Units that are seeds of, or are named by, at least half of the questions of a set, in the order of sets and IRIs.

    `seeds` are those of each question. Naming counts as well as being a seed, since a policy that sees through the template still
    lets the donors of others hold the unit. Questions that state the unit as their subject do not count.
    """
    sizes = Counter(question.set for question in questions)
    counts: Counter[tuple[str, Iri]] = Counter()
    for question, own in zip(questions, seeds, strict=True):
        about = frozenset(question.class_slugs)
        counts.update((question.set, iri) for iri in sorted(own | _named(ground, question)) if slug_of(iri) not in about)
    concepts = ground.concepts
    return tuple(
        TemplateSeed(iri, _title(concepts, iri), set, count / sizes[set])
        for (set, iri), count in sorted(counts.items())
        if count >= LEAST and count >= SHARE * sizes[set]
    )


def _named(ground: Ground, question: LabQuestion) -> frozenset[Iri]:
    """The concepts that a prompt names; of names inside one another, the longest."""
    lexicon = ground.pin.generation.part(DefaultLexicon)
    if lexicon is None:
        return frozenset()
    concepts = ground.concepts
    return frozenset(concepts.iri(row) for row, _, _, inner in places_of(lexicon, words(question.prompt)) if not inner)


def _title(concepts: Concepts, iri: Iri) -> str:
    row = concepts.row(iri)
    return iri if row is None else concepts.title(row)


def without(question: LabQuestion, removed: Mapping[Iri, str]) -> tuple[str, ...]:
    """The gold titles of a question that are none of the removed units (title by IRI)."""
    titles, slugs = frozenset(removed.values()), frozenset(map(slug_of, removed))
    return tuple(
        target.title
        for target in question.gold
        if not (target.iri in removed or (target.slug and target.slug in slugs) or target.title in titles)
    )
