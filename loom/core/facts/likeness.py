"""Word search over the texts and names of knowledge bases: BM25, with constants, order and rounding fixed.

It proposes; it never decides about an addressed source, a fact or a position (seed 003 §5).
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from loom.core.facts.values import Base, Fact, Span, StatedRow
from loom.core.text import words
from loom.core.values import Iri

K1, B = 1.2, 0.75
DIGITS = 6


@dataclass(frozen=True, slots=True)
class Findable:
    """What a search can find: a span, a row of a stated table (by the IRI of its fact), or the names of a source, an entity or a
    metric; a source's text holds its rows that state no value, too. `source` is "" for entities and metrics, which several files share."""

    iri: Iri
    base: Iri
    source: Iri
    said: str | StatedRow

    @property
    def text(self) -> str:
        """Of a row its header and cells; made when it is asked for, as a table may have many."""
        return self.said if isinstance(self.said, str) else " ".join((*self.said.header, *self.said.cells))


def findable(bases: Iterable[Base], spans: Iterable[Span], facts: Iterable[Fact], rows: Iterable[StatedRow]) -> list[Findable]:
    """All that can be found, by IRI. Rows belong to the facts that they state."""
    found = [Findable(span.iri, span.base, span.source, span.text) for span in spans]
    by_row = {(row.source, row.row): row for row in rows}
    loose = dict(by_row)
    for fact in facts:
        if fact.statistic == "stated" and (row := by_row.get((fact.source, fact.row))):
            found.append(Findable(fact.iri, fact.base, fact.source, row))
            loose.pop((fact.source, fact.row), None)
    cells: dict[Iri, list[str]] = {}
    for key in sorted(loose):
        cells.setdefault(key[0], []).extend(loose[key].cells)
    for base in bases:
        found += _names(base, cells)
    return sorted(found, key=lambda one: one.iri)


def _names(base: Base, cells: Mapping[Iri, Sequence[str]]) -> Iterator[Findable]:
    for source in base.sources:
        names = (source.title, *(name for _, name in source.aliases), *cells.get(source.iri, ()))
        yield Findable(source.iri, base.iri, source.iri, " ".join(names))
    for entity in base.entities:
        yield Findable(entity.iri, base.iri, "", " ".join((entity.name, *(name for _, name in entity.aliases))))
    for metric in base.metrics:
        yield Findable(metric.iri, base.iri, "", " ".join((metric.name, *(name for _, name in metric.words))))


def terms_of(terms: Iterable[str]) -> list[str]:
    """The distinct words asked for, as texts are folded, in order."""
    return list(dict.fromkeys(word for term in terms for word in words(term)))


def rarity(holding: int, total: int) -> float:
    """The weight of a word that `holding` of `total` texts hold; above 0."""
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


def weights(times: np.ndarray, lengths: np.ndarray, average: float) -> np.ndarray:
    """What occurrences count in texts of so many words: f64."""
    often = times.astype(np.float64)
    counted: np.ndarray = often * (K1 + 1) / (often + K1 * (1 - B + B * lengths.astype(np.float64) / average))
    return counted


def average_length(words_in_all: int, texts: int) -> float:
    return max(1.0, words_in_all / max(1, texts))


def best(numbers: np.ndarray, scores: np.ndarray, limit: int) -> list[tuple[int, float]]:
    """The best of some numbers, which ascend: highest score first, ties by number. Scores are compared as they are given out, at
    DIGITS decimals."""
    if limit < 1 or not len(numbers):
        return []
    keys = np.rint(scores * 10**DIGITS).astype(np.int64)
    if limit < len(keys):
        least = np.partition(keys, -limit)[-limit]
        above = np.flatnonzero(keys > least)
        chosen = np.sort(np.concatenate([above, np.flatnonzero(keys == least)[: limit - len(above)]]))
        numbers, keys = numbers[chosen], keys[chosen]
    order = np.lexsort((numbers, -keys))
    return [(number, key / 10**DIGITS) for number, key in zip(numbers[order].tolist(), keys[order].tolist(), strict=True)]


class Likeness:
    """An index in memory over what can be found."""

    def __init__(self, documents: Sequence[Findable]) -> None:
        self._documents = documents
        self._holding: dict[str, list[tuple[int, int]]] = {}
        self._lengths: list[int] = []
        for number, document in enumerate(documents):
            counts = Counter(words(document.text))
            self._lengths.append(counts.total())
            for word, times in counts.items():
                self._holding.setdefault(word, []).append((number, times))
        self._average = average_length(sum(self._lengths), len(self._lengths))

    def search(self, terms: Iterable[str], limit: int, sources: frozenset[Iri] | None = None) -> list[tuple[Iri, float]]:
        return [(self._documents[number].iri, score) for number, score in self._best(terms, limit, sources)]

    def hits(self, terms: Iterable[str], limit: int, sources: frozenset[Iri]) -> list[tuple[Iri, Iri, float]]:
        """With the source of each."""
        found = self._best(terms, limit, sources)
        return [(self._documents[number].iri, self._documents[number].source, score) for number, score in found]

    def _best(self, terms: Iterable[str], limit: int, sources: frozenset[Iri] | None) -> list[tuple[int, float]]:
        scores: dict[int, float] = {}
        for term in terms_of(terms):
            holding = self._holding.get(term, ())
            numbers = [number for number, _ in holding]
            lengths = np.array([self._lengths[number] for number in numbers])
            counted = weights(np.array([times for _, times in holding]), lengths, self._average)
            counted *= rarity(len(holding), len(self._documents))
            for number, score in zip(numbers, counted.tolist(), strict=True):
                if sources is None or self._documents[number].source in sources:
                    scores[number] = scores.get(number, 0.0) + score
        found = sorted(scores)
        return best(np.array(found, np.int64), np.array([scores[number] for number in found]), limit)
