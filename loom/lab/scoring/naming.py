"""Corpus titles in answers, by the lexicon of a generation: what precision and names per answer are counted over."""

from collections.abc import Sequence

from loom.core.concepts import Concepts
from loom.core.errors import BadInput
from loom.core.exposure import READERS, beyond
from loom.core.generation import Generation
from loom.core.matching.default import DefaultLexicon
from loom.lab.scoring.scored import Titles


def titles_of(generation: Generation) -> Titles:
    """What finds the titles that an answer names and its question does not. Raises BadInput for a generation without titles."""
    concepts, lexicon = generation.part(Concepts), generation.part(DefaultLexicon)
    if concepts is None or lexicon is None:
        raise BadInput(f"Expected a generation with concepts, but {generation.id[:19]} has none.", param="generation")

    def titles(answer: str, question: str) -> Sequence[str]:
        return beyond(concepts, lexicon, answer, [READERS["default"](question)])

    return titles
