"""Where a question is answered from (R9, R11 to R13).

What is named is always routed, whatever any score says, and an address binds the route to its owners: nothing else contributes. A
reference that nobody owns is an address too, of nobody: what asks for its values or passages, or insists on the name by quoting it,
is answered by a note alone. Without a
name, a base is routed that is excited in several of its regions, or whose declared words of metrics the question uses.
"""

import math
from collections.abc import Mapping

from loom.core.facts.absence import notes
from loom.core.facts.activation import Activating, Activation, activate, region_count
from loom.core.facts.asked import Ask, Route
from loom.core.facts.naming import names_of
from loom.core.facts.references import insisted
from loom.core.facts.subjects import subjects
from loom.core.facts.tokens import folded
from loom.core.facts.values import Base, Held
from loom.core.values import Iri

SUSTAINED = 2
"""Regions that have to be excited, or all of a base that has fewer (R12)."""
FLOOR = 1.0
"""The score of a base that an address binds, and the least of one that is routed by a name or a declared word."""
DIGITS = 6


def route(held: Held, ask: Ask, activation: Activation | Activating = activate) -> Route:
    """`activation` gives the scores of regions by base, or is given them. An address asks for none; without one every base is scored
    (R13). Ties go by IRI."""
    named = subjects(held, ask)
    binding = [subject for subject in named if subject.binds]
    found = notes(held, ask)
    if binding and not (ask.unowned and _asks_for_values(ask) and all(one.kind == "base" for one in binding)):
        # What only anchors does so inside the address. Called by more than one word, or held against it, it adds its base and files.
        adding = [one for one in named if one.binds or ask.compares or len(folded(one.name)) > 1]
        owners = {one.base for one in adding}
        bound = {one.base for one in binding}
        files = frozenset(file.iri for one in adding if one.binds or one.base not in bound for file in one.sources)
        return Route(_ranked(dict.fromkeys(owners, FLOOR)), True, files, found)
    if ask.unowned and (_asks_for_values(ask) or any(insisted(ask.text, name, names_of(held.bases)) for name in ask.unowned)):
        return Route(committed=True, notes=found)
    bases = sorted(held.bases, key=lambda base: base.iri)
    scores = activation(held, ask) if callable(activation) else activation
    strengths = {base.iri: strength(base, scores.get(base.iri, {}), region_count(held, base)) for base in bases}
    routed = {iri: score for iri, (sustained, score) in strengths.items() if sustained}
    for base in bases:
        if any(metric.iri in ask.metrics for metric in base.metrics):
            routed[base.iri] = max(strengths[base.iri][1], base.threshold, FLOOR)
    best = max((score for _, score in strengths.values()), default=0.0)
    # A name outranks every score; among names their own decide.
    routed |= {one.base: round(FLOOR + best + strengths[one.base][1], DIGITS) for one in named}
    return Route(_ranked(routed), False, frozenset(), found)


def strength(base: Base, regions: Mapping[Iri, float], count: int) -> tuple[bool, float]:
    """Whether enough regions exceed the base's threshold, and the mean of its best so many; `count` is how many regions it has.
    A score that is no finite number is none."""
    finite = sorted((score for score in regions.values() if math.isfinite(score)), reverse=True)
    wanted = min(SUSTAINED, max(1, count, len(regions)))
    best = finite[:wanted]
    excited = sum(score > max(0.0, base.threshold) for score in best)
    return excited >= wanted, max(0.0, round(sum(best) / wanted, DIGITS))


def _asks_for_values(ask: Ask) -> bool:
    """Whether anything is asked that would be given under a name."""
    return bool(ask.metrics or ask.statistics or ask.positions or ask.passage)


def _ranked(scores: Mapping[Iri, float]) -> tuple[tuple[Iri, float], ...]:
    return tuple(sorted(scores.items(), key=lambda one: (-one[1], one[0])))
