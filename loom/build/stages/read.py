"""Sources become one list of concepts in one space of IRIs; of two definitions the first holds."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from loom.build.checks import KINDS
from loom.build.stage import Source, Stage, Work
from loom.core.errors import BadSource
from loom.core.rdf.formats import is_rdf
from loom.core.rdf.labels import spoken
from loom.core.report import Kind, Report
from loom.core.values import Concept, Where
from loom.ports import BaseReader


class NamedReport(Report):
    """Passes remarks on, with the name of a source before each path."""

    def __init__(self, report: Report, name: str, kinds: Mapping[str, Kind] = KINDS) -> None:
        super().__init__(kinds)
        self._report = report
        self._name = name

    def note(self, kind: str, message: str, where: Where = Where("")) -> None:  # noqa: B008
        self._report.note(kind, message, under(self._name, where))


def under(name: str, where: Where) -> Where:
    """A place below a named source."""
    return Where(f"{name}/{where.file}" if where.file else name, where.line)


def _concepts(source: Source, report: Report, *, named: bool) -> Iterator[Concept]:
    """The concepts of one source. With `named`, its remarks and its refusal say which of several it is."""
    try:
        yield from source.reader.read(NamedReport(report, source.name) if named else report)
    except BadSource as refusal:
        if not named:
            raise
        raise BadSource(f"{source.name}: {refusal.message}") from refusal


def _mentioned(concept: Concept) -> bool:
    """Whether an ontology only names a class that is described elsewhere: no definition of its own, so no second one either."""
    says = (concept.definition, concept.full, concept.aliases, concept.parents, concept.relations, concept.domain)
    return is_rdf(concept.where.file) and not any(says) and concept.title == spoken(concept.iri)


def read(work: Work) -> None:
    several = len(work.sources) > 1
    held: dict[str, Concept] = {}
    for source in work.sources:
        for concept in _concepts(source, work.report, named=several):
            if len(concept.title.splitlines()) > 1:
                work.report.note("line-break", f"the title of {concept.iri}", concept.where)
                concept = replace(concept, title=" ".join(concept.title.split()))
            if several:
                concept = replace(concept, where=under(source.name, concept.where))
            first = held.setdefault(concept.iri, concept)
            if first is not concept and _mentioned(first):
                held[concept.iri] = concept
            elif first is not concept and not _mentioned(concept):
                work.report.note(
                    "duplicate-concept", f"{concept.iri} ({concept.title}) is defined at {first.where} already", concept.where
                )
            work.tick("read", len(held), None)
    if not held and not any(isinstance(one.reader, BaseReader) and one.reader.content() for one in work.sources):
        raise BadSource(
            "Expected at least one concept, but the sources hold none; --dry-run --report says what was passed over, and "
            "--kind says what a source is where its content does not."
        )
    work.concepts = list(held.values())


STAGE = Stage("read", (), read)
