"""What the reference policy finds: the reference matcher's list as it is."""

from loom.answer.finders.addresses import address
from loom.answer.plan import Pin
from loom.core.concepts import Concepts
from loom.core.matching import reference
from loom.core.matching.reference import ReferenceLexicon
from loom.core.values import Finding


def find(source: str, pin: Pin, concepts: Concepts, text: str, limit: int) -> Finding:
    lexicon = pin.generation.part(ReferenceLexicon)
    matches = reference.search(lexicon, concepts.quality, text, limit) if lexicon is not None else []
    if not matches:
        return Finding(source)
    named = matches[0].named
    found = tuple(address(concepts, match.row, match.score, "lexical", "name" if match.named else "words") for match in matches)
    return Finding(source, found, named=named, reason="exact" if named else "lexical", path="lexical")
