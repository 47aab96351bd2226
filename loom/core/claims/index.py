"""What a reader keeps in memory to find signals or claims by words and by vectors, in step with the versions of a store.

Rows are only ever appended; what may be found, and under which home, is a small column for each version (`Cut`), so that a reader
of an older version and one of the newest search the same rows, each in its own. A vector takes two bytes a number and a word some
five bytes a posting: a million claims of 384 numbers and twenty words are some 900 MB. A search by words reads the postings of the rarer
words, as many as it takes to tell the best; a search by vectors reads one byte a number of what the domains allow: some 0.6 ns a number.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from loom.core.claims.filed import Filed
from loom.core.claims.nearness import Chunk, Rows, kept, near
from loom.core.claims.postings import Postings
from loom.core.claims.spreading import Flags, Ints
from loom.core.retrieval.stem import terms

K1, B = 1.2, 0.75
AT_ONCE = 8192
"""Vectors that are taken together."""
MANY = 10_000
"""Postings of a term whose rarity is remembered for a version."""


class Item(NamedTuple):
    """A signal or claim as it is to be found: `live` says whether it may be, `home` is the number of its home, `text` and `vector` are
    None where they are as before."""

    number: int
    live: bool
    home: int
    text: str | None = None
    vector: np.ndarray | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """What one version may find: of the first rows, those that are `live`, `living` of them, with `mean` terms each."""

    version: int
    numbers: Ints
    live: Flags
    home: Ints
    vectored: Flags
    blocks: tuple[Chunk, ...]
    filed: Filed
    living: int = 0
    mean: float = 1.0
    rarity: dict[str, int] = field(default_factory=dict)
    """How many live rows have a term, of frequent terms that were asked for."""

    def allowed(self, domains: Collection[str]) -> Flags:
        """The rows that may be found under any of the domains; under none given, all."""
        return self.live & self.filed.meets(domains)[self.home] if domains else self.live


class Index:
    """The rows of one kind. One thread changes it at a time (`update`), and asks it for words; `nearest` needs a cut alone."""

    def __init__(self, filed: Filed | None = None) -> None:
        self._postings = Postings()
        none = np.zeros(0, np.int32)
        flags = np.zeros(0, np.bool_)
        self.cut = Cut(0, none, flags, none, flags, (), Filed() if filed is None else filed)

    def __len__(self) -> int:
        return len(self.cut.numbers)

    @property
    def last(self) -> int:
        """The largest number that is here, -1 where there is none."""
        return int(self.cut.numbers[-1]) if len(self.cut.numbers) else -1

    def update(self, version: int, items: Iterable[Item]) -> Cut:
        """Take what changed, in the order of numbers; new numbers are larger than all before. Gives the cut of the new version."""
        cut = self.cut
        numbers, live, home = list[int](), list[bool](), list[int]()
        changed: list[tuple[int, bool, int]] = []
        given: list[tuple[int, np.ndarray]] = []
        vectored: list[int] = []
        blocks: list[Chunk] = list(cut.blocks)
        copied: set[int] = set()
        known = len(cut.numbers)
        last = self.last
        for item in items:
            if item.number > last:
                row, last = known + len(numbers), item.number
                numbers.append(item.number)
                self._postings.add(item.text or "")
                live.append(item.live)
                home.append(item.home)
            else:
                row = _row(cut, item.number)
                changed.append((row, item.live, item.home))
            if item.vector is not None:
                given.append((row, item.vector))
                vectored.append(row)
            if len(given) == AT_ONCE:
                blocks, given = kept(blocks, given, cut.vectored, copied), []
        blocks = kept(blocks, given, cut.vectored, copied)
        self._postings.ready()
        lives = np.concatenate([cut.live, np.array(live, np.bool_)])
        homes = np.concatenate([cut.home, np.array(home, np.int32)])
        have = np.concatenate([cut.vectored, np.zeros(len(numbers), np.bool_)])
        for row, alive, number in changed:
            lives[row], homes[row] = alive, number
        have[vectored] = True
        rows = np.concatenate([cut.numbers, np.array(numbers, np.int32)])
        living = int(lives.sum())
        mean = max(1.0, float(self._postings.lengths(len(rows))[lives].sum(dtype=np.int64)) / max(1, living))
        self.cut = Cut(version, rows, lives, homes, have, tuple(blocks), cut.filed, living, mean)
        return self.cut

    def words(self, cut: Cut, text: str, k: int, domains: Collection[str] = ()) -> list[tuple[int, float]]:
        """The numbers of the best `k` of a cut by BM25, with their scores, best first, ties by number.

        How rare a word is, and how long texts are, is counted over all that the cut may find, whatever the domains. Terms are read from
        the rarest on, until what the rest could add brings no other row among the best (Turtle and Flood 1995)."""
        if not cut.living or k < 1:
            return []
        asked = self._asked(cut, text)
        bounds = [weight * (K1 + 1) for _, weight in asked]
        meets = cut.filed.meets(domains) if domains else None
        met = np.zeros(0, np.int32)
        sums = np.zeros(len(cut.live))
        for at, (term, weight) in enumerate(asked):
            rows, times = self._postings.of(term, len(cut.live))
            if len(met) >= k and _least(sums[met], k) > sum(bounds[at:]) + 1e-6:
                places = np.minimum(np.searchsorted(rows, met), max(0, len(rows) - 1))
                hit = rows[places] == met if len(rows) else np.zeros(len(met), np.bool_)
                sums[met[hit]] += self._scored(cut, met[hit], times[places[hit]], weight)
                continue
            may = cut.live[rows]
            if meets is not None:
                may &= meets[cut.home[rows]]
            rows, times = rows[may], times[may]
            met = np.concatenate([met, rows[sums[rows] == 0.0]])
            sums[rows] += self._scored(cut, rows, times, weight)
        return _best(cut, met, np.round(sums[met], 9), k)

    def _asked(self, cut: Cut, text: str) -> list[tuple[str, float]]:
        """The terms that something may be found with, and their weights, the rarest first."""
        found = []
        for term in sorted(set(terms(text))):
            count = cut.rarity.get(term)
            if count is None:
                rows, _ = self._postings.of(term, len(cut.live))
                count = int(np.count_nonzero(cut.live[rows]))
                if len(rows) > MANY:
                    cut.rarity[term] = count
            if count:
                found.append((count, term))
        return [(term, float(np.log1p((cut.living - count + 0.5) / (count + 0.5)))) for count, term in sorted(found)]

    def _scored(self, cut: Cut, rows: Ints, times: NDArray[np.uint8], weight: float) -> NDArray[np.float64]:
        often = times.astype(np.float64)
        lengths = self._postings.lengths_of(rows)
        scored: NDArray[np.float64] = weight * often * (K1 + 1) / (often + K1 * (1 - B + B * lengths / cut.mean))
        return scored


def nearest(cut: Cut, vector: np.ndarray, k: int, domains: Collection[str] = ()) -> Rows:
    """The numbers of at least the `k` nearest of a cut, and of all that could be among them: their order is to be told from the
    vectors in full, since these here are rounded."""
    if not cut.blocks:
        return np.zeros(0, np.int64)
    rows = np.flatnonzero(cut.allowed(domains) & cut.vectored)
    return cut.numbers[near(cut.blocks, rows, vector, k)].astype(np.int64)


def _least(scores: NDArray[np.float64], k: int) -> float:
    """The k-th largest."""
    return float(np.partition(scores, len(scores) - k)[len(scores) - k])


def _best(cut: Cut, rows: Ints, scores: NDArray[np.float64], k: int) -> list[tuple[int, float]]:
    if len(rows) > k:
        some = scores >= _least(scores, k)
        rows, scores = rows[some], scores[some]
    order = np.lexsort((rows, -scores))[:k]
    return list(zip(cut.numbers[rows[order]].tolist(), scores[order].tolist(), strict=True))


def _row(cut: Cut, number: int) -> int:
    row = int(np.searchsorted(cut.numbers, number))
    if row == len(cut.numbers) or cut.numbers[row] != number:
        raise ValueError(f"number {number} came too late, or in the wrong order")
    return row
