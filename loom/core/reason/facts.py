"""Sets of numbers that only grow, each number with the round in which it came; and joins over sorted columns."""

from typing import Any

import numpy as np

Numbers = np.ndarray[Any, np.dtype[np.int64]]
Rounds = np.ndarray[Any, np.dtype[np.int32]]
NONE: Numbers = np.empty(0, np.int64)


def distinct(parts: list[Numbers]) -> Numbers:
    """The numbers of all parts, ascending, each once."""
    whole = np.concatenate(parts) if parts else NONE
    if whole.size < 2:
        return whole
    whole.sort()
    return whole[np.concatenate(([True], whole[1:] != whole[:-1]))]


def pieces(numbers: Numbers, size: int = 1 << 17) -> list[Numbers]:
    """The numbers in pieces, so that what a join makes of them at one time stays small."""
    return [numbers[start : start + size] for start in range(0, numbers.size, size)]


class Facts:
    """A growing set of 64-bit numbers: a few sorted columns, the small ones merged as they come, so that adding stays cheap."""

    def __init__(self) -> None:
        self._levels: list[tuple[Numbers, Rounds]] = []

    def __len__(self) -> int:
        return sum(keys.size for keys, _ in self._levels)

    def has(self, keys: Numbers) -> "np.ndarray[Any, np.dtype[np.bool_]]":
        found = np.zeros(keys.size, bool)
        for level, _ in self._levels:
            at = np.searchsorted(level, keys)
            at[at == level.size] = 0
            found |= level[at] == keys
        return found

    def add(self, candidates: list[Numbers], round: int) -> Numbers:
        """Take in what is new; returns it, ascending. Numbers that are here already keep their round."""
        new = distinct(candidates)
        for level, _ in self._levels:
            if not new.size:
                return new
            at = np.searchsorted(level, new)
            at[at == level.size] = 0
            new = new[level[at] != new]
        if new.size:
            self._levels.append((new, np.full(new.size, round, np.int32)))
            while len(self._levels) > 1 and self._levels[-2][0].size < 4 * self._levels[-1][0].size:
                self._merge()
        return new

    def _merge(self) -> None:
        (small, small_rounds), (large, large_rounds) = self._levels.pop(), self._levels.pop()
        at = np.searchsorted(large, small) + np.arange(small.size)
        keys = np.empty(large.size + small.size, np.int64)
        rounds = np.empty(keys.size, np.int32)
        rest = np.ones(keys.size, bool)
        rest[at] = False
        keys[at], keys[rest] = small, large
        rounds[at], rounds[rest] = small_rounds, large_rounds
        self._levels.append((keys, rounds))

    def columns(self) -> tuple[Numbers, Rounds]:
        """All numbers ascending, and the round of each."""
        while len(self._levels) > 1:
            self._merge()
        return self._levels[0] if self._levels else (NONE, np.empty(0, np.int32))

    def parts(self) -> list[Numbers]:
        """All numbers, as a few sorted columns."""
        return [keys for keys, _ in self._levels]

    def between(self, low: Numbers, high: Numbers) -> tuple[Numbers, Numbers]:
        """For each pair of bounds, what lies in [low, high): the position of the pair and the number, in no stated order."""
        parts = []
        for keys, _ in self._levels:
            first, last = np.searchsorted(keys, low), np.searchsorted(keys, high)
            pair, at = spans(first, last)
            parts.append((pair, keys[at]))
        if not parts:
            return NONE, NONE
        return np.concatenate([pair for pair, _ in parts]), np.concatenate([found for _, found in parts])


def spans(first: Numbers, last: Numbers) -> tuple[Numbers, Numbers]:
    """Every position inside the spans [first, last): the index of its span, and the position."""
    sizes = last - first
    span = np.repeat(np.arange(first.size), sizes)
    starts = np.cumsum(sizes) - sizes
    return span, np.arange(span.size) - starts[span] + first[span]


class Join:
    """Rows under a key: `rows_of(keys)` gives, for keys that may repeat, the index into the keys and the row of each match."""

    def __init__(self, keys: Numbers, *columns: Numbers) -> None:
        order: Numbers = np.argsort(keys, kind="stable").astype(np.int64, copy=False)
        self.keys = keys[order]
        self.columns = tuple(column[order] for column in columns)

    def rows_of(self, keys: Numbers) -> tuple[Numbers, Numbers]:
        if not self.keys.size or not keys.size:
            return NONE, NONE
        return spans(np.searchsorted(self.keys, keys, "left"), np.searchsorted(self.keys, keys, "right"))


class NodeJoin(Join):
    """A join whose keys are nodes below a known count: starts are looked up, not searched."""

    def __init__(self, count: int, keys: Numbers, *columns: Numbers) -> None:
        super().__init__(keys, *columns)
        self._first = np.searchsorted(self.keys, np.arange(count + 1))

    def rows_of(self, keys: Numbers) -> tuple[Numbers, Numbers]:
        return spans(self._first[keys], self._first[keys + 1])
