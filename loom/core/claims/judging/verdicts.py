"""Supports, contradicts or unrelated, by rules (specs/claims.md §11). How far they reach is measured in docs/claims/judgements.md.

Where no rule is sure the verdict is unrelated: contradictions are rare in real text, so that precision matters most (seed 001 §3.4).
"""

from loom.core.claims.judging.asked import Pair
from loom.core.claims.judging.entailing import covers
from loom.core.claims.judging.given import Opinion
from loom.core.claims.judging.lexicon import endings
from loom.core.claims.judging.opposing import opposed, pairs_of
from loom.core.claims.judging.statement import read

SUPPORTS = 0.75
"""The share of a claim's terms that a statement has to hold in order to support it."""


def verdict(pair: Pair) -> Opinion:
    """The verdict on a pair. Contradiction does not depend on which comes first; support does."""
    new, candidate = read(pair.new), read(pair.candidate)
    if rule := opposed(new, candidate):
        return Opinion("contradicts", rule)
    more = endings() & new.terms - candidate.terms
    odd = (new.denied(candidate) + candidate.denied(new) + len({a for a, _ in pairs_of(new, candidate)})) % 2
    if not more and not odd and covers(new, candidate, least=SUPPORTS):
        return Opinion("supports", "paraphrase")
    return Opinion("unrelated")
