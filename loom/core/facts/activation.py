"""How strongly a question excites each base, region by region (R12, R13). It never decides about a name (R9).

A region is a unit of a document or text, a stretch of STRETCH units of a transcript, else a file; its score is the best that
`Held.search` gives anything in it. Every base is searched by itself, so that none is cut off by another's hits.
"""

from collections.abc import Callable, Mapping, Sequence
from weakref import WeakKeyDictionary

from loom.core.facts import wording
from loom.core.facts.asked import Ask
from loom.core.facts.inventory import inventory_of
from loom.core.facts.naming import names_of
from loom.core.facts.tokens import normal, tokens_of
from loom.core.facts.values import Base, Held
from loom.core.values import Iri

Activation = Mapping[Iri, Mapping[Iri, float]]
"""By base, the scores of its regions; a base or region that is absent has none."""
Activating = Callable[[Held, Ask], Activation]

STRETCH = 8
WHOLE, STRETCHED = ("document", "text"), "transcript"
"""Kinds whose units are each a region: they are sections or paragraphs, not lines; and the one whose lines are taken together."""
BEST = 64
"""Hits of a base that are looked at."""


def activate(held: Held, ask: Ask) -> Activation:
    """The scores of all regions that a question's telling words are found in."""
    terms = telling(held, ask)
    return {base.iri: _regions(held, base, terms) for base in sorted(held.bases, key=lambda base: base.iri)}


def telling(held: Held, ask: Ask) -> tuple[str, ...]:
    """The words of a question that are about something: no small ones, none that only ask, each once."""
    generic = names_of(held.bases).generic
    words = (token.folded for token in tokens_of(normal(ask.text)))
    return tuple(
        dict.fromkeys(word for word in words if word not in wording.ALL_FUNCTION and word not in generic and len(word) > 1)
    )


def _regions(held: Held, base: Base, terms: Sequence[str]) -> dict[Iri, float]:
    stock = inventory_of(held.bases)
    sources = stock.files_of(base.iri)
    scores: dict[Iri, float] = {}
    for iri, source, score in held.hits(terms, BEST, sources) if terms and sources else ():
        region = _region(stock.sources[source].kind, iri, source)
        scores[region] = max(score, scores.get(region, 0.0))
    return dict(sorted(scores.items()))


def _region(kind: str, iri: Iri, source: Iri) -> Iri:
    """Where something stands that was found in a source: units end in their number."""
    if iri == source or kind not in (*WHOLE, STRETCHED):
        return source
    if kind in WHOLE:
        return iri
    number = iri.rsplit("/", 1)[-1]
    return f"{source}#{(int(number) - 1) // STRETCH}" if number.isdecimal() and number.isascii() else source


def region_count(held: Held, base: Base) -> int:
    """How many regions a base has: at least one a file."""
    known = _COUNTED.setdefault(held, {})
    if base.iri not in known:
        known[base.iri] = sum(
            max(1, -(-len(held.spans(source.iri)) // (1 if source.kind in WHOLE else STRETCH))) for source in base.sources
        )
    return known[base.iri]


_COUNTED: WeakKeyDictionary[Held, dict[Iri, int]] = WeakKeyDictionary()
"""Kept for as long as the bases are held."""
