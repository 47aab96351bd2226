"""The part `mentions`: a word index over what a search can find (`loom.core.facts.likeness`), by IRI.

iris.txt  iris.off.npy       what can be found; u64
sources.txt  sources.off.npy  source.npy   the sources; i32: the source of each, -1 where it has none
length.npy                   u32 words in each text
words.txt  words.off.npy     distinct words, sorted
words.ptr.npy  words.text.npy  words.times.npy  u64; i32 texts that hold a word; u16 how often
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import ClassVar, Self

import numpy as np

from loom.core.concepts import remember
from loom.core.facts.likeness import Findable, average_length, best, rarity, terms_of, weights
from loom.core.facts.marks import place_of
from loom.core.facts.part_bases import Files
from loom.core.generation import PartFiles
from loom.core.names import Sorted, between_lines
from loom.core.text import words
from loom.core.values import Iri

MOST_TIMES = (1 << 16) - 1
WORDS_KEPT, SOURCES_KEPT = 4_096, 64


class MentionsPart:
    """A mapped index that gives what `Likeness` gives."""

    KIND: ClassVar[str] = "mentions"

    def __init__(self, files: PartFiles) -> None:
        self._iris = Sorted(files.blob("iris.txt"), files.array("iris.off.npy"))
        sources = Sorted(files.blob("sources.txt"), files.array("sources.off.npy"))
        self._places = {sources[at].decode(): at for at in range(len(sources))}
        self._source = files.array("source.npy")
        self._lengths = files.array("length.npy")
        self._words = Sorted(files.blob("words.txt"), files.array("words.off.npy"))
        self._ptr, self._text, self._times = (files.array(f"words.{name}.npy") for name in ("ptr", "text", "times"))
        self._known_words: dict[str, tuple[int, int]] = {}
        self._known_sources: dict[frozenset[Iri], np.ndarray] = {}
        self._average = average_length(int(self._lengths.sum()), len(self._lengths))

    @classmethod
    def open(cls, files: PartFiles) -> Self:
        return cls(files)

    def search(self, terms: Iterable[str], limit: int, sources: frozenset[Iri] | None = None) -> list[tuple[Iri, float]]:
        total = len(self._iris)
        scores = np.zeros(total)
        for term in terms_of(terms):
            begin, end = self._holding(term)
            texts = self._text[begin:end]
            scores[texts] += rarity(end - begin, total) * weights(self._times[begin:end], self._lengths[texts], self._average)
        if sources is not None:
            scores *= self._within(sources)
        found = np.flatnonzero(scores)
        return [(self._iris[number].decode(), score) for number, score in best(found, scores[found], limit)]

    def _holding(self, word: str) -> tuple[int, int]:
        """Where the texts that hold a word begin and end."""
        found = self._known_words.get(word)
        if found is None:
            at = place_of(self._words, word)
            begin, end = self._ptr[at : at + 2].tolist() if at is not None else (0, 0)
            found = remember(self._known_words, word, (begin, end), WORDS_KEPT)
        return found

    def _within(self, sources: frozenset[Iri]) -> np.ndarray:
        """Which texts are of these sources."""
        found = self._known_sources.get(sources)
        if found is None:
            only = sorted(self._places[source] for source in sources if source in self._places)
            found = remember(self._known_sources, sources, np.isin(self._source, np.array(only, np.int32)), SOURCES_KEPT)
        return found


def press_mentions(documents: Sequence[Findable]) -> Files:
    """The files of the part, from documents by IRI."""
    holding: dict[str, list[tuple[int, int]]] = {}
    lengths = []
    for number, document in enumerate(documents):
        counts = Counter(words(document.text))
        lengths.append(counts.total())
        for word, times in counts.items():
            holding.setdefault(word, []).append((number, min(times, MOST_TIMES)))
    known = sorted(holding)
    sources = sorted({document.source for document in documents if document.source})
    place = {source: at for at, source in enumerate(sources)}
    pairs = [pair for word in known for pair in holding[word]]
    iris, iri_off = between_lines(document.iri for document in documents)
    source_text, source_off = between_lines(sources)
    word_text, word_off = between_lines(known)
    return {
        "iris.txt": iris,
        "iris.off.npy": iri_off,
        "sources.txt": source_text,
        "sources.off.npy": source_off,
        "source.npy": np.array([place.get(document.source, -1) for document in documents], np.int32),
        "length.npy": np.array(lengths, np.uint32),
        "words.txt": word_text,
        "words.off.npy": word_off,
        "words.ptr.npy": np.cumsum([0, *(len(holding[word]) for word in known)], dtype=np.uint64),
        "words.text.npy": np.array([number for number, _ in pairs], np.int32),
        "words.times.npy": np.array([times for _, times in pairs], np.uint16),
    }
