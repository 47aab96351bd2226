"""The `text` part: every unit's whole text as terms, in mapped postings that score by BM25 over weighted fields.

What a term is worth to a unit was computed when the part was pressed (`loom.core.retrieval.pressing`); a search adds. Of a term
that very many units hold, the postings keep those to which it is worth most, and a search adds no more than so many postings, those
of the rarest terms first, so that it costs the same in a large corpus; the forward index keeps all. Files:

    words.txt      words.off.npy    terms in code-point order
    weight.npy                      f64 per term: how much it tells, rounded to 6 digits
    post.ptr.npy   post.row.npy     u64; i32: the rows of each term, in order
    post.worth.npy                  f32: what the term is worth to that row
    unit.ptr.npy   unit.term.npy    u64; i32: the terms of each row, in order
    spoken.key.npy spoken.zipf.npy  u64 hashes of everyday words, in order; u8: twenty times their Zipf value
"""

import math
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from loom.core.concepts import Blob
from loom.core.generation import PartFiles
from loom.core.matching.lexicon import vocabulary
from loom.core.values import Row

BUDGET = 8_192
"""Postings that one search adds before it looks the remaining terms up for the best candidates alone."""

CANDIDATES = 128
DENSE = 32_768
ZIPF_STEPS = 20

TITLE_WEIGHT = 3.0
SATURATION = 1.2

N = TypeVar("N", float, np.ndarray)
Scored = tuple[np.ndarray, np.ndarray]


class TextIndex:
    """A mapped view of the part. Term numbers count from 0 in code-point order; rows are those of `Concepts`."""

    KIND: ClassVar[str] = "text"

    def __init__(self, files: PartFiles) -> None:
        self._numbers = vocabulary(Blob(files.blob("words.txt"), files.array("words.off.npy")))
        self.weight = files.array("weight.npy")
        self._post_ptr = files.array("post.ptr.npy")
        self._post_row = files.array("post.row.npy")
        self._post_worth = files.array("post.worth.npy")
        self._unit_ptr = files.array("unit.ptr.npy")
        self._unit_term = files.array("unit.term.npy")
        self._spoken_key = files.array("spoken.key.npy")
        self._spoken_zipf = files.array("spoken.zipf.npy")
        self.count = len(self._unit_ptr) - 1
        self.length = max(1.0, len(self._unit_term) / max(1, self.count))
        """Mean number of distinct terms of a unit."""
        self.rarest = saturated(TITLE_WEIGHT) * idf(1, max(1, self.count))
        """What a term that a single unit holds, in its title, is worth to that."""
        self.memo: dict[str, Any] = {}
        """What readers of this part remember of words."""
        self._sums: list[np.ndarray] = []

    @classmethod
    def open(cls, files: PartFiles) -> Self:
        return cls(files)

    def numbers(self, terms: Sequence[str]) -> list[int]:
        """The number of each term; -1 where no unit holds it."""
        get = self._numbers.get
        return [get(term, -1) for term in terms]

    def holding(self, number: int) -> int:
        """How many units hold a term; of one that very many hold, how many are searched."""
        start, end = self._post_ptr[number : number + 2].tolist()
        return int(end - start)

    def search(self, terms: Sequence[str], limit: int, budget: int = BUDGET) -> Scored:
        """The best `limit` rows (i64) and their scores (f64), best first, ties by row. A term counts once however often it comes.

        `budget` bounds the postings that are added (those of the first term are, whatever it is)."""
        numbers = {number for number in self.numbers(terms) if number >= 0}
        if not numbers or limit < 1:
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float64)
        known = sorted(numbers)
        known = [number for _, number in sorted(zip((-self.weight.take(known)).tolist(), known, strict=True))]
        starts = self._post_ptr.take(known).tolist()
        ends = self._post_ptr.take(np.add(known, 1)).tolist()
        within, added = 0, 0
        while within < len(known) and (not within or added + ends[within] - starts[within] <= budget):
            added += ends[within] - starts[within]
            within += 1
        slices = list(map(slice, starts, ends))
        rows = np.concatenate([self._post_row[each] for each in slices[:within]])
        worth = np.concatenate([self._post_worth[each] for each in slices[:within]])
        if within == len(known):
            return best(*self._summed(rows, worth, limit * within), limit)
        wanted = max(CANDIDATES, limit)
        found, scores = best(*self._summed(rows, worth, wanted * within), wanted)
        for each in slices[within:]:
            scores += looked_up(found, self._post_row[each], self._post_worth[each])
        return best(found, scores, limit)

    def _summed(self, rows: np.ndarray, worth: np.ndarray, enough: int) -> Scored:
        """Distinct rows with the sums of their worth, added in the order given; in a large corpus those that can be among the best,
        told by the best `enough` of all that was added."""
        if self.count <= DENSE:
            sums = np.bincount(rows, weights=worth)
            found = sums.nonzero()[0]
            return found, sums[found]
        try:
            sums = self._sums.pop()  # two threads never share one
        except IndexError:
            sums = np.zeros(self.count, dtype=np.float64)
        np.add.at(sums, rows, worth.astype(np.float64))
        totals = sums.take(rows)
        sums[rows] = 0.0
        self._sums.append(sums)
        if len(totals) > enough:
            kept = (totals >= np.partition(totals, len(totals) - enough)[len(totals) - enough]).nonzero()[0]
            rows, totals = rows[kept], totals[kept]
        found, first = np.unique(rows, return_index=True)
        return found, totals[first]

    def held(self, row: Row, numbers: np.ndarray) -> np.ndarray:
        """Which of these terms the text of a row holds (bool each); an unknown term, -1, never."""
        start, end = self._unit_ptr[row : row + 2].tolist()
        own = self._unit_term[start:end]
        if not len(own):
            return np.zeros(len(numbers), dtype=bool)
        return np.asarray(own.take(own.searchsorted(numbers), mode="clip") == numbers)

    def most(self, terms: Sequence[str]) -> float:
        """The score of a unit of average length that held every one of these terms once, in its title; an unknown one weighs as one
        that a single unit names."""
        numbers = dict(zip(terms, self.numbers(terms), strict=True))
        rarest = idf(1, max(1, self.count))
        return saturated(TITLE_WEIGHT) * math.fsum(
            float(self.weight[number]) if number >= 0 else rarest for number in numbers.values()
        )

    def everyday(self, word: str) -> float:
        """How common a word, as `words` writes it, is in everyday speech: its Zipf value (log10 of occurrences in 10⁹ words), or 0."""
        key = np.uint64(spoken_key(word))
        at = int(self._spoken_key.searchsorted(key))
        if at < len(self._spoken_key) and self._spoken_key[at] == key:
            return int(self._spoken_zipf[at]) / ZIPF_STEPS
        return 0.0


def best(rows: np.ndarray, scores: np.ndarray, limit: int) -> Scored:
    """The `limit` best of distinct rows: by score, then by row."""
    if len(rows) > limit:
        kept = (scores >= np.partition(scores, len(scores) - limit)[len(scores) - limit]).nonzero()[0]
        rows, scores = rows[kept], scores[kept]
    order = np.lexsort((rows, -scores))[:limit]
    return rows[order].astype(np.int64), scores[order]


def looked_up(wanted: np.ndarray, rows: np.ndarray, worth: np.ndarray) -> np.ndarray:
    """What a term with these postings is worth to each wanted row; 0 where it has none."""
    at = rows.searchsorted(wanted)
    return np.where(rows.take(at, mode="clip") == wanted, worth.take(at, mode="clip"), 0.0)


def idf(holding: int, count: int) -> float:
    """The inverse document frequency of a term that so many of all units hold."""
    return math.log(1 + (count - holding + 0.5) / (holding + 0.5))


def saturated(frequency: N) -> N:
    """What a damped, weighted frequency is worth, at most 1 + SATURATION; of an array, each."""
    return frequency * (1 + SATURATION) / (frequency + SATURATION)


def spoken_key(word: str) -> int:
    return int.from_bytes(blake2b(word.encode("utf-8", "replace"), digest_size=8).digest(), "little")
