"""Concepts that are already there: the fake of every corpus reader, and a source for those who compose a corpus in code."""

from collections.abc import Iterator, Sequence

from loom.core.rdf.statements import Statements
from loom.core.report import Report
from loom.core.values import Concept, Where


class FakeCorpus:
    """Gives the concepts in their order, after its remarks (kind, message, place)."""

    def __init__(self, concepts: Sequence[Concept], remarks: Sequence[tuple[str, str, Where]] = ()) -> None:
        self._concepts = tuple(concepts)
        self._remarks = tuple(remarks)

    def read(self, report: Report) -> Iterator[Concept]:
        for kind, message, where in self._remarks:
            report.note(kind, message, where)
        yield from self._concepts


class FakeOntology(FakeCorpus):
    """Concepts with the statements that are given beside them."""

    def __init__(self, concepts: Sequence[Concept], stated: Statements) -> None:
        super().__init__(concepts)
        self._stated = stated

    def statements(self) -> Statements:
        return self._stated
