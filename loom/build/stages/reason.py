"""What follows from the axioms of ontologies: classes above classes, and classes that cannot have members.

A corpus of pages has no axioms but its taxonomy, and is left as the stage `closure` made it. Where an ontology is among the
sources, its axioms and the taxonomy of the pages are classified together. An empty class is a finding and no reason to serve
nonsense: what is served is the closure without the axioms of disjointness that the explanations name, in which no class is empty.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from loom.build.stage import Stage, Work, by_iri
from loom.build.stages.closure import ancestors
from loom.core.concepts import canonical
from loom.core.rdf.wording import said
from loom.core.reason.axioms import Axiom, Declared, Named, SubClassOf, text
from loom.core.reason.closure import Closure, closure_of, is_consistent
from loom.core.reason.repair import Findings, findings, relaxed, saturated
from loom.core.text import slug_of
from loom.core.values import Concept, Iri, Json, Ref

PART = "reason"


def reason(work: Work) -> None:
    axioms = collected(work)
    if not axioms:
        return
    saturation = saturated(axioms)
    consistent = is_consistent(saturation)
    found = findings(axioms, saturation)
    left_out: Sequence[int] = ()
    if found.unsatisfiable:
        saturation, left_out = relaxed(axioms, found)
    closure = closure_of(axioms, saturation)
    if work.reasoner is not None:
        closure = _second(work, closure, axioms, set(left_out))
    _note(work, axioms, found, left_out, closure, consistent)
    _apply(work, closure)


def _second(work: Work, closure: Closure, axioms: Sequence[Axiom], left_out: Collection[int]) -> Closure:
    """What the other reasoner says of the same axioms. A class that it alone finds empty is said, and kept as it was."""
    assert work.reasoner is not None
    other = work.reasoner.classify([axiom for at, axiom in enumerate(axioms) if at not in left_out])
    known = by_iri(work.concepts)
    for iri in other.unsatisfiable:
        where = (known[iri].where,) if iri in known else ()
        work.report.note(
            "unsatisfiable-class", f"{slug_of(iri)}, by the reasoner that was given; no explanation within EL", *where
        )
    empty = set(other.unsatisfiable)
    return replace(
        other,
        parents={iri: closure.parents.get(iri, ()) if iri in empty else above for iri, above in other.parents.items()},
        ancestors={iri: closure.ancestors.get(iri, ()) if iri in empty else above for iri, above in other.ancestors.items()},
    )


def collected(work: Work) -> list[Axiom]:
    """Axioms of the ontologies, and the taxonomy of what they do not describe; nothing where there is no ontology."""
    stated = {axiom for one in work.statements for axiom in one.axioms}
    if not stated:
        return []
    described = frozenset[Iri]().union(*(one.about for one in work.statements))
    for concept in work.concepts:
        if concept.iri not in described:
            stated.add(Declared(Named(concept.iri)))
            stated.update(SubClassOf(Named(concept.iri), Named(ref.iri)) for ref in concept.parents)
    return sorted(stated, key=text)


def _apply(work: Work, closure: Closure) -> None:
    """Put what follows into the concepts: nearest classes above as parents after those that are stated, then the rest above."""
    members = frozenset[Iri]().union(*(one.members for one in work.statements))
    labels = {ref.iri: ref.label for concept in work.concepts for ref in concept.parents if ref.label}
    direct: dict[Iri, list[Iri]] = {}
    for concept in work.concepts:
        parents = [ref.iri for ref in concept.parents]
        direct[concept.iri] = list(dict.fromkeys((*parents, *closure.parents.get(concept.iri, ()))))
    for at, concept in enumerate(work.concepts):
        iri, nearest = concept.iri, direct[concept.iri]
        if iri in members:
            above = {one for parent in nearest for one in closure.ancestors.get(parent, ())}
        else:
            above = set(closure.ancestors.get(iri, ()))
        if above <= {*(ref.iri for ref in concept.ancestors or ()), *(ref.iri for ref in concept.parents)}:
            continue
        levels = ancestors(iri, direct)
        rest = sorted(above.difference(levels, nearest, (iri,)))
        work.concepts[at] = replace(
            concept,
            parents=tuple(_ref(one, concept, labels) for one in nearest),
            ancestors=tuple(_ref(one, concept, labels) for one in (*levels, *rest)),
        )


def _ref(iri: Iri, concept: Concept, labels: Mapping[Iri, str]) -> Ref:
    stated = next((ref for ref in concept.parents if ref.iri == iri), None)
    return stated or Ref(iri, labels.get(iri, ""))


def _note(
    work: Work, axioms: Sequence[Axiom], found: Findings, left_out: Sequence[int], closure: Closure, consistent: bool
) -> None:
    known = by_iri(work.concepts)

    def name(iri: Iri) -> str:
        return repr(known[iri].title) if iri in known else slug_of(iri)

    def remark(kind: str, iri: Iri, message: str) -> None:
        work.report.note(kind, message, *((known[iri].where,) if iri in known else ()))

    if not consistent:
        first = next(iter(found.roots.values()), ())
        work.report.note("inconsistent-ontology", "; ".join(said(axioms[at], name) for at in first))
    for iri, explanation in found.roots.items():
        remark("unsatisfiable-class", iri, f"{name(iri)}: " + "; ".join(said(axioms[at], name) for at in explanation))
    for iri, cause in found.causes.items():
        remark("unsatisfiable-consequence", iri, f"{name(iri)} is empty because {name(cause)} is")
    for at in found.repair:
        axiom = axioms[at]
        iri = axiom.sub.iri if isinstance(axiom, SubClassOf) and isinstance(axiom.sub, Named) else ""
        remark("repair-suggested", iri, f"take back: {said(axiom, name)}")
    for unread in closure.unread:
        work.report.note("axiom-ignored", f"{unread.kind}, {unread.count:,} times, as in {unread.example[:300]}")
    summary: dict[str, Json] = {
        "axioms": len(axioms),
        "classes": len(closure.parents),
        "unsatisfiable": len(found.unsatisfiable),
        "consistent": consistent,
    }
    if found.unsatisfiable:
        summary |= {"roots": len(found.roots), "repair": len(found.repair), "left_out": len(left_out)}
    if closure.unread:
        summary["ignored"] = {unread.kind: unread.count for unread in closure.unread}
    work.notes["reasoning"] = summary
    work.parts[PART] = {
        "findings.json": canonical(_findings(axioms, found, left_out, closure)).encode("utf-8", "replace") + b"\n"
    }


def _findings(axioms: Sequence[Axiom], found: Findings, left_out: Sequence[int], closure: Closure) -> dict[str, Json]:
    """Everything that was found, in functional syntax: for a curator's tools, where the report shows a few examples in words."""
    return {
        "unsatisfiable": list(found.unsatisfiable),
        "roots": {iri: [text(axioms[at]) for at in explanation] for iri, explanation in found.roots.items()},
        "causes": dict(found.causes),
        "repair": [text(axioms[at]) for at in found.repair],
        "left_out": [text(axioms[at]) for at in left_out],
        "ignored": [{"kind": one.kind, "count": one.count, "example": one.example} for one in closure.unread],
        "equivalents": [list(group) for group in closure.equivalents],
    }


STAGE = Stage("reason", ("closure", "rdf"), reason)
