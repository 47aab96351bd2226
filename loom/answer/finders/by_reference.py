"""What the reference policy finds: the reference matcher's list as it is."""

from loom.answer.plan import Pin
from loom.core.concepts import Concepts
from loom.core.matching import reference
from loom.core.matching.match import Match
from loom.core.matching.reference import ReferenceLexicon
from loom.core.text import home_of
from loom.core.values import Candidate, Finding, Iri


def find(source: str, pin: Pin, concepts: Concepts, text: str, limit: int) -> Finding:
    lexicon = pin.generation.part(ReferenceLexicon)
    matches = reference.search(lexicon, concepts.quality, text, limit) if lexicon is not None else []
    if not matches:
        return Finding(source)
    named = matches[0].named
    found = tuple(_candidate(concepts, match) for match in matches)
    return Finding(source, found, named=named, reason="exact" if named else "lexical", path="lexical")


def _candidate(concepts: Concepts, match: Match) -> Candidate:
    iri: Iri = concepts.remembered(match.row, Concepts.iri)
    return Candidate(iri, match.score, "lexical", "name" if match.named else "words", home_of(iri))
