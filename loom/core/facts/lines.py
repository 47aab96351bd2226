"""Knowledge bases as N-Triples: what SPARQL asks about facts, units of content, and what was there when.

Classes `loom:Base`, `loom:Source`, `loom:Entity`, `loom:Metric`, `loom:Fact`, `loom:Span`. Names are `rdfs:label`, further ones
`skos:altLabel` with their language. A fact has `loom:value` and `loom:position` as decimals where they are numbers, and as texts,
to the letter, in `loom:valueText` and `loom:positionText`; a span has `loom:start`, `loom:end` (none where it is open) and
`loom:text`. `loom:during` leads from a fact to the span at its position.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal

from loom.core.facts.numerals import plain
from loom.core.facts.values import Base, Fact, Names, Span
from loom.core.rdf.terms import quoted
from loom.core.rdf.vocab import LABEL, SKOS, TYPE, XSD
from loom.core.represent import LOOM, escape_iri
from loom.core.values import Iri

_ALIAS = SKOS + "altLabel"
MOST_STATED = 20_000
"""Stated values of one table that are statements; of more, none is: they stay in arrays, as readings do."""


def base_lines(base: Base) -> Iterator[str]:
    yield from _named(base.iri, "Base", base.title, base.aliases)
    for source in base.sources:
        yield from _named(source.iri, "Source", source.title, source.aliases)
        yield _link(source.iri, "base", base.iri)
        yield _text(source.iri, LOOM + "kind", source.kind)
        yield from (_link(source.iri, "about", entity) for entity in source.entities)
        if source.attribute:
            yield _text(source.iri, LOOM + "attribute", source.attribute)
    for entity in base.entities:
        yield from _named(entity.iri, "Entity", entity.name, entity.aliases)
        yield _link(entity.iri, "base", base.iri)
        if entity.concept:
            yield _link(entity.iri, "concept", entity.concept)
    for metric in base.metrics:
        yield from _named(metric.iri, "Metric", metric.name, metric.words)
        yield _link(metric.iri, "base", base.iri)
        if metric.unit:
            yield _text(metric.iri, LOOM + "unit", metric.unit)


def told(facts: Iterable[Fact], most: int = MOST_STATED) -> Iterator[Fact]:
    """The facts that are statements: of a table that states more than `most` values none of these is one."""
    facts = list(facts)
    rows = Counter(fact.source for fact in facts if fact.statistic == "stated")
    return (fact for fact in facts if fact.statistic != "stated" or rows[fact.source] <= most)


def fact_lines(facts: Iterable[Fact]) -> Iterator[str]:
    for fact in facts:
        me = fact.iri
        yield _type(me, "Fact")
        for name, other in (("source", fact.source), ("entity", fact.entity), ("metric", fact.metric)):
            if other:
                yield _link(me, name, other)
        for name, text in (
            ("statistic", fact.statistic), ("valueText", fact.value), ("unit", fact.unit), ("positionText", fact.position),
        ):  # fmt: skip
            if text:
                yield _text(me, LOOM + name, text)
        for name, number in (("value", fact.number), ("position", fact.at)):
            if number:
                yield _decimal(me, name, Decimal(number))
        for name, count in (("row", fact.row), ("ties", fact.ties)):
            if count:
                yield f'<{escape_iri(me)}> <{LOOM}{name}> "{count}"^^<{XSD}integer> .'


def span_lines(spans: Iterable[Span]) -> Iterator[str]:
    for span in spans:
        yield _type(span.iri, "Span")
        yield _link(span.iri, "source", span.source)
        yield _decimal(span.iri, "start", span.start)
        if span.end is not None:
            yield _decimal(span.iri, "end", span.end)
        yield _text(span.iri, LABEL, span.label)
        yield _text(span.iri, LOOM + "text", span.text)


def alignments(facts: Iterable[Fact]) -> Iterator[str]:
    """What was there at the position of each fact: this is computed, not stated."""
    return (_link(fact.iri, "during", fact.span) for fact in facts if fact.span)


def _named(iri: Iri, kind: str, name: str, others: Names) -> Iterator[str]:
    yield _type(iri, kind)
    yield _text(iri, LABEL, name)
    for language, other in others:
        yield f"<{escape_iri(iri)}> <{_ALIAS}> {quoted(other)}{f'@{language.lower()}' if language else ''} ."


def _type(iri: Iri, kind: str) -> str:
    return f"<{escape_iri(iri)}> <{TYPE}> <{LOOM}{kind}> ."


def _link(iri: Iri, name: str, other: Iri) -> str:
    return f"<{escape_iri(iri)}> <{LOOM}{name}> <{escape_iri(other)}> ."


def _text(iri: Iri, predicate: Iri, text: str) -> str:
    return f"<{escape_iri(iri)}> <{predicate}> {quoted(text)} ."


def _decimal(iri: Iri, name: str, number: Decimal) -> str:
    return f'<{escape_iri(iri)}> <{LOOM}{name}> "{plain(number)}"^^<{XSD}decimal> .'
