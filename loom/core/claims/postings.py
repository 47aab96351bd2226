"""In which rows a term is: what is searched by words, in some five bytes a posting and nothing for a term but its name.

Postings lie by term, in the order of rows. What was added since they were put in order lies behind them, by row, and is looked through;
it is put in order when it has become a sixteenth of the whole, so that adding costs about a constant a posting.
"""

import numpy as np
from numpy.typing import NDArray

from loom.core.claims.graph import column, seen
from loom.core.claims.spreading import Ints, ordered
from loom.core.retrieval.stem import terms

Times = NDArray[np.uint8]

LATE = 1 << 16
"""Terms of texts that are not put in order for being fewer."""


class _Numbers(dict[str, int]):
    def __missing__(self, term: str) -> int:
        number = self[term] = len(self)
        return number


class Postings:
    """Rows are numbered from 0, in the order in which their texts come."""

    def __init__(self) -> None:
        self._numbers = _Numbers()
        self._lengths = column()
        self._settled = 0
        self._starts = np.zeros(1, np.int64)
        self._rows = np.zeros(0, np.int32)
        self._times = np.zeros(0, np.uint8)
        self._late = column()

    def add(self, text: str) -> None:
        """The text of the next row."""
        found = terms(text)
        self._late.extend(map(self._numbers.__getitem__, found))
        self._lengths.append(len(found))
        if len(self._late) > max(16 * LATE, len(self._rows) // 2):
            self._settle()

    def ready(self) -> None:
        """To be called when texts were added, before any is searched."""
        if len(self._late) > max(LATE, len(self._rows) // 16):
            self._settle()

    def lengths(self, count: int) -> Ints:
        """How many terms each of the first rows has; a copy."""
        return seen(self._lengths)[:count].copy()

    def lengths_of(self, rows: Ints) -> NDArray[np.float64]:
        return seen(self._lengths)[rows].astype(np.float64)

    def of(self, term: str, count: int) -> tuple[Ints, Times]:
        """Of the first so many rows those that have a term, in order, and how often (at most 255 times)."""
        number = self._numbers.get(term)
        if number is None:
            return np.zeros(0, np.int32), np.zeros(0, np.uint8)
        start, end = self._starts[number : number + 2].tolist() if number + 1 < len(self._starts) else (0, 0)
        rows, times = self._rows[start:end], self._times[start:end]
        at = np.flatnonzero(seen(self._late) == number)
        if len(at):
            ends = np.cumsum(seen(self._lengths)[self._settled :])
            late, often = np.unique(self._settled + np.searchsorted(ends, at, side="right"), return_counts=True)
            rows = np.concatenate([rows, late.astype(np.int32)])
            times = np.concatenate([times, np.minimum(often, 255).astype(np.uint8)])
        end = int(np.searchsorted(rows, count))
        return rows[:end], times[:end]

    def _settle(self) -> None:
        """Put what was added behind the postings of each term."""
        late, sizes = seen(self._late), seen(self._lengths)[self._settled :]
        of = np.repeat(np.arange(self._settled, self._settled + len(sizes), dtype=np.int32), sizes)
        order = ordered(late)
        term, row = late[order], of[order]
        del order, of, late, sizes
        first = np.flatnonzero(np.append(True, (term[1:] != term[:-1]) | (row[1:] != row[:-1]))[: len(term)])
        times = np.minimum(np.diff(np.append(first, len(term))), 255).astype(np.uint8)
        term, row = term[first], row[first]
        count = len(self._numbers)
        held = np.zeros(count, np.int64)
        held[: len(self._starts) - 1] = np.diff(self._starts)
        fresh = np.bincount(term, minlength=count)
        starts = np.zeros(count + 1, np.int64)
        np.cumsum(held + fresh, out=starts[1:])
        begins = np.cumsum(fresh) - fresh
        places = np.arange(len(term)) + np.repeat(starts[:-1] + held - begins, fresh)
        before = np.ones(int(starts[-1]), np.bool_)
        before[places] = False
        rows, often = np.empty(len(before), np.int32), np.empty(len(before), np.uint8)
        rows[places], often[places] = row, times
        rows[before], often[before] = self._rows, self._times
        self._starts, self._rows, self._times = starts, rows, often
        self._settled = len(self._lengths)
        self._late = column()
