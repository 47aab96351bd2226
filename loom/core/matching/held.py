"""The names of a lexicon held in memory, for texts as short as questions: looking up a few dozen runs of words one by one is
several times faster than a few dozen operations on arrays."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

NAMES_HELD = 400_000
"""Names of the largest lexicon that is held."""

SHORT = 64
"""Words of the longest text that is read name by name."""

_FACTOR, _MASK = 0x9E3779B97F4A7C15, (1 << 64) - 1
MULTIPLIER = np.uint64(_FACTOR)


class Spans(NamedTuple):
    """Names found in a text, one a place: the word at which each starts, its words, and its range of `name_row` and
    `name_form`."""

    start: np.ndarray
    words: np.ndarray
    first: np.ndarray
    last: np.ndarray


_NONE = np.empty(0, dtype=np.int64)
NO_SPANS = Spans(_NONE, _NONE, _NONE, _NONE)


class HeldNames:
    """Each key with the range of its entries that are names, and whether it begins longer ones."""

    def __init__(self, keys: np.ndarray, rows: np.ndarray) -> None:
        distinct, first = np.unique(keys, return_index=True)
        last = np.append(first, len(keys))[1:]
        begins = rows[first] < 0
        entries = zip(distinct.tolist(), (first + begins).tolist(), last.tolist(), begins.tolist(), strict=True)
        # A comprehension, because one call in C would hold up every other thread for as long as it takes.
        self._names = {key: (first, last, begins) for key, first, last, begins in entries}
        self.rows: list[int] = rows.tolist()

    def spans(self, numbers: Sequence[int]) -> Spans:
        """As `Lexicon.names_in`, in the same order."""
        found = self.runs(numbers)
        return Spans(*np.array(found, dtype=np.int64).T) if found else NO_SPANS

    def may_begin(self, one: int, other: int) -> bool:
        """Whether a word is a name, or two words are one or begin one; cheaper than `runs`."""
        key = (_FACTOR + one) & _MASK
        return key in self._names or (key * _FACTOR + other) & _MASK in self._names

    def runs(self, numbers: Sequence[int]) -> list[tuple[int, int, int, int]]:
        """The fields of `Spans` for each name: runs of one word, of two, of three, and so on."""
        names = self._names
        found: list[tuple[int, int, int, int]] = []
        pairs: list[tuple[int, int, int, int]] = []
        begun: list[tuple[int, int]] = []
        before = 0
        for start, number in enumerate(numbers):
            if not number:
                before = 0
                continue
            key = (_FACTOR + number) & _MASK
            if name := names.get(key):
                found.append((start, 1, name[0], name[1]))
            if before:
                pair = (before * _FACTOR + number) & _MASK
                if name := names.get(pair):
                    pairs.append((start - 1, 2, name[0], name[1]))
                    if name[2]:
                        begun.append((start - 1, pair))
            before = key
        found += pairs
        words = 2
        while begun:
            words += 1
            longer, begun = begun, []
            for start, key in longer:
                if start + words > len(numbers):
                    continue
                key = (key * _FACTOR + numbers[start + words - 1]) & _MASK
                if name := names.get(key):
                    found.append((start, words, name[0], name[1]))
                    if name[2]:
                        begun.append((start, key))
        return [span for span in found if span[2] < span[3]]
