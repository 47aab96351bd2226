"""A compiled index and the Turtle files that were compiled beside it, as one source in one space of IRIs."""

import re
from collections.abc import Iterator
from typing import Protocol

from loom.build.checks import KINDS
from loom.core.errors import BadSource
from loom.core.rdf.statements import Statements
from loom.core.report import Report
from loom.core.values import Concept, Iri, Where
from loom.ports import CorpusReader, StatementReader

BASE = "urn:ngm:class:"
_CLASS = re.compile(r"https?://[^/#]+/class/([^/#?]+)")


def one_space(iri: Iri) -> Iri:
    """The IRI under which an index holds a class that Turtle files name by an address on the web."""
    found = _CLASS.fullmatch(iri)
    return BASE + found[1] if found else iri


class _Errors(Report):
    """Passes errors on; what else a file of inferred statements lacks, the file beside it has."""

    def __init__(self, report: Report) -> None:
        super().__init__(KINDS)
        self._report = report

    def note(self, kind: str, message: str, where: Where = Where("")) -> None:  # noqa: B008
        if KINDS[kind].severity == "error":
            self._report.note(kind, message, where)


class StatingReader(CorpusReader, StatementReader, Protocol):
    """A reader of concepts that gives statements, too."""


class Joined:
    """The concepts of the index, and the statements of the Turtle files about them.

    `asserted` and `inferred` read the two files, each IRI already in the space of the index. A class that only the Turtle files
    hold is in the triples and no concept.
    """

    def __init__(self, index: CorpusReader, asserted: StatingReader, inferred: StatingReader | None = None) -> None:
        self._index = index
        self._asserted = asserted
        self._inferred = inferred
        self._statements: Statements | None = None

    def read(self, report: Report) -> Iterator[Concept]:
        held: dict[Iri, Concept] = {}
        for concept in self._index.read(report):
            held.setdefault(concept.iri, concept)
            yield concept
        for stated in self._asserted.read(report):
            named = held.get(stated.iri)
            if named is None:
                report.note("not-in-index", f"{stated.title!r} {stated.iri}", stated.where)
            elif named.title != stated.title:
                report.note(
                    "label-collision", f"{stated.iri} is {named.title!r} in the index and {stated.title!r} here", stated.where
                )
        main = self._asserted.statements()
        implied = list(main.implied)
        if self._inferred is not None:
            for _ in self._inferred.read(_Errors(report)):
                pass
            implied += self._inferred.statements().asserted
        self._statements = Statements(
            main.axioms,
            main.asserted,
            implied,
            main.prefixes,
            main.relations,
            main.about & held.keys(),
            main.broader,
            main.members,
        )

    def statements(self) -> Statements:
        if self._statements is None:
            raise BadSource("Expected an index that has been read, but it was not; read it first.")
        return self._statements
