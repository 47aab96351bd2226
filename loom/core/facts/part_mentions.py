"""The part `mentions`: a word index over what a search can find (`loom.core.facts.likeness`), by IRI.

iris.txt  iris.off.npy       what can be found; u64
sources.txt  sources.off.npy  source.npy   the sources; i32: the source of each, -1 where it has none
length.npy                   u32 words in each text
words.txt  words.off.npy     distinct words, sorted
words.ptr.npy  words.text.npy  words.times.npy  u64; i32 texts that hold a word; u16 how often
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
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
WORDS_KEPT, SOURCES_KEPT, SCORES_KEPT = 4_096, 64, 2
FEW = 16
"""Where fewer than one in so many texts hold a word, those alone are reckoned with."""


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
        self._known_scores: dict[tuple[str, ...], tuple[np.ndarray, np.ndarray]] = {}
        self._homes = (*self._places, "")
        self._average = average_length(int(self._lengths.sum()), len(self._lengths))

    @classmethod
    def open(cls, files: PartFiles) -> Self:
        return cls(files)

    def search(self, terms: Iterable[str], limit: int, sources: frozenset[Iri] | None = None) -> list[tuple[Iri, float]]:
        return [(self._iris[number].decode(), score) for number, score in self._best(terms, limit, sources)]

    def hits(self, terms: Iterable[str], limit: int, sources: frozenset[Iri]) -> list[tuple[Iri, Iri, float]]:
        found = self._best(terms, limit, sources)
        return [(self._iris[number].decode(), self._homes[self._source[number]], score) for number, score in found]

    def _best(self, terms: Iterable[str], limit: int, sources: frozenset[Iri] | None) -> list[tuple[int, float]]:
        asked = tuple(terms_of(terms))
        numbers, scores = self._known_scores.get(asked) or remember(self._known_scores, asked, self._scored(asked), SCORES_KEPT)
        if sources is not None:
            here = self._within(sources)[self._source[numbers]]
            numbers, scores = numbers[here], scores[here]
        return best(numbers, scores, limit)

    def _scored(self, asked: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """The texts that hold any of these words, in order, and their scores: f64. Each base of a question searches for the same words."""
        total = len(self._iris)
        spans = [self._holding(word) for word in asked]
        held = [self._text[begin:end] for begin, end in spans]
        few = sum(map(len, held)) * FEW < total
        numbers = np.unique(np.concatenate(held)) if few and held else np.zeros(0, np.int32)
        scores = np.zeros(len(numbers) if few else total)
        for (begin, end), texts in zip(spans, held, strict=True):
            places = np.searchsorted(numbers, texts) if few else texts
            scores[places] += rarity(end - begin, total) * weights(self._times[begin:end], self._lengths[texts], self._average)
        if not few:
            numbers = np.flatnonzero(scores)
            scores = scores[numbers]
        return numbers, scores

    def times(self, texts: np.ndarray, groups: int) -> Iterator[tuple[str, np.ndarray]]:
        """Every word with how often texts of each group hold it; `texts` says the group of each, -1 for none."""
        bounds = self._ptr.tolist()
        for at, (begin, end) in enumerate(pairwise(bounds)):
            held = texts[self._text[begin:end]]
            inside = held >= 0
            counts = np.bincount(held[inside], weights=self._times[begin:end][inside], minlength=groups)
            yield self._words[at].decode(), counts.astype(np.int64)

    def _holding(self, word: str) -> tuple[int, int]:
        """Where the texts that hold a word begin and end."""
        found = self._known_words.get(word)
        if found is None:
            at = place_of(self._words, word)
            begin, end = self._ptr[at : at + 2].tolist() if at is not None else (0, 0)
            found = remember(self._known_words, word, (begin, end), WORDS_KEPT)
        return found

    def _within(self, sources: frozenset[Iri]) -> np.ndarray:
        """Which sources are of these, by place; behind them one entry for texts without a source."""
        found = self._known_sources.get(sources)
        if found is None:
            made = np.zeros(len(self._homes), bool)
            made[[self._places[source] for source in sources if source in self._places]] = True
            found = remember(self._known_sources, sources, made, SOURCES_KEPT)
        return found


def press_mentions(documents: Sequence[Findable]) -> Files:
    """The files of the part, from documents by IRI. Occurrences are gathered as numbers: a table of many rows has many words."""
    numbers: dict[str, int] = {}
    of_word, of_text, of_times, lengths = array("i"), array("i"), array("H"), array("I")
    for number, document in enumerate(documents):
        counts = Counter(words(document.text))
        lengths.append(counts.total())
        of_text.extend([number] * len(counts))
        of_word.extend([numbers.setdefault(word, len(numbers)) for word in counts])
        of_times.extend([min(times, MOST_TIMES) for times in counts.values()])
    known = sorted(numbers)
    places = np.empty(len(known), np.int32)
    places[[numbers[word] for word in known]] = np.arange(len(known), dtype=np.int32)
    word = places[np.frombuffer(of_word, np.int32)] if known else np.zeros(0, np.int32)
    order = np.argsort(word, kind="stable")
    sources = sorted({document.source for document in documents if document.source})
    place = {source: at for at, source in enumerate(sources)}
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
        "words.ptr.npy": np.concatenate([[0], np.cumsum(np.bincount(word, minlength=len(known)))]).astype(np.uint64),
        "words.text.npy": np.frombuffer(of_text, np.int32)[order],
        "words.times.npy": np.frombuffer(of_times, np.uint16)[order],
    }


class Pressed:
    """The files of a part that is not sealed yet, to be read in memory."""

    def __init__(self, files: Files) -> None:
        self._files = files

    def array(self, name: str) -> np.ndarray:
        return np.asarray(self._files[name])

    def blob(self, name: str) -> memoryview:
        return memoryview(bytes(self._files[name]))
