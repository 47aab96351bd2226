"""Finds concepts by their names and titles."""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from loom.answer.finders.switches import ALL, Switches
from loom.answer.plan import Pin
from loom.core.concepts import Concepts
from loom.core.matching import default, reference
from loom.core.matching.default import DefaultLexicon
from loom.core.matching.lexicon import Lexicon
from loom.core.matching.match import Match
from loom.core.matching.reference import ReferenceLexicon
from loom.core.policy.policy import Policy
from loom.core.text import slug_of
from loom.core.values import Candidate, Evidence, Finding, Iri, Question

Search = Callable[[Lexicon, np.ndarray, str, int], list[Match]]

MATCHERS: dict[str, tuple[type[Lexicon], Search]] = {
    "reference": (ReferenceLexicon, reference.search),
    "default": (DefaultLexicon, default.search),
}

# A candidate this much weaker than the best is about something else, unless the question uses its name.
FAR = 0.35


class OntologyFinder:
    """Lexical matches over the concepts of the pinned generation. Never waits."""

    name = "ontology"
    waits = False

    def __init__(self, *, max_units: int = 4, hops: int = 1, prose: bool = False, switches: Switches = ALL) -> None:
        self.switches = switches
        self._max_units = max_units
        self._hops = hops
        self._prose = prose

    async def find(self, question: Question, pin: Pin, policy: Policy) -> Finding:
        kind, search = MATCHERS[policy.matcher]
        lexicon, concepts = pin.generation.part(kind), pin.generation.part(Concepts)
        if lexicon is None or concepts is None:
            return Finding(self.name)
        limit = self._max_units if question.options.max_units is None else question.options.max_units
        matches = search(lexicon, concepts.quality, question.text, limit)
        if not matches:
            return Finding(self.name)
        best = matches[0]
        if policy.matcher == "reference":
            candidates = tuple(_candidate(concepts, match) for match in matches)
            return Finding(self.name, candidates, named=best.named, reason="exact" if best.named else "lexical")
        candidates = tuple(_candidate(concepts, match) for match in matches if match.named or match.score >= FAR * best.score)
        return Finding(
            self.name,
            candidates,
            confidence=round(max(_confidence(lexicon, match) for match in matches), 6),
            named=best.named,
            reason="exact" if best.named else "lexical",
        )

    async def mint(self, question: Question, pin: Pin, policy: Policy, admitted: Sequence[Candidate]) -> Sequence[Evidence]:
        concepts = pin.generation.part(Concepts)
        if concepts is None:
            return ()
        rows = [(row, candidate) for candidate in admitted if (row := concepts.row(candidate.iri)) is not None]
        options = question.options
        return policy.mint(
            concepts,
            rows,
            question.text,
            hops=self._hops if options.hops is None else options.hops,
            prose=self._prose if options.prose is None else options.prose,
        )


def _candidate(concepts: Concepts, match: Match) -> Candidate:
    iri = concepts.remembered(match.row, Concepts.iri)
    return Candidate(iri, match.score, "lexical", "name" if match.named else "words", _home(iri))


@lru_cache(maxsize=4096)
def _home(iri: Iri) -> Iri:
    """The namespace of an IRI."""
    return iri[: len(iri) - len(slug_of(iri))]


def _confidence(lexicon: Lexicon, match: Match) -> float:
    """How far a match is to be trusted, 0 to 1: a name of several words nearly always means its concept, one word the more the
    rarer it is among titles, and shared words by the share of the title that they make up, squared: half of a title is most
    often somebody else's word."""
    words = round((match.score - default.SHARE * match.share) / default.NAME)
    if match.named:
        return 0.95 if words > 1 else 0.6 + 0.3 * min(1.0, float(lexicon.scale[match.row]) / RAREST)
    return 0.75 * match.share * match.share


# Weight of a word that one title in ten thousand holds.
RAREST = 9.5
