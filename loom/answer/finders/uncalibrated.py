"""What names find in a generation of which nothing was learned (it is very small, or older than this): fixed bounds of trust."""

from loom.answer.finders.addresses import address
from loom.core.concepts import Concepts
from loom.core.matching import default
from loom.core.matching.default import DefaultLexicon
from loom.core.matching.match import Match
from loom.core.retrieval.choose import FAR_BELOW
from loom.core.retrieval.text import TextIndex
from loom.core.values import Finding

SEVERAL, ONE, RARE_ONE, WORDS = 0.95, 0.6, 0.3, 0.75
RAREST = 9.5
"""Weight of a word that one title in ten thousand holds."""


def find(source: str, concepts: Concepts, lexicon: DefaultLexicon, index: TextIndex | None, text: str, limit: int) -> Finding:
    known = None if index is None else lambda word: index.everyday(word) > 0
    matches = default.search(lexicon, concepts.quality, text, limit, known)
    if not matches:
        return Finding(source)
    best = matches[0]
    kept = [match for match in matches if match.named or match.score >= FAR_BELOW * best.score]
    return Finding(
        source,
        tuple(address(concepts, match.row, match.score, "lexical", match.how) for match in kept),
        confidence=round(max(_confidence(lexicon, match) for match in matches), 6),
        named=best.named,
        reason="exact" if best.named else "lexical",
        path="lexical",
    )


def _confidence(lexicon: DefaultLexicon, match: Match) -> float:
    """A name of several words nearly always means its concept, one word the more the rarer it is among titles, and shared words
    by the share of the title that they make up, squared: half of a title is most often somebody else's word."""
    if match.named:
        return SEVERAL if match.name_words > 1 else ONE + RARE_ONE * min(1.0, float(lexicon.scale[match.row]) / RAREST)
    return WORDS * match.share * match.share
