"""What a question asks of a graph: its shape, the subjects that it names, the relations."""

from collections.abc import Sequence
from dataclasses import dataclass

from loom.core.concepts import ANCESTOR, IS_A
from loom.core.matching.default import DefaultLexicon
from loom.core.matching.naming import places_of
from loom.core.mint.asked import NARROWER, asked_for
from loom.core.retrieval.look import SPEAKS_OF
from loom.core.retrieval.stem import stem, terms
from loom.core.retrieval.text import TextIndex
from loom.core.text import words
from loom.core.values import Iri
from loom.lab.ground import Ground

COMMON, PARENT, RELATION, DESCRIBE = "common ancestor", "parent", "relation", "describe"
SUBJECTS, TELLING_WORDS = 4, 3
SHORTEST = 4
"""Letters of a stem that is worth searching for."""

_TOGETHER = frozenset("common share shared shares both between".split())


@dataclass(frozen=True, slots=True)
class AskedOfGraph:
    """The shape, the subjects by IRI (longest name first), the names of the relations asked for, and words to search labels for
    where no name was found."""

    shape: str
    subjects: tuple[Iri, ...]
    relations: tuple[str, ...]
    words: tuple[str, ...]


def asked_of_graph(ground: Ground, prompt: str, out: frozenset[Iri]) -> AskedOfGraph:
    """How a question reads to one who may only query. Units in `out` (named by the template) are no subjects."""
    concepts = ground.concepts
    text = SPEAKS_OF.sub("", prompt) or prompt
    subjects = _subjects(ground, text, out)
    asked = asked_for(concepts.predicates, text)
    names = tuple(concepts.predicates[number] for number in sorted(asked) if number not in (IS_A, ANCESTOR, NARROWER))
    above = not asked.isdisjoint((IS_A, ANCESTOR, NARROWER))
    if len(subjects) > 1 and not _TOGETHER.isdisjoint(words(text)):
        shape = COMMON
    elif names and not above:
        shape = RELATION
    else:
        shape = PARENT if above else DESCRIBE
    return AskedOfGraph(shape, subjects, names, () if subjects else _telling(ground, text))


def _subjects(ground: Ground, text: str, out: frozenset[Iri]) -> tuple[Iri, ...]:
    lexicon = ground.pin.generation.part(DefaultLexicon)
    if lexicon is None:
        return ()
    concepts = ground.concepts
    written = words(text)
    places = [
        (-n, -sum(map(len, written[start : start + n])), start, row)
        for row, start, n, inner in places_of(lexicon, written)
        if not inner
    ]
    found = dict.fromkeys(concepts.iri(row) for *_, row in sorted(places))
    return tuple(iri for iri in found if iri not in out)[:SUBJECTS]


def _telling(ground: Ground, text: str) -> tuple[str, ...]:
    """The words of a text that tell most, rarest first; after them their stems."""
    index = ground.pin.generation.part(TextIndex)
    written = [word for word in dict.fromkeys(words(text)) if terms(word)]
    if index is None:
        return _with_stems(written[:TELLING_WORDS])
    weights = [max((float(index.weight[n]) for n in index.numbers(terms(word)) if n >= 0), default=0.0) for word in written]
    order = sorted(range(len(written)), key=lambda at: (-weights[at], at))
    return _with_stems([written[at] for at in order if weights[at] > 0][:TELLING_WORDS])


def _with_stems(written: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*written, *(found for word in written if len(found := stem(word)) >= SHORTEST))))
