"""Ancestors by the taxonomy of named classes.

Breadth first over parents: the direct parents in the order in which they are stated, then level by level, each in the order
of IRIs. A concept's own IRI and owl:Thing are never among its ancestors; what is a direct parent is not repeated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from loom.build.stage import Stage, Work
from loom.core.pages.record import THING
from loom.core.values import Iri, Ref


def ancestors(iri: Iri, parents: Mapping[Iri, Sequence[Iri]]) -> list[Iri]:
    """What is above a concept beyond its direct parents. Ends on cycles."""
    direct = parents.get(iri, ())
    seen = {iri, *THING}
    found: list[Iri] = []
    level: Sequence[Iri] = direct
    while level:
        fresh = [one for one in dict.fromkeys(level) if one not in seen]
        seen.update(fresh)
        found += fresh
        level = sorted({above for one in fresh for above in parents.get(one, ())})
    stated = set(direct)
    return [one for one in found if one not in stated]


def close(work: Work) -> None:
    """Ancestors for every concept. What a single source states holds; of several, ancestors are computed over all of them."""
    several = len(work.sources) > 1
    parents = {concept.iri: [ref.iri for ref in concept.parents] for concept in work.concepts}
    for at, concept in enumerate(work.concepts):
        computed = tuple(Ref(iri) for iri in ancestors(concept.iri, parents))
        stated = concept.ancestors
        if stated is None:
            work.concepts[at] = replace(concept, ancestors=computed)
            continue
        have, want = [ref.iri for ref in stated], [ref.iri for ref in computed]
        if several:
            known = {*want, *parents[concept.iri], concept.iri}
            extra = tuple(ref for ref in dict.fromkeys(stated) if ref.iri not in known)
            if have != want:
                work.report.note(
                    "ancestors-recomputed", f"{concept.iri}: {len(have)} stated, {len(want)} computed", concept.where
                )
            work.concepts[at] = replace(concept, ancestors=computed + extra)
        elif have != want:
            work.report.note("stated-ancestors-differ", f"{concept.iri}: {_difference(have, want)}", concept.where)


def _difference(have: Sequence[Iri], want: Sequence[Iri]) -> str:
    if set(have) == set(want):
        return "the same in another order"
    more, fewer = [one for one in have if one not in want], [one for one in want if one not in have]
    parts = [f"{name} {', '.join(ones[:3])}" for name, ones in (("stated only", more), ("computed only", fewer)) if ones]
    return "; ".join(parts)


STAGE = Stage("closure", ("read",), close)
