"""Supports, contradicts or unrelated, by rules (specs/claims.md §11). How far they reach is measured in docs/claims/judgements.md.

Where no rule is sure the verdict is unrelated: contradictions are rare in real text, so that precision matters most (seed 001 §3.4).
"""

from loom.core.claims.judging.asked import Pair
from loom.core.claims.judging.entailing import covers
from loom.core.claims.judging.given import Opinion
from loom.core.claims.judging.opposing import opposed, pairs_of
from loom.core.claims.judging.statement import Statement, read


def verdict(pair: Pair) -> Opinion:
    """The verdict on a pair. Contradiction does not depend on which comes first; support does."""
    new, candidate = read(pair.new), read(pair.candidate)
    if rule := opposed(new, candidate):
        return Opinion("contradicts", rule)
    if new.foreign or candidate.foreign:
        return Opinion("unrelated")
    more = new.endings - candidate.terms
    odd = (new.denied(candidate) + candidate.denied(new) + len({a for a, _ in pairs_of(new, candidate)})) % 2
    if not more and not odd and _of_one(new, candidate) and covers(new, candidate, exactly=False):
        return Opinion("supports", "paraphrase")
    return Opinion("unrelated")


def _of_one(new: Statement, candidate: Statement) -> bool:
    """Whether both speak of one subject: what stands before the verb, unless one of the two turns it round ("was sold by")."""
    return new.passive != candidate.passive or bool(set(new.head) & set(candidate.head))
