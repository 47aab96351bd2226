"""What a reader keeps in memory to find signals or claims by words and by vectors, in step with the versions of a store.

Rows are only ever appended; what may be found, and under which home, is a small column for each version (`Cut`), so that a reader
of an older version and one of the newest search the same rows, each in its own. A vector takes two bytes a number and a word some
five bytes a posting: a million claims of 384 numbers and twenty words are some 900 MB. A search by vectors reads what the domains
allow, in blocks: some 4 ns a number.
"""

from array import array
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from loom.core.claims.graph import column, seen
from loom.core.claims.reach import filed
from loom.core.errors import BadInput
from loom.core.retrieval.stem import terms

Halves = NDArray[np.float16]
Rows = NDArray[np.int64]

CHUNK = 8192
"""Rows of one block of vectors."""
HALF = 2.0**-11
"""The relative error of a number in 16 bits; the products of two unit vectors sum to a cosine that is wrong by no more than that."""
K1, B = 1.2, 0.75


class Item(NamedTuple):
    """A signal or claim as it is to be found: `live` says whether it may be, `text` and `vector` are None where they are as before."""

    number: int
    live: bool
    home: frozenset[str]
    text: str | None = None
    vector: np.ndarray | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """What one version may find: of the first rows, those that are `live`; `homes` are the sets that `home` numbers."""

    version: int
    numbers: NDArray[np.int32]
    live: NDArray[np.bool_]
    home: NDArray[np.int32]
    vectored: NDArray[np.bool_]
    chunks: tuple[Halves, ...]
    homes: tuple[frozenset[str], ...]

    def allowed(self, domains: Collection[str]) -> NDArray[np.bool_]:
        """The rows that may be found under any of the domains; under none given, all. What has no domain is general."""
        if not domains:
            return self.live
        wanted = frozenset(domains)
        meets = np.fromiter((not wanted.isdisjoint(filed(each)) for each in self.homes), np.bool_, len(self.homes))
        return self.live & meets[self.home]


class Index:
    """The rows of one kind. One thread changes it at a time (`update`), and asks it for words; `nearest` needs a cut alone."""

    def __init__(self) -> None:
        self._lengths = column()
        self._postings: dict[str, tuple[array[int], array[int]]] = {}
        self._homes: dict[frozenset[str], int] = {frozenset(): 0}
        self._width = 0
        self.cut = Cut(
            0, np.zeros(0, np.int32), np.zeros(0, np.bool_), np.zeros(0, np.int32), np.zeros(0, np.bool_), (), (frozenset(),)
        )

    def __len__(self) -> int:
        return len(self.cut.numbers)

    @property
    def last(self) -> int:
        """The largest number that is here, -1 where there is none."""
        return int(self.cut.numbers[-1]) if len(self.cut.numbers) else -1

    def update(self, version: int, items: Iterable[Item]) -> Cut:
        """Take what changed, in the order of numbers; new numbers are larger than all before. Gives the cut of the new version."""
        cut = self.cut
        numbers, live, home, vectored = list[int](), list[bool](), list[int](), list[bool]()
        changed: list[tuple[int, bool, int]] = []
        given: list[tuple[int, np.ndarray]] = []
        known = len(cut.numbers)
        last = self.last
        for item in items:
            number = self._homes.setdefault(item.home, len(self._homes))
            if item.number > last:
                row, last = known + len(numbers), item.number
                numbers.append(item.number)
                self._lengths.append(self._read(row, item.text or ""))
                live.append(item.live)
                home.append(number)
                vectored.append(item.vector is not None)
            else:
                row = _row(cut, item.number)
                changed.append((row, item.live, number))
            if item.vector is not None:
                given.append((row, item.vector))
        lives = np.concatenate([cut.live, np.array(live, np.bool_)])
        homes = np.concatenate([cut.home, np.array(home, np.int32)])
        have = np.concatenate([cut.vectored, np.array(vectored, np.bool_)])
        for row, alive, number in changed:
            lives[row], homes[row] = alive, number
        chunks = self._kept(cut, given, known + len(numbers))
        for row, _ in given:
            have[row] = True
        rows = np.concatenate([cut.numbers, np.array(numbers, np.int32)])
        self.cut = Cut(version, rows, lives, homes, have, chunks, tuple(self._homes))
        return self.cut

    def words(self, cut: Cut, text: str, k: int, domains: Collection[str] = ()) -> list[tuple[int, float]]:
        """The numbers of the best `k` of a cut by BM25, with their scores, best first, ties by number.

        How rare a word is, and how long texts are, is counted over all that the cut may find, whatever the domains."""
        count = len(cut.live)
        allowed = cut.allowed(domains)
        living = int(cut.live.sum())
        if not living or k < 1:
            return []
        lengths = seen(self._lengths)[:count].astype(np.float64)
        mean = max(1.0, float(lengths[cut.live].sum()) / living)
        sums = np.zeros(count)
        for term in sorted(set(terms(text))):
            posted = self._postings.get(term)
            if posted is None:
                continue
            every = seen(posted[0])
            rows = every[: np.searchsorted(every, count)].astype(np.int64)
            times = np.frombuffer(posted[1], np.uint8)[: len(rows)].astype(np.float64)
            alive = cut.live[rows]
            rows, times = rows[alive], times[alive]
            if not len(rows):
                continue
            weight = float(np.log1p((living - len(rows) + 0.5) / (len(rows) + 0.5)))
            sums[rows] += weight * times * (K1 + 1) / (times + K1 * (1 - B + B * lengths[rows] / mean))
        met = np.flatnonzero((sums > 0) & allowed)
        scores = np.round(sums[met], 9)
        order = np.lexsort((met, -scores))[:k]
        return list(zip(cut.numbers[met[order]].tolist(), scores[order].tolist(), strict=True))

    def _read(self, row: int, text: str) -> int:
        found = terms(text)
        for term in sorted(set(found)):
            rows, times = self._postings.setdefault(term, (column(), array("B")))
            rows.append(row)
            times.append(min(255, found.count(term)))
        return len(found)

    def _kept(self, cut: Cut, given: Sequence[tuple[int, np.ndarray]], count: int) -> tuple[Halves, ...]:
        """Blocks that hold the vectors given; those that an older cut may read are copied where one of its rows changes."""
        chunks = list(cut.chunks)
        if given and not self._width:
            self._width = len(given[0][1])
        copied: set[int] = set()
        for row, vector in given:
            if vector.shape != (self._width,):
                raise BadInput(f"Expected a vector of {self._width} numbers, but got the shape {vector.shape}.", param="vector")
            at = row // CHUNK
            while at >= len(chunks):
                chunks.append(np.zeros((CHUNK, self._width), np.float16))
                copied.add(len(chunks) - 1)
            if row < len(cut.vectored) and cut.vectored[row] and at not in copied:
                chunks[at] = chunks[at].copy()
                copied.add(at)
            chunks[at][row % CHUNK] = vector
        while len(chunks) * CHUNK < count and self._width:
            chunks.append(np.zeros((CHUNK, self._width), np.float16))
        return tuple(chunks)


def nearest(cut: Cut, vector: np.ndarray, k: int, domains: Collection[str] = ()) -> Rows:
    """The numbers of at least the `k` nearest of a cut, and of all that could be among them: their order is to be told from the
    vectors in full, since these here are rounded."""
    if not cut.chunks:
        return np.zeros(0, np.int64)
    width = cut.chunks[0].shape[1]
    if vector.shape != (width,):
        raise BadInput(f"Expected a vector of {width} numbers, but got the shape {vector.shape}.", param="vector")
    rows = np.flatnonzero(cut.allowed(domains) & cut.vectored)
    if not len(rows) or k < 1:
        return np.zeros(0, np.int64)
    asked = vector.astype(np.float32)
    found = np.empty(len(rows), np.float32)
    ends = np.searchsorted(rows, np.arange(1, len(cut.chunks) + 1) * CHUNK)
    start = 0
    for at, end in enumerate(ends.tolist()):
        if end > start:
            some = cut.chunks[at][rows[start:end] - at * CHUNK].astype(np.float32)
            found[start:end] = np.einsum("ij,j->i", some, asked)
            start = end
    if len(rows) > k:
        least = np.partition(found, len(found) - k)[len(found) - k]
        rows = rows[found >= least - 2 * (HALF + width * 2.0**-22)]
    return cut.numbers[rows].astype(np.int64)


def _row(cut: Cut, number: int) -> int:
    row = int(np.searchsorted(cut.numbers, number))
    if row == len(cut.numbers) or cut.numbers[row] != number:
        raise ValueError(f"number {number} came too late, or in the wrong order")
    return row
