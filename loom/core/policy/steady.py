"""What keeps the bytes before a follow-up the same, so that a model's prefix cache survives it.

The block stands in the leading message, before the whole conversation: whenever it changes, everything after it is read anew. A
follow-up is therefore shown the block of the question that set its topic where that holds all it would be shown; else what that
block showed comes first, in its order.
"""

from collections.abc import Sequence

from loom.core.values import Block, Evidence


def in_order_of(earlier: Block, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The evidence with what an earlier block showed first, in its order; the rest after it as it was."""
    places = {served.evidence.iri: place for place, served in enumerate(earlier.served)}
    return sorted(evidence, key=lambda each: places.get(each.iri, len(places)))


def holds(earlier: Block, block: Block) -> bool:
    """Whether an earlier block shows every line that a block shows, of the same units."""
    shown = {served.evidence.iri: frozenset(served.lines) for served in earlier.served}
    return all(shown.get(served.evidence.iri, frozenset()).issuperset(served.lines) for served in block.served)
