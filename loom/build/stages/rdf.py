"""Statements of the sources that consist of them: axioms and triples, taken over once their concepts have been read."""

from dataclasses import replace

from loom.build.stage import Source, Stage, Work
from loom.core.rdf.statements import Statements
from loom.core.reason.axioms import And, Axiom, Equivalent, Expression, Not, Opaque, Or, Some, SubClassOf
from loom.core.values import Iri
from loom.ports import StatementReader


def take(work: Work) -> None:
    for source in work.sources:
        if isinstance(source.reader, StatementReader):
            stated = source.reader.statements()
            work.statements.append(replace(stated, about=stated.about & _held(work, source)))
    for concept in work.concepts:
        if concept.deprecated:
            by = f", replaced by {', '.join(concept.replaced_by)}" if concept.replaced_by else ""
            work.report.note("deprecated-concept", f"{concept.title!r} {concept.iri}{by}", concept.where)
    for stated in work.statements:
        _unread(stated, work)


def _held(work: Work, source: Source) -> frozenset[Iri]:
    """The concepts of a source that were taken: what another source describes, too, is that one's where it came first."""
    if len(work.sources) == 1:
        return frozenset(concept.iri for concept in work.concepts)
    below = f"{source.name}/"
    return frozenset(concept.iri for concept in work.concepts if concept.where.file.startswith(below))


def _unread(stated: Statements, work: Work) -> None:
    seen: set[str] = set()
    for axiom in stated.axioms:
        for opaque in _opaque(axiom):
            if opaque.kind in ("Circle", "TooLarge") and opaque.text not in seen:
                seen.add(opaque.text)
                work.report.note("large-expression", f"{opaque.kind}: {opaque.text}")


def _opaque(value: Axiom | Expression) -> list[Opaque]:
    match value:
        case SubClassOf(sub, sup):
            return _opaque(sub) + _opaque(sup)
        case Equivalent(parts) | And(parts) | Or(parts):
            return [one for part in parts for one in _opaque(part)]
        case Some(_, inner) | Not(inner):
            return _opaque(inner)
        case Opaque():
            return [value]
        case _:
            return []


STAGE = Stage("rdf", ("read",), take)
