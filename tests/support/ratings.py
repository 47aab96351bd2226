"""A finder of computed evidence for tests: what a fact about ratings would be, without a base that it is computed from."""

from collections.abc import Sequence

from loom.answer.plan import Pin
from loom.core.mint.make import make
from loom.core.policy.policy import Policy
from loom.core.values import Candidate, Evidence, Finding, Question, Tier

RATED = "urn:kb:test:entity/tide-kiln"
FACT = "Tide Kiln, audience share, max: 37.5 % at second 146 [source: tides.csv]"
LOWEST = "Tide Kiln, audience share, min: 20.50 % at second 284 [source: tides.csv]"
FETCHED = "Nobody opens the door of the kiln. [source: tides.txt]"


class RatingsFinder:
    """Facts of the Tide Kiln, for questions that speak of a peak; in a second round a passage, too."""

    name = "ratings"
    waits = False

    async def find(self, question: Question, pin: Pin, policy: Policy) -> Finding:
        if "peak" not in question.text:
            return Finding(self.name)
        return Finding(self.name, (Candidate(RATED, 1.0, "ratings", "name"),), confidence=0.99, named=True, reason="fact")

    async def mint(self, question: Question, pin: Pin, policy: Policy, admitted: Sequence[Candidate]) -> Sequence[Evidence]:
        lines = [(FACT, ("Tide Kiln",)), (LOWEST, ("Tide Kiln",)), *([(FETCHED, ())] if question.fetch else [])]
        return [make(iri=RATED, title="Tide Kiln", lines=lines, tier=Tier.COMPUTED, must=True, found=each) for each in admitted]
