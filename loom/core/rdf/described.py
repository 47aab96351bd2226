"""A concept as statements: the same vocabulary as its Turtle form (`loom.core.represent`), without prose and backlinks."""

from collections.abc import Iterator

from loom.core.rdf.terms import quoted
from loom.core.rdf.vocab import DCTERMS, OWL, RDFS, SKOS, TYPE, XSD
from loom.core.represent import LOOM, escape_iri, predicate_iri
from loom.core.values import Concept, Iri

_IS_CLASS = f"<{TYPE}> <{OWL}Class> ."
_SUB_CLASS = f"<{RDFS}subClassOf>"
_LABEL = f"<{RDFS}label>"


def asserted(concept: Concept) -> Iterator[str]:
    """What the source states of a concept, as lines of N-Triples."""
    me = f"<{escape_iri(concept.iri)}>"
    yield f"{me} {_IS_CLASS}"
    for predicate, text in (
        (RDFS + "label", concept.title),
        (SKOS + "definition", concept.full or concept.definition),
        (LOOM + "domain", concept.domain),
        (LOOM + "maturity", concept.maturity),
        (DCTERMS + "source", str(concept.where)),
        *((SKOS + "altLabel", alias) for alias in concept.aliases),
    ):
        if text:
            yield f"{me} <{predicate}> {quoted(text)} ."
    if concept.quality is not None:
        yield f'{me} <{LOOM}quality> "{float(concept.quality)!r}"^^<{XSD}double> .'
    if concept.deprecated:
        yield f'{me} <{OWL}deprecated> "true"^^<{XSD}boolean> .'
    for ref in concept.parents:
        yield f"{me} {_SUB_CLASS} <{escape_iri(ref.iri)}> ."
    for name, refs in concept.relations:
        predicate = predicate_iri(name)
        for ref in refs:
            yield f"{me} <{predicate}> <{escape_iri(ref.iri)}> ."


def labelled(iri: Iri, label: str) -> str:
    """The label of something that is referred to and not defined."""
    return f"<{escape_iri(iri)}> {_LABEL} {quoted(label)} ."


def below(iri: Iri, above: Iri, predicate: Iri) -> str:
    return f"<{escape_iri(iri)}> <{predicate}> <{escape_iri(above)}> ."
