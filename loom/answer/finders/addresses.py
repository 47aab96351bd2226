"""Rows as addresses that a finder proposes."""

from loom.core.concepts import Concepts
from loom.core.text import home_of
from loom.core.values import Candidate, Row


def address(concepts: Concepts, row: Row, score: float, retriever: str, why: str) -> Candidate:
    iri = concepts.remembered(row, Concepts.iri)
    return Candidate(iri, score, retriever, why, home_of(iri))
