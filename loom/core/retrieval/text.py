"""The `text` part: every unit's whole text as terms, in mapped postings that score by BM25 over weighted fields.

A unit's fields are its title with further names, its definition, its free text, and the titles of what it points at. Each
field's counts are damped by its own length before they are added (BM25F), so that a long page does not drown a definition. What
a term is worth to a unit is computed when the part is pressed; a search adds. Of a term that very many units hold, the postings
keep those to which it is worth most, so that a search costs the same in a large corpus; the forward index keeps all. Files:

    words.txt      words.off.npy    terms in code-point order
    weight.npy                      f64 per term: inverse document frequency, rounded to 6 digits
    post.ptr.npy   post.row.npy     u64; i32: the rows of each term, in order
    post.worth.npy                  f32: what the term is worth to that row
    unit.ptr.npy   unit.term.npy    u64; i32: the terms of each row, in order
    spoken.key.npy spoken.zipf.npy  u64 hashes of everyday words, in order; u8: twenty times their Zipf value
"""

import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import ClassVar, Self

import numpy as np

from loom.core.concepts import Blob, blob
from loom.core.generation import PartFiles
from loom.core.matching.lexicon import vocabulary as numbered
from loom.core.matching.match import DENSE
from loom.core.retrieval.stem import terms
from loom.core.text import slug_of, words
from loom.core.values import Concept, Ref, Row

CHAMPIONS = 16_384
SATURATION = 1.2
ZIPF_STEPS = 20


@dataclass(frozen=True, slots=True)
class Field:
    """What a field's words weigh, and how far a long field is damped (0 to 1)."""

    weight: float
    damping: float


TITLE, DEFINITION, PROSE, PARENTS, TARGETS = range(5)
FIELDS = (Field(3.0, 0.4), Field(2.0, 0.4), Field(0.5, 0.75), Field(0.5, 0.4), Field(0.5, 0.75))


class TextIndex:
    """A mapped view of the part. Term numbers count from 0 in code-point order; rows are those of `Concepts`."""

    KIND: ClassVar[str] = "text"

    def __init__(self, files: PartFiles) -> None:
        self._numbers = numbered(Blob(files.blob("words.txt"), files.array("words.off.npy")))
        self.weight = files.array("weight.npy")
        self._post_ptr = files.array("post.ptr.npy")
        self._post_row = files.array("post.row.npy")
        self._post_worth = files.array("post.worth.npy")
        self._unit_ptr = files.array("unit.ptr.npy")
        self._unit_term = files.array("unit.term.npy")
        self._spoken_key = files.array("spoken.key.npy")
        self._spoken_zipf = files.array("spoken.zipf.npy")
        self.count = len(self._unit_ptr) - 1

    @classmethod
    def open(cls, files: PartFiles) -> Self:
        return cls(files)

    def numbers(self, terms: Sequence[str]) -> list[int]:
        """The number of each term; -1 where no unit holds it."""
        get = self._numbers.get
        return [get(term, -1) for term in terms]

    def search(self, terms: Sequence[str], limit: int) -> tuple[np.ndarray, np.ndarray]:
        """The best `limit` rows (i64) and their scores (f64), best first, ties by row. A term counts once however often it comes."""
        known = sorted({number for number in self.numbers(terms) if number >= 0})
        if not known or limit < 1:
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float64)
        bounds = [self._post_ptr[number : number + 2].tolist() for number in known]
        rows = np.concatenate([self._post_row[start:end] for start, end in bounds])
        worth = np.concatenate([self._post_worth[start:end] for start, end in bounds])
        if self.count > DENSE:
            found, places = np.unique(rows, return_inverse=True)
            scores = np.bincount(places, weights=worth)
        else:
            scores = np.bincount(rows, weights=worth)
            found = scores.nonzero()[0]
            scores = scores[found]
        if len(found) > limit:
            bound = np.partition(scores, len(scores) - limit)[len(scores) - limit]
            kept = (scores >= bound).nonzero()[0]
            found, scores = found[kept], scores[kept]
        order = np.lexsort((found, -scores))[:limit]
        return found[order].astype(np.int64), scores[order]

    def held(self, row: Row, numbers: np.ndarray) -> np.ndarray:
        """Which of these terms the text of a row holds (bool each); an unknown term, -1, never."""
        start, end = self._unit_ptr[row : row + 2].tolist()
        own = self._unit_term[start:end]
        if not len(own):
            return np.zeros(len(numbers), dtype=bool)
        return np.asarray(own.take(own.searchsorted(numbers), mode="clip") == numbers)

    def most(self, terms: Sequence[str]) -> float:
        """The score of a unit of average length that held every one of these terms once, in its title; an unknown one weighs as one
        that a single unit holds."""
        numbers = {term: number for term, number in zip(terms, self.numbers(terms), strict=True)}
        rarest = idf(1, self.count)
        once = saturated(FIELDS[TITLE].weight)
        return math.fsum(once * (float(self.weight[number]) if number >= 0 else rarest) for number in numbers.values())

    def everyday(self, word: str) -> float:
        """How common a word, as `words` writes it, is in everyday speech: its Zipf value (log10 of occurrences in 10⁹ words), or 0."""
        key = np.uint64(_hash(word))
        at = int(self._spoken_key.searchsorted(key))
        if at < len(self._spoken_key) and self._spoken_key[at] == key:
            return int(self._spoken_zipf[at]) / ZIPF_STEPS
        return 0.0


def idf(holding: int, count: int) -> float:
    """The weight of a term that so many of all units hold."""
    return round(math.log(1 + (count - holding + 0.5) / (holding + 0.5)), 6)


def saturated(frequency: float) -> float:
    """What a damped, weighted frequency is worth, at most 1 + SATURATION."""
    return frequency * (1 + SATURATION) / (frequency + SATURATION)


def press_text(concepts: Sequence[Concept], everyday: Mapping[str, float] | None = None) -> dict[str, bytes | np.ndarray]:
    """The files of the part. Concepts come in the order of their IRIs; `everyday` gives the Zipf value of everyday words.

    A deprecated concept has no terms, so nothing finds it."""
    counted = _Counted()
    for fields in _texts(concepts):
        counted.add(fields)
    vocabulary = sorted(counted.numbers)
    renumbered = np.empty(len(vocabulary), dtype=np.int32)
    renumbered[[counted.numbers[word] for word in vocabulary]] = np.arange(len(vocabulary), dtype=np.int32)
    unit_ptr = np.array(counted.ends, dtype=np.int64)
    row = np.repeat(np.arange(len(concepts), dtype=np.int32), np.diff(unit_ptr))
    frequency = counted.frequency(row)
    term = renumbered[np.frombuffer(counted.terms, dtype=np.int32)] if len(counted.terms) else np.empty(0, dtype=np.int32)
    order = np.lexsort((term, row))
    unit_term = term[order]
    order = np.argsort(term, kind="stable")
    term, row, frequency = term[order], row[order], frequency[order]
    holding = np.bincount(term, minlength=len(vocabulary))
    weight = np.array([idf(held, len(concepts)) for held in holding.tolist()], dtype=np.float64)
    worth = (weight[term] * saturated_all(frequency)).astype(np.float32)
    kept = _champions(worth, holding)
    text, offsets = blob(word + "\n" for word in vocabulary)
    keys, zipf = _spoken(everyday or {})
    return {
        "words.txt": text,
        "words.off.npy": offsets,
        "weight.npy": weight,
        "post.ptr.npy": np.concatenate(([0], np.cumsum(np.minimum(holding, CHAMPIONS)))).astype(np.uint64),
        "post.row.npy": row[kept],
        "post.worth.npy": worth[kept],
        "unit.ptr.npy": unit_ptr.astype(np.uint64),
        "unit.term.npy": unit_term,
        "spoken.key.npy": keys,
        "spoken.zipf.npy": zipf,
    }


def saturated_all(frequency: np.ndarray) -> np.ndarray:
    return np.asarray(frequency * (1 + SATURATION) / (frequency + SATURATION))


class _Counted:
    """The terms of units as they come: numbered by first sight, with their count in each field."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.terms = array("i")
        self.counts = [array("f") for _ in FIELDS]
        self.lengths = [array("i") for _ in FIELDS]
        self.ends = [0]

    def add(self, fields: Sequence[Sequence[str]]) -> None:
        counts: dict[str, list[int]] = {}
        for field, held in enumerate(fields):
            self.lengths[field].append(len(held))
            for term in held:
                if term not in counts:
                    counts[term] = [0] * len(FIELDS)
                counts[term][field] += 1
        numbers = self.numbers
        for term, by_field in counts.items():
            self.terms.append(numbers.setdefault(term, len(numbers)))
            for field, count in enumerate(by_field):
                self.counts[field].append(count)
        self.ends.append(len(self.terms))

    def frequency(self, row: np.ndarray) -> np.ndarray:
        """The weighted count of each term in its row, every field damped by its length there."""
        total = np.zeros(len(row), dtype=np.float64)
        for field, counts, lengths in zip(FIELDS, self.counts, self.lengths, strict=True):
            if not any(lengths):
                continue
            length = np.frombuffer(lengths, dtype=np.int32)
            average = int(length.sum(dtype=np.int64)) / int((length > 0).sum())
            damped = field.weight / (1 - field.damping + field.damping * length / average)
            total += np.frombuffer(counts, dtype=np.float32) * damped[row]
        return total


def _texts(concepts: Sequence[Concept]) -> Iterator[Sequence[Sequence[str]]]:
    """The terms of each concept, field by field."""
    titles = {concept.iri: concept.title for concept in concepts}
    known: dict[str, list[str]] = {}

    def title_of(ref: Ref) -> list[str]:
        found = known.get(ref.iri)
        if found is None:
            found = known[ref.iri] = terms(titles.get(ref.iri) or ref.label or slug_of(ref.iri))
        return found

    for concept in concepts:
        if concept.deprecated:
            yield [()] * len(FIELDS)
            continue
        targets = {ref.iri: ref for _, refs in concept.relations for ref in refs}
        yield (
            [term for name in (concept.title, *concept.aliases) for term in terms(name)],
            terms(concept.full or concept.definition),
            terms(concept.prose),
            [term for ref in concept.parents for term in title_of(ref)],
            [term for ref in targets.values() for term in title_of(ref)],
        )


def _champions(worth: np.ndarray, holding: np.ndarray) -> np.ndarray:
    """The postings that are kept, in order: of a term that too many rows hold, those to which it is worth most (ties by row)."""
    kept = np.ones(len(worth), dtype=bool)
    ends = np.cumsum(holding)
    for term in (holding > CHAMPIONS).nonzero()[0].tolist():
        end = int(ends[term])
        start = end - int(holding[term])
        kept[start + np.argsort(-worth[start:end], kind="stable")[CHAMPIONS:]] = False
    return kept.nonzero()[0]


def _spoken(everyday: Mapping[str, float]) -> tuple[np.ndarray, np.ndarray]:
    values: dict[int, int] = {}
    for word, zipf in everyday.items():
        key, steps = _hash("".join(words(word))), min(255, round(zipf * ZIPF_STEPS))
        values[key] = max(steps, values.get(key, 0))
    hashed = sorted(values.items())
    return np.array([key for key, _ in hashed], dtype=np.uint64), np.array([zipf for _, zipf in hashed], dtype=np.uint8)


def _hash(word: str) -> int:
    return int.from_bytes(blake2b(word.encode("utf-8", "replace"), digest_size=8).digest(), "little")
